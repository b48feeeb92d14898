"""Scoring a game record: what happened against what the referee wrote.

Moves (place, draw, take back; those of a call for a card apart) are paired in order: the best
pairing of same kinds within 2 s. An answer is not late while a hand still covers the card, so
a move's time runs until it is in clear view; a draw may be told when the card leaves the pile
or when the hand leaves the picture. A draw of several cards counts as so many draws.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from datasets.evaluate.shares import Share

MOVES = frozenset({"place", "draw", "take_back"})
CALL_MOVES = frozenset({"call_reveal", "call_answer", "call_take"})
LAID = frozenset({"place", "call_reveal", "call_answer"})
"""Moves that bring a card to the table."""

TOLERANCE_S = 2.0
DRAW_EARLY_S = 1.5
"""How much earlier than its end a draw may be told: the hand has a way to go."""


@dataclass(frozen=True, slots=True)
class Move:
    """One observation of a record with the ruling on it."""

    kind: str
    at_s: float
    clear_s: float
    """Truth only: when the hand no longer covers it; else `at_s`."""
    reported_s: float
    """When the referee was sure; else `at_s`."""
    player: int | None = None
    card: str | None = None
    onto: str | None = None
    covering: str | None = None
    count: int = 1
    legal: bool | None = True
    violations: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()

    def is_seen_in(self, answer: Move) -> bool:
        """Whether the answer may be this move: same kind, at about the same time."""
        early = TOLERANCE_S + (DRAW_EARLY_S if self.kind == "draw" else 0.0)
        late = max(self.at_s, self.clear_s) + TOLERANCE_S
        return self.kind == answer.kind and self.at_s - early <= answer.at_s <= late


def read_record(path: Path) -> tuple[Move, ...]:
    """The moves of a `game.jsonl`, the start of the line included, in the file's order."""
    with path.open(encoding="utf-8") as lines:
        return moves_of(json.loads(line) for line in lines if line.strip())


def moves_of(lines: Iterable[dict[str, Any]]) -> tuple[Move, ...]:
    """The moves among a record's lines; of several rulings on one the last counts."""
    observations: list[dict[str, Any]] = []
    rulings: dict[int, dict[str, Any]] = {}
    for line in lines:
        if line["type"] == "ruling":
            rulings[line["of"]] = line
        elif line["type"] not in ("game", "score", "error"):
            observations.append(line)
    moves: list[Move] = []
    for index, seen in enumerate(observations):
        if seen["type"] not in MOVES | CALL_MOVES | {"start"} or seen.get("t") is None:
            continue
        ruling = rulings.get(index, {})
        moves.append(
            Move(
                kind=seen["type"],
                at_s=seen["t"],
                clear_s=seen.get("t_clear", seen["t"]),
                reported_s=seen.get("t_reported", seen["t"]),
                player=seen.get("player"),
                card=_either_way(seen.get("card")),
                onto=seen.get("onto"),
                covering=seen.get("with"),
                count=max(1, int(seen.get("count") or 1)),
                legal=ruling.get("legal", True),
                violations=tuple(sorted(ruling.get("violations", ()))),
                ends=tuple(sorted(str(end) for end in ruling.get("ends", ()))),
            )
        )
    return tuple(moves)


def _either_way(card: str | None) -> str | None:
    """A card's name that does not depend on which half is named first."""
    return None if card is None else "/".join(sorted(card.split("/")))


def pair(truth: Sequence[Move], answer: Sequence[Move]) -> list[tuple[int, int]]:
    """Indices of moves that belong together, in order: the pairing that agrees most."""
    n, m = len(truth), len(answer)
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1])
            if truth[i].is_seen_in(answer[j]):
                taken = best[i + 1][j + 1] + _agreement(truth[i], answer[j])
                best[i][j] = max(best[i][j], taken)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < n and j < m:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((i, j))
            i, j = i + 1, j + 1
    return pairs


def _agreement(truth: Move, answer: Move) -> float:
    """What a pair is worth: above all that there is one, then that it says the same."""
    return (
        1.0
        + 0.5 * (truth.kind in LAID and truth.card == answer.card)
        + 0.1 * (truth.player == answer.player)
        - 0.01 * abs(truth.at_s - answer.at_s)
    )


@dataclass(frozen=True, slots=True)
class RecordScore:
    """Every measure of one record, and the seconds from a clear view to being sure."""

    shares: dict[str, Share]
    delays_s: tuple[float, ...]


