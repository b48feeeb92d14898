"""The game as operators see it: everything, hidden cards and doubts included.

This is for the desk alone. What viewers may see is `referee.overlay.snapshot`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.announce import Announcer
from referee.desk.choices import chosen, state_after, unanswered
from referee.game import Game
from referee.log import Correction, Move
from referee.notation import effect_to_dict, ruling_to_dict, score_to_dict
from referee.rules.judge import judge
from referee.rules.observations import CallAnswer, CallTake, Observation, Place
from referee.rules.options import SoloOptions
from referee.rules.rulings import Ruling, Violation
from referee.rules.state import Choice, Phase, State

Verdict = Literal["legal", "illegal", "unsure"]
ChoiceKind = Literal["player", "direction", "colour"]

_SUSPECTED: dict[type, tuple[Violation, ...]] = {
    Place: (Violation.NO_MATCH, Violation.DRAWN_CARD_ONLY),
    CallAnswer: (Violation.CALL_NOT_IDENTICAL,),
    CallTake: (Violation.WRONG_CHOICE,),
}
"""What a move may have done wrong where the rules alone cannot name it."""

_KINDS: dict[Choice, ChoiceKind] = {
    Choice.PLAYER: "player",
    Choice.DIRECTION: "direction",
    Choice.COLOUR: "colour",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that was found, or that is suspected."""

    code: str
    player: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card that a reading may be."""

    card: str
    share: float
    """How likely, by what the camera saw; 0 to 1."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice, and what was chosen."""

    kind: ChoiceKind
    value: int | str | None
    """A player's index, left or right, a colour's letter; None: nobody has said."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A move that holds, with what the referee said and what may be put right."""

    id: int
    """The number that it keeps, whatever is inserted before it."""
    of: int
    """Its place among the moves that hold, from 0."""
    type: str
    t: float | None
    player: int | None
    card: str | None
    cards: list[str]
    """SOLO: all cards of a set that was laid at once; else empty."""
    onto: str | None
    covered_by: str | None
    """The contract's `with`."""
    count: int | None
    text: str
    """What happened, in a sentence."""
    verdict: Verdict
    confidence: float
    faults: list[Fault]
    follows: list[str]
    """What follows from it, in sentences."""
    rules: list[str]
    """The paragraphs of the rulebook that decide."""
    by_hand: bool
    """Whether an operator entered or changed it."""
    assumed: bool
    """Whether nobody saw it, and it was taken to have happened since play went on."""
    was: str | None
    """What the camera had seen instead, in a sentence; None where that holds."""
    decided: bool
    """Whether an operator decided on it."""
    picture: bool
    """Whether there is a picture of it."""
    candidates: list[Candidate]
    ends: list[str]
    """The two halves that it could be laid onto; empty where it was laid nowhere."""
    suspected: list[Fault]
    """Where nobody can tell: what it may have done wrong."""
    choices: list[Chosen]
    """What its card left to choose, or what was chosen with it."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A player at the table."""

    name: str
    cards: int | None
    on_turn: bool
    owes: int
    """Cards to draw from draw actions."""
    penalties: int
    """Penalty cards to draw."""
    must_shout: bool
    faults: int
    points: int | None


@dataclass(frozen=True, slots=True)
class Sync:
    """Whether the table lies as the log says."""

    fits: bool | None
    """None where that cannot be told: nothing lies there, or the round is over."""
    kept: bool
    """Whether an operator said that the log is right all the same."""
    expected: list[str]
    seen: list[str]


@dataclass(frozen=True, slots=True)
class Open:
    """A choice that a card left to its player, and that nobody has entered yet."""

    kind: ChoiceKind
    player: int | None
    move: int | None
    """The card's move, by its number."""


@dataclass(frozen=True, slots=True)
class Step:
    """A correction that can be undone or redone."""

    op: str
    text: str
    """The move that it was about, in a sentence."""
    by: str | None


