"""Phrase packs: what is in them, who speaks it, and what the server hands out."""

from __future__ import annotations

import csv
import io
import shutil
import stat
import wave
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from typer.testing import CliRunner, Result

from referee.announce import LANGUAGES, Announcer
from referee.cli import application
from referee.overlay.snapshot import sentence_id
from referee.rules.rulings import Violation
from referee.server.serve import bind, serving
from referee.sound.chimes import chime
from referee.sound.speech import (
    FOLDER_VARIABLE,
    VIOLATIONS,
    Pack,
    SpeechError,
    Voice,
    load_packs,
    make_pack,
    phrases,
)
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling

SAYS = "Ben misses a turn."


@pytest.fixture
def voice(tmp_path: Path) -> Voice:
    """A program called espeak-ng that 'speaks' by writing what it was told after a header."""
    program = tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    sound = tmp_path / "bin" / "sound.wav"
    sound.write_bytes(chime("play"))
    log = tmp_path / "bin" / "spoken.txt"
    program.write_text(
        f'#!/bin/sh\n[ "$2" = fi ] && {{ echo "no such voice" >&2; exit 3; }}\n'
        f'cat >> "{log}"; echo >> "{log}"\ncat "{sound}"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return Voice(str(program))


def spoken(tmp_path: Path) -> list[str]:
    log = tmp_path / "bin" / "spoken.txt"
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def run(*arguments: str) -> Result:
    return CliRunner().invoke(application("sounds"), ["sounds", *arguments])


def test_every_violation_of_the_rules_can_be_spoken() -> None:
    assert set(VIOLATIONS) == {violation.value for violation in Violation}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phrases_are_what_the_referee_says(language: str) -> None:
    said = phrases(language, ["Ann", "Ben"])
    say = Announcer(language, ["Ann", "Ben"])
    assert say.violation("no_match", 1).text in said
    assert say.effect({"effect": "owe_draw", "player": 0, "count": 2}).text in said
    assert say.effect({"effect": "win", "players": [1]}).text in said
    assert len(said) == len(set(said)) > 60
    assert all(0 < len(text) < 120 for text in said)


def test_a_pack_is_made_once(tmp_path: Path, voice: Voice) -> None:
    folder = tmp_path / "packs"
    assert make_pack(folder, "en", voice, [SAYS, "Ann wins."])[1] == 2
    assert make_pack(folder, "en", voice, [SAYS, "Ann wins."])[1] == 0
    assert spoken(tmp_path) == [SAYS, "Ann wins."]
    pack = load_packs(folder)["en"]
    assert pack.voice == voice
    assert pack.get(sentence_id("en", SAYS)) == chime("play")


def test_a_sentence_that_is_missing_is_spoken_once_and_kept(tmp_path: Path, voice: Voice) -> None:
    pack, _ = make_pack(tmp_path / "packs", "en", voice, [])
    name = sentence_id("en", SAYS)
    assert pack.get(name) is None  # whoever does not know what it says cannot have it spoken
    assert pack.get(name, SAYS) == pack.get(name, SAYS) == chime("play")
    assert spoken(tmp_path) == [SAYS]


def test_a_name_is_no_path(tmp_path: Path, voice: Voice) -> None:
    (tmp_path / "packs").mkdir()
    (tmp_path / "secret.wav").write_bytes(b"RIFF")
    pack, _ = make_pack(tmp_path / "packs", "en", voice, [])
    for name in ("../../secret", "..%2fsecret", "A" * 16, "0" * 15, ""):
        assert pack.get(name, SAYS) is None


def test_a_voice_that_fails_is_asked_no_more(tmp_path: Path, voice: Voice) -> None:
    pack = Pack(tmp_path, "fi", voice)
    assert pack.get("0" * 16, "Hei.") is None
    pack.language = "en"
    assert pack.get("0" * 16, "Hei.") is None


def test_a_voice_that_cannot_is_told(tmp_path: Path, voice: Voice) -> None:
    with pytest.raises(SpeechError, match="exit code 3: no such voice"):
        make_pack(tmp_path, "fi", voice, ["Hei."])
    with pytest.raises(SpeechError, match="expected the program"):
        make_pack(tmp_path, "en", Voice("no-such-program"), [])
    with pytest.raises(SpeechError, match="expected espeak-ng or piper"):
        make_pack(tmp_path, "en", Voice("sh"), [])
    with pytest.raises(SpeechError, match="expected a model for piper"):
        Voice("piper")._arguments("/usr/bin/piper", "en")


def test_the_length_that_a_pipe_cannot_know_is_put_right(tmp_path: Path, voice: Voice) -> None:
    whole = chime("play")
    unknown = whole[:4] + b"\xff\xff\xff\x7f" + whole[8:40] + b"\xff\xff\xff\x7f" + whole[44:]
    (tmp_path / "bin" / "sound.wav").write_bytes(unknown)
    assert voice.speak(SAYS, "en") == whole


def test_a_broken_pack_is_named(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "pack.json").write_text("[]")
    with pytest.raises(SpeechError, match=r"de.pack\.json: expected a pack's description"):
        load_packs(tmp_path)


def test_recordings_of_people(tmp_path: Path) -> None:
    listed = list(csv.DictReader(io.StringIO(run("phrases", "en", "--players", "Ben").stdout)))
    one = next(row for row in listed if row["sentence"] == SAYS)
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / one["file"]).write_bytes(chime("win"))
    kept = run("keep", "en", "--out", str(tmp_path))
    assert "1 sentences, recorded by people" in kept.stdout
    pack = load_packs(tmp_path)["en"]
    assert pack.voice is None
    assert pack.get(sentence_id("en", SAYS), SAYS) == chime("win")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs Debian's espeak-ng")
