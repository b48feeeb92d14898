"""A long game: `referee live` over a recording that is played again and again.

What is measured is the program itself, from outside: its CPU and memory as the system counts
them, the age of the picture and the delay of the rulings as its own `/health` and `/metrics`
tell them to whoever looks after it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import numpy as np
from numpy.typing import NDArray

from benchmarks.__main__ import Figure
from benchmarks.material import SAMPLE, full_hd_copy, table_of

EVERY_S = 0.5
_PIECES = 20
_LONG_S = 600.0
"""A shorter run says nothing of memory's growth: what is allocated comes and goes by the minute."""
WARM_S = 15.0
"""Start-up and the first readings, which allocate what stays."""


@dataclass(frozen=True, slots=True)
class Look:
    """The program at one moment."""

    at_s: float
    clock_s: float
    """The game's clock."""
    cpu_s: float
    memory_mb: float
    picture_age_s: float


def soak(
    folder: Path, seconds: float, sample_s: float = 1e9, *, speed: float = 1.0
) -> list[Figure]:
    """Play the sample (or its beginning), enlarged to 1920 x 1080 at 30 pictures a second, over
    and over, and watch the program.

    With ``speed``, time lapses: the recording (at its own 15 pictures a second) goes up to so many
    times as fast, and with its clock the game and its record, as far as it can be decoded; the
    program looks at as many of the pictures as it can. That shows what a long game piles up. What
    a picture costs and how old it is, only the usual speed shows.
    """
    video = full_hd_copy(SAMPLE, folder, sample_s, between=1 if speed == 1 else 0)
    command = [
        *(sys.executable, "-m", "referee.cli", "live", str(video), "--loop", "--port", "0"),
        *("--speed", str(speed)),
        *("--table", str(table_of(video)), "--out", str(folder / "out"), "--quiet"),
    ]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    try:
        url = _address(program)
        looks = list(_watch(program.pid, url, seconds))
        delays = _ruling_delays(folder / "out" / "game.jsonl")
        rate_hz = _metric(url, "referee_camera_rate_hz")
    finally:
        program.terminate()
        program.communicate(timeout=60)
    return _figures(looks, delays, rate_hz)


def _address(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith("overlay:"):
            return line.split()[1].rsplit("/", 1)[0]
    raise RuntimeError("the program ended before it served anything")


def _watch(pid: int, url: str, seconds: float) -> Iterator[Look]:
    began_s = time.monotonic()
    while (after_s := time.monotonic() - began_s) < seconds:
        with urlopen(f"{url}/health", timeout=30) as answer:
            age_s = json.load(answer)["picture_age_s"]
        with urlopen(f"{url}/api/control/state?entries=1", timeout=30) as answer:
            clock_s = json.load(answer)["clock_s"]
        if age_s is not None and clock_s is not None:
            yield Look(after_s, clock_s, *_cost(pid), age_s)
        time.sleep(EVERY_S)


def _cost(pid: int) -> tuple[float, float]:
    """CPU seconds and megabytes of a process; Linux tells them in files.

    Of memory that which is the process's own, swapped out or not: pages of files come and go as
    the system likes.
    """
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    status = Path(f"/proc/{pid}/status").read_text()
    own_kb = sum(int(kb) for kb in re.findall(r"^(?:RssAnon|VmSwap):\s+(\d+)", status, re.M))
    return ticks / os.sysconf("SC_CLK_TCK"), own_kb * 1024 / 1e6


def _ruling_delays(record: Path) -> list[float]:
    """From each placement to its ruling, on the recording's clock."""
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return [
        line["t_reported"] - line["t"]
        for line in lines
        if line["type"] == "place" and "t_reported" in line
    ]


def _slope(hours: NDArray[np.float64], memory_mb: NDArray[np.float64]) -> tuple[float, float]:
    """How memory grows an hour, and the half of its 95 % interval.

    By the means of twenty pieces of the second half: neighbouring samples know little of their
    own, and at first there are caches to be filled.
    """
    pieces = [
        (float(h.mean()), float(m.mean()))
        for h, m in zip(
            np.array_split(hours[len(hours) // 2 :], _PIECES),
            np.array_split(memory_mb[len(hours) // 2 :], _PIECES),
            strict=True,
        )
        if len(h)
    ]
    if len(pieces) < _PIECES:
        return float("nan"), float("nan")
    x, y = np.array(pieces).T
    (slope, _), covariance = np.polyfit(x, y, 1, cov=True)
    return float(slope), float(2.1 * np.sqrt(covariance[0, 0]))


def _metric(url: str, name: str) -> float:
    with urlopen(f"{url}/metrics", timeout=30) as answer:
        found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M)
    return float("nan") if found is None else float(found[1])


def _figures(looks: list[Look], delays: list[float], rate_hz: float) -> list[Figure]:
    warm = [look for look in looks if look.at_s >= WARM_S] or looks
    ages_ms = np.array([look.picture_age_s for look in warm]) * 1000
    span_s = warm[-1].at_s - warm[0].at_s
    half = len(warm) // 2
    lag_ms = np.median(ages_ms[half:]) - np.median(ages_ms[:half])
    cpu = (warm[-1].cpu_s - warm[0].cpu_s) / max(span_s, 1e-9)
    growth, give_or_take = _slope(
        np.array([look.clock_s for look in warm]) / 3600,
        np.array([look.memory_mb for look in warm]),
    )
    peak = max(look.memory_mb for look in warm)
    beside = f"{span_s:.0f} s of 1920 x 1080 at {rate_hz:.0f} Hz"
    played_s = warm[-1].clock_s - warm[0].clock_s
    beside += f", {played_s / 3600:.2f} h of game"
    figures = [
        Figure("the newest picture's age, median", float(np.median(ages_ms)), "ms", beside),
        Figure("the newest picture's age, p95", float(np.quantile(ages_ms, 0.95)), "ms", beside),
        Figure("its growth from the first half to the second", float(lag_ms), "ms", beside),
        Figure("CPU on average", cpu * 100, "% of one core", beside),
        Figure("memory", warm[-1].memory_mb, "MB", f"at most {peak:.0f} MB"),
    ]
    if span_s >= _LONG_S:
        doubt = f"± {give_or_take:.1f} (95 %)"
        figures.append(Figure("memory's growth", growth, "MB an hour of game", doubt))
    if delays:
        late = float(np.quantile(delays, 0.95))
        figures += [
            Figure("from a card let go to its ruling, median", float(np.median(delays)), "s"),
            Figure("from a card let go to its ruling, p95", late, "s", f"{len(delays)} cards"),
        ]
    return figures
