"""`python -m datasets.evaluate.enrolled_photographs FOLDER`: photographs, their deck enrolled.

As `datasets.evaluate.photographs`, but read with a deck that was enrolled from other photographs
of the same source. Whoever enrols a deck answers what the program asks; here the labels answer.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from rich.console import Console

from calibration.auto_cards import plane_from_cards
from calibration.deck_cards import ShownCard
from calibration.deck_enrol import Answers, Enrolment, Question
from calibration.deck_watch import cards_of_pictures
from datasets.evaluate.photographs import (
    Labelled,
    labelled,
    labelled_folder,
    on_card,
    photographs,
    read_photograph,
    score,
    source_of,
    table_of,
)
from datasets.evaluate.shares import Share
from referee.reading import open_eager_reader, open_reader
from vision.enrolled import DeckLook, EnrolledReader
from vision.facts import Image, Reader

Photograph = tuple[Mapping[str, Any], Image]
LEAST_PHOTOGRAPHS: Final = 4
"""A source with fewer is not parted."""
_ROUNDS: Final = 3
"""How often answers may lead to further questions."""


def scores_with_enrolment(
    taken: Sequence[Photograph], reader: Reader, eager: Reader
) -> list[dict[str, Share]]:
    """The scores of each photograph, read with what the others of its source taught: every
    other one teaches, the rest is read, and the other way round."""
    shares: list[dict[str, Share]] = []
    for part in (0, 1):
        look = look_of(taken[part::2], eager)
        sharpened = reader if look is None else EnrolledReader(reader, look)
        for row, image in taken[1 - part :: 2]:
            reads = read_photograph(image, sharpened, one_faced=True)
            shares.append(score(labelled(row), reads))
    return shares


def look_of(taken: Sequence[Photograph], eager: Reader) -> DeckLook | None:
    """What one-faced cards look like in some photographs; None where no card was found."""
    shown: list[ShownCard] = []
    names: list[str | None] = []
    for row, image in taken:
        found = plane_from_cards([image], eager, one_faced=True)
        if found is None:
            continue
        true = labelled(row)
        picture = [(row["file"], image)]
        cards = cards_of_pictures(picture, found.plane, eager, one_faced=True, tell=_to_nobody)
        for card in cards:
            (look,) = card.looks
            (at_px,) = found.plane.to_px(np.array([[look.x_mm, look.y_mm]]))
            names.append(_label_at(true, float(at_px[0]), float(at_px[1])))
        shown += cards
    if not shown:
        return None
    enrolment = Enrolment("solo", shown)
    answers = Answers()
    settled = enrolment.settle(answers)
    for _ in range(_ROUNDS):
        told = [(q, _answer(q, names)) for q in settled.questions if q.doubtful]
        known = [(question, letter) for question, letter in told if letter is not None]
        if not known:
            break
        for question, letter in known:
            answers = answers.with_answer(question, letter)
        settled = enrolment.settle(answers)
    return enrolment.deck(settled, "photographed").look


def _to_nobody(_: str) -> None:
    """Nobody watches."""


def _label_at(cards: Sequence[Labelled], x_px: float, y_px: float) -> str | None:
    """The label of the card in whose middle a place is."""
    return next((card.label for card in cards if on_card(card, x_px, y_px)), None)


def _answer(question: Question, names: Sequence[str | None]) -> str | None:
    """What somebody who sees the cards would say; nothing where none of them is labelled."""
    which = 0 if question.asks_colour else 1
    seen = Counter(name[which] for i in question.looks if (name := names[i]) is not None)
    return seen.most_common(1)[0][0] if seen else None


def main(argv: list[str] | None = None) -> int:
    """Read all photographs of sources with enough of them, and print one table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate.enrolled_photographs",
                                     description=__doc__)  # fmt: skip
    parser.add_argument("folder", type=labelled_folder)
    asked = parser.parse_args(argv)
    by_source: dict[str, list[Photograph]] = defaultdict(list)
    for row, image in photographs(asked.folder, "uno-cards"):
        by_source[source_of(row)].append((row, image))
    reader, eager = open_reader("solo"), open_eager_reader("solo")
    parts = {
        source: scores_with_enrolment(taken, reader, eager)
        for source, taken in by_source.items()
        if len(taken) >= LEAST_PHOTOGRAPHS
    }
    title = "Real photographs, their deck enrolled from others (shares in %)"
    Console().print(table_of(title, parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
