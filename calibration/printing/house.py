"""The two decks of the house: which cards they have, and how they look to the reader.

SOLOmino's own list is not public. Ours has the numbers 1 to 9 and the six actions in four
colours, no card twice and no more than one action on a card. Each number half comes five times;
skip, change of direction and draw three times in each colour, swap, pass and call twice. That
makes 60 cards of two numbers and 60 of a number and an action. SOLO's list is the classic one.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import cv2
import numpy as np

from calibration.deck import Deck
from calibration.printing.faces import card, half
from calibration.printing.icons import INKS
from calibration.printing.raster import picture
from calibration.printing.shapes import Drawing, moved
from vision.enrolled import DeckLook, FaceLook
from vision.facts import CARD_MM, Image
from vision.prints import CROP_PX_PER_MM, print_of, wide_mm

SOLOMINO: Final = "house-solomino"
SOLO: Final = "house-solo"
_COLOURS: Final = "rygb"
_NUMBERS: Final = "123456789"
_SEED: Final = 2
_PICTURE_PX_PER_MM: Final = 1.2


def solomino_cards() -> dict[str, int]:
    """The 120 cards, one of each."""
    random = Random(_SEED)
    numbers = [c + n for c in _COLOURS for n in _NUMBERS] * 5
    actions = [c + f for c in _COLOURS for f in "SRD"] * 3 + [
        c + f for c in _COLOURS for f in "XPC"
    ] * 2
    while True:
        random.shuffle(numbers)
        pairs = list(zip(actions, numbers, strict=False))
        rest = numbers[len(actions) :]
        pairs += list(zip(rest[::2], rest[1::2], strict=True))
        cards = Counter("/".join(sorted(pair)) for pair in _unlike(pairs, random))
        if max(cards.values()) == 1 and all(a != b for a, b in (c.split("/") for c in cards)):
            return dict(sorted(cards.items()))


def _unlike(pairs: list[tuple[str, str]], random: Random) -> list[tuple[str, str]]:
    """Pairs that come twice, or of a half with itself, exchange one half with another pair."""
    for _ in range(2000):
        seen: Counter[frozenset[str]] = Counter(frozenset(pair) for pair in pairs)
        bad = [i for i, p in enumerate(pairs) if len(set(p)) == 1 or seen[frozenset(p)] > 1]
        if not bad:
            break
        i, j = bad[0], random.randrange(len(pairs))
        (a, b), (c, d) = pairs[i], pairs[j]
        pairs[i], pairs[j] = (a, d), (c, b)
    return pairs


def solo_cards() -> dict[str, int]:
    """The classic 112 cards."""
    cards = {c + f: 2 for c in _COLOURS for f in _NUMBERS + "SRD"}
    cards |= {c + "X": 1 for c in _COLOURS}
    return cards | {"nP": 4, "kW": 4, "kF": 4}


def house_decks() -> tuple[Deck, Deck]:
    """Both decks, with how they look as our drawings say."""
    solomino = _deck(
        SOLOMINO,
        "solomino",
        solomino_cards(),
        "Made for the table referee: numbers 1 to 9 five times, actions two or three times a colour.",
    )
    solo = _deck(
        SOLO, "solo", solo_cards(), "Made for the table referee: SOLO's classic 112 cards."
    )
    return solomino, solo


def _deck(name: str, game: str, cards: dict[str, int], about: str) -> Deck:
    labels = sorted({label for text in cards for label in text.split("/")})
    drawn = {label: _middle(label, game) for label in labels}
    prints = {label: print_of(_seen(drawing)) for label, drawing in drawn.items()}
    faces: dict[str, tuple[FaceLook, ...]] = {}
    for face in sorted({label[1] for label in labels}):
        maps = [prints[label].straight() for label in labels if label[1] == face]
        signs = [float(np.sign(one @ maps[0])) for one in maps]
        mean = np.mean([s * one for s, one in zip(signs, maps, strict=True)], axis=0)
        outward = 1.0 if game == "solomino" else 0.5
        faces[face] = (FaceLook(np.asarray(mean / np.linalg.norm(mean), np.float32), outward),)
    inks = {}
    for colour in sorted({label[0] for label in labels}):
        contrasts = [prints[label].contrast for label in labels if label[0] == colour]
        middle = np.median(contrasts, axis=0)
        inks[colour] = np.asarray(middle / np.linalg.norm(middle), np.float32)
    return Deck(
        name=name,
        game=game,
        cards=cards,
        look=DeckLook(faces, inks, frozenset(labels)),
        about=about,
        pictures={label: _jpeg(drawing) for label, drawing in drawn.items()},
        inks={colour: INKS[colour] for colour in inks},
    )


def _middle(label: str, game: str) -> Drawing:
    """What the reader looks at: a half, or as much of a one-faced card's middle."""
    if game == "solomino":
        return half(label)
    return moved(card(label), 0, -CARD_MM[1] / 4)


def _seen(drawing: Drawing) -> Image:
    """A half's picture as `vision.prints.print_of` takes it."""
    size = wide_mm()
    around = ((size[0] - CARD_MM[0]) / 2, (size[1] - CARD_MM[1] / 2) / 2)
    return picture(moved(drawing, *around), size, CROP_PX_PER_MM)


def _jpeg(drawing: Drawing) -> bytes:
    drawn = picture(drawing, (CARD_MM[0], CARD_MM[1] / 2), _PICTURE_PX_PER_MM)
    done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, 80])
    if not done:
        raise ValueError(f"expected a picture that can be written, found {drawn.shape}")
    return data.tobytes()
