"""What the faces and colours of a shown deck are: all looks at it taken together.

One look may be misread; fifteen looks at the same drawing hardly are. So drawings are averaged
face by face, every look is weighed against all averages and its own reading, and this is
repeated until nothing changes. What stays doubtful, or looks unlike all others of its name,
becomes a question for whoever enrols the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.enrolled import (
    FaceLook,
    ink_log_likelihood,
    map_log_likelihood,
    unknown_log_likelihood,
)
from vision.prints import Floats, Print, aligned, likeness, on_its_head, unit_map

Odds = NDArray[np.float64]

ROUNDS: Final = 4
DOUBTFUL: Final = 0.85
"""Below this a look's best name is asked for."""
ALIKE: Final = 0.75
"""A look that fits a drawing at least so well shows it."""
_HARDLY_READ: Final = 0.4
"""A drawing that the reader itself believes in less than this is asked for."""
_MOST: Final = 6.0
"""Log-odds that a drawing can speak for one name against another, at most."""
_LEAST_TO_PART: Final = 4
_BETTER: Final = 0.62
"""Two averages must leave at most this share unexplained of what one leaves."""
_ONE_DRAWING: Final = 0.93
"""Two averages that fit each other so well are one drawing, better and worse laid."""
_OF_ITS_DRAWING: Final = 6.0
"""Log-odds that a look is called as its drawing is."""
_SURELY: Final = 4.0
"""By how much, in log-odds, a drawing must look like a name that another drawing has."""
_LEAST_TO_RENAME: Final = 3
_CONSISTENT: Final = 0.85
"""An average that its own looks fit less than this is none to measure by."""
_TRUST: Final = 0.75
_FIXED: Final = 40.0
"""Log-odds of what somebody has told."""
_OUTLIER: Final = 0.15
_LEAST_OTHER: Final = 2
"""So many looks must agree on another look of a face."""


@dataclass(frozen=True, slots=True, eq=False)
class Naming:
    """Names of some looks."""

    names: tuple[str, ...]
    sure: tuple[float, ...]
    """Probability of each name."""


def name_faces(
    prints: Sequence[Print],
    guesses: Sequence[Sequence[float]],
    letters: str,
    told: Mapping[int, str],
) -> tuple[Naming, dict[str, tuple[FaceLook, ...]]]:
    """Names the faces of some prints (the card's outer edge on top) and averages each face.

    ``guesses`` are the reader's probabilities of ``letters``, ``told`` what somebody said of
    single prints. Of a face the commonest look comes first; it has several where light shows
    different tones of one drawing.
    """
    logs = np.log(np.clip(np.array(guesses), 1e-6, 1.0))
    shares, averages = _converged(prints, _with_told(_TRUST * logs, letters, told), letters)
    # Two drawings may have been read alike: each drawing is named anew, as a whole.
    names = np.array(list(letters))[shares.argmax(axis=1)]
    groups = [
        group
        for name, average in averages.items()
        for group in _parted(prints, np.flatnonzero(names == name).tolist(), average.ink_map)
    ]
    odds = _TRUST * logs
    was = [str(names[group[0]]) for group in groups]
    for group, before, letter in zip(
        groups, was, _names_of(logs, groups, was, letters, told), strict=True
    ):
        if letter != before:
            odds[np.ix_(group, [letters.index(letter)])] += _OF_ITS_DRAWING
    shares, averages = _converged(prints, _with_told(odds, letters, told), letters)
    naming = _naming(shares, letters)
    looks = {
        letter: (average.look(), *_other_looks(prints, naming, letter, average))
        for letter, average in averages.items()
    }
    return naming, looks


def _other_looks(
    prints: Sequence[Print], naming: Naming, letter: str, average: _Average
) -> list[FaceLook]:
    """How a face looks where it does not look as it mostly does.

    A symbol in white with a black shade has three tones, and an ink map knows two: in dim light
    or in glare they are two others.
    """
    rest = [i for i, name in enumerate(naming.names)
            if name == letter and naming.sure[i] >= DOUBTFUL
            and _fit(prints[i], average.ink_map) < ALIKE]  # fmt: skip
    found: list[FaceLook] = []
    while len(rest) >= _LEAST_OTHER:
        another = _average(prints, rest, prints[rest[0]].straight())
        alike = [i for i in rest if _fit(prints[i], another.ink_map) >= ALIKE]
        if len(alike) >= _LEAST_OTHER:
            found.append(_average(prints, alike, another.ink_map).look())
        rest = [i for i in rest[1:] if i not in alike]
    return found


def _converged(
    prints: Sequence[Print], odds: Odds, letters: str
) -> tuple[Odds, dict[str, _Average]]:
    """Probabilities of the letters for each print, and the average of each letter."""
    shares = _shares(odds)
    averages: dict[str, _Average] = {}
    for _ in range(ROUNDS):
        before = shares.argmax(axis=1)
        averages = _averages(prints, shares, letters, averages)
        shares = _shares(odds + _drawings(prints, averages, letters))
        if (shares.argmax(axis=1) == before).all():
            return shares, averages
    return shares, _averages(prints, shares, letters, averages)


