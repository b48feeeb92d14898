"""Sentences spoken aloud: packs of recordings, made by a voice on the user's machine or by people.

A pack is a folder for one language::

    de/pack.json      which voice, and what is in it
    de/3f9a...c1.wav  one sentence each, named by `referee.overlay.snapshot.sentence_id`

No voice is shipped. A voice is a program that the user has, called as one: ``espeak-ng``, or
``piper`` with a model whose licence the user has read. A pack with a voice grows by itself: a
sentence that is missing is spoken once and kept. Recordings of people only need the right names;
`referee sounds phrases` lists them.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import platformdirs

from referee.announce import LANGUAGES, Announcer
from referee.errors import RefereeError
from referee.overlay.snapshot import sentence_id
from referee.store import Record

PACK: Final = "pack.json"
FOLDER_VARIABLE: Final = "REFEREE_SPEECH"
"""Environment variable with the folder of the packs."""

MOST_SENTENCES: Final = 5000
"""A pack grows no further by itself."""
_LONGEST: Final = 300
_PATIENCE_S: Final = 20.0
_NAME: Final = re.compile(r"[0-9a-f]{16}")

_ESPEAK_VOICES: Final = {"en": "en", "de": "de", "pt": "pt", "fi": "fi"}

_LOG = logging.getLogger(__name__)


class SpeechError(RefereeError):
    """A voice that cannot speak, or a pack that cannot be read."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A program that turns text into a WAV file."""

    program: str
    """``espeak-ng``, ``piper``, or the path of one of them."""
    model: str = ""
    """Piper's model, or another voice of espeak-ng's."""

    def command(self, language: str) -> list[str]:
        """The program with its arguments. Raises SpeechError where it is not there."""
        path = shutil.which(self.program)
        if path is None:
            raise SpeechError(
                f"expected the program {self.program!r}, found none (Debian's package espeak-ng "
                "brings one voice, 'pip install piper-tts' another, in an environment of its own)"
            )
        return self._arguments(path, language)

    def speak(self, text: str, language: str) -> bytes:
        """A sentence as a WAV file. Raises SpeechError."""
        arguments = self.command(language)
        try:
            done = subprocess.run(
                arguments,
                input=text[:_LONGEST].encode(),
                capture_output=True,
                timeout=_PATIENCE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SpeechError(f"{self.program} did not speak: {error}") from error
        if done.returncode != 0 or not done.stdout.startswith(b"RIFF"):
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise SpeechError(
                f"expected a WAV file from {self.program}, found exit code {done.returncode}"
                + (f": {said[-1]}" if said else "")
            )
        return _whole(done.stdout)

    def _arguments(self, path: str, language: str) -> list[str]:
        name = Path(self.program).stem
        if name in ("espeak-ng", "espeak"):
            return [path, "-v", self.model or _ESPEAK_VOICES[language], "--stdin", "--stdout"]
        if name == "piper":
            if not self.model:
                raise SpeechError("expected a model for piper, such as de_DE-thorsten-medium.onnx")
            return [path, "--model", self.model, "--output_file", "-"]
        raise SpeechError(f"expected espeak-ng or piper, found {self.program!r}")


class Pack:
    """The recordings of one language. May be asked from any thread."""

    def __init__(self, folder: Path, language: str, voice: Voice | None) -> None:
        self.folder = folder
        self.language = language
        self.voice = voice
        self._lock = threading.Lock()
        self._failed = False

    def get(self, name: str, text: str | None = None) -> bytes | None:
        """The recording of a sentence by its name, or None where there is none.

        With its `text`, a sentence that is missing is spoken, where the pack has a voice.
        """
        if not _NAME.fullmatch(name):
            return None
        path = self.folder / f"{name}.wav"
        try:
            return path.read_bytes()
        except OSError:
            pass
        if text is None or self.voice is None or self._failed:
            return None
        # One at a time: viewers ask for the same sentence all at once.
        with self._lock:
            if path.exists():
                return path.read_bytes()
            if sum(1 for _ in self.folder.glob("*.wav")) >= MOST_SENTENCES:
                return None
            try:
                data = self.voice.speak(text, self.language)
                _write(path, data)
            except (SpeechError, OSError) as error:
                self._failed = True  # until the next start; browsers speak meanwhile
                _LOG.warning("no speech: %s", error)
                return None
            return data


def packs_folder() -> Path:
    """Where the packs lie: $REFEREE_SPEECH, else a folder of the user's."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_data_path("table-referee") / "speech"


def load_packs(folder: Path) -> dict[str, Pack]:
    """The packs in a folder by language. Raises SpeechError for one that cannot be read."""
    packs: dict[str, Pack] = {}
    for language in LANGUAGES:
        path = folder / language / PACK
        if not path.is_file():
            continue
        try:
            described = json.loads(path.read_text(encoding="utf-8"))
            voice = described.get("voice")
            packs[language] = Pack(
                folder / language, language, None if voice is None else Voice(**voice)
            )
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise SpeechError(f"{path}: expected a pack's description, found {error}") from error
    return packs


def make_pack(
    folder: Path, language: str, voice: Voice | None, sentences: Iterable[str]
) -> tuple[Pack, int]:
    """Make or extend a pack, and have its voice speak what is missing; returns how many it spoke.

    Raises SpeechError where the voice cannot.
    """
    if voice is not None:
        voice.command(language)
    home = folder / language
    home.mkdir(parents=True, exist_ok=True)
    described = {
        "language": language,
        "voice": None if voice is None else asdict(voice),
        "licence": "recordings are under whatever terms the voice's licence sets",
    }
    _write(home / PACK, (json.dumps(described, indent=2) + "\n").encode())
    spoken = 0
    for text in sentences:
        path = home / f"{sentence_id(language, text)}.wav"
        if voice is not None and not path.exists():
            _write(path, voice.speak(text, language))
            spoken += 1
    return Pack(home, language, voice), spoken


def phrases(language: str, players: Iterable[str], game: str = "solomino") -> list[str]:
    """The sentences of a game with these players that announce something: faults, doubts, what
    follows from an action, whose turn it is, who won. What names a card is not among them."""
    names = list(players)
    say = Announcer(language, names, game)
    found: dict[str, None] = {}
    for player in (None, *range(len(names))):
        for code in VIOLATIONS:
            found[say.violation(code, player).text] = None
        for effect in _effects(player, len(names)):
            found[say.effect(effect).text] = None
        doubt: Record = {"violations": [], "effects": [], "legal": None, "player": player}
        for sentence in say.ruling({**doubt, "turn": player}):
            found[sentence.text] = None
    return list(found)


VIOLATIONS: Final = (
    "no_match", "not_an_end", "not_your_turn", "interjection_not_identical",
    "interjection_during_call", "draw_owed", "drew_too_few", "drew_too_many",
    "call_not_identical", "no_shout", "drawn_card_only", "card_not_in_hand", "card_not_in_deck",
    "game_over", "wrong_choice", "unexpected",
)  # fmt: skip


def _effects(player: int | None, players: int) -> Iterable[Record]:
    yield {"effect": "skip", "player": player}
    yield {"effect": "call_for_card", "player": player}
    yield {"effect": "swap_hands", "player": player}
    yield {"effect": "choose_colour", "player": player}
    yield {"effect": "win", "players": [player]}
    for other in range(players):
        if other != player:
            yield {"effect": "swap_hands", "player": player, "target": other}
    for count in (1, 2, 3, 4):
        yield {"effect": "owe_draw", "player": player, "count": count}
        yield {"effect": "penalty_draw", "player": player, "count": count}
    for direction in ("left", "right"):
        yield {"effect": "change_direction", "direction": direction}
        yield {"effect": "pass_hands", "direction": direction}
    yield {"effect": "pass_hands"}


def _whole(data: bytes) -> bytes:
    """A WAV file that says how long it is: a program that writes to a pipe cannot know."""
    at = data.find(b"data", 12)
    if at < 0:
        return data
    head = data[:4] + struct.pack("<I", len(data) - 8) + data[8 : at + 4]
    return head + struct.pack("<I", len(data) - at - 8) + data[at + 8 :]


def _write(path: Path, data: bytes) -> None:
    """Write whole or not at all: somebody may be reading."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(data)
    part.replace(path)