@dataclass(frozen=True, slots=True)
class Outline:
    """A half card as the program sees it in the picture."""

    points: list[tuple[float, float]]
    """Its corners, as shares of the picture's width and height."""
    kind: str
    """line, end, illegal, unsure, loose"""
    text: str


@dataclass(frozen=True, slots=True)
class DeskState:
    """All that the desk shows."""

    instance: str
    """Another one after the program was started again."""
    revision: int
    game: str
    phase: Literal["start", "play", "over"]
    round: int
    paused: bool
    light: str
    trouble: str
    """What is wrong on the referee's side, such as a full disk; empty where nothing is."""
    clock_s: float | None
    chairs: list[Chair]
    direction: str
    draw_pile: int | None
    ends: list[str]
    colour: str | None
    open: list[Open]
    call: bool
    """Whether a call for a card is open."""
    shouts: bool
    """Whether a shout that is missing is a fault in this game."""
    sets: bool
    """Whether several cards of a number may be laid at once in this game."""
    sync: Sync
    undo: Step | None
    redo: Step | None
    unsure: list[int]
    """The moves that nobody has decided on, by their numbers, the newest first."""
    entries: list[Entry]
    """The newest first."""
    total: int
    """How many moves hold."""
    outlines: list[Outline] = field(default_factory=list)
    picture_px: tuple[int, int] | None = None


def entry(game: Game, of: int, say: Announcer, picture: bool, original: Move | None) -> Entry:
    """One move of the log. ``original`` is what was entered first under its number."""
    move, rulings = game.moves[of], game.rulings(of)
    line = move.as_dict()
    verdict = verdict_of(rulings)
    return Entry(
        id=game.ids[of],
        of=of,
        type=str(line["type"]),
        t=line.get("t"),
        player=line.get("player"),
        card=line.get("card"),
        cards=[str(card) for card in line.get("cards") or ()] if line["type"] == "place" else [],
        onto=line.get("onto"),
        covered_by=line.get("with"),
        count=line.get("count"),
        text=told(line, say),
        verdict=verdict,
        confidence=move.confidence,
        faults=[
            Fault(str(code), ruling.player, say.violation(str(code), ruling.player).text)
            for ruling in rulings
            for code in ruling.violations
        ],
        follows=list(_follows(game, of, say)),
        rules=list(dict.fromkeys(ruling.rule for ruling in rulings if ruling.rule)),
        by_hand=line.get("entered") == "operator",
        assumed=bool(line.get("assumed")),
        was=_was(line, original, say),
        decided=move.decided is not None,
        picture=picture,
        candidates=[Candidate(str(card), float(p)) for card, p in line.get("candidates") or ()],
        ends=[str(end) for end in game.state_before(of).ends] if "onto" in line else [],
        suspected=_suspected(game, of, say) if verdict == "unsure" else [],
        choices=[Chosen(_KINDS[choice], value) for choice, value in chosen(game, of)],
    )


def verdict_of(rulings: Sequence[Ruling]) -> Verdict:
    """The gravest of the rulings on a move."""
    verdicts = [ruling.legal for ruling in rulings]
    if False in verdicts:
        return "illegal"
    return "unsure" if None in verdicts else "legal"


def told(line: dict[str, Any], say: Announcer) -> str:
    """What happened, in a sentence."""
    sentence = say.observation(line)
    return str(line["type"]) if sentence is None else sentence.text


def chairs(game: Game) -> list[Chair]:
    """The players as they sit."""
    table, state = game.state.table, game.state
    faults = [0] * len(game.header.players)
    for of in range(len(game.moves)):
        for ruling in game.rulings(of):
            if ruling.legal is False and ruling.player is not None:
                faults[ruling.player] += 1
    points = state.score.totals if state.score is not None else None
    return [
        Chair(
            name=name,
            cards=state.hands[i],
            on_turn=state.turn == i,
            owes=state.must_draw if state.turn == i else 0,
            penalties=table.penalties[i],
            must_shout=table.unshouted == i,
            faults=faults[i],
            points=points[i] if points is not None else None,
        )
        for i, name in enumerate(game.header.players)
    ]