def _names_of(
    logs: Odds,
    groups: Sequence[Sequence[int]],
    was: Sequence[str],
    letters: str,
    told: Mapping[int, str],
) -> list[str]:
    """Names of the drawings: of those that had one name the likeliest keeps it, and the others
    get the next best that no drawing has, unless the reader is sure of them too."""
    names = list(was)
    means = [logs[group].mean(axis=0) for group in groups]
    keeps: dict[str, int] = {}
    for k, name in enumerate(was):
        rank = (len(groups[k]) >= _LEAST_TO_RENAME, means[k][letters.index(name)])
        kept = keeps.get(name)
        if kept is None or rank > (
            len(groups[kept]) >= _LEAST_TO_RENAME,
            means[kept][letters.index(name)],
        ):
            keeps[name] = k
    for k, group in enumerate(groups):
        said = {told[i] for i in group if i in told}
        if len(said) == 1:
            names[k] = said.pop()
        elif keeps[was[k]] != k and len(group) >= _LEAST_TO_RENAME:
            free = [f for f in range(len(letters)) if letters[f] not in names]
            other = max(free, key=lambda f: means[k][f], default=letters.index(was[k]))
            if means[k][letters.index(was[k])] - means[k][other] < _SURELY:
                names[k] = letters[other]
    return names


def name_colours(
    prints: Sequence[Print],
    guesses: Sequence[Sequence[float]],
    letters: str,
    told: Mapping[int, str],
) -> tuple[Naming, dict[str, Floats]]:
    """The same for colours and their contrasts."""
    odds = _with_told(_TRUST * np.log(np.clip(np.array(guesses), 1e-6, 1.0)), letters, told)
    shares = _shares(odds)
    contrasts = np.array([one.contrast for one in prints])
    inks: dict[str, Floats] = {}
    for _ in range(ROUNDS):
        chosen = shares.argmax(axis=1)
        inks = {}
        for k in sorted(set(chosen.tolist())):
            middle = np.median(contrasts[chosen == k], axis=0)
            inks[letters[k]] = np.asarray(middle / np.linalg.norm(middle), np.float32)
        weigh = [ink_log_likelihood(one.contrast, inks, letters) for one in prints]
        shares = _shares(odds + np.array(weigh))
        if (shares.argmax(axis=1) == chosen).all():
            break
    return _naming(shares, letters), inks


@dataclass(frozen=True, slots=True)
class Drawing:
    """Looks of one name that show one drawing."""

    name: str
    looks: tuple[int, ...]
    doubtful: bool
    """Whether it should be asked for: a name that is not sure, or a second drawing of it."""


def drawings(
    prints: Sequence[Print],
    guesses: Sequence[Sequence[float]],
    letters: str,
    told: Mapping[int, str],
    naming: Naming,
    looks: Mapping[str, Sequence[FaceLook]],
) -> list[Drawing]:
    """The drawings among all looks as `name_faces` named them; of each name the commonest first."""
    found: list[Drawing] = []
    for name in sorted(set(naming.names)):
        members = [i for i, one in enumerate(naming.names) if one == name]
        groups = _parted(prints, members, looks[name][0].ink_map)
        for group in groups:
            sure = float(np.mean([naming.sure[i] for i in group]))
            read = float(np.mean([guesses[i][letters.index(name)] for i in group]))
            second = group is not groups[0]
            odd = sure < DOUBTFUL or read < (DOUBTFUL if second else _HARDLY_READ)
            known = all(i in told for i in group)
            found.append(Drawing(name, tuple(group), odd and not known))
    return found


def _parted(prints: Sequence[Print], members: Sequence[int], ink_map: Floats) -> list[list[int]]:
    """Members by what they look like, the largest group first."""
    laid = {i: aligned(prints[i], ink_map) for i in members}
    apart = [[i] for i in members if laid[i][2] < ALIKE]
    alike = [i for i in members if laid[i][2] >= ALIKE]
    groups = [alike] if alike else []
    if len(alike) >= _LEAST_TO_PART:
        maps = np.array([laid[i][0] for i in alike], np.float32).reshape(len(alike), -1)
        halves = _bisected(maps)
        if halves is not None:
            groups = []
            for part in halves:
                chosen = [alike[k] for k in part]
                groups += _parted(prints, chosen, unit_map(maps[part].mean(axis=0)))
    return sorted([*groups, *apart], key=len, reverse=True)


