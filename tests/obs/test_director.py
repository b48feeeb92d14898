"""What OBS does while a game is played, and that nobody waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.obs import director as directing_module
from referee.obs.director import Director, directing
from referee.obs.plan import Plan, Reaction
from referee.overlay.cues import Cue
from tests.obs.fake import PASSWORD, FakeObs
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling

AFTER_START = ruling(0, player=None, turn=0, hands=[8, 8, 8], ends=["r5", "g1"])
WRONG = ruling(2, player=1, legal=False, violations=["no_match"], turn=2, ends=["r5", "y1"])
SKIP = {"effect": "skip", "player": 1}
Directed = Callable[[dict[Cue, Reaction]], Director]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An OBS that is away is looked for often, so that no test waits for it."""
    monkeypatch.setattr(directing_module, "RETRY_S", (0.05,))
    monkeypatch.setattr(directing_module, "ALIVE_S", 0.1)


@pytest.fixture
def direct(fake: FakeObs, desk: Desk) -> Iterator[Directed]:
    """Starts a director over the desk."""
    started: list[Director] = []

    def begin(on: dict[Cue, Reaction]) -> Director:
        director = Director(desk, Plan(fake.address, PASSWORD, "en", on))
        director.start()
        started.append(director)
        return director

    desk.add(START, AFTER_START)
    yield begin
    for director in started:
        director.stop()


def asked(fake: FakeObs, name: str) -> list[Any]:
    return [data for request, data in fake.asked if request == name]


