"""A long game: `referee live` over a recording that is played again and again.

What is measured is the program itself, from outside: its CPU and memory as the system counts
them, the age of the picture and the delay of the rulings as its own `/health` and `/metrics`
tell them to whoever looks after it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import numpy as np

from benchmarks.__main__ import Figure
from benchmarks.material import SAMPLE, full_hd_copy, table_of

EVERY_S = 0.5
WARM_S = 15.0
"""Start-up and the first readings, which allocate what stays."""


@dataclass(frozen=True, slots=True)
class Look:
    """The program at one moment."""

    at_s: float
    cpu_s: float
    memory_mb: float
    picture_age_s: float


def soak(folder: Path, seconds: float, sample_s: float = 1e9) -> list[Figure]:
    """Play the sample (or its beginning), enlarged to 1920 x 1080, over and over, and watch the
    program."""
    video = full_hd_copy(SAMPLE, folder, sample_s)
    command = [
        *(sys.executable, "-m", "referee.cli", "live", str(video), "--loop", "--port", "0"),
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
        program.send_signal(signal.SIGINT)
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
        if age_s is not None:
            yield Look(after_s, *_cost(pid), age_s)
        time.sleep(EVERY_S)


def _cost(pid: int) -> tuple[float, float]:
    """CPU seconds and megabytes of a process; Linux tells them in files."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _ruling_delays(record: Path) -> list[float]:
    """From each placement to its ruling, on the recording's clock."""
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return [
        line["t_reported"] - line["t"]
        for line in lines
        if line["type"] == "place" and "t_reported" in line
    ]


def _metric(url: str, name: str) -> float:
    with urlopen(f"{url}/metrics", timeout=30) as answer:
        found = re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M)
    return float("nan") if found is None else float(found[1])


def _figures(looks: list[Look], delays: list[float], rate_hz: float) -> list[Figure]:
    warm = [look for look in looks if look.at_s >= WARM_S] or looks
    ages_ms = np.array([look.picture_age_s for look in warm]) * 1000
    span_s = warm[-1].at_s - warm[0].at_s
    hours = max(span_s, 1.0) / 3600
    half = len(warm) // 2
    lag_ms = np.median(ages_ms[half:]) - np.median(ages_ms[:half])
    cpu = (warm[-1].cpu_s - warm[0].cpu_s) / max(span_s, 1e-9)
    times = np.array([look.at_s for look in warm]) / 3600
    growth = float(np.polyfit(times, [look.memory_mb for look in warm], 1)[0]) if half else 0.0
    beside = f"{span_s:.0f} s of 1920 x 1080 at {rate_hz:.0f} Hz"
    figures = [
        Figure("the newest picture's age, median", float(np.median(ages_ms)), "ms", beside),
        Figure("the newest picture's age, p95", float(np.quantile(ages_ms, 0.95)), "ms", beside),
        Figure("its growth from the first half to the second", float(lag_ms), "ms", beside),
        Figure("CPU on average", cpu * 100, "% of one core", beside),
        Figure("memory", warm[-1].memory_mb, "MB", f"{hours * growth:+.1f} MB over the run"),
    ]
    if delays:
        late = float(np.quantile(delays, 0.95))
        figures += [
            Figure(
                "from a card that lies free to its ruling, median", float(np.median(delays)), "s"
            ),
            Figure(
                "from a card that lies free to its ruling, p95", late, "s", f"{len(delays)} cards"
            ),
        ]
    return figures
