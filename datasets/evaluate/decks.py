"""`python -m datasets.evaluate.decks`: how much better a deck reads once it is enrolled.

*Stills* and *clips* (in `../shared`): an edition is enrolled from every other picture, or from
the first half of a recording, and the rest is read. *Invented decks*: 120 cards are enrolled
from a dozen rendered photographs, or from a film, then tables with that edition are read. Nobody
answers a question: what the program is not sure of it assumes. Each line tells how many halves
were found, and how many of them had their colour and their face right before and after.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.deck import Deck
from calibration.deck_cards import ShownCard, cards_in
from calibration.deck_enrol import Answers, Enrolment
from calibration.deck_watch import cards_of_film, cards_of_pictures
from calibration.table import load_table
from datasets.enrolments import RATE_HZ, Showing
from datasets.evaluate.pictures import Reading, SeenHalf, match
from datasets.evaluate.shares import Share
from datasets.evaluate.sources import Exhibit, stills, truth_of
from datasets.scenes import render_scene
from referee.reading import open_eager_reader, open_reader
from vision.chain import assemble
from vision.enrolled import EnrolledReader
from vision.facts import Half, Image, Reader
from vision.frames import Frame, open_recording
from vision.plane import TablePlane

FIRST_DECK = 300_000_001
"""Seed of the first invented deck; tables with its edition have three times the seed."""
_EVERY_S = 0.7


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was read of some halves."""

    halves: int = 0
    colour: int = 0
    face: int = 0
    both: int = 0
    sure: int = 0
    """Readings above 0.9, and those of them that are wrong."""
    sure_wrong: int = 0

    def plus(self, other: Outcome) -> Outcome:
        """Both together."""
        return Outcome(
            self.halves + other.halves,
            self.colour + other.colour,
            self.face + other.face,
            self.both + other.both,
            self.sure + other.sure,
            self.sure_wrong + other.sure_wrong,
        )


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    name: str
    before: Outcome
    after: Outcome
    cards: str = ""
    """How well the cards themselves were counted, where that is known."""


class _Once:
    """Reads each picture once, for two readers that build on it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._last: tuple[int, list[Half]] | None = None

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        if self._last is None or self._last[0] != id(image):
            self._last = (id(image), self._reader.read(image, plane, region_mm))
        return self._last[1]


def outcome(
    exhibit: Exhibit, halves: Sequence[Half], only: frozenset[str] | None = None
) -> Outcome:
    """How a reading of an exhibit compares with its truth; ``only`` for some of its halves."""
    places = np.array([[half.x_mm, half.y_mm] for half in halves]).reshape(-1, 2)
    pixels = exhibit.plane.to_px(places) if len(halves) else places
    said = tuple(
        SeenHalf(half.label, float(x), float(y))
        for half, (x, y) in zip(halves, pixels, strict=True)
    )
    confidence = {id(s): half.confidence for s, half in zip(said, halves, strict=True)}
    total = Outcome()
    for true, answer in match(exhibit.truth, Reading(said)).found:
        if only is None or true.label in only:
            total = total.plus(_one(true.label, answer.label, confidence[id(answer)]))
    return total


def _one(true: str, said: str, confidence: float) -> Outcome:
    right, sure = true == said, confidence > 0.9
    return Outcome(
        1, int(true[0] == said[0]), int(true[1] == said[1]), int(right), int(sure),
        int(sure and not right),
    )  # fmt: skip


def look_of(exhibits: Iterable[Exhibit], reader: Reader) -> Deck:
    """A deck enrolled from the single halves of some pictures, whatever card they belong to."""
    shown = [
        ShownCard([card], exhibit.name)
        for exhibit in exhibits
        for card in cards_in(
            exhibit.image,
            exhibit.plane,
            reader.read(exhibit.image, exhibit.plane),
            one_faced=True,
        )
    ]
    return _uncounted(shown, "enrolled")


def _uncounted(shown: Sequence[ShownCard], name: str) -> Deck:
    """A deck of single halves, of which nobody knows whether they are all."""
    enrolment = Enrolment("solomino", shown)
    deck = enrolment.deck(enrolment.settle(Answers()), name)
    return replace(deck, look=replace(deck.look, halves=frozenset()))


def compare(
    name: str,
    exhibits: Iterable[Exhibit],
    deck: Deck,
    reader: Reader,
    only: frozenset[str] | None = None,
) -> Result:
    """Reads some pictures with the deck known and without."""
    once = _Once(reader)
    sharpened = EnrolledReader(once, deck.look)
    before = after = Outcome()
    for exhibit in exhibits:
        before = before.plus(outcome(exhibit, once.read(exhibit.image, exhibit.plane), only))
        after = after.plus(outcome(exhibit, sharpened.read(exhibit.image, exhibit.plane), only))
    return Result(name, before, after)


def of_stills(folder: Path, reader: Reader) -> list[Result]:
    """Each edition enrolled from every other picture, and the other way round."""
    by_edition: dict[str, list[Exhibit]] = {}
    for exhibit in stills(folder):
        by_edition.setdefault(exhibit.tags[0], []).append(exhibit)
    results = []
    for edition, exhibits in sorted(by_edition.items()):
        for first in (0, 1):
            deck = look_of(exhibits[first::2], reader)
            rest = exhibits[1 - first :: 2]
            results.append(compare(f"stills, {edition}, half {first + 1}", rest, deck, reader))
    return results


def of_clip(video: Path, reader: Reader) -> Result:
    """A recording's edition enrolled from its first half; the line's halves in the second."""
    plane = load_table(video.with_suffix(".table.json")).plane
    changes = [
        json.loads(line)
        for line in video.with_suffix(".line.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    changes = [change for change in changes if "halves" in change]
    middle_s = changes[len(changes) // 2]["t"]
    frames = [frame for frame in open_recording(video) if _is_calm(frame, changes)]
    early = [frame for frame in frames if frame.at_s < middle_s]
    shown: list[ShownCard] = []
    for frame in early[:: max(1, len(early) // 12)]:
        halves = reader.read(frame.image, plane)
        cards = cards_in(frame.image, plane, halves, one_faced=True)
        shown += [ShownCard([card], f"{frame.at_s:.1f} s") for card in cards]
    deck = _uncounted(shown, video.stem)
    once = _Once(reader)
    sharpened = EnrolledReader(once, deck.look)
    before = after = Outcome()
    late = [frame for frame in frames if frame.at_s >= middle_s]
    for frame in late[:: max(1, len(late) // 30)]:
        truth = [change for change in changes if change["t"] < frame.at_s][-1]["halves"]
        before = before.plus(_line_outcome(once.read(frame.image, plane), truth))
        after = after.plus(_line_outcome(sharpened.read(frame.image, plane), truth))
    return Result(f"clip {video.stem}, second half", before, after)


def _is_calm(frame: Frame, changes: Sequence[dict[str, object]]) -> bool:
    """Whether the line has lain as it is for a while, and will for a moment."""
    times = [float(str(change["t"])) for change in changes]
    past = [frame.at_s - t for t in times if t <= frame.at_s]
    future = [t - frame.at_s for t in times if t > frame.at_s]
    return bool(past) and min(past) > _EVERY_S and (not future or min(future) > _EVERY_S)


def _line_outcome(halves: list[Half], truth: Sequence[str]) -> Outcome:
    """The line's halves one by one; nothing where another number of them was seen."""
    line = assemble(halves)
    if line is None or len(line.places) != len(truth):
        return Outcome()
    ways = (list(truth), list(truth)[::-1])
    true = max(ways, key=lambda way: sum(a == b for a, b in zip(way, line.labels, strict=True)))
    total = Outcome()
    for label, place in zip(true, line.places, strict=True):
        total = total.plus(_one(label, place.half.label, place.half.confidence))
    return total


