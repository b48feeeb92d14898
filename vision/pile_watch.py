"""Watches a discard pile: frames in, facts out.

Like `vision.watch` for a line of half cards: every frame is looked at cheaply, and where
something has come to lie still near the pile, it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import cv2

from vision.activity import Look
from vision.carried import Carried, CarriedCards
from vision.closer import Rectangle, averaged
from vision.events import Fact
from vision.facts import Half, Reader
from vision.frames import Frame
from vision.grid import Mask
from vision.hands import Zone
from vision.onlooker import Onlooker
from vision.pile import (
    REACH_MM,
    Pile,
    PileChange,
    PileStep,
    apart_mm,
    begin_pile,
    follow_pile,
    given_up,
    laid_alike,
    taken_alike,
)
from vision.pile_events import CardsDiscarded, PileBegan, PileLifted, PileMoved, TopTaken
from vision.pile_view import Comparison, PileView
from vision.plane import TablePlane
from vision.settled import WAIT_FOR_REST_S, Parts, grown, same_part
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

DISCARD_ZONE: Final = "discard_pile"
"""The zone of the table in which the pile lies, where one is marked."""

_ZONE_MARGIN_MM: Final = 60.0
"""An untidy pile reaches so far out of its zone."""
_RETRY_S: Final = 0.3
_GIVE_UP_S: Final = 0.9
_MISSES: Final = 2
"""A top card that so many checks have not found is gone if the next does not find it either."""
_HIDDEN_SHARE: Final = 0.1
_TOUCHED: Final = 0.1
"""Of what is drawn on the top card, edges included, the share that looks otherwise once it was
moved by a millimetre, or covered by a card like it."""
_MOVED: Final = 0.3
_STAYS: Final = 0.95
"""A drawing of which so much looks otherwise has moved; where so much of what the top card left
free looks as before, it was not the top card that moved."""


class PileWatcher(Onlooker[Half]):
    """Watches one table of a game with a discard pile. Not for several threads at once."""

    def __init__(
        self, reader: Reader, plane: TablePlane, zones: Mapping[str, Zone] | None = None
    ) -> None:
        super().__init__(reader, plane, zones)
        self._carried = CarriedCards(reader, plane, self._grid)
        self._zone = (zones or {}).get(DISCARD_ZONE)
        self._faces: list[Half] = []
        """Face-up cards as last read."""
        self._misses = 0
        self._unproven: PileBegan | None = None
        """A card that lay there from the first, in no zone: a pile once a card is laid on it."""
        self._view: PileView | None = None
        """How the pile looked when it was last known."""
        self.pile: Pile | None = None

    @property
    def _has_begun(self) -> bool:
        return self.pile is not None

    def _known(self) -> list[Half]:
        return self._faces

    # -- changes

    def _read_changes(self, frame: Frame, look: Look, now: Parts) -> list[Fact]:
        if not cv2.countNonZero(now.ready):
            self._drop_attempt()
            return []
        if self._ready_since_s is None:
            self._ready_since_s = look.at_s
        if now.waiting and look.at_s - self._ready_since_s < WAIT_FOR_REST_S:
            return []
        if not self._concerns_pile(now.ready):
            facts = [] if self._unproven is None else self._begun_elsewhere(frame, look, now.ready)
            return self._settled(now.ready, look, facts)
        if self._is_pile_hidden():
            return []
        if self._attempt is None or not same_part(self._attempt.mask, now.ready):
            self._attempt = Attempt(look.at_s, now.ready, look.at_s)
        attempt = self._attempt
        if look.at_s < attempt.next_s:
            return []
        patient = look.at_s - attempt.since_s < _GIVE_UP_S
        # Each try cuts the table a little differently, so that its errors are others.
        shift_mm = SHIFT_MM * len(attempt.readings)
        reading = self._read(frame, look, self._region(now.ready, shift_mm))
        faces = averaged(reading, attempt.readings)
        attempt.readings.append(reading)
        step = self._step(faces, frame)
        if patient and not _is_clear(step):
            self.tentative = step.laid[-1] if step is not None and step.laid else None
            attempt.next_s = look.at_s + _RETRY_S
            return []
        facts = self._adopt(
            faces,
            step,
            lambda face: self._witness.stamp(face.x_mm, face.y_mm, look, now.ready),
            frame,
        )
        return self._settled(now.ready, look, facts)

    def _concerns_pile(self, mask: Mask) -> bool:
        """Whether a change is near the pile, or may be a pile that begins or is put down."""
        if self.pile is None or self.pile.lifted:
            return True
        top = self.pile.top
        return bool(cv2.countNonZero(mask & self._grid.near(top.x_mm, top.y_mm, REACH_MM)))

    def _is_pile_hidden(self) -> bool:
        """Whether an arm, or what rests on the table, is over the top card."""
        if self.pile is None or self.pile.lifted:
            return False
        spot = self._grid.near(self.pile.top.x_mm, self.pile.top.y_mm, SAME_CARD_MM)
        return cv2.countNonZero(spot & self._hidden) > _HIDDEN_SHARE * cv2.countNonZero(spot)

    def _step(self, faces: Sequence[Half], frame: Frame) -> PileStep | None:
        """What a reading says of the pile; None while there is none."""
        if self.pile is None:
            return None
        return follow_pile(self.pile, self._news(self.pile, faces), self._compared(frame))

    def _news(self, pile: Pile, faces: Sequence[Half]) -> list[Half]:
        """The faces but for cards that already lay elsewhere on the table: a player's open cards
        may look like the top card, and are not where the pile has gone."""
        elsewhere = [face for face in self._faces if apart_mm(face, pile.top) > REACH_MM]
        return [
            face
            for face in faces
            if all(apart_mm(face, other) > SAME_CARD_MM for other in elsewhere)
        ]

    def _compared(self, frame: Frame) -> Comparison:
        assert self._view is not None
        now = PileView.cut(frame.image, self.plane, self._view.centre_mm)
        return now.since(self._view)

    def _adopt(
        self,
        faces: list[Half],
        step: PileStep | None,
        stamp: Callable[[Half], Stamp],
        frame: Frame,
    ) -> list[Fact]:
        """Take a reading's word for it; returns the facts in it."""
        self._faces = faces
        if step is None or self.pile is None:
            return self._begin(faces, stamp, frame)
        step = self._with_carried(given_up(self.pile, step), frame)
        onto, was_lifted = self.pile.top, self.pile.lifted
        self.pile = step.pile
        self._misses = 0
        if step.change is not PileChange.SAME:
            self._carried.forget()
        if not self.pile.lifted:
            self._remember_look(frame)
        match step.change:
            case PileChange.LAID:
                when = stamp(step.laid[-1])
                return self._laid(
                    CardsDiscarded(*when, step.laid, onto, step.pile, step.confidence)
                )
            case PileChange.TAKEN if step.taken is not None:
                return [TopTaken(*stamp(step.taken), step.taken, step.pile, step.confidence)]
            case PileChange.MOVED:
                return [PileMoved(*stamp(step.pile.top), step.pile, step.put_aside)]
            case PileChange.MISSING if not was_lifted:
                return [PileLifted(*stamp(onto), step.pile)]
        return []

    def _with_carried(self, step: PileStep, frame: Frame) -> PileStep:
        """The step, or that a card like the top card was laid on it, or taken off one like it:
        a hand was seen to hold it, or what showed moved and left its edges behind."""
        assert self.pile is not None
        if self.pile.lifted or step.change not in (PileChange.SAME, PileChange.MOVED):
            return step
        top, before = self.pile.top, self._compared(frame)
        redrawn = before.redrawn(top)
        if redrawn < _TOUCHED:
            return step
        match self._carried.like(top):
            case Carried.THERE:
                return laid_alike(self.pile, step)
            case Carried.AWAY:
                return taken_alike(self.pile, step)
            case Carried.UNSEEN if step.change is PileChange.SAME and redrawn >= _MOVED:
                stays = before.rest(top, step.pile.top)
                return laid_alike(self.pile, step) if (stays or 0.0) >= _STAYS else step
        return step

    def _begun_elsewhere(self, frame: Frame, look: Look, ready: Mask) -> list[Fact]:
        """A card that a hand lays begins the pile, rather than one that nobody has laid."""
        reading = self._read(frame, look, self._grid.bounds_mm(grown(ready)))
        laid = [
            face
            for face in reading
            if face.confidence >= SURE
            and cv2.countNonZero(ready & self._grid.near(face.x_mm, face.y_mm, SAME_CARD_MM))
            and may_be_pile(face, self.plane, self._zone)
        ]

        def stamp(face: Half) -> Stamp:
            return self._witness.stamp(face.x_mm, face.y_mm, look, ready)

        if not laid:
            return []
        _, _, arm = stamp(laid[0])
        if arm is None:
            return []
        self.pile = self._unproven = None
        return self._begin(laid, stamp, frame)

    def _laid(self, fact: CardsDiscarded) -> list[Fact]:
        if self._unproven is None:
            return [fact]
        began, self._unproven = self._unproven, None
        return [began, fact]

    def _begin(self, faces: list[Half], stamp: Callable[[Half], Stamp], frame: Frame) -> list[Fact]:
        pile = begin_pile([face for face in faces if may_be_pile(face, self.plane, self._zone)])
        if pile is None:
            return []
        self.pile = pile
        self._remember_look(frame)
        fact = PileBegan(*stamp(pile.top), pile)
        if fact.arm is None and self._zone is None:
            self._unproven = fact
            return []
        return [fact]

    def _remember_look(self, frame: Frame) -> None:
        assert self.pile is not None
        centre = (self.pile.top.x_mm, self.pile.top.y_mm)
        self._view = PileView.cut(frame.image, self.plane, centre)

    def _keep(self, frame: Frame) -> None:
        super()._keep(frame)
        if self._carried.plane is not self.plane:  # The camera has moved.
            self._carried = CarriedCards(self._reader, self.plane, self._grid)
        self._carried.keep(frame, self._hands.masks)

    # -- checks

    def _check(self, frame: Frame, look: Look) -> list[Fact]:
        self._check_due = False
        if self.pile is None or self.pile.lifted:
            faces = self._read(frame, look, None)
        else:
            region = self._pile_region(self.pile, SHIFT_MM * self._misses)
            faces = self._read(frame, look, region)
        step = self._step(faces, frame)
        if step is not None and step.change is PileChange.MISSING and self._misses < _MISSES:
            self._misses += 1
            self._check_due, self._check_from_s = True, look.at_s + _RETRY_S
            return []
        return self._adopt(
            faces, step, lambda face: self._witness.late_stamp(face.x_mm, face.y_mm, look), frame
        )

    # -- readings

    def _region(self, mask: Mask, more_mm: float) -> Rectangle:
        x0, y0, x1, y1 = self._grid.bounds_mm(mask)
        if self.pile is not None and not self.pile.lifted:
            a0, b0, a1, b1 = self._pile_region(self.pile)
            x0, y0, x1, y1 = min(x0, a0), min(y0, b0), max(x1, a1), max(y1, b1)
        around = AROUND_MM
        return x0 - around - more_mm, y0 - around - more_mm, x1 + around, y1 + around

    def _pile_region(self, pile: Pile, more_mm: float = 0.0) -> Rectangle:
        x, y = pile.top.x_mm, pile.top.y_mm
        return x - REACH_MM - more_mm, y - REACH_MM - more_mm, x + REACH_MM, y + REACH_MM

    def _set_phase(self, now: Parts) -> None:
        if self.pile is not None and self.pile.lifted and not self._hands.present:
            self.phase = Phase.OUT_OF_SYNC
        elif self._attempt is not None:
            self.phase = Phase.CHECKING
        elif self._hands.present or now.waiting:
            self.phase = Phase.HANDS
        else:
            self.phase = Phase.QUIET


def may_be_pile(face: Half, plane: TablePlane, zone: Zone | None) -> bool:
    """Whether a face lies where a discard pile may: in its zone, or else not at the border."""
    if zone is not None:
        return zone.contains(face.x_mm, face.y_mm, _ZONE_MARGIN_MM)
    return is_off_the_rim(face, plane)


def _is_clear(step: PileStep | None) -> bool:
    """Whether a step may be told at once."""
    if step is None:
        return True
    if step.change in (PileChange.UNCLEAR, PileChange.MISSING):
        return False
    return all(face.confidence >= SURE for face in step.laid)
