"""Puts the referee to the test: reads pictures, reviews recordings, gathers the figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from datasets.evaluate import pictures, records
from datasets.evaluate.gallery import Gallery
from datasets.evaluate.pictures import Reading
from datasets.evaluate.report import WORST, Row, worst_of
from datasets.evaluate.shares import Shares, total
from datasets.evaluate.sources import Exhibit, Recording

ReadPicture = Callable[[Exhibit], Reading]
"""Reads a picture; any exception counts as a picture without an answer."""

Review = Callable[[Recording], Path]
"""Reviews a recording and says where the record lies; likewise."""

Tell = Callable[[str], None]
"""Told what is being done."""


def score_pictures(
    name: str,
    exhibits: Iterable[Exhibit],
    read: ReadPicture,
    *,
    misses: Path | None = None,
    by_tag: bool = False,
    tell: Tell = lambda _: None,
) -> list[Row]:
    """The row of all pictures, and with `by_tag` one for each tag and the worst of them.

    ``misses`` is a folder for a page of everything that was missed.
    """
    gallery = None if misses is None else Gallery(misses, name)
    of_all: list[Shares] = []
    of_tag: dict[str, list[Shares]] = defaultdict(list)
    failures: list[str] = []
    for exhibit in exhibits:
        tell(f"{name}: {exhibit.name}")
        try:
            answer = read(exhibit)
        except Exception as error:  # a failure is a row, not the end
            failures.append(f"{exhibit.name}: {type(error).__name__}: {error}")
            answer = Reading()
        shares = pictures.score(exhibit.truth, answer)
        of_all.append(shares)
        for tag in exhibit.tags:
            of_tag[tag].append(shares)
        if gallery is not None:
            gallery.add(exhibit, answer)
    causes = {}
    if gallery is not None and gallery.write() is not None:
        causes = {"causes": dict(gallery.counts())}
    rows = [Row(name, len(of_all), total(of_all), failures=tuple(failures), further=causes)]
    if by_tag:
        parts = [
            Row(tag, len(shares), total(shares), is_part=True)
            for tag, shares in sorted(of_tag.items())
        ]
        rows += [Row(WORST, 0, {}, is_part=True, worst=worst_of(parts)), *parts]
    return rows


def score_recordings(
    name: str, recordings: Iterable[Recording], review: Review, *, tell: Tell = lambda _: None
) -> list[Row]:
    """The row of all recordings, one for each kind of event in them, then one for each."""
    parts: list[Row] = []
    kinds: dict[str, list[Shares]] = defaultdict(list)
    for recording in recordings:
        tell(f"{name}: {recording.name}")
        failures: tuple[str, ...] = ()
        answer: tuple[records.Move, ...] = ()
        try:
            answer = records.read_record(review(recording))
        except Exception as error:  # a failure is a row, not the end
            failures = (f"{recording.name}: {type(error).__name__}: {error}",)
        truth = records.read_record(recording.truth)
        scored = records.score(truth, answer)
        for kind, shares in records.score_by_kind(truth, answer).items():
            kinds[kind].append(shares)
        parts.append(
            Row(
                recording.name,
                len(truth),
                scored.shares,
                is_part=True,
                delays_s=scored.delays_s,
                failures=failures,
            )
        )
    return [
        Row(
            name,
            sum(part.count for part in parts),
            total(part.shares for part in parts),
            delays_s=tuple(delay for part in parts for delay in part.delays_s),
            failures=tuple(text for part in parts for text in part.failures),
        ),
        *(
            Row(kind, shares["recall"].of, shares, is_part=True)
            for kind, shares in sorted((kind, total(one)) for kind, one in kinds.items())
        ),
        *parts,
    ]