def of_invented(seed: int, reader: Reader, eager: Reader, *, film: bool, scenes: int = 3) -> Result:
    """An invented deck enrolled from photographs or a film, its edition read on other tables."""
    showing = Showing.of(seed)
    shown: list[ShownCard] = []
    if film:
        frames = (Frame(image, i / RATE_HZ, i) for i, image in enumerate(showing.film()))
        plane = showing.film_plane()
        shown = cards_of_film(frames, plane, eager, one_faced=False, tell=lambda _: None)
    else:
        for i, photograph in enumerate(showing.photographs()):
            shown += cards_of_pictures(
                [(f"{i}", photograph.image)], photograph.plane, eager, one_faced=False,
                tell=lambda _: None,
            )  # fmt: skip
    enrolment = Enrolment("solomino", shown)
    settled = enrolment.settle(Answers())
    truth = Counter("/".join(sorted(card.split("/"))) for card in showing.cards)
    right = sum((truth & Counter(settled.cards)).values())
    asked = sum(question.doubtful for question in settled.questions)
    counted = f"{right} of {truth.total()} cards right, {len(shown)} seen, {asked} questions"
    deck = enrolment.deck(settled, "invented")
    tables = (_table(3 * seed + k) for k in range(scenes))
    # Tables show any halves at all; those that no card of the deck bears are not its own.
    own = frozenset(half for card in showing.cards for half in card.split("/"))
    name = f"deck {seed} {'filmed' if film else 'photographed'}"
    found = compare(name, tables, deck, reader, own)
    return Result(found.name, found.before, found.after, counted)


def _table(seed: int) -> Exhibit:
    scene = render_scene(seed, use_held_out=True)
    return Exhibit(str(seed), scene.image, scene.plane, truth_of(scene), scene.tags)


def as_lines(results: Sequence[Result]) -> list[str]:
    """The table, and its sum."""
    lines = [
        f"{'':32} {'halves':>6}  {'colour %':>15}  {'face %':>15}  {'both %':>15}  sure, wrong  cards"
    ]
    whole = Result("all", Outcome(), Outcome())
    for result in results:
        lines.append(_line(result))
        whole = Result("all", whole.before.plus(result.before), whole.after.plus(result.after))
    return [*lines, _line(whole)]


def _line(result: Result) -> str:
    before, after = result.before, result.after

    def two(one: int, other: int) -> str:
        shares = Share(one, before.halves).value, Share(other, after.halves).value
        return " → ".join("–" if s is None else f"{int(s * 10000) / 100:.2f}" for s in shares)

    return (
        f"{result.name:32} {after.halves:>6}  {two(before.colour, after.colour):>15}"
        f"  {two(before.face, after.face):>15}  {two(before.both, after.both):>15}"
        f"  {f'{before.sure_wrong} → {after.sure_wrong}':>11}  {result.cards}"
    )


def main(argv: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate.decks", description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--decks", type=int, default=4, help="invented decks to photograph")
    parser.add_argument("--films", type=int, default=1, help="how many of them to film as well")
    asked = parser.parse_args(argv)
    reader, eager = open_reader("solomino"), open_eager_reader("solomino")
    results: list[Result] = []
    if (asked.shared / "stills" / "truth.jsonl").is_file():
        results += of_stills(asked.shared / "stills", reader)
    for video in sorted((asked.shared / "clips").glob("*.mp4")):
        if video.with_suffix(".line.jsonl").is_file():
            results.append(of_clip(video, reader))
    for k in range(asked.decks):
        results.append(of_invented(FIRST_DECK + k, reader, eager, film=False))
        if k < asked.films:
            results.append(of_invented(FIRST_DECK + k, reader, eager, film=True))
    print("\n".join(as_lines(results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
