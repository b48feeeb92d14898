"""One table of all figures, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from datasets.evaluate.shares import Share, Shares

COLUMNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    # heading, the measures that it shows: a picture's or a record's.
    # found: of what is there; precise: of what was said; fair: of the moves that were flagged
    ("found", ("recall",)),
    ("precise", ("precision",)),
    ("read", ("reading", "card")),
    ("colour", ("colour",)),
    ("face", ("face",)),
    ("ends", ("ends",)),
    ("line", ("line",)),
    ("empty", ("empty",)),
    ("who", ("player",)),
    ("faults", ("illegal recall",)),
    ("fair", ("illegal precision",)),
    ("told", ("told",)),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one body of data, or of the part of it that bears a tag."""

    name: str
    count: int
    shares: Shares
    is_part: bool = False
    delays_s: tuple[float, ...] = ()
    failures: tuple[str, ...] = ()
    """What could not be read at all, and why; it counts as missed."""
    further: Mapping[str, Any] = field(default_factory=dict)
    worst: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    """In the row of the worst tags: by measure, the tag and its share."""


WORST = "worst tag"
ENOUGH_TRIALS = 10
"""A tag with fewer trials of a measure says nothing about it."""


def worst_of(parts: Sequence[Row]) -> dict[str, tuple[str, float]]:
    """For each measure the part that does worst in it, of those with enough trials."""
    worst: dict[str, tuple[str, float]] = {}
    for row in parts:
        for name, share in row.shares.items():
            if share.value is None or share.of < ENOUGH_TRIALS:
                continue
            if name not in worst or share.value < worst[name][1]:
                worst[name] = (row.name, share.value)
    return worst


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The smallest value that so many percent of all do not exceed; None of nothing."""
    if not values:
        return None
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100).__trunc__() - 1)]


def as_table(rows: Sequence[Row]) -> Table:
    """All rows as one table. Whole bodies of data show their 95 % intervals too."""
    table = Table(
        title="How good the referee is (shares in %, below them the 95 % interval)",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("data", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    for heading, _ in COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("delay s\np50 p95", justify="right", no_wrap=True)
    for row in rows:
        if row.worst:
            cells = [_worst_cell(row, names) for _, names in COLUMNS]
            table.add_row("  " + row.name, "", *cells, "–", style="yellow")
            continue
        table.add_row(
            ("  " if row.is_part else "") + row.name,
            str(row.count),
            *(
                _cell(_pick(row.shares, names), with_interval=not row.is_part)
                for _, names in COLUMNS
            ),
            _delays(row.delays_s),
            style="dim" if row.is_part else "",
        )
    return table


def as_markdown(rows: Sequence[Row]) -> str:
    """The whole bodies of data and their worst tags, as the README shows them."""
    whole = [row for row in rows if not row.is_part or row.worst]
    shown = [
        (heading, names)
        for heading, names in COLUMNS
        if any(_pick(row.shares, names).of for row in whole)
    ]
    lines = [
        ["", "n", *(heading for heading, _ in shown), "delay s (p50 p95)"],
        ["---", *["---:"] * (len(shown) + 2)],
    ]
    lines += [
        [row.name, "", *(_worst_cell(row, names, " ") for _, names in shown), "–"]
        if row.worst
        else [
            row.name,
            str(row.count),
            *(_cell(_pick(row.shares, names), with_interval=False) for _, names in shown),
            _delays(row.delays_s),
        ]
        for row in whole
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """All rows with every measure, its counts and interval."""
    return [
        {
            "data": row.name,
            "part": row.is_part,
            "count": row.count,
            "measures": {name: _share_json(share) for name, share in row.shares.items()},
            "delay_s": {
                "median": percentile(row.delays_s, 50),
                "p95": percentile(row.delays_s, 95),
            }
            if row.delays_s
            else None,
            "failures": list(row.failures),
            **({"worst": {k: list(v) for k, v in row.worst.items()}} if row.worst else {}),
            **row.further,
        }
        for row in rows
    ]


def _pick(shares: Shares, names: Sequence[str]) -> Share:
    return next((shares[name] for name in names if name in shares), Share(0, 0))


def _worst_cell(row: Row, names: Sequence[str], between: str = "\n") -> str:
    """The share of the worst tag, and which that is."""
    for name in names:
        if name in row.worst:
            tag, value = row.worst[name]
            return f"{_percent(value)}{between}{tag}"
    return "–"


def _cell(share: Share, *, with_interval: bool) -> str:
    if share.value is None:
        return "–"
    text = _percent(share.value)
    if not with_interval:
        return text
    low, high = share.interval()
    return f"{text}\n{_percent(low)}–{_percent(high)}"


def _percent(value: float) -> str:
    # Rounded down: 99.96 % must not read as if nothing were wrong.
    return "100" if value == 1 else f"{int(value * 1000) / 10:.1f}"


def _delays(delays_s: Sequence[float]) -> str:
    middle, late = percentile(delays_s, 50), percentile(delays_s, 95)
    return "–" if middle is None or late is None else f"{middle:.2f} {late:.2f}"


def _share_json(share: Share) -> dict[str, Any]:
    return {
        "value": share.value,
        "right": share.right,
        "of": share.of,
        "interval_95": list(share.interval()),
    }
