"""From frames to facts: what came to lie, what went, whose arm was there.

`Watcher.see` takes each frame at a glance (`vision.activity`, `vision.hands`); only where
something changed and lies still and free is the table read (`vision.closer`), and the reading
compared with the line as it was (`vision.line_memory`). A fact is told once it is sure, or
after a short while with what doubt remains: each carries how sure it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.activity import Look
from vision.chain import assemble
from vision.closer import Rectangle, averaged
from vision.events import (
    CardLaid,
    Fact,
    LineBegan,
    LooseLaid,
    OutOfSync,
)
from vision.facts import Half, Reader
from vision.frames import Frame
from vision.grid import Mask
from vision.hands import Zone
from vision.line import Line, LooseCard, centres_mm, is_unread
from vision.line_ends import ON_TOP_MM, Region
from vision.line_facts import apart_mm, is_sure, step_facts
from vision.line_memory import follow
from vision.line_steps import Change, Laid, Step
from vision.look_back import Glimpse, LookBack
from vision.onlooker import Onlooker
from vision.plane import TablePlane
from vision.settled import WAIT_FOR_REST_S, Parts, grown, same_part
from vision.standing import Habits, settled_line, settled_step
from vision.witness import (
    AROUND_MM,
    SAME_CARD_MM,
    SHIFT_MM,
    SURE,
    Attempt,
    Phase,
    Stamp,
    is_off_the_rim,
)

_RETRY_S: Final = 0.15
_UNSURE_S: Final = 0.3
"""A card that is not read surely by then is told as it reads best: it will not read better."""
_GIVE_UP_S: Final = 0.8
"""A change that cannot be told by then is left to the check of the whole line."""
_LOST_AFTER: Final = 3
"""After so many checks in a row the line is out of sync."""
_FIND_AGAIN_S: Final = 1.2
"""How often a line that is out of sync is looked for."""
_FOUND_SURE: Final = 0.6
_PHANTOM_MM: Final = 20.0
_PHANTOM_SHARE: Final = 0.1
"""Where less of a half's middle than this has changed, no half has come."""