def until(holds: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def test_an_illegal_move_sets_a_chapter_and_saves_a_replay(
    direct: Directed, desk: Desk, fake: FakeObs
) -> None:
    direct({"illegal": Reaction(chapter=True, replay=True, replay_after_s=0.0)})
    fake.wait_for(lambda: fake.replaying)  # it is started as soon as OBS is there
    desk.add(PLACE, ruling(1))
    desk.add(ILLEGAL, WRONG)
    fake.wait_for(lambda: fake.replays == 1)
    assert fake.chapters == ["Illegal move: Ben's card matches in neither colour nor symbol."]


def test_what_no_plan_names_does_nothing(direct: Directed, desk: Desk, fake: FakeObs) -> None:
    direct({"skip": Reaction(chapter=True)})
    desk.add(PLACE, ruling(1, effects=[SKIP]))
    desk.add(ILLEGAL, WRONG)
    fake.wait_for(lambda: bool(fake.chapters))
    assert fake.chapters == ["Skip: Ben misses a turn."]


def test_what_was_before_is_past(direct: Directed, desk: Desk, fake: FakeObs) -> None:
    desk.add(PLACE, ruling(1))
    desk.add(ILLEGAL, WRONG)
    direct({"illegal": Reaction(chapter=True), "taken_back": Reaction(chapter=True)})
    back = {"type": "take_back", "player": 1, "card": "y4/y1", "t": 12.0}
    desk.add(back, ruling(3, turn=1))
    fake.wait_for(lambda: bool(fake.chapters))
    assert fake.chapters == ["Taken back: Ben takes the card back."]


def test_a_scene_comes_and_goes(direct: Directed, desk: Desk, fake: FakeObs) -> None:
    fake.scenes["Close-up"] = []
    direct({"play": Reaction(scene="Close-up", back_s=0.2)})
    desk.add(PLACE, ruling(1))
    fake.wait_for(lambda: fake.program == "Close-up")
    fake.wait_for(lambda: fake.program == "Scene")


def test_two_events_in_a_row_come_back_to_where_it_began(
    direct: Directed, desk: Desk, fake: FakeObs
) -> None:
    fake.scenes |= {"Close-up": [], "Wide": []}
    direct(
        {
            "play": Reaction(scene="Close-up", back_s=5.0),
            "illegal": Reaction(scene="Wide", back_s=0.3),
        }
    )
    desk.add(PLACE, ruling(1))
    fake.wait_for(lambda: fake.program == "Close-up")
    desk.add(ILLEGAL, WRONG)
    fake.wait_for(lambda: fake.program == "Wide")
    fake.wait_for(lambda: fake.program == "Scene")


def test_whoever_switches_meanwhile_stays_there(
    direct: Directed, desk: Desk, fake: FakeObs
) -> None:
    fake.scenes |= {"Close-up": [], "Mine": []}
    direct({"play": Reaction(scene="Close-up", back_s=0.3)})
    desk.add(PLACE, ruling(1))
    fake.wait_for(lambda: fake.program == "Close-up")
    fake.program = "Mine"
    looks = len(asked(fake, "GetCurrentProgramScene"))
    fake.wait_for(lambda: len(asked(fake, "GetCurrentProgramScene")) > looks)
    assert fake.program == "Mine"


def test_a_source_is_shown_for_a_while(direct: Directed, desk: Desk, fake: FakeObs) -> None:
    item = {"id": 7, "source": "Alarm", "shown": False}
    fake.scenes["Scene"].append(item)
    direct({"play": Reaction(show="Alarm", back_s=0.1)})
    desk.add(PLACE, ruling(1))
    fake.wait_for(lambda: item["shown"] is True)
    fake.wait_for(lambda: item["shown"] is False)


def test_a_scene_that_is_not_there_hurts_nothing(
    direct: Directed, desk: Desk, fake: FakeObs, caplog: pytest.LogCaptureFixture
) -> None:
    director = direct({"play": Reaction(scene="Nowhere"), "illegal": Reaction(chapter=True)})
    desk.add(PLACE, ruling(1))
    desk.add(ILLEGAL, WRONG)
    fake.wait_for(lambda: bool(fake.chapters))
    assert director.state == "connected"
    assert "OBS refused SetCurrentProgramScene (600)" in caplog.text


def test_an_old_obs_has_no_chapters_and_says_so_once(
    direct: Directed, desk: Desk, fake: FakeObs, caplog: pytest.LogCaptureFixture
) -> None:
    fake.unknown.add("CreateRecordChapter")
    direct({"play": Reaction(chapter=True), "illegal": Reaction(chapter=True)})
    desk.add(PLACE, ruling(1))
    desk.add(ILLEGAL, WRONG)
    fake.wait_for(lambda: len(asked(fake, "CreateRecordChapter")) == 2)
    until(lambda: "too old to set chapters" in caplog.text)
    assert caplog.text.count("too old to set chapters") == 1


def test_obs_may_come_late_go_and_come_back(desk: Desk) -> None:
    late = FakeObs()
    late.start()  # takes a port, and leaves
    late.stop()
    plan = Plan(late.address, PASSWORD, "en", {"play": Reaction(chapter=True, replay=True)})
    desk.add(START, AFTER_START)
    with directing(desk, plan) as director:
        began_s = time.monotonic()
        desk.add(PLACE, ruling(1))
        assert time.monotonic() - began_s < 0.5  # the game did not wait
        assert director.state == "away"
        late.start()
        until(lambda: director.state == "connected")
        late.wait_for(lambda: late.chapters == ["Card laid: Ann plays green 7, green 6."])
        late.stop()
        until(lambda: director.state == "away")
        late.start()
        late.wait_for(lambda: late.replaying)  # started anew in the new OBS
        late.stop()


def test_what_happened_while_obs_was_away_for_long_is_left(
    desk: Desk, fake: FakeObs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directing_module, "FRESH_S", 0.1)
    fake.stop()
    desk.add(START, AFTER_START)
    with directing(desk, Plan(fake.address, PASSWORD, "en", {"play": Reaction(chapter=True)})):
        desk.add(PLACE, ruling(1))
        time.sleep(0.4)  # longer than what is still fresh
        fake.start()
        right = {**PLACE, "t": 20.0, "player": 1, "card": "g5/g4", "onto": "g6", "with": "g5"}
        desk.add(right, ruling(2, player=1, turn=2))
        fake.wait_for(lambda: bool(fake.chapters))
    assert fake.chapters == ["Card laid: Ben plays green 5, green 4."]


def test_a_wrong_password_is_no_end(fake: FakeObs, desk: Desk) -> None:
    with directing(desk, Plan(fake.address, "two of hearts")) as director:
        until(lambda: director.state == "refused")
        fake.password = "two of hearts"
        until(lambda: director.state == "connected")


def test_with_a_delay_obs_reacts_when_viewers_see_it(desk: Desk, fake: FakeObs) -> None:
    desk.add(START, AFTER_START)
    plan = Plan(fake.address, PASSWORD, "en", {"play": Reaction(chapter=True)})
    with directing(desk, plan, delay_s=0.5):
        began_s = time.monotonic()
        desk.add(PLACE, ruling(1))
        fake.wait_for(lambda: bool(fake.chapters))
        assert time.monotonic() - began_s >= 0.5
