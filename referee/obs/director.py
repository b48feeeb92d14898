"""Carries out a plan for OBS while a game is played; nobody ever waits for it.

It works in a thread of its own. OBS may be started late, closed and started again: the director
comes back by itself, and what happened meanwhile is past.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from referee.announce import Announcer
from referee.obs.client import (
    NOT_FOUND,
    OUTPUT_NOT_RUNNING,
    UNKNOWN_REQUEST,
    Obs,
    ObsError,
    ObsPasswordError,
    ObsRefusedError,
)
from referee.obs.plan import Plan, Reaction
from referee.overlay.cues import Happening, happenings
from referee.overlay.snapshot import Snapshot, snapshot
from referee.overlay.source import Source

State = Literal["away", "connected", "refused"]
"""Whether OBS is there; `refused`: it wants another password."""

RETRY_S: Final = (1.0, 2.0, 5.0, 10.0)
"""How long to wait before each new attempt to reach OBS; the last one for ever."""
ALIVE_S: Final = 5.0
"""How often an idle connection is tried, so that an OBS that went is missed soon."""
FRESH_S: Final = 3.0
"""What could not be done for so long is past, and left."""

_LOG = logging.getLogger(__name__)

Task = Callable[[Obs], None]


class Director:
    """Watches a game and has OBS react. `start` and `stop` it once."""

    def __init__(
        self,
        source: Source,
        plan: Plan,
        delay_s: float = 0.0,
        connect: Callable[[str, str], Obs] = Obs,
    ) -> None:
        """With `delay_s`, OBS reacts that much later, when viewers see it. `connect` takes OBS's
        address and password."""
        self.state: State = "away"
        self._source = source
        self._plan = plan
        self._delay_s = delay_s
        self._connect = connect
        self._before: Snapshot | None = None
        self._tasks: list[tuple[float, int, str, Task]] = []
        self._numbers = itertools.count()
        self._newest: dict[str, int] = {}
        """For each kind of task of which only the newest counts, its number."""
        self._home: str | None = None
        """The scene to come back to."""
        self._woken = threading.Event()
        self._stopped = False
        self._obs: Obs | None = None
        self._failures = 0
        self._next_try_s = 0.0
        self._next_ping_s = 0.0
        self._told: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="obs", daemon=True)
        self._unsubscribe: Callable[[], None] | None = None

    def start(self) -> None:
        """Begin; what has happened before is past."""
        self._before = self._look()
        self._unsubscribe = self._source.subscribe(self._woken.set)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and the connection."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._stopped = True
        self._woken.set()
        self._thread.join(timeout=2 * FRESH_S)

    # -- the thread

    def _run(self) -> None:
        while not self._stopped:
            self._woken.wait(self._rest_s())
            self._woken.clear()
            if self._stopped:
                break
            self._notice()
            self._keep_connected()
            self._work()
        self._drop()

    def _rest_s(self) -> float:
        due = [self._next_try_s if self._obs is None else self._next_ping_s]
        due += [self._tasks[0][0]] if self._tasks and self._obs is not None else []
        return max(0.0, min(due) - time.monotonic())

    def _look(self) -> Snapshot:
        return snapshot(self._source.view(), self._plan.language)

    def _notice(self) -> None:
        now = self._look()
        assert self._before is not None
        for happening in happenings(self._before, now):
            reaction = self._plan.on.get(happening.cue)
            if reaction is not None:
                self._plan_for(happening, reaction)
        self._before = now

    def _plan_for(self, happening: Happening, reaction: Reaction) -> None:
        at_s = time.monotonic() + self._delay_s
        if reaction.chapter:
            name = self._chapter_name(happening)
            self._at(at_s, lambda obs: self._set_chapter(obs, name))
        if reaction.replay:
            self._at(at_s + reaction.replay_after_s, self._save_replay, "replay")
        if reaction.scene is not None:
            scene = reaction.scene
            self._at(at_s, lambda obs: self._switch(obs, scene, reaction.back_s))
        for source, shown in ((reaction.show, True), (reaction.hide, False)):
            if source is not None:
                self._at(at_s, self._shower(source, shown, reaction.back_s))

    def _at(self, at_s: float, task: Task, kind: str = "") -> None:
        """Do it then; with a `kind`, in place of what was to be done of that kind."""
        number = next(self._numbers)
        if kind:
            self._newest[kind] = number
        heapq.heappush(self._tasks, (at_s, number, kind, task))

    def _chapter_name(self, happening: Happening) -> str:
        label = Announcer(self._plan.language).labels().get(f"cue.{happening.cue}", happening.cue)
        return f"{label}: {happening.text}" if happening.text else label

    # -- the connection

    def _keep_connected(self) -> None:
        now_s = time.monotonic()
        if self._obs is None:
            if now_s >= self._next_try_s:
                self._reach()
        elif now_s >= self._next_ping_s:
            self._next_ping_s = now_s + ALIVE_S
            if not self._obs.is_alive():
                self._lost("it no longer answers")

    def _reach(self) -> None:
        try:
            self._obs = self._connect(self._plan.address, self._plan.password)
        except ObsError as error:
            self.state = "refused" if isinstance(error, ObsPasswordError) else "away"
            self._next_try_s = time.monotonic() + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
            self._failures += 1
            self._tell(str(error))
            return
        self.state, self._failures = "connected", 0
        self._told.clear()
        self._next_ping_s = time.monotonic() + ALIVE_S
        _LOG.info("connected to OBS at %s", self._plan.address)
        if self._plan.wants_replays:
            self._do(_start_replays)

    def _lost(self, why: str) -> None:
        _LOG.warning("OBS at %s is gone: %s", self._plan.address, why)
        self._drop()
        self.state = "away"
        self._next_try_s = time.monotonic() + RETRY_S[0]

    def _drop(self) -> None:
        if self._obs is not None:
            self._obs.close()
            self._obs = None

    # -- what is done

    def _work(self) -> None:
        now_s = time.monotonic()
        while self._tasks and self._tasks[0][0] <= now_s:
            at_s, number, kind, task = self._tasks[0]
            if self._newest.get(kind, number) != number:
                heapq.heappop(self._tasks)
                continue
            if self._obs is None:
                if now_s - at_s <= FRESH_S:
                    return
                _LOG.warning(
                    "OBS was away; what it should have done %.0f s ago is left", now_s - at_s
                )
                heapq.heappop(self._tasks)
                continue
            heapq.heappop(self._tasks)
            self._do(task)

    def _do(self, task: Task) -> None:
        assert self._obs is not None
        try:
            task(self._obs)
        except ObsRefusedError as refusal:
            self._tell(str(refusal))
        except ObsError as error:
            self._lost(str(error))

    def _tell(self, text: str) -> None:
        """Log a thing once, not with every move."""
        if text not in self._told:
            self._told.add(text)
            _LOG.warning("%s", text)

    def _set_chapter(self, obs: Obs, name: str) -> None:
        try:
            obs.ask("CreateRecordChapter", chapterName=name)
        except ObsRefusedError as refusal:
            if refusal.code == UNKNOWN_REQUEST:
                self._tell("this OBS is too old to set chapters; 30.2 and newer can")
            elif refusal.code != OUTPUT_NOT_RUNNING:  # no recording, no chapter
                raise

    def _save_replay(self, obs: Obs) -> None:
        try:
            obs.ask("SaveReplayBuffer")
        except ObsRefusedError as refusal:
            if refusal.code != OUTPUT_NOT_RUNNING:
                raise
            _start_replays(obs)  # somebody stopped it: from the next time on it is there

    def _switch(self, obs: Obs, scene: str, back_s: float | None) -> None:
        before = str(obs.ask("GetCurrentProgramScene")["currentProgramSceneName"])
        if before != scene:
            obs.ask("SetCurrentProgramScene", sceneName=scene)
            self._home = self._home or before
        if back_s is None or self._home == scene:
            self._home = None
        home = self._home

        def back(later: Obs) -> None:
            self._home = None
            # Whoever has switched meanwhile wants to be where they are.
            now = later.ask("GetCurrentProgramScene")["currentProgramSceneName"]
            if home is not None and now == scene:
                later.ask("SetCurrentProgramScene", sceneName=home)

        self._at(time.monotonic() + (back_s or 0.0), back, "scene")

    def _shower(self, source: str, shown: bool, back_s: float | None) -> Task:
        def show(obs: Obs) -> None:
            scene = str(obs.ask("GetCurrentProgramScene")["currentProgramSceneName"])
            item = obs.ask("GetSceneItemId", sceneName=scene, sourceName=source)["sceneItemId"]
            _set_shown(obs, scene, item, shown)
            if back_s is not None:
                at_s = time.monotonic() + back_s
                self._at(
                    at_s, lambda later: _set_shown(later, scene, item, not shown), f"show {source}"
                )

        return show


def _set_shown(obs: Obs, scene: str, item: int, shown: bool) -> None:
    obs.ask("SetSceneItemEnabled", sceneName=scene, sceneItemId=item, sceneItemEnabled=shown)


def _start_replays(obs: Obs) -> None:
    try:
        if not obs.ask("GetReplayBufferStatus")["outputActive"]:
            obs.ask("StartReplayBuffer")
    except ObsRefusedError as refusal:
        if refusal.code == NOT_FOUND:
            raise
        _LOG.warning("OBS has no replay buffer: tick it under Settings, Output (%s)", refusal)


@contextmanager
def directing(source: Source, plan: Plan, delay_s: float = 0.0) -> Iterator[Director]:
    """Have OBS react while the body runs."""
    director = Director(source, plan, delay_s)
    director.start()
    try:
        yield director
    finally:
        director.stop()
