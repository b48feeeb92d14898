"""Shares add up, and their intervals are Wilson's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.evaluate.report import percentile
from datasets.evaluate.shares import Share, total


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [
        # worked out by hand from Wilson's formula with z = 1.959964
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (997, 1000, 0.9912, 0.9990),
        (0, 0, 0.0, 1.0),  # nothing tried, nothing known
    ],
)
def test_interval(right: int, of: int, low: float, high: float) -> None:
    assert Share(right, of).interval() == pytest.approx((low, high), abs=2e-4)


@given(st.integers(0, 500), st.integers(0, 500))
def test_interval_holds_the_share(right: int, wrong: int) -> None:
    share = Share(right, right + wrong)
    low, high = share.interval()
    assert 0 <= low <= high <= 1
    if share.value is not None:
        assert low - 1e-12 <= share.value <= high + 1e-12


def test_more_right_than_tried_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 out of 2"):
        Share(3, 2)


def test_total_adds_what_has_the_same_name() -> None:
    parts = [{"a": Share(1, 2)}, {"b": Share(0, 1), "a": Share(3, 3)}]
    assert total(parts) == {"a": Share(4, 5), "b": Share(0, 1)}
    assert total([]) == {}


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([], 50, None),
        ([3.0], 95, 3.0),
        ([4.0, 1.0, 3.0, 2.0], 50, 2.0),
        ([float(i) for i in range(1, 101)], 95, 95.0),
    ],
)
def test_percentile(values: list[float], percent: float, expected: float | None) -> None:
    assert percentile(values, percent) == expected
