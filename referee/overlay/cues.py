"""What is worth a sound, a chapter or another scene: one word for each kind of event.

The words are shared by the overlay's sounds, the plan for OBS and the page's announcements, so
that 'illegal' means the same to all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from referee.overlay.snapshot import Entry, Said, Snapshot

Cue = Literal[
    "play",
    "draw",
    "skip",
    "reverse",
    "owe",
    "penalty",
    "swap",
    "pass",
    "call",
    "wild",
    "shout",
    "taken_back",
    "illegal",
    "unsure",
    "corrected",
    "round",
    "win",
    "game_over",
    "out_of_sync",
    "no_camera",
]

MEANING: Final[dict[Cue, str]] = {
    "play": "a card was laid, and nothing else is to be said of it",
    "draw": "somebody drew",
    "skip": "a player misses a turn",
    "reverse": "play turns round",
    "owe": "a player owes cards",
    "penalty": "a player takes penalty cards",
    "swap": "hands are swapped",
    "pass": "all hands move on",
    "call": "a call for a card",
    "wild": "a colour is chosen",
    "shout": "somebody called out SOLOmino or SOLO",
    "taken_back": "a card was taken back",
    "illegal": "an illegal move",
    "unsure": "the referee cannot tell",
    "corrected": "the operator corrected something",
    "round": "a round begins",
    "win": "a round was won",
    "game_over": "the game was won",
    "out_of_sync": "the table no longer fits the record",
    "no_camera": "the picture has stopped",
}
CUES: Final[tuple[Cue, ...]] = get_args(Cue)

_EFFECTS: Final[dict[str, Cue]] = {
    "effect.skip": "skip",
    "effect.change_direction": "reverse",
    "effect.owe_draw": "owe",
    "effect.penalty_draw": "penalty",
    "effect.swap_hands": "swap",
    "effect.pass_hands": "pass",
    "effect.call_for_card": "call",
    "effect.choose_colour": "wild",
}
_ACTS: Final[dict[str, Cue]] = {
    "deal": "round",
    "take_back": "taken_back",
    "shout": "shout",
    "draw": "draw",
    "start": "play",
    "place": "play",
    "call_answer": "play",
}


def cue_of(act: str, verdict: str | None, said: Sequence[Said]) -> Cue | None:
    """The gravest thing about a move: `act` is the observation's type."""
    if verdict == "illegal":
        return "illegal"
    if verdict == "unsure":
        return "unsure"
    codes = [sentence.code for sentence in said]
    if "score.win" in codes:
        return "game_over"
    if "effect.win" in codes:
        return "win"
    if act == "take_back":
        return "taken_back"
    found = next((_EFFECTS[code] for code in codes if code in _EFFECTS), None)
    return found or _ACTS.get(act)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that has just happened, as viewers learn of it."""

    cue: Cue
    of: int | None
    """The observation's place in the record; None for what is about no move."""
    text: str
    """One line, in the snapshot's language."""


def happenings(before: Snapshot, now: Snapshot) -> Iterator[Happening]:
    """What is new in a snapshot, in the order of the record.

    A move that has no ruling yet has not happened; one whose ruling or contents changed later
    was corrected.
    """
    known = {entry.key: entry for entry in before.entries}
    oldest = min((entry.of for entry in before.entries), default=0)
    newest = max((entry.of for entry in now.entries if entry.key in known), default=-1)
    told = now.corrected.keys if now.corrected and now.corrected != before.corrected else []
    for entry in now.entries:
        was = known.get(entry.key)
        if entry.verdict is None or (was is None and entry.of < oldest):
            continue  # not ruled on yet, or in sight again because newer ones were deleted
        is_new = was is None or was.verdict is None
        if entry.key in told or (is_new and entry.of < newest):
            yield Happening("corrected", entry.of, _text(entry))
        elif is_new and entry.cue is not None:
            yield Happening(entry.cue, entry.of, _text(entry))
        elif was is not None and now.corrected is None and not is_new and _changed(was, entry):
            yield Happening("corrected", entry.of, _text(entry))
    if now.light == "out_of_sync" != before.light:
        yield Happening("out_of_sync", None, "")
    if _is_blind(now) and not _is_blind(before):
        yield Happening("no_camera", None, "")


def _is_blind(shown: Snapshot) -> bool:
    return shown.light == "no_camera" or shown.camera != "ok"


def _text(entry: Entry) -> str:
    """What is to be said of a move first: a fault, a doubt or a win rather than the move."""
    for kind in ("violation", "doubt", "win", "effect", "move"):
        for sentence in entry.said:
            if sentence.kind == kind:
                return sentence.text
    return ""


def _changed(was: Entry, entry: Entry) -> bool:
    return (was.verdict, was.type, was.cards, was.player, was.violations) != (
        entry.verdict,
        entry.type,
        entry.cards,
        entry.player,
        entry.violations,
    )