def _bisected(maps: Floats) -> tuple[list[int], list[int]] | None:
    """Two groups of maps, where two averages explain them much better than one."""
    centred = maps - maps.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    side = centred @ directions[0] > 0
    for _ in range(5):
        if side.all() or not side.any():
            return None
        means = [unit_map(maps[side].mean(axis=0)), unit_map(maps[~side].mean(axis=0))]
        fits = np.array([maps @ mean for mean in means])
        side = fits[0] > fits[1]
    if min(side.sum(), (~side).sum()) < 2:
        return None
    one = float((1 - (maps @ unit_map(maps.mean(axis=0))) ** 2).sum())
    two = float((1 - fits.max(axis=0) ** 2).sum())
    if two > _BETTER * one or float(abs(means[0] @ means[1])) > _ONE_DRAWING:
        return None
    return np.flatnonzero(side).tolist(), np.flatnonzero(~side).tolist()


def _fit(one: Print, ink_map: Floats) -> float:
    """How well a print fits a drawing, whichever way up, 0...1."""
    return float(likeness(one, _both_ways(ink_map)).max())


def _both_ways(ink_map: Floats) -> Floats:
    return np.stack([ink_map, on_its_head(ink_map)])


@dataclass(frozen=True, slots=True, eq=False)
class _Average:
    """A face's drawing as the mean of its looks."""

    members: tuple[int, ...]
    laid: Floats
    """Each member's map laid over the mean, shape (members, pixels)."""
    turned: tuple[bool, ...]
    ink_map: Floats

    def without(self, i: int) -> Floats | None:
        """The mean of the other members; None where there are none."""
        others = [k for k, member in enumerate(self.members) if member != i]
        return unit_map(self.laid[others].mean(axis=0)) if others else None

    def look(self) -> FaceLook:
        """The face's look; one that its members hardly agree on counts as a single one."""
        outward = 1.0 - float(np.mean(self.turned))
        fits = [
            abs(float(own @ others))
            for i, own in zip(self.members, self.laid, strict=True)
            if (others := self.without(i)) is not None
        ]
        count = len(self.members) if fits and float(np.mean(fits)) > _CONSISTENT else 1
        if outward >= 0.5:
            return FaceLook(self.ink_map, outward, count)
        return FaceLook(on_its_head(self.ink_map), 1.0 - outward, count)


def _averages(
    prints: Sequence[Print], shares: Odds, letters: str, before: Mapping[str, _Average]
) -> dict[str, _Average]:
    best, sure = shares.argmax(axis=1), shares.max(axis=1)
    averages = {}
    for k in sorted(set(best.tolist())):
        members = [int(i) for i in np.flatnonzero(best == k)]
        old = before.get(letters[k])
        start = (
            prints[max(members, key=lambda i: sure[i])].straight() if old is None else old.ink_map
        )
        averages[letters[k]] = _average(prints, members, start)
    return averages


def _average(prints: Sequence[Print], members: list[int], start: Floats) -> _Average:
    mean = start
    for _ in range(2):
        laid = [aligned(prints[i], mean) for i in members]
        fits = np.array([fit for _, _, fit in laid])
        kept = [k for k in range(len(members)) if fits[k] >= np.median(fits) - _OUTLIER]
        mean = unit_map(np.mean([laid[k][0] for k in kept], axis=0))
    return _Average(
        tuple(members[k] for k in kept),
        np.array([laid[k][0] for k in kept], np.float32),
        tuple(laid[k][1] for k in kept),
        mean,
    )


def _drawings(
    prints: Sequence[Print],
    averages: Mapping[str, _Average],
    letters: str,
) -> Odds:
    """Log-likelihood of each face for each print; a print does not speak for itself."""
    names = list(averages)
    maps = np.array([averages[name].ink_map for name in names], np.float32)
    maps = np.concatenate([maps, on_its_head(maps)])
    weigh = np.full((len(prints), len(letters)), -np.inf)
    for i, one in enumerate(prints):
        fits = likeness(one, maps).reshape(2, -1).max(axis=0).astype(np.float64)
        for name, fit in zip(names, fits, strict=True):
            best = float(fit)
            if i in averages[name].members:
                others = averages[name].without(i)
                if others is None:
                    continue
                best = _fit(one, others)
            weigh[i, letters.index(name)] = map_log_likelihood(np.array([best]))[0]
        top = float(weigh[i].max())
        known = np.isfinite(weigh[i])
        weigh[i, ~known] = unknown_log_likelihood(top) if known.any() else 0.0
        weigh[i] = np.maximum(weigh[i] - weigh[i].max(), -_MOST)
    return weigh


def _with_told(odds: Odds, letters: str, told: Mapping[int, str]) -> Odds:
    for i, letter in told.items():
        odds[i] = -_FIXED
        odds[i, letters.index(letter)] = 0.0
    return odds


def _shares(odds: Odds) -> Odds:
    shares = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


def _naming(shares: Odds, letters: str) -> Naming:
    best = shares.argmax(axis=1)
    return Naming(tuple(letters[int(k)] for k in best), tuple(float(v) for v in shares.max(axis=1)))
