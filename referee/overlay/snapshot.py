"""The game as viewers see it: one object, whole each time.

A viewer that has just connected needs nothing but the newest snapshot, and one that missed
some misses nothing that matters: there are no differences to apply, and the last few entries of
the log come with it. Hidden information (known hands, cards drawn) never gets in: hands are
counts here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from referee.announce import Announcer
from referee.notation import is_observation
from referee.overlay.cues import Cue, cue_of
from referee.overlay.ends import is_mirrored
from referee.overlay.source import Light, View
from referee.store import Record
from vision.frames import CameraState

ENTRIES = 8
"""How many of the newest log entries a snapshot holds: what a viewer may have missed."""

Verdict = Literal["legal", "illegal", "unsure"]


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, in the language that was asked for."""

    kind: str
    """move, violation, doubt, effect, turn, win or score"""
    code: str
    text: str
    id: str
    """Names its recording, where there is one; see `sentence_id`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An observation with what the referee said to it."""

    of: int
    """The observation's place in the record, as rulings count it."""
    key: str
    """Names the move in whatever place corrections put it."""
    type: str
    t: float | None
    player: int | None
    cards: list[str]
    """The card or cards laid, in contract notation; empty where none was."""
    names: list[str]
    """The same, as one says it."""
    onto: str | None
    """The half of the line's end that was covered."""
    covered_by: str | None
    """The contract's `with`: the half that covers `onto`."""
    verdict: Verdict | None
    """None while no ruling has been made."""
    violations: list[str]
    rules: list[str]
    """Paragraphs of the rulebook that the rulings name."""
    taken_back: bool
    cue: Cue | None
    """The gravest thing about it, in a word; None while no ruling has been made."""
    said: list[Said]


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table."""

    name: str
    cards: int | None
    on_turn: bool
    owes: int
    """Cards to draw from draw actions before the turn."""
    faults: int
    """Rulings against this player so far, moves that were taken back included."""
    points: int | None
    """Total after the last round that was scored."""
    winner: bool


@dataclass(frozen=True, slots=True)
class Corrected:
    """What an operator last put right."""

    revision: int
    """Another one with each correction."""
    keys: list[str]
    """The moves that are judged differently now: of all that may have shifted, these are news."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that the overlay shows."""

    phase: Literal["waiting", "playing", "round_over", "game_over"]
    game: str
    clock_s: float | None
    seats: list[Seat]
    direction: str
    draw_pile: int | None
    ends: list[str]
    """The two open ends in contract notation, as the camera sees them: the left one first, of a
    line that runs upwards the upper one. SOLO: the top card."""
    colour: str | None
    """SOLO: the colour in force, where it is not that of the top card."""
    entries: list[Entry]
    """The newest last."""
    light: Light
    camera: CameraState
    """Whether the live picture still moves on."""
    paused: bool
    """Whether the operator has stopped the game for a while."""
    safe_mode: bool
    """Whether something is wrong on the referee's side."""
    provisional: Entry | None
    """What is being checked right now; nobody has ruled on it."""
    corrected: Corrected | None
    """None where nobody corrects anything, or nothing was corrected."""


def snapshot(view: View, language: str) -> Snapshot:
    """The game as viewers see it, with what was said in `language`."""
    header: Record = view.header or {}
    say = Announcer(language, header.get("players", ()), header.get("game", "solomino"))
    moves = _Moves.of(view.log)
    last = moves.ruling or {}
    score = moves.score or {}
    finished = bool(last.get("finished")) or bool(score.get("finished"))
    phase: Literal["waiting", "playing", "round_over", "game_over"] = "playing"
    if not moves.log:
        phase = "waiting"
    elif score.get("finished"):
        phase = "game_over"
    elif finished or moves.score:
        phase = "round_over"
    first = len(moves.log) - ENTRIES
    turns = [None, *(_turn_after(move) for move in moves.log)]
    return Snapshot(
        phase=phase,
        game=header.get("game", "solomino"),
        clock_s=view.clock_s,
        seats=_seats(header, moves, phase),
        direction=last.get("direction", "left"),
        draw_pile=_size(last.get("draw_pile", header.get("draw_pile"))),
        ends=list(last.get("ends", ()))[:: -1 if is_mirrored(view.log) else 1],
        colour=last.get("colour"),
        entries=[
            _entry(move, i, _key(view, move, i), say, turns[i], _next(moves.log, i))
            for i, move in enumerate(moves.log)
            if i >= first
        ],
        light=view.light,
        camera=view.camera,
        paused=view.paused,
        safe_mode=view.safe_mode,
        provisional=(
            _entry(_Move(view.provisional), len(moves.log), "provisional", say, None, None)
            if view.provisional is not None
            else None
        ),
        corrected=(
            Corrected(view.corrected.revision, [f"i{number}" for number in view.corrected.moves])
            if view.corrected is not None
            else None
        ),
    )


@dataclass(slots=True)
class _Move:
    """An observation and what followed it in the record."""

    observation: Record
    rulings: list[Record] = field(default_factory=list)
    scores: list[Record] = field(default_factory=list)


