"""Shares: so many right out of so many, and how far that can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_Z_95 = 1.959964
"""Two-sided 95 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """`right` out of `of` trials."""

    right: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.of:
            raise ValueError(f"expected 0 <= right <= of, found {self.right} out of {self.of}")

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.of + other.of)

    @property
    def value(self) -> float | None:
        """The share itself, 0...1, or None where nothing was tried."""
        return self.right / self.of if self.of else None

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; (0, 1) where nothing was tried."""
        if not self.of:
            return 0.0, 1.0
        n, p, zz = self.of, self.right / self.of, _Z_95 * _Z_95
        middle = (p + zz / (2 * n)) / (1 + zz / n)
        reach = _Z_95 * math.sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)


Shares = Mapping[str, Share]
"""Shares by the name of what was tried."""


def total(parts: Iterable[Shares]) -> dict[str, Share]:
    """All shares of the same name added up, in the order in which names first appear."""
    added: dict[str, Share] = {}
    for part in parts:
        for name, share in part.items():
            added[name] = added[name] + share if name in added else share
    return added
