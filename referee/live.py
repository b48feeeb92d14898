"""A camera and what is done with its picture: nothing yet, or a game.

The camera is opened once and stays open, whether a game begins, ends or goes on at a table that
was measured anew. Here what a mask covers becomes black, before anybody gets the picture.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from calibration.outline import rectangle_px
from calibration.table import Polygon, Table
from referee.desk.desk import Desk
from referee.overlay.source import Mark, Picture, View
from referee.session import Session
from vision.backlog import Backlog
from vision.frames import LOOK_EVERY_S, Frame
from vision.live import LiveSource
from vision.mask import black_out
from vision.newest import AtEnd


class Live:
    """A `referee.overlay.source.Source` over a camera. `run` it in one thread; all else from any.

    While there is no game, its view is empty and its picture is the camera's.
    """

    def __init__(
        self,
        camera: LiveSource,
        masks_px: tuple[Polygon, ...] = (),
        at_end: AtEnd = "stop",
    ) -> None:
        """``at_end`` is what a recording does when it ends during a game. Without one it begins
        anew again and again, so that there is a picture to set up with."""
        self.camera = camera
        camera.at_end = "again"
        self._at_end = at_end
        self.session: Session | None = None
        """The game that is being watched, if one is."""
        self.table: Table | None = None
        """The table of that game."""
        self.trouble = ""
        """Why there is no game although there should be one, in a sentence."""
        self.notices: list[Callable[[], str]] = []
        """Each says what does not work beside the game, in a sentence, or nothing while all does;
        `changed` is to be called when that is another."""
        self.masks_px = masks_px
        """What is black in every picture from the next one on."""
        self._doing = threading.Lock()
        """Held while a game looks at a frame, begins or ends."""
        self._telling = threading.Lock()
        self._subscribers: list[Callable[[], None]] = []
        self._watchers: list[Callable[[Frame], None]] = []
        self._picture: tuple[Frame, float] | None = None
        self._zone_marks: tuple[Mark, ...] = ()
        self.backlog = Backlog()
        """What the game has not looked at yet."""
        self._due_s = float("-inf")
        """When the frame was taken, on the camera's clock, that a game was to look at last."""
        self._zero_s = 0.0
        """Where the camera's clock stood when the game began; the game's begins with 0."""
        self._unsubscribe: Callable[[], None] | None = None
        camera.subscribe(self.changed)

    def run(self) -> None:
        """Take in pictures until the camera is closed or the recording ends.

        Raises what `Session.see` raises, and `vision.frames.SourceError` for a broken recording.
        """
        backlog, failed = self.backlog, list[BaseException]()
        looking = threading.Thread(
            target=self._look_at_all, args=(backlog, failed), name="look", daemon=True
        )
        looking.start()
        finished = False
        try:
            for frame in self.camera:
                if failed:
                    break
                self._hand_on(frame)
                if self._is_due(frame):
                    backlog.put(frame)
            finished = True
        finally:
            backlog.close(at_once=not finished)
            looking.join()
        if failed:
            raise failed[0]
        self.changed()

    def take(self, frame: Frame) -> None:
        """Take in one picture: black out what is masked, hand it on, have the game look at it."""
        self._hand_on(frame)
        if self._is_due(frame):
            self._look(frame)

    def _hand_on(self, frame: Frame) -> None:
        """Viewers get every picture, at once."""
        black_out(frame.image, self.masks_px)
        shown = replace(frame, at_s=frame.at_s - self._zero_s)
        with self._telling:
            self._picture = shown, time.monotonic()
            watchers = list(self._watchers)
        for watch in watchers:
            watch(shown)

    def _is_due(self, frame: Frame) -> bool:
        """Whether a game is to look at a frame: hands are slower than a camera of 30 pictures a
        second."""
        if self.session is None or 0 <= frame.at_s - self._due_s < LOOK_EVERY_S:
            return False
        self._due_s = frame.at_s
        return True

    def _look_at_all(self, backlog: Backlog, failed: list[BaseException]) -> None:
        """What the thread that looks does; a reading there keeps no viewer waiting."""
        try:
            for frame in backlog:
                self._look(frame)
        except BaseException as error:  # told by `run`
            failed.append(error)
            self.camera.close()

    def _look(self, frame: Frame) -> None:
        with self._doing:
            session = self.session
            frame = replace(frame, at_s=frame.at_s - self._zero_s)  # a game may have begun just now
            if session is not None and frame.at_s >= 0:
                session.see(frame)

    def watch(self, each: Callable[[Frame], None]) -> Callable[[], None]:
        """Have ``each`` called with every picture, masked, before a game sees it; briefly.

        Returns what ends it.
        """
        with self._telling:
            self._watchers.append(each)

        def end() -> None:
            with self._telling, contextlib.suppress(ValueError):
                self._watchers.remove(each)

        return end

    def begin(self, session: Session, table: Table) -> None:
        """Watch a game from the next picture on; a recording is played from its beginning."""
        with self._doing:
            self._end()
            self.camera.at_end = self._at_end
            self._zero_s = self.camera.rewind(session.since_s)
            self._due_s = float("-inf")
            self.masks_px = table.masks_px
            self.table = table
            self._zone_marks = zone_marks(table)
            self._unsubscribe = session.subscribe(self.changed)
            self.session = session
            self.trouble = ""
        self.changed()

    def end(self) -> None:
        """Watch no game any more; its record stays. A recording that has ended begins anew."""
        with self._doing:
            self._end()
            if self.camera.status.state == "gone":
                self.camera.rewind()
        self.changed()

    # -- what the server asks

    @property
    def desk(self) -> Desk | None:
        """Where operators sit, while a game is watched."""
        session = self.session
        return None if session is None else session.desk

    def view(self) -> View:
        """The game as it stands, empty without one, and how the camera is."""
        session = self.session
        view = View() if session is None else session.view()
        if self.trouble and not view.safe_mode:
            view = replace(view, safe_mode=True, trouble=self.trouble)
        if notice := "; ".join(filter(None, (tell() for tell in self.notices))):
            view = replace(view, notice=notice)
        state = self.camera.status.state
        if state == "ok":
            return view
        return replace(view, camera=state, light="no_camera")

    def picture(self) -> Picture | None:
        """The newest picture, with what the game sees in it marked."""
        with self._telling:
            newest = self._picture
        if newest is None:
            return None
        frame, arrived_s = newest
        session = self.session
        seen = None if session is None else session.picture()
        marks = () if seen is None else (*self._zone_marks, *seen.marks)
        return Picture(frame.image, frame.index, frame.at_s, marks, arrived_s)

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after each change of `view`; returns what ends it."""
        with self._telling:
            self._subscribers.append(changed)

        def end() -> None:
            with self._telling, contextlib.suppress(ValueError):
                self._subscribers.remove(changed)

        return end

    def changed(self) -> None:
        """Tell all who want to know that `view` is another now."""
        with self._telling:
            subscribers = list(self._subscribers)
        for changed in subscribers:
            changed()

    def _end(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self.session = self.table = None
        self._zone_marks = ()
        self.camera.at_end = "again"


def zone_marks(table: Table) -> tuple[Mark, ...]:
    """The table's zones, to be drawn into its picture."""
    return tuple(
        Mark(
            rectangle_px(zone.centre_mm, zone.size_mm, table.plane),
            "zone",
            name.replace("_", " "),
        )
        for name, zone in sorted(table.zones.items())
    )
