"""Chimes: one for each kind of event, short, clean, and told apart."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from referee.cli import application
from referee.overlay.cues import CUES, Cue
from referee.sound.chimes import RATE_HZ, SCORE, chime


def heard(cue: Cue) -> NDArray[np.float64]:
    with wave.open(io.BytesIO(chime(cue))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert file.getframerate() == RATE_HZ
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


def loudest_hz(sound: NDArray[np.float64]) -> float:
    spectrum = np.abs(np.fft.rfft(sound))
    return float(np.fft.rfftfreq(len(sound), 1 / RATE_HZ)[spectrum.argmax()])


@pytest.mark.parametrize("cue", CUES)
def test_a_chime_is_short_and_clean(cue: Cue) -> None:
    sound = heard(cue)
    assert 0.1 < len(sound) / RATE_HZ < 3.0
    assert 0.4 < np.abs(sound).max() < 0.6  # never distorted
    assert abs(sound[0]) < 0.01 and np.abs(sound[-200:]).max() < 0.01  # no click at either end
    assert abs(sound.mean()) < 0.01


def test_no_two_sound_alike() -> None:
    assert len({chime(cue) for cue in CUES}) == len(CUES) == len(SCORE)


def test_a_fault_is_low_and_a_win_is_high() -> None:
    assert loudest_hz(heard("illegal")) < 250
    assert loudest_hz(heard("win")) > 500


def test_the_command_writes_them_all(tmp_path: Path) -> None:
    done = CliRunner().invoke(application("sounds"), ["sounds", "chimes", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert {path.stem for path in (tmp_path / "out").glob("*.wav")} == set(CUES)
