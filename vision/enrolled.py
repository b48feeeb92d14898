"""Reads a deck that is known: the network's guess, joined with how the deck's own faces look.

Whoever enrolled a deck (`calibration.deck`) has shown each face once or twice. What a half
looks like is compared with that, and the two opinions are multiplied: where the print is
covered, blurred or burnt out it fits nothing well, says little, and the network decides alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, hypot, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.facts import PRINT_COLOURS, PRINT_FACES, Half, Image, Reader
from vision.line import HALF_MM
from vision.plane import TablePlane
from vision.prints import MAP_PX, Floats, Print, likeness, look_at, on_its_head

_SAMPLES: Final = 50.0
"""Number of independent samples that a map's pixels are worth: neighbours err alike."""
_TRUST: Final = 0.75
"""Power of the network's guess once the print speaks: both look at the same pixels."""
_MOST: Final = 4.0
"""Log-odds that a print can speak for one face against another, at most: what the network is
very sure of stays as it is."""
_SURE: Final = 0.8
"""What the network takes for less likely than this the print may overrule."""
_FITS_NOTHING: Final = 0.45
_FITS: Final = 0.75
"""Likeness below which a print says nothing, and from which on all that it can."""
_UNKNOWN_FIT: Final = 0.95
"""How well a face that nobody enrolled is supposed to fit, unless none fits as well."""
_DIFFERS: Final = 0.2
"""By how much less than wholly two drawings fit each other that are told apart with ease."""
_TURNED: Final = "69"
"""Faces that are each other on their heads but for a small mark, which averages blur: between
them the network decides, and how the card lies."""
_ROLLS: Final = (-2, -1, 0, 1, 2)
_INK_SPREAD: Final = 0.07
"""Deviation of the contrast's direction between pictures."""
_INK_TAIL: Final = 3.0
_UNKNOWN_INK: Final = 0.5
_MOST_INK: Final = 5.0
ENOUGH_LOOKS: Final = 3
_SELDOM_FITS: Final = 0.25
"""By how much better a face may fit once there are enough looks at it; a share of this by two."""
_ABSENT: Final = 0.3
"""How much less likely a half is that no card of a deck bears that was enrolled without gaps."""
_ALIGNED_MM: Final = 3.0
"""How exactly two halves of one card lie behind each other, measured."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceLook:
    """How a face is drawn in a deck."""

    ink_map: Floats
    """Of mean 0 and length 1, shape (pixels,), see `vision.prints`."""
    outward: float = 0.5
    """Share of the looks in which the map's top lay at the card's outer edge."""
    looks: int = ENOUGH_LOOKS
    """How many looks it is the mean of; of too few, it says nothing against its face."""


@dataclass(frozen=True, slots=True, eq=False)
class DeckLook:
    """How a deck looks."""

    faces: Mapping[str, tuple[FaceLook, ...]]
    """By face letter."""
    inks: Mapping[str, Floats]
    """Contrast by colour letter, see `vision.prints.Print`."""
    halves: frozenset[str] = field(default_factory=frozenset)
    """Halves that the deck's cards bear, in contract notation; empty where nobody counted."""