def test_a_real_voice_speaks() -> None:
    with wave.open(io.BytesIO(Voice("espeak-ng").speak("Ana perde a vez.", "pt"))) as file:
        assert 0.5 < file.getnframes() / file.getframerate() < 4


@pytest.fixture
def served(tmp_path: Path, voice: Voice, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server with an English pack, over a game in which Ben misses a turn."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "packs"))
    make_pack(tmp_path / "packs", "en", voice, [])
    desk = Desk()
    skip = {"effect": "skip", "player": 1}
    desk.add(START, ruling(0, player=None), PLACE, ruling(1, effects=[skip]))
    desk.add(ILLEGAL, ruling(2, player=1, legal=False, violations=["no_match"]))
    with serving(desk, bind(port=0)) as url:
        yield url


def test_the_server_speaks_what_was_said_and_nothing_else(served: str, tmp_path: Path) -> None:
    state = httpx2.get(f"{served}/api/state").json()
    said = {one["text"]: one["id"] for entry in state["entries"] for one in entry["said"]}
    answer = httpx2.get(f"{served}/sounds/speech/en/{said[SAYS]}.wav")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "audio/wav")
    assert answer.content == chime("play")
    other = sentence_id("en", "Anything else.")
    assert httpx2.get(f"{served}/sounds/speech/en/{other}.wav").status_code == 404
    assert httpx2.get(f"{served}/sounds/speech/de/{said[SAYS]}.wav").status_code == 404
    assert spoken(tmp_path) == [SAYS]


def test_the_server_has_the_chimes(served: str) -> None:
    answer = httpx2.get(f"{served}/sounds/illegal.wav")
    assert answer.content == chime("illegal")
    assert answer.headers["content-type"] == "audio/wav"
    assert httpx2.get(f"{served}/sounds/explosion.wav").status_code == 422


def test_a_broken_pack_stops_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "pack.json").write_text("{")
    with serving(Desk(), bind(port=0)) as url:
        assert httpx2.get(f"{url}/api/state").status_code == 200
        assert httpx2.get(f"{url}/sounds/speech/de/{'0' * 16}.wav").status_code == 404
