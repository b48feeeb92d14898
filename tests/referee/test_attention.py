"""How closely the table is watched."""

from __future__ import annotations

import pytest

from referee.attention import Attention


@pytest.mark.parametrize(
    ("every_s", "blind"), [(0.08, False), (0.2, False), (0.3, True), (0.7, True)]
)
def test_too_few_looks_are_no_watching(every_s: float, blind: bool) -> None:
    attention = Attention()
    seen = [attention.look(3.0 + k * every_s) for k in range(30)]
    assert seen[0] is False
    assert seen[-1] is blind


def test_a_gap_counts_until_a_move_is_told() -> None:
    attention = Attention()
    times_s = [k * 0.1 for k in range(20)]
    assert not any(attention.look(at_s) for at_s in times_s)
    assert attention.look(2.6) and attention.look(2.7)
    attention.told()
    assert not any(attention.look(2.7 + at_s) for at_s in times_s[1:])


def test_a_game_that_goes_on_was_not_watched_in_between() -> None:
    attention = Attention(blind=True)
    assert attention.look(100.0)
