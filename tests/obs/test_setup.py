"""OBS set up by itself, twice without harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from referee.cli import application
from referee.obs.client import Obs
from referee.obs.setup import CAMERA, OVERLAY, SCENE, Finding, check, install
from tests.obs.fake import PASSWORD, FakeObs

VIDEO = "http://127.0.0.1:8017/video?marked=0"
PAGE = "http://127.0.0.1:8017/overlay"


@pytest.fixture
def obs(fake: FakeObs) -> Iterator[Obs]:
    with Obs(fake.address, PASSWORD) as connection:
        yield connection


def run(*arguments: str) -> Result:
    return CliRunner().invoke(application("obs"), ["obs", *arguments])


def failed(found: list[Finding]) -> list[str]:
    return [one.what for one in found if not one.ok]


def test_scene_picture_and_overlay_are_made(obs: Obs, fake: FakeObs) -> None:
    found = install(obs, video=VIDEO, overlay=PAGE)
    assert failed(found) == []
    camera, overlay = fake.scenes[SCENE]
    assert (camera["source"], overlay["source"]) == (CAMERA, OVERLAY)  # the overlay on top
    settings = fake.inputs[CAMERA]["settings"]
    assert (settings["input"], settings["input_format"]) == (VIDEO, "mjpeg")
    assert settings["is_local_file"] is False
    page = fake.inputs[OVERLAY]["settings"]
    assert (page["url"], page["width"], page["height"]) == (PAGE, 1920, 1080)
    assert page["reroute_audio"] is True  # its sound belongs to the stream
    assert overlay["transform"]["boundsWidth"] == 2560


def test_the_second_time_nothing_changes(obs: Obs, fake: FakeObs) -> None:
    install(obs, video=VIDEO, overlay=PAGE)
    fake.scenes[SCENE][0]["transform"] = {"moved": "by the user"}
    fake.asked.clear()
    found = install(obs, video=VIDEO, overlay=PAGE)
    assert all("already" in one.what for one in found)
    assert all(name.startswith("Get") for name, _ in fake.asked)
    assert fake.scenes[SCENE][0]["transform"] == {"moved": "by the user"}


def test_an_address_that_changed_is_brought_up_to_date(obs: Obs, fake: FakeObs) -> None:
    install(obs, video=VIDEO, overlay=PAGE)
    found = install(obs, video=VIDEO, overlay=f"{PAGE}?lang=de")
    assert [one.what for one in found][2] == f"source '{OVERLAY}' brought up to date"
    assert fake.inputs[OVERLAY]["settings"]["url"] == f"{PAGE}?lang=de"
    assert len(fake.scenes[SCENE]) == 2


def test_a_source_that_was_taken_out_of_the_scene_comes_back(obs: Obs, fake: FakeObs) -> None:
    install(obs, video=VIDEO, overlay=PAGE)
    fake.scenes[SCENE].pop()
    install(obs, video=VIDEO, overlay=PAGE)
    assert [item["source"] for item in fake.scenes[SCENE]] == [CAMERA, OVERLAY]


def test_a_source_of_another_kind_is_left_alone(obs: Obs, fake: FakeObs) -> None:
    fake.inputs[CAMERA] = {"kind": "image_source", "settings": {"file": "mine.png"}}
    found = install(obs, video=VIDEO, overlay=PAGE)
    assert failed(found) == [f"source '{CAMERA}' is a image_source, not a ffmpeg_source"]
    assert fake.inputs[CAMERA]["settings"] == {"file": "mine.png"}


def test_an_obs_without_a_browser_source_is_told(obs: Obs, fake: FakeObs) -> None:
    fake.kinds.remove("browser_source")
    found = install(obs, video=VIDEO, overlay=PAGE)
    assert failed(found) == [f"source '{OVERLAY}' was not made"]
    assert "Flathub" in found[-1].advice
    assert [item["source"] for item in fake.scenes[SCENE]] == [CAMERA]


def test_the_check_goes_from_nothing_to_all_well(obs: Obs, fake: FakeObs) -> None:
    assert failed(list(check(obs))) == [f"there is no scene '{SCENE}'"]
    install(obs, video=VIDEO, overlay=PAGE)
    assert failed(list(check(obs))) == []
    fake.unknown |= {"CreateRecordChapter", "GetReplayBufferStatus"}
    assert failed(list(check(obs))) == [
        "the replay buffer is not set up",
        "this OBS is too old to set chapters",
    ]
    fake.scenes[SCENE].clear()
    assert failed(list(check(obs)))[:2] == [
        f"there is no source '{CAMERA}'",
        f"there is no source '{OVERLAY}'",
    ]


def test_the_commands(fake: FakeObs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    at = ("--address", fake.address, "--password", PASSWORD)
    done = run("install", *at, "--overlay", "lang=de&theme=light")
    assert done.exit_code == 0, done.output
    page = fake.inputs[OVERLAY]["settings"]
    assert page["is_local_file"] is True
    text = Path(page["local_file"]).read_text(encoding="utf-8")
    assert "http://127.0.0.1:8017/overlay?lang=de&amp;theme=light" in text
    assert fake.inputs[CAMERA]["settings"]["input"] == VIDEO
    assert run("check", *at).exit_code == 0
    bare = run("install", *at, "--no-page", "--url", "http://10.0.0.2:8017/")
    assert bare.exit_code == 0
    assert page["is_local_file"] is False
    assert page["url"] == "http://10.0.0.2:8017/overlay"


def test_the_commands_tell_what_is_wrong(fake: FakeObs) -> None:
    fake.kinds.remove("browser_source")
    done = run("install", "--address", fake.address, "--password", PASSWORD, "--no-page")
    assert done.exit_code == 1
    assert "has no browser source" in done.stdout
    wrong = run("check", "--address", fake.address, "--password", "two of hearts")
    assert "does not accept the password" in str(wrong.exception)
    assert run("install", "--url", "table.lan").exit_code == 2