def open_choices(game: Game) -> list[Open]:
    """The choices that wait to be entered."""
    waiting = unanswered(game)
    if waiting is None:
        return []
    of, which = waiting
    return [Open(_KINDS[one], state_after(game, of).turn, game.ids[of]) for one in which]


def sync(game: Game, seen: Sequence[str] | None, kept: tuple[str, ...] | None) -> Sync:
    """Whether the ends in the log are those on the table.

    ``kept`` are the expected and seen ends that an operator said to be no difference.
    """
    expected = [str(end) for end in game.state.ends]
    there = [] if seen is None else list(seen)
    playing = game.state.table.phase is Phase.PLAY
    fits = None
    if playing and expected and len(there) == len(expected):
        fits = any(
            all(_alike(a, b) for a, b in zip(expected, order, strict=True))
            for order in (there, there[::-1])
        )
    return Sync(fits, kept == difference(expected, there), expected, there)


def difference(expected: Sequence[str], seen: Sequence[str]) -> tuple[str, ...]:
    """Names a difference between log and table, in whatever order the ends are."""
    return (*sorted(expected), "|", *sorted(seen))


def step_of(correction: Correction | None, say: Announcer) -> Step | None:
    """A correction as whoever undoes or redoes it knows it."""
    if correction is None:
        return None
    by = correction.fields.get("by")
    text = told(correction.move.as_dict(), say) if correction.move is not None else ""
    return Step(correction.op, text, str(by) if by else None)


def phase_of(game: Game) -> Literal["start", "play", "over"]:
    """Where in the round the game is."""
    phases: dict[Phase, Literal["start", "play", "over"]] = {
        Phase.START: "start",
        Phase.PLAY: "play",
        Phase.OVER: "over",
    }
    return phases[game.state.table.phase]


def sets_allowed(game: Game) -> bool:
    """Whether several cards of a number may be laid at once."""
    options = game.state.setup.options
    return isinstance(options, SoloOptions) and options.triple != "off"


def _follows(game: Game, of: int, say: Announcer) -> Iterator[str]:
    rulings = game.rulings(of)
    for ruling in rulings:
        for effect in ruling.effects:
            yield say.effect(effect_to_dict(effect)).text
    turn_before = game.state_before(of).turn
    last = ruling_to_dict(rulings[-1], of)
    yield from (s.text for s in say.ruling(last, turn_before) if s.kind == "turn")
    score = game.score(of)
    if score is not None:
        yield from (sentence.text for sentence in say.score(score_to_dict(score)))


def _was(line: dict[str, Any], original: Move | None, say: Announcer) -> str | None:
    if original is None:
        return None
    before = told(original.as_dict(), say)
    return None if before == told(line, say) else before


def _suspected(game: Game, of: int, say: Announcer) -> list[Fault]:
    """What a move may have done wrong: what a sure reading would find, else the usual."""
    move, before = game.moves[of], game.state_before(of)
    ruling = judge(before, move.observation)[-1]
    codes = ruling.violations or _usual(move.observation, before)
    return [
        Fault(str(code), ruling.player, say.violation(str(code), ruling.player).text)
        for code in codes
    ]


def _usual(seen: Observation, before: State) -> tuple[Violation, ...]:
    """What such a move does wrong where it does, the likeliest first."""
    usual = _SUSPECTED.get(type(seen), ())
    if not isinstance(seen, Place) or before.turn is None:
        return usual
    if seen.player in (None, before.turn):
        return (Violation.DRAWN_CARD_ONLY, *usual) if before.drew else usual
    options = before.setup.options
    thrown_in = options.jump_in != "off" if isinstance(options, SoloOptions) else options.interject
    fault = Violation.INTERJECTION_NOT_IDENTICAL if thrown_in else Violation.NOT_YOUR_TURN
    return (fault, *usual)


def _alike(one: str, other: str) -> bool:
    """Whether two readings may be the same half."""
    if "?" in (one, other):
        return True
    return all(a == b or "?" in (a, b) for a, b in zip(one, other, strict=True))
