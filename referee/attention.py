"""Whether the table was watched closely enough to know that no hand was missed."""

from __future__ import annotations

from collections import deque
from typing import Final

from vision.hands import BLIND_S

_OVER_S: Final = 2.0
_LEAST_LOOKS: Final = 8
"""In two seconds: with fewer, one arm cannot be told from the next."""


class Attention:
    """Keeps account of when pictures were looked at. Times are the game's."""

    def __init__(self, *, blind: bool = False) -> None:
        """Watching begins with the first look; ``blind``: it was broken off before that."""
        self._blind = blind
        self._began_s: float | None = None
        self._looks_s: deque[float] = deque()

    def look(self, at_s: float) -> bool:
        """A picture is looked at; whether since the last `told` too few were."""
        if self._began_s is None:
            self._began_s = at_s
        elif at_s - self._looks_s[-1] > BLIND_S:
            self._blind = True
        self._looks_s.append(at_s)
        while self._looks_s[0] < at_s - _OVER_S:
            self._looks_s.popleft()
        if at_s - self._began_s >= _OVER_S and len(self._looks_s) < _LEAST_LOOKS:
            self._blind = True
        return self._blind

    def told(self) -> None:
        """A move was told: what comes next is counted from here."""
        self._blind = False
