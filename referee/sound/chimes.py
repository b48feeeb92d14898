"""A chime for each kind of event, made of a few tones by arithmetic.

They are drawn from one scale, so that two in a row sound well; rising means something good or
new, falling something taken away; a fault is two low, rough tones that nobody takes for a win.
"""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.overlay.cues import Cue

RATE_HZ: Final = 44_100

_PEAK: Final = 0.5
"""Of full scale: a chime lies under voices, and the overlay has a volume of its own."""
_TAIL_S: Final = 0.08


@dataclass(frozen=True, slots=True)
class Tone:
    """One tone of a chime."""

    note: int
    """Semitones above the A of 440 Hz."""
    at_s: float
    length_s: float = 0.5
    """Until it has faded to a thousandth."""
    rough: float = 0.0
    """0: a bell; 1: a buzzer."""


def _bells(*notes: int, apart_s: float = 0.11, length_s: float = 0.7) -> tuple[Tone, ...]:
    return tuple(Tone(note, i * apart_s, length_s) for i, note in enumerate(notes))


SCORE: Final[dict[Cue, tuple[Tone, ...]]] = {
    "play": (Tone(12, 0.0, 0.16),),
    "draw": (Tone(5, 0.0, 0.18),),
    "skip": _bells(15, 8, apart_s=0.09, length_s=0.4),
    "reverse": _bells(8, 12, 8, apart_s=0.09, length_s=0.4),
    "owe": _bells(3, 3, apart_s=0.13, length_s=0.4),
    "penalty": _bells(3, 0, -4, apart_s=0.12, length_s=0.5),
    "swap": _bells(8, 15, 10, 17, apart_s=0.08, length_s=0.45),
    "pass": _bells(8, 10, 12, 15, apart_s=0.07, length_s=0.45),
    "call": _bells(12, 17, apart_s=0.16, length_s=0.8),
    "wild": _bells(5, 8, 12, 17, apart_s=0.06, length_s=0.5),
    "shout": _bells(17, 17, apart_s=0.14, length_s=0.5),
    "taken_back": _bells(10, 5, apart_s=0.14, length_s=0.5),
    "illegal": (Tone(-14, 0.0, 0.34, 0.9), Tone(-20, 0.3, 0.6, 0.9)),
    "unsure": _bells(8, 7, apart_s=0.2, length_s=0.6),
    "corrected": _bells(5, 12, apart_s=0.12, length_s=0.5),
    "round": _bells(0, 5, 8, apart_s=0.14, length_s=0.8),
    "win": _bells(5, 8, 12, 17, apart_s=0.12, length_s=1.1),
    "game_over": _bells(0, 5, 8, 12, 17, 20, apart_s=0.13, length_s=1.5),
    "out_of_sync": _bells(0, -1, apart_s=0.22, length_s=0.5),
    "no_camera": _bells(0, -5, apart_s=0.22, length_s=0.6),
}


@cache
def chime(cue: Cue) -> bytes:
    """The chime of an event as a WAV file: mono, 16 bit, 44.1 kHz, at most three seconds."""
    tones = SCORE[cue]
    length_s = max(tone.at_s + tone.length_s for tone in tones) + _TAIL_S
    sound = np.zeros(round(length_s * RATE_HZ))
    for tone in tones:
        start = round(tone.at_s * RATE_HZ)
        wave_ = _tone(tone)
        sound[start : start + len(wave_)] += wave_
    sound *= _PEAK / np.abs(sound).max()
    return as_wav(np.round(sound * 32767).astype(np.int16), RATE_HZ)


def _tone(tone: Tone) -> NDArray[np.float64]:
    at_s = np.arange(round(tone.length_s * RATE_HZ)) / RATE_HZ
    pitch_hz = 440.0 * 2 ** (tone.note / 12)
    # A bell: overtones that are not quite whole, and fade the sooner the higher they are.
    bell = sum(
        loud * np.sin(2 * np.pi * pitch_hz * ratio * at_s) * np.exp(-at_s * fade * 6.9)
        for ratio, loud, fade in (
            (1.0, 1.0, 1.0),
            (2.0, 0.42, 1.5),
            (2.99, 0.2, 2.2),
            (4.2, 0.1, 3.2),
        )
    )
    bell = bell * np.exp(-at_s / tone.length_s * 5.2)
    buzz = sum(np.sin(2 * np.pi * pitch_hz * n * at_s) / n for n in (1, 2, 3, 4, 5, 7))
    buzz = buzz * np.minimum(1.0, (tone.length_s - at_s) / 0.06)
    mixed = (1 - tone.rough) * bell + tone.rough * 0.6 * buzz
    return np.asarray(mixed * np.minimum(1.0, at_s / 0.004), np.float64)  # no click at the start


def as_wav(samples: NDArray[np.int16], rate_hz: int) -> bytes:
    """Samples of one channel as a WAV file."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.astype("<i2").tobytes())
    return made.getvalue()