class Watcher(Onlooker[Laid]):
    """Watches one table. Not for use from several threads at once."""

    def __init__(
        self, reader: Reader, plane: TablePlane, zones: Mapping[str, Zone] | None = None
    ) -> None:
        super().__init__(reader, plane, zones)
        self._look_back = LookBack(reader, plane, self._grid)
        self._habits = Habits()
        self._halves: list[Half] = []
        """Face-up halves as last read, while there is no line."""
        self._failed_checks = 0
        """Checks in a row in which the table did not fit the line."""
        self._found_again: Line | None = None
        """The line as it was found while the remembered one did not fit."""
        self._unproven: LineBegan | None = None
        """A single card that lay there from the first: a line only once a card is laid to it."""
        self.line: Line | None = None

    @property
    def _has_begun(self) -> bool:
        return self.line is not None

    # -- changes

    def _read_changes(self, frame: Frame, look: Look, now: Parts) -> list[Fact]:
        if not cv2.countNonZero(now.ready):
            self._drop_attempt()
            return []
        if self._ready_since_s is None:
            self._ready_since_s = look.at_s
        if now.waiting and look.at_s - self._ready_since_s < WAIT_FOR_REST_S:
            return []
        if self._attempt is None or not same_part(self._attempt.mask, now.ready):
            self._attempt = Attempt(look.at_s, now.ready, look.at_s)
        attempt = self._attempt
        if look.at_s < attempt.next_s:
            return []
        waited_s = look.at_s - attempt.since_s
        # Each try cuts the table a little differently, so that its errors are others.
        shift_mm = SHIFT_MM * len(attempt.readings)
        reading = self._read(frame, look, self._region(now.ready, shift_mm))
        halves = averaged(reading, attempt.readings)
        attempt.readings.append(reading)
        facts = self._adopt(halves, look, now.ready, waited_s)
        if facts is None:
            attempt.next_s = look.at_s + _RETRY_S
            return []
        return self._settled(now.ready, look, facts)

    def _adopt(
        self, halves: list[Half], look: Look, changed: Mask, waited_s: float
    ) -> list[Fact] | None:
        """Facts from a reading of the whole table, or None where another one is wanted."""

        def stamp(x_mm: float, y_mm: float) -> Stamp:
            return self._witness.stamp(x_mm, y_mm, look, changed)

        if self.line is None:
            return self._begin(halves, stamp, patient=waited_s < _UNSURE_S)
        insists = waited_s >= _GIVE_UP_S
        halves = self._without_phantoms(halves, changed)
        step = follow(self.line, halves, hidden_mm=self._hidden_mm(), insists=insists)
        told = settled_step(step, self._habits)
        unclear = step.change in (Change.CANNOT_TELL, Change.OUT_OF_SYNC)
        unsure = waited_s < _UNSURE_S and not is_sure(told)
        if not insists and (unclear or unsure):
            self.tentative = step.laid[-1] if step.laid else None
            return None
        if unclear:
            if step.change is Change.CANNOT_TELL:
                # No card more or less, but where they lie now is known.
                self.line = replace(step.line, loose=self.line.loose)
            return []
        return self._take_step(step, told, stamp, changed)

    def _begin(
        self, halves: list[Half], stamp: Callable[[float, float], Stamp], patient: bool
    ) -> list[Fact] | None:
        self._halves = halves
        line = assemble([half for half in halves if is_off_the_rim(half, self.plane)])
        if line is None:
            return []
        told = settled_line(line, self._habits)
        if patient and min(place.half.confidence for place in told.places) < SURE:
            return None
        self.line = line
        if len(line.places) == 2:
            self._habits.note([place.half for place in line.places])
        fact = LineBegan(*stamp(line.ends[0].x_mm, line.ends[0].y_mm), told)
        if fact.arm is None and len(line.places) == 2:
            self._unproven = fact
            return []
        return [fact]

    def _take_step(
        self, step: Step, told: Step, stamp: Callable[[float, float], Stamp], changed: Mask
    ) -> list[Fact]:
        """Adopt what a reading says; returns the facts in it, as `settled_step` tells them."""
        assert self.line is not None
        told, stamp = self._looked_back(told, stamp)
        # A card that was not found, where nothing has changed, was overlooked.
        gone: list[LooseCard] = []
        overlooked: list[LooseCard] = []
        for card in self.line.loose:
            if all(apart_mm(card, other) >= SAME_CARD_MM for other in step.line.loose):
                spot = self._grid.near(card.x_mm, card.y_mm, SAME_CARD_MM)
                (gone if cv2.countNonZero(spot & changed) else overlooked).append(card)
        for one in step.laid:
            self._habits.note((one.covering, one.free))
        for card in step.appeared:
            self._habits.note(card.halves)
        before = self.line
        self.line = replace(step.line, loose=(*step.line.loose, *overlooked))
        self._failed_checks = 0
        facts = step_facts(before, told, gone, stamp)
        return facts if self._unproven is None else self._proven(facts)

    def _looked_back(
        self, told: Step, stamp: Callable[[float, float], Stamp]
    ) -> tuple[Step, Callable[[float, float], Stamp]]:
        """The step with halves that were covered before they were read, as far as the last
        pictures show them, and the stamp that knows whose arm was over them then."""
        laid = list(told.laid)
        glimpses: dict[tuple[float, float], Glimpse] = {}
        for i, one in enumerate(told.laid):
            if not is_unread(one.free):
                continue
            upon = laid[i + 1] if i + 1 < len(laid) and laid[i + 1].end == one.end else None
            covering = None if upon is None else upon.covering
            glimpse = self._look_back.before(covering, one.free)
            if glimpse is None:
                continue
            laid[i] = replace(one, free=glimpse.half)
            if upon is not None:
                laid[i + 1] = replace(upon, covered=glimpse.half)
            glimpses[glimpse.half.x_mm, glimpse.half.y_mm] = glimpse

        def by_glimpse(x_mm: float, y_mm: float) -> Stamp:
            at_s, reported_s, arm = stamp(x_mm, y_mm)
            glimpse = glimpses.get((x_mm, y_mm))
            if glimpse is None:
                return at_s, reported_s, arm
            seen = None if glimpse.arm is None else self._hands.arm(glimpse.arm)
            return glimpse.since_s, reported_s, seen

        return replace(told, laid=tuple(laid)), by_glimpse

    def _proven(self, facts: list[Fact]) -> list[Fact]:
        """Once a card is laid to the one that lay there from the first, that was the line; if
        a hand lays one elsewhere instead, that is."""
        assert self._unproven is not None
        for fact in facts:
            if isinstance(fact, CardLaid):
                began, self._unproven = self._unproven, None
                return [began, *facts]
            if isinstance(fact, LooseLaid) and fact.arm is not None:
                line = assemble(fact.card.halves)
                if line is not None:
                    self.line, self._unproven = line, None
                    return [LineBegan(fact.at_s, fact.reported_s, fact.arm, line)]
        return []

    # -- checks

    def _check(self, frame: Frame, look: Look) -> list[Fact]:
        self._check_due = False

        def stamp(x_mm: float, y_mm: float) -> Stamp:
            return self._witness.late_stamp(x_mm, y_mm, look)

        if self.line is None:
            return self._begin(self._read(frame, look, None), stamp, patient=False) or []
        halves = self._read(frame, look, self._line_region())
        insists = self._failed_checks >= _LOST_AFTER - 1
        step = follow(self.line, halves, hidden_mm=self._hidden_mm(), insists=insists)
        tells = step.change not in (Change.CANNOT_TELL, Change.OUT_OF_SYNC)
        told = settled_step(step, self._habits)
        if tells and (insists or is_sure(told)):
            return self._take_step(step, told, stamp, np.zeros(self._grid.shape, np.uint8))
        self._failed_checks += 1
        lost = self._failed_checks >= _LOST_AFTER
        self._check_due = True
        self._check_from_s = look.at_s + (_FIND_AGAIN_S if lost else _RETRY_S)
        return self._find_again(frame, look) if lost else []

    def _find_again(self, frame: Frame, look: Look) -> list[Fact]:
        """Look for a line that does not fit the remembered one: the same one twice counts."""
        assert self.line is not None
        line = assemble(self._read(frame, look, None))
        before, self._found_again = self._found_again, line
        if line is None or before is None or line.confidence < _FOUND_SURE:
            return []
        if before.labels not in (line.labels, line.labels[::-1]):
            return []
        self._failed_checks, self._check_due, self._found_again = 0, False, None
        self.line = line
        return [OutOfSync(look.at_s, look.at_s, None, settled_line(line, self._habits))]

    # -- readings

    def _keep(self, frame: Frame) -> None:
        super()._keep(frame)
        if self._look_back.plane is not self.plane:  # The camera has moved.
            self._look_back = LookBack(self._reader, self.plane, self._grid)
        self._look_back.keep(frame, self._hands.masks)

    def _without_phantoms(self, halves: list[Half], changed: Mask) -> list[Half]:
        """The halves that lay there before or lie where the picture has changed."""
        known, around = centres_mm(self._known()), grown(changed)
        real: list[Half] = []
        for half in halves:
            apart = np.hypot(known[:, 0] - half.x_mm, known[:, 1] - half.y_mm)
            if apart.min(initial=np.inf) >= ON_TOP_MM:
                spot = self._grid.near(half.x_mm, half.y_mm, _PHANTOM_MM)
                share = cv2.countNonZero(spot & around) / max(1, cv2.countNonZero(spot))
                if share < _PHANTOM_SHARE:
                    continue
            real.append(half)
        return real

    def _known(self) -> list[Half]:
        if self.line is None:
            return self._halves
        known = [place.half for place in self.line.places if not is_unread(place.half)]
        return known + [half for card in self.line.loose for half in card.halves]

    def _region(self, mask: Mask, more_mm: float = 0.0) -> Rectangle:
        x0, y0, x1, y1 = self._grid.bounds_mm(mask)
        around = AROUND_MM
        return x0 - around - more_mm, y0 - around - more_mm, x1 + around, y1 + around

    def _line_region(self) -> Rectangle:
        assert self.line is not None
        at = centres_mm([place.half for place in self.line.places])
        (x0, y0), (x1, y1) = at.min(axis=0), at.max(axis=0)
        margin = 2 * AROUND_MM
        return float(x0) - margin, float(y0) - margin, float(x1) + margin, float(y1) + margin

    def _hidden_mm(self) -> list[Region]:
        return self._grid.outlines_mm(self._hidden)

    def _set_phase(self, now: Parts) -> None:
        if self._failed_checks >= _LOST_AFTER:
            self.phase = Phase.OUT_OF_SYNC
        elif self._attempt is not None or self._failed_checks:
            self.phase = Phase.CHECKING
        elif self._hands.present or now.waiting:
            self.phase = Phase.HANDS
        else:
            self.phase = Phase.QUIET
