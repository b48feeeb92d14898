"""Records against records: what is paired, what is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from datasets.evaluate.records import (
    Move,
    moves_of,
    pair,
    read_record,
    score,
    score_by_kind,
)
from datasets.evaluate.shares import Share


def place(at_s: float, card: str = "b8/r2", player: int = 0, **further: Any) -> Move:
    """A card laid on r5."""
    said: dict[str, Any] = {"clear_s": at_s, "reported_s": at_s, "onto": "r5", "covering": "r2"}
    return Move("place", at_s, player=player, card=card, **(said | further))


def draw(at_s: float, count: int = 1, player: int = 0) -> Move:
    """Cards taken from the pile."""
    return Move("draw", at_s, at_s, at_s, player=player, count=count)


@pytest.mark.parametrize(
    ("true", "answer", "paired"),
    [
        (place(10), place(12), True),  # 2 s late is in time
        (place(10), place(12.1), False),
        (place(10), place(7.9), False),
        (place(10, clear_s=11.5), place(13.4), True),  # the hand stayed for 1.5 s
        (draw(10), draw(6.6), True),  # told when the card left the pile
        (draw(10), draw(6.4), False),
        (place(10), draw(10), False),
    ],
)
def test_in_time(true: Move, answer: Move, paired: bool) -> None:
    assert bool(pair([true], [answer])) is paired


def test_pairs_stay_in_order() -> None:
    true = [place(10, "r1/r2"), place(11, "g1/g2")]
    said = [place(10.2, "g1/g2"), place(11.2, "r1/r2")]
    # Crossing pairs would agree on both cards; in order only one of them can.
    assert len(pair(true, said)) == 2
    assert score(true, said).shares["card"] == Share(0, 2)


def test_of_two_answers_the_one_that_agrees_is_taken() -> None:
    assert pair([place(10, "r1/r2")], [place(10, "g1/g2"), place(10.9, "r1/r2")]) == [(0, 1)]


def test_a_missed_and_an_invented_move() -> None:
    shares = score([place(10), place(20), draw(30)], [place(10), place(50)]).shares
    assert shares["recall"] == Share(1, 3)
    assert shares["precision"] == Share(1, 2)
    assert shares["F1"] == Share(2, 5)


def test_three_cards_at_once_are_three_draws() -> None:
    shares = score([draw(10, 3)], [draw(9), draw(9.5), draw(10)]).shares
    assert shares["F1"] == Share(6, 6)
    assert score([draw(10, 3)], [draw(10, 2)]).shares["recall"] == Share(2, 3)


def test_who_where_and_what_next() -> None:
    true = place(10, ends=("b8", "g1"))
    for change, measure in (
        ({"player": 1}, "player"),
        ({"onto": "r9"}, "onto"),
        ({"covering": "b8"}, "with"),
        ({"card": "b8/r3"}, "card"),
        ({"ends": ("b8", "g7")}, "ends"),
    ):
        said = place(10, **({"ends": ("b8", "g1")} | change))
        shares = score([true], [said]).shares
        wrong = {name for name, share in shares.items() if share.right < share.of}
        assert wrong == {measure}


@pytest.mark.parametrize(
    ("legal", "recall", "precision", "told"),
    [
        ((False, True), Share(1, 1), Share(1, 1), Share(2, 2)),
        ((True, True), Share(0, 1), Share(0, 0), Share(2, 2)),  # looked away
        ((False, False), Share(1, 1), Share(1, 2), Share(2, 2)),  # accused an innocent
        ((None, None), Share(0, 1), Share(0, 0), Share(0, 2)),  # cannot tell
    ],
)
def test_faults(
    legal: tuple[bool | None, bool | None], recall: Share, precision: Share, told: Share
) -> None:
    true = [place(10, legal=False, violations=("no_match",)), place(20)]
    said = [place(10, legal=legal[0], violations=("no_match",)), place(20, legal=legal[1])]
    shares = score(true, said).shares
    assert shares["illegal recall"] == recall
    assert shares["illegal precision"] == precision
    assert shares["told"] == told


def test_what_hangs_on_a_hidden_hand_nobody_can_tell() -> None:
    true = [place(10, legal=None), place(20)]
    shares = score(true, [place(10, legal=None), place(20, legal=None)]).shares
    assert shares["told"] == Share(0, 1)


def test_delay_runs_from_a_clear_view_to_being_sure() -> None:
    scored = score([place(10, clear_s=10.5)], [place(10.1, reported_s=11.1)])
    assert scored.delays_s == pytest.approx((0.6,))


def test_rulings_are_found_by_number_and_the_last_one_counts() -> None:
    moves = moves_of(
        [
            {"type": "game"},
            {"type": "start", "t": 1, "card": "r5/g1"},
            {"type": "shout", "t": 2, "player": 0},
            {"type": "place", "t": 3, "player": 0, "card": "r2/b8", "onto": "r5", "with": "r2"},
            {"type": "ruling", "of": 2, "legal": False, "violations": ["no_shout"], "ends": []},
            {"type": "ruling", "of": 2, "legal": True, "violations": [], "ends": ["g1", "b8"]},
        ]
    )
    assert [move.kind for move in moves] == ["start", "place"]
    assert moves[1].legal is True
    assert moves[1].ends == ("b8", "g1")
    assert moves[1].card == "b8/r2"


def test_the_sample_against_itself_is_perfect(samples: Path) -> None:
    moves = read_record(samples / "c1.game.jsonl")
    shares = score(moves, moves).shares
    assert shares["recall"].of > 10
    assert all(share.right == share.of for share in shares.values())


def test_nothing_said_is_nothing_found(samples: Path) -> None:
    shares = score(read_record(samples / "c1.game.jsonl"), []).shares
    assert shares["start"] == Share(0, 1)
    assert shares["recall"].right == 0
    assert shares["ends"].right == 0
    assert shares["precision"].of == 0


def test_each_kind_of_move_has_a_score_of_its_own() -> None:
    """A draw that was overlooked and a card that was misread show in their own rows."""
    truth = (
        Move("place", 1.0, 1.0, 1.0, player=0, card="b8/r2"),
        Move("draw", 5.0, 5.0, 5.0, player=1, count=2),
        Move("place", 9.0, 9.0, 9.0, player=0, card="g1/y3"),
    )
    said = (
        Move("place", 1.1, 1.1, 1.4, player=0, card="b8/r2"),
        Move("draw", 5.0, 5.0, 5.2, player=0, count=1),
        Move("place", 9.1, 9.1, 9.3, player=0, card="g1/y8"),
        Move("take_back", 15.0, 15.0, 15.0, player=0),
    )
    kinds = score_by_kind(truth, said)
    assert kinds["place"]["recall"] == Share(2, 2)
    assert kinds["place"]["card"] == Share(1, 2)
    assert kinds["draw"]["recall"] == Share(1, 2)
    assert kinds["draw"]["player"] == Share(0, 1)
    assert kinds["take_back"]["precision"] == Share(0, 1)
    assert kinds["take_back"]["recall"] == Share(0, 0)