class EnrolledReader:
    """A `vision.facts.Reader` that reads what another one finds, in the light of a deck's look."""

    def __init__(self, reader: Reader, look: DeckLook) -> None:
        self._reader = reader
        faces = [(face, one) for face, looks in look.faces.items() for one in looks]
        self._letters = [face for face, _ in faces]
        upright = np.array([one.ink_map for _, one in faces], np.float32)
        self._maps = np.concatenate([upright, on_its_head(upright)]) if faces else upright
        self._outward = np.array([one.outward for _, one in faces])
        self._unknown = set(PRINT_FACES) - set(self._letters)
        counts = {face: sum(one.looks for one in looks) for face, looks in look.faces.items()}
        self._seldom = {f: _SELDOM_FITS / n for f, n in counts.items() if n < ENOUGH_LOOKS}
        self._most = _most_between(self._letters, upright)
        self._look = look
        colours, known = {half[0] for half in look.halves}, {half[1] for half in look.halves}
        whole = len(look.halves) / max(1, len(colours) * len(known))
        # Of a deck that was enrolled in part, what is missing may be anything.
        self._absent = _ABSENT**whole

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """See `vision.facts.Reader.read`."""
        halves = self._reader.read(image, plane, region_mm)
        return [self._sharpened(half, halves, image, plane) for half in halves]

    def _sharpened(
        self, half: Half, others: Sequence[Half], image: Image, plane: TablePlane
    ) -> Half:
        seen = look_at(image, plane, half, towards_deg=half.axis_deg)
        evidence, best = self._face_evidence(seen, _outer_end(half, others))
        weight = float(np.clip((best - _FITS_NOTHING) / (_FITS - _FITS_NOTHING), 0.0, 1.0))
        if weight == 0.0:
            return half
        faces = PRINT_FACES[: len(half.face_p)]
        colours = PRINT_COLOURS[: len(half.colour_p)]
        face_p = _heard(half.face_p, [evidence.get(face, 0.0) for face in faces], weight)
        ink = ink_log_likelihood(seen.contrast, self._look.inks, colours)
        colour_p = _heard(half.colour_p, ink, weight)
        if self._look.halves:
            colour_p, face_p = self._in_the_deck(colours, colour_p, faces, face_p)
        return replace(half, colour_p=_tuple(colour_p), face_p=_tuple(face_p))

    def _face_evidence(self, seen: Print, outer_p: float) -> tuple[dict[str, float], float]:
        """Log-likelihood of each face, and how well the best of them fits.

        ``outer_p`` is the probability that the print's top is the card's outer end.
        """
        if not self._letters:
            return {}, 0.0
        fit = likeness(seen, self._maps).astype(np.float64)
        weigh = map_log_likelihood(fit)
        count = len(self._letters)
        # Where the deck prints a face one way only and the card's end is known, a 6 that
        # stands as a 9 would is none.
        stands = outer_p * self._outward + (1 - outer_p) * (1 - self._outward)
        upright, turned = weigh[:count], weigh[count:]
        drawn = np.maximum(upright, turned)
        standing = np.logaddexp(
            upright + np.log(np.maximum(stands, 0.02)),
            turned + np.log(np.maximum(1 - stands, 0.02)),
        ) - np.logaddexp(upright, turned)
        evidence: dict[str, float] = {}
        stance: dict[str, float] = {}
        for letter, value, way in zip(self._letters, drawn, standing, strict=True):
            if float(value) > evidence.get(letter, -np.inf):
                evidence[letter], stance[letter] = float(value), float(way)
        unknown = unknown_log_likelihood(max(evidence.values()))
        evidence.update(dict.fromkeys(self._unknown, unknown))
        for letter, more in self._seldom.items():
            fits = (f for f, one in zip(fit, 2 * self._letters, strict=True) if one == letter)
            may_weigh = float(map_log_likelihood(max(fits) + more))
            evidence[letter] = max(evidence[letter], min(may_weigh, unknown))
        best = max(evidence, key=lambda letter: evidence[letter])
        limited = {
            letter: max(value - evidence[best], -self._most.get(letter + best, _MOST))
            for letter, value in evidence.items()
        }
        either = max(limited[letter] for letter in _TURNED)
        limited.update(dict.fromkeys(_TURNED, either))
        unknown_stance = float(np.log(0.5))
        told = {k: value + stance.get(k, unknown_stance) for k, value in limited.items()}
        return told, float(fit.max())

    def _in_the_deck(
        self, colours: str, colour_p: NDArray[np.float64], faces: str, face_p: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The guesses once halves that no card bears count as less likely."""
        there = np.array(
            [[1.0 if c + f in self._look.halves else self._absent for f in faces] for c in colours]
        )
        joint = np.outer(colour_p, face_p) * there
        joint /= joint.sum()
        return joint.sum(axis=1), joint.sum(axis=0)


def _most_between(letters: Sequence[str], maps: Floats) -> dict[str, float]:
    """What a print may say for one face against another, by both letters.

    Where two drawings hardly differ it is rather the better average that fits better: then
    the network tells them apart.
    """
    most: dict[str, float] = {}
    width, height = MAP_PX
    pictures = maps.reshape(-1, height, width)
    shifted = np.stack(
        [np.roll(pictures, (y, x), (1, 2)).reshape(maps.shape) for y in _ROLLS for x in _ROLLS]
    )
    for i, one in enumerate(letters):
        fits = np.abs(shifted @ np.stack([maps[i], on_its_head(maps[i])], axis=1)).max(axis=(0, 2))
        for other, fit in zip(letters, fits, strict=True):
            share = float(np.clip((1 - fit) / _DIFFERS, 0.0, 1.0))
            most[one + other] = min(_MOST * share, most.get(one + other, _MOST))
    return most


def map_log_likelihood(fit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-likelihood of drawings that fit a print so well (0...1), up to a constant.

    Of a drawing under unknown gain, offset and noise it is a power of 1 - r².
    """
    return np.asarray(-_SAMPLES / 2 * np.log(1 - np.clip(fit, 0.0, 0.995) ** 2))


def unknown_log_likelihood(best: float) -> float:
    """The same for a face that nobody enrolled, ``best`` being that of the best one enrolled.

    Such a face may fit as well as faces do; but never is it preferred to the others.
    """
    return min(float(map_log_likelihood(np.array([_UNKNOWN_FIT]))[0]), best)


def ink_log_likelihood(contrast: Floats, inks: Mapping[str, Floats], colours: str) -> list[float]:
    """Log-likelihood of each colour, 0 for the best; contrasts scatter, now and then widely."""
    apart = np.array(
        [
            float(np.linalg.norm(contrast - inks[colour])) if colour in inks else _UNKNOWN_INK
            for colour in colours
        ]
    )
    weigh = -(_INK_TAIL + 3) / 2 * np.log1p((apart / _INK_SPREAD) ** 2 / _INK_TAIL)
    return [float(v) for v in np.maximum(weigh - weigh.max(), -_MOST_INK)]


def _heard(guess: Sequence[float], evidence: Sequence[float], weight: float) -> NDArray[np.float64]:
    """What the network and the print say together. Where the print would overrule a network that
    was sure, either may be right, and it is unsure."""
    joined = _joined(guess, evidence, weight)
    if int(np.argmax(guess)) == int(np.argmax(joined)) or max(guess) < _SURE:
        return joined
    return np.asarray((joined + np.asarray(guess)) / 2, np.float64)


def _joined(
    guess: Sequence[float], evidence: Sequence[float], weight: float
) -> NDArray[np.float64]:
    """The network's guess and the print's opinion, which counts by ``weight``."""
    trust = 1 - (1 - _TRUST) * weight
    odds = trust * np.log(np.maximum(guess, 1e-7)) + weight * np.asarray(evidence)
    shares = np.exp(odds - odds.max())
    return np.asarray(shares / shares.sum(), np.float64)


def _outer_end(half: Half, others: Sequence[Half]) -> float:
    """Probability that the card's outer end lies in the direction of the half's axis.

    The card's other half lies exactly 45.5 mm behind, where it is seen; a neighbour of the
    line that covers it lies there only roughly.
    """
    along = (cos(radians(half.axis_deg)), sin(radians(half.axis_deg)))
    ahead, behind = 0.0, 0.0
    for other in others:
        x, y = other.x_mm - half.x_mm, other.y_mm - half.y_mm
        if other is half or hypot(x, y) > 1.3 * HALF_MM:
            continue
        way = x * along[0] + y * along[1]
        askew = abs((other.axis_deg - half.axis_deg + 90) % 180 - 90)
        off = hypot(abs(way) - HALF_MM, x * along[1] - y * along[0], askew)
        fits = float(np.exp(-((off / _ALIGNED_MM) ** 2) / 2))
        ahead, behind = (max(ahead, fits), behind) if way > 0 else (ahead, max(behind, fits))
    return (behind + 0.1) / (ahead + behind + 0.2)


def _tuple(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(v) for v in values)