@dataclass(slots=True)
class _Moves:
    """The log, sorted into moves."""

    log: list[_Move]
    ruling: Record | None
    """The newest: it holds the state."""
    score: Record | None
    """That of the last round, None once a further round was dealt."""
    points: Sequence[int]

    @classmethod
    def of(cls, records: Sequence[Record]) -> _Moves:
        moves = cls([], None, None, ())
        for record in records:
            match record.get("type"):
                case "ruling":
                    moves.ruling = record
                    if moves.log:
                        moves.log[-1].rulings.append(record)
                case "score":
                    moves.score = record
                    moves.points = record["totals"]
                    if moves.log:
                        moves.log[-1].scores.append(record)
                case kind if is_observation(record):
                    if kind == "deal":
                        moves.ruling = moves.score = None
                    moves.log.append(_Move(record))
        return moves


def _seats(header: Record, moves: _Moves, phase: str) -> list[Seat]:
    last = moves.ruling or {}
    turn = last.get("turn", header.get("first_player")) if phase in ("waiting", "playing") else None
    deals = [m.observation for m in moves.log if m.observation.get("type") == "deal"]
    dealt = (deals[-1] if deals else header).get("hands") or ()
    hands = last.get("hands", dealt)
    winners = (moves.score or {}).get("winners") or last.get("winners", ())
    return [
        Seat(
            name=name,
            cards=_size(hands[i]) if i < len(hands) else None,
            on_turn=i == turn,
            owes=int(last.get("must_draw") or 0) if i == turn else 0,
            faults=sum(
                ruling["legal"] is False and ruling.get("player") == i
                for move in moves.log
                for ruling in move.rulings
            ),
            points=moves.points[i] if i < len(moves.points) else None,
            winner=i in winners,
        )
        for i, name in enumerate(header.get("players", ()))
    ]


def _entry(
    move: _Move,
    of: int,
    key: str,
    say: Announcer,
    turn_before: int | None,
    after: _Move | None,
) -> Entry:
    observation = move.observation
    cards = _shown_cards(observation)
    verdict = _verdict(move.rulings)
    said = list(_sentences(move, say, turn_before))
    return Entry(
        of=of,
        key=key,
        type=str(observation["type"]),
        t=observation.get("t"),
        player=observation.get("player"),
        cards=cards,
        names=[say.card(card) for card in cards],
        onto=observation.get("onto"),
        covered_by=observation.get("with"),
        verdict=verdict,
        violations=[code for ruling in move.rulings for code in ruling["violations"]],
        rules=[str(ruling["rule"]) for ruling in move.rulings if ruling.get("rule")],
        taken_back=after is not None and after.observation.get("type") == "take_back",
        cue=None if verdict is None else cue_of(str(observation["type"]), verdict, said),
        said=said,
    )


def _sentences(move: _Move, say: Announcer, turn_before: int | None) -> Iterator[Said]:
    done = say.observation(move.observation)
    sentences = [done] if done is not None else []
    for ruling in move.rulings:
        last = ruling is move.rulings[-1]
        # Only the last ruling holds the state after it all, so only it may speak of the turn.
        told = say.ruling(ruling, turn_before)
        sentences += [s for s in told if last or s.kind != "turn"]
    for score in move.scores:
        sentences += say.score(score)
    for sentence in sentences:
        name = sentence_id(say.language, sentence.text)
        yield Said(sentence.kind, sentence.code, sentence.text, name)


def _key(view: View, move: _Move, of: int) -> str:
    return move_key(view, move.observation, of)


def move_key(view: View, observation: Record, of: int) -> str:
    """A name for a move that stays when corrections push it to another place: the number that
    it keeps, else its time, else its place."""
    if of < len(view.ids):
        return f"i{view.ids[of]}"
    t = observation.get("t")
    return f"m{of}" if t is None else f"t{t}"


def sentence_id(language: str, text: str) -> str:
    """What a recording of a sentence is called: the same words always have the same name."""
    return hashlib.sha256(f"{language}\n{text}".encode()).hexdigest()[:16]


def _shown_cards(observation: Record) -> list[str]:
    """The cards that everybody at the table saw; those drawn or still held are nobody's business."""
    if observation["type"] in ("draw", "hand_left", "deal"):
        return []
    if observation.get("cards"):
        return [str(card) for card in observation["cards"]]
    return [str(observation["card"])] if observation.get("card") else []


def _verdict(rulings: Sequence[Record]) -> Verdict | None:
    if not rulings:
        return None
    verdicts = [ruling["legal"] for ruling in rulings]
    if False in verdicts:
        return "illegal"
    return "unsure" if None in verdicts else "legal"


def _turn_after(move: _Move) -> int | None:
    return move.rulings[-1].get("turn") if move.rulings else None


def _next(log: Sequence[_Move], i: int) -> _Move | None:
    return log[i + 1] if i + 1 < len(log) else None


def _size(cards: object) -> int | None:
    """How many cards: a count, or a list of known ones (which stay hidden)."""
    if isinstance(cards, int):
        return cards
    return len(cards) if isinstance(cards, list | tuple) else None
