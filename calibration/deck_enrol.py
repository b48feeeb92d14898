"""Enrolling a deck: from cards that were shown to a deck file, with what had to be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from calibration.deck import CARDS, Deck, halves_of
from calibration.deck_cards import SeenHalf, ShownCard
from calibration.deck_groups import (
    DOUBTFUL,
    Drawing,
    Naming,
    drawings,
    name_colours,
    name_faces,
)
from vision.enrolled import DeckLook, FaceLook
from vision.facts import PRINT_COLOURS, PRINT_FACES, Image
from vision.prints import Floats

_SAMPLES: Final = 4
_ALIKE_INK: Final = 0.2
_JPEG: Final = 80


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A drawing or an ink, and what it is taken for: somebody who sees the cards may know
    better."""

    key: str
    """``face 1``, ``colour 2``: the same cards lead to the same questions in the same order."""
    likely: str
    """The letters that it may be, what it is taken for first."""
    looks: tuple[int, ...]
    doubtful: bool
    """Whether it should be asked, not only shown."""
    picture: Image
    """Up to four looks at it, side by side."""

    @property
    def asks_colour(self) -> bool:
        """Whether it is a colour that is asked for, not a face."""
        return self.key.startswith("colour")


@dataclass(frozen=True, slots=True)
class Answers:
    """What somebody told of single looks, by their number."""

    faces: Mapping[int, str] = field(default_factory=dict)
    colours: Mapping[int, str] = field(default_factory=dict)

    def with_answer(self, question: Question, letter: str) -> Answers:
        """These, and an answer for all looks of a question."""
        told = dict.fromkeys(question.looks, letter)
        if question.asks_colour:
            return Answers(self.faces, {**self.colours, **told})
        return Answers({**self.faces, **told}, self.colours)


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What the shown cards are, as far as is known."""

    cards: tuple[str, ...]
    """One for each shown card, in contract notation."""
    questions: tuple[Question, ...]
    faces: Mapping[str, tuple[FaceLook, ...]]
    inks: Mapping[str, Floats]
    sure: tuple[float, ...]
    """Probability that a card was named rightly."""


class Enrolment:
    """The cards of a deck as they were shown."""

    def __init__(self, game: str, shown: Sequence[ShownCard]) -> None:
        self._game = game
        self._shown = tuple(shown)
        self._looks: list[SeenHalf] = []
        self._of_half: list[list[list[int]]] = []
        """For each card and half of it the numbers of its looks."""
        for card in self._shown:
            halves: list[list[int]] = [[] for _ in card.looks[0].halves]
            for look in card.looks:
                for h, half in enumerate(look.halves):
                    halves[h].append(len(self._looks))
                    self._looks.append(half)
            self._of_half.append(halves)

    def settle(self, told: Answers) -> Settled:
        """Name every card from all looks and what somebody told."""
        if not self._looks:
            return Settled((), (), {}, {}, ())
        prints = [look.print for look in self._looks]
        face_p = [look.half.face_p for look in self._looks]
        colour_p = [look.half.colour_p for look in self._looks]
        letters = PRINT_FACES[: len(face_p[0])]
        hues = PRINT_COLOURS[: len(colour_p[0])]
        faces, looks = name_faces(prints, face_p, letters, told.faces)
        colours, inks = name_colours(prints, colour_p, hues, told.colours)
        questions = [
            self._question(f"face {n}", drawing, face_p, letters)
            for n, drawing in enumerate(
                drawings(prints, face_p, letters, told.faces, faces, looks), 1
            )
        ]
        questions += [
            self._question(f"colour {n}", group, colour_p, hues)
            for n, group in enumerate(self._odd_colours(colours, told.colours), 1)
        ]
        cards, sure = zip(
            *(self._name(halves, colours, faces) for halves in self._of_half), strict=True
        )
        # Of a print that is alone on its card nobody knows which way is out.
        alone = all(len(halves) == 1 for halves in self._of_half)
        by_letter = {
            letter: tuple(replace(look, outward=0.5) if alone else look for look in every)
            for letter, every in looks.items()
        }
        return Settled(tuple(cards), tuple(questions), by_letter, inks, tuple(sure))

    def _name(self, halves: list[list[int]], colours: Naming, faces: Naming) -> tuple[str, float]:
        """A card from the surest looks at each of its halves."""
        names, sure = [], 1.0
        for looks in halves:
            colour = max(looks, key=lambda i: colours.sure[i])
            face = max(looks, key=lambda i: faces.sure[i])
            names.append(colours.names[colour] + faces.names[face])
            sure *= colours.sure[colour] * faces.sure[face]
        return "/".join(sorted(names)), sure

    def _odd_colours(self, naming: Naming, told: Mapping[int, str]) -> list[Drawing]:
        groups: list[list[int]] = []
        for i, sure in enumerate(naming.sure):
            if sure >= DOUBTFUL or i in told:
                continue
            ink = self._looks[i].print.contrast
            for group in groups:
                if np.linalg.norm(ink - self._looks[group[0]].print.contrast) < _ALIKE_INK:
                    group.append(i)
                    break
            else:
                groups.append([i])
        return [Drawing(naming.names[group[0]], tuple(group), True) for group in groups]

    def _question(
        self, key: str, drawing: Drawing, guesses: Sequence[Sequence[float]], letters: str
    ) -> Question:
        mean = np.mean([guesses[i] for i in drawing.looks], axis=0)
        rest = "".join(
            letters[int(k)] for k in np.argsort(-mean) if letters[int(k)] != drawing.name
        )
        pictures = [self._looks[i].picture for i in drawing.looks[:_SAMPLES]]
        strip = np.hstack(
            [cv2.copyMakeBorder(p, 6, 6, 6, 6, cv2.BORDER_CONSTANT) for p in pictures]
        )
        strip = cv2.resize(strip, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        return Question(
            key, drawing.name + rest, drawing.looks, drawing.doubtful, np.asarray(strip, np.uint8)
        )

    def deck(self, settled: Settled, name: str, about: str = "") -> Deck:
        """The deck as it is now known."""
        cards = Counter(settled.cards)
        return Deck(
            name=name,
            game=self._game,
            cards=dict(cards),
            look=DeckLook(settled.faces, settled.inks, halves_of(cards, self._game)),
            about=about,
            pictures=self._pictures(settled),
            inks=self._inks(settled),
        )

    def _best_looks(self, settled: Settled) -> dict[str, SeenHalf]:
        """The look at each half that shows most of it."""
        best: dict[str, SeenHalf] = {}
        for card, halves in zip(settled.cards, self._of_half, strict=True):
            for label, looks in self._labelled(card, halves):
                for look in looks:
                    seen = self._looks[look]
                    if label not in best or seen.half.seen > best[label].half.seen:
                        best[label] = seen
        return best

    def _labelled(self, card: str, halves: list[list[int]]) -> list[tuple[str, list[int]]]:
        """The halves of a card with their looks; only where both show the same, or one does."""
        labels = card.split("/")
        if len(labels) == 1 or labels[0] == labels[1]:
            return list(zip(labels, halves, strict=False))
        # The name is sorted, the halves are not: each goes where its own reading says.
        first = self._looks[halves[0][0]].half
        straight = (
            first.colour_p[PRINT_COLOURS.index(labels[0][0])]
            * first.face_p[PRINT_FACES.index(labels[0][1])]
        )
        crossed = (
            first.colour_p[PRINT_COLOURS.index(labels[1][0])]
            * first.face_p[PRINT_FACES.index(labels[1][1])]
        )
        return list(zip(labels if straight >= crossed else labels[::-1], halves, strict=True))

    def _pictures(self, settled: Settled) -> dict[str, bytes]:
        pictures = {}
        for label, seen in self._best_looks(settled).items():
            done, data = cv2.imencode(".jpg", seen.picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
            if done:
                pictures[label] = data.tobytes()
        return pictures

    def _inks(self, settled: Settled) -> dict[str, str]:
        """Each colour as it mostly looked: the more colourful of a half's tones."""
        tones: dict[str, list[np.ndarray]] = {}
        for label, seen in self._best_looks(settled).items():
            pixels = seen.picture[8:-8, 8:-8].reshape(-1, 3).astype(np.float64)
            vivid = pixels.max(axis=1) - pixels.min(axis=1)
            tones.setdefault(label[0], []).append(
                np.median(pixels[vivid >= np.percentile(vivid, 60)], axis=0)
            )
        found = {}
        for colour, seen_tones in tones.items():
            b, g, r = (round(float(v)) for v in np.median(seen_tones, axis=0))
            found[colour] = f"#{r:02x}{g:02x}{b:02x}"
        return found


def remarks(cards: Mapping[str, int], game: str) -> list[str]:
    """What somebody should look at: how many there are, cards that came twice, gaps."""
    told: list[str] = []
    count, wanted = sum(cards.values()), CARDS[game]
    if count != wanted:
        told.append(f"{count} cards were seen; a deck of {game} has {wanted}")
    usual = 1 if game == "solomino" else 4
    often = [f"{card} ({n} times)" for card, n in sorted(cards.items()) if n > usual]
    if often:
        told.append(
            f"seen more than {'once' if usual == 1 else f'{usual} times'}: {', '.join(often)};"
            " is that so, or were some shown again?"
        )
    halves = {half for card in cards for half in card.split("/")}
    colours = sorted({half[0] for half in halves} & set("rygb"))
    missing = [
        colour + face
        for face in PRINT_FACES
        for colour in colours
        if colour + face not in halves and sum(c + face in halves for c in colours) >= 2
    ]
    if missing:
        told.append(f"no card bears {', '.join(missing)}")
    return told
