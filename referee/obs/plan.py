"""What OBS does when something happens in the game: the file ``obs.toml``.

A reaction stands under the name of an event (`referee.overlay.cues`)::

    [on.illegal]
    chapter = true
    replay = true
    scene = "Close-up"
    back_s = 8
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args

from referee.announce import LANGUAGES
from referee.errors import RefereeError
from referee.obs.client import ADDRESS
from referee.overlay.cues import CUES, MEANING, Cue

PASSWORD_VARIABLE: Final = "REFEREE_OBS_PASSWORD"
"""Where a password may stand that is in no file."""

_LONGEST_S: Final = 600.0


class PlanError(RefereeError):
    """A plan that cannot be read; says what was expected and found."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """What OBS does on one kind of event."""

    chapter: bool = False
    """Set a chapter in the recording, named after what happened."""
    replay: bool = False
    """Save the replay buffer."""
    replay_after_s: float = 4.0
    """How much of what follows belongs to the replay."""
    scene: str | None = None
    """Switch to this scene."""
    show: str | None = None
    """Show this source of the scene that is on air."""
    hide: str | None = None
    """Hide this source of the scene that is on air."""
    back_s: float | None = None
    """Put scene and sources back after so long; None: leave them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where OBS is and what it does."""

    address: str = ADDRESS
    password: str = field(default="", repr=False)
    language: str = "en"
    """Of the chapters' names."""
    on: Mapping[Cue, Reaction] = field(default_factory=dict)

    @property
    def wants_replays(self) -> bool:
        """Whether the replay buffer has to run."""
        return any(reaction.replay for reaction in self.on.values())


def load_plan(path: Path) -> Plan:
    """Read a plan. Raises PlanError; a password in the environment goes before the file's."""
    try:
        with path.open("rb") as file:
            entries = tomllib.load(file)
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: {error}") from error
    try:
        return parse_plan(entries)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


def parse_plan(entries: Mapping[str, Any]) -> Plan:
    """A plan from a TOML file's contents; raises PlanError."""
    known = [one.name for one in fields(Plan)]
    for key in entries:
        if key not in known:
            raise PlanError(f"expected {_listed(known)}, found {key!r}")
    reactions = entries.get("on", {})
    if not isinstance(reactions, Mapping):
        raise PlanError(f"on: expected tables such as [on.illegal], found {reactions!r}")
    language = _text("language", entries.get("language", "en"))
    if language not in LANGUAGES:
        raise PlanError(f"language: expected {_listed(LANGUAGES)}, found {language!r}")
    on: dict[Cue, Reaction] = {}
    for name, reaction in reactions.items():
        cue = next((one for one in CUES if one == name), None)
        if cue is None:
            raise PlanError(f"on.{name}: expected an event out of {_listed(CUES)}")
        on[cue] = _reaction(f"on.{name}", reaction)
    return Plan(
        address=_text("address", entries.get("address", ADDRESS)),
        password=os.environ.get(PASSWORD_VARIABLE)
        or _text("password", entries.get("password", "")),
        language=language,
        on=on,
    )


def _reaction(where: str, entries: object) -> Reaction:
    if not isinstance(entries, Mapping):
        raise PlanError(f"{where}: expected a table, found {entries!r}")
    given: dict[str, Any] = {}
    types = {one.name: str(one.type) for one in fields(Reaction)}
    for key, value in entries.items():
        if key not in types:
            raise PlanError(f"{where}: expected {_listed(types)}, found {key!r}")
        given[key] = _READERS[types[key]](f"{where}.{key}", value)
    return Reaction(**given)


def _text(where: str, value: object) -> str:
    if not isinstance(value, str):
        raise PlanError(f"{where}: expected text in quotes, found {value!r}")
    return value


def _choice(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PlanError(f"{where}: expected true or false, found {value!r}")
    return value


def _seconds(where: str, value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= float(str(value)) <= _LONGEST_S:
        raise PlanError(f"{where}: expected seconds from 0 to {_LONGEST_S:.0f}, found {value!r}")
    return float(str(value))


_READERS: Final = {
    "bool": _choice,
    "float": _seconds,
    "float | None": _seconds,
    "str | None": _text,
}


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def example() -> str:
    """A plan to start from: every event is in it, most of them commented out."""
    lines = [
        "# What OBS does when something happens at the table.",
        "# 'referee live 0 --table table.json --obs obs.toml' carries it out.",
        "",
        f'address = "{ADDRESS}"',
        f'# password = ""       # better in the environment, as {PASSWORD_VARIABLE}',
        'language = "en"       # of the chapters: ' + ", ".join(LANGUAGES),
        "",
        "# Under an event any of these:",
        "#   chapter = true        a chapter in the recording (OBS 30.2 and newer, Hybrid MP4)",
        "#   replay = true         save the replay buffer ...",
        "#   replay_after_s = 4    ... with so much of what follows",
        '#   scene = "Close-up"    switch to a scene',
        '#   show = "Alarm"        show a source of the scene that is on air; hide = "..." likewise',
        "#   back_s = 8            put scene and sources back after so long",
        "",
        "[on.illegal]          # an illegal move",
        "chapter = true",
        "replay = true",
        "",
        "[on.win]              # a round was won",
        "chapter = true",
        "replay = true",
        "",
    ]
    lines += [
        f"# [on.{cue}]{' ' * (14 - len(cue))}# {MEANING[cue]}"
        for cue in get_args(Cue)
        if cue not in ("illegal", "win")
    ]
    return "\n".join(lines) + "\n"