def score(truth: Sequence[Move], answer: Sequence[Move]) -> RecordScore:
    """Score a record against what happened."""
    happened, said = _one_by_one(truth), _one_by_one(answer)
    pairs = pair(happened, said)
    both = [(happened[i], said[j]) for i, j in pairs]
    by_truth = dict(pairs)
    core = [(t, a) for t, a in both if t.kind in MOVES]
    placed = [(t, a) for t, a in both if t.kind == "place"]
    with_player = [(t, a) for t, a in both if t.player is not None]
    changes = [i for i, t in enumerate(happened) if t.kind in ("place", "take_back")]
    core_true = sum(t.kind in MOVES for t in happened)
    core_said = sum(a.kind in MOVES for a in said)
    call_true = sum(t.kind in CALL_MOVES for t in happened)
    ends_right = sum(
        bool(happened[i].ends) and said[by_truth[i]].ends == happened[i].ends
        for i in changes
        if i in by_truth
    )
    faults = [i for i, t in enumerate(happened) if t.kind in ("place", "draw") and _is_fault(t)]
    flags = sum(a.kind in ("place", "draw") and _is_fault(a) for a in said)
    caught = [
        (happened[i], said[by_truth[i]])
        for i in faults
        if i in by_truth and _is_fault(said[by_truth[i]])
    ]
    # A verdict that hangs on a hidden hand is nobody's to tell, however well one sees.
    hidden = {j for i, j in pairs if happened[i].legal is None}
    open_to_all = [move for j, move in enumerate(said) if j not in hidden]
    shares = {
        "start": _start(truth, answer),
        "recall": Share(len(core), core_true),
        "precision": Share(len(core), core_said),
        "F1": Share(2 * len(core), core_true + core_said),
        "call recall": Share(len(both) - len(core), call_true),
        "card": Share(sum(t.card == a.card for t, a in placed), len(placed)),
        "onto": Share(sum(t.onto == a.onto for t, a in placed), len(placed)),
        "with": Share(sum(t.covering == a.covering for t, a in placed), len(placed)),
        "player": Share(sum(t.player == a.player for t, a in with_player), len(with_player)),
        "ends": Share(ends_right, len(changes)),
        "illegal recall": Share(len(caught), len(faults)),
        "illegal precision": Share(len(caught), flags),
        "cause": Share(sum(t.violations == a.violations for t, a in caught), len(caught)),
        "told": Share(sum(a.legal is not None for a in open_to_all), len(open_to_all)),
    }
    return RecordScore(shares, tuple(a.reported_s - t.clear_s for t, a in both))


def score_by_kind(truth: Sequence[Move], answer: Sequence[Move]) -> dict[str, dict[str, Share]]:
    """What was found and what was said of each kind of move, paired as a whole record is."""
    happened, said = _one_by_one(truth), _one_by_one(answer)
    pairs = pair(happened, said)
    kinds = sorted({move.kind for move in (*happened, *said)})
    by_kind: dict[str, dict[str, Share]] = {}
    for kind in kinds:
        both = [(happened[i], said[j]) for i, j in pairs if happened[i].kind == kind]
        with_player = [(t, a) for t, a in both if t.player is not None]
        by_kind[kind] = {
            "recall": Share(len(both), sum(t.kind == kind for t in happened)),
            "precision": Share(len(both), sum(a.kind == kind for a in said)),
            "player": Share(sum(t.player == a.player for t, a in with_player), len(with_player)),
        }
        if kind in LAID:
            right = sum(t.card == a.card for t, a in both)
            by_kind[kind]["card"] = Share(right, len(both))
    return by_kind


def _one_by_one(moves: Sequence[Move]) -> list[Move]:
    """Moves without the start, and a draw of n cards as n draws."""
    return [
        replace(move, count=1)
        for move in moves
        if move.kind != "start"
        for _ in range(move.count if move.kind == "draw" else 1)
    ]


def _is_fault(move: Move) -> bool:
    return move.legal is False


def _start(truth: Sequence[Move], answer: Sequence[Move]) -> Share:
    true = [move.card for move in truth if move.kind == "start"][:1]
    said = [move.card for move in answer if move.kind == "start"][:1]
    return Share(int(true == said), 1) if true else Share(0, 0)
