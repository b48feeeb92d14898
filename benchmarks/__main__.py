"""`python -m benchmarks`: what a frame, a reading and a review cost on this machine."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from rich.console import Console
from rich.table import Table as PrintedTable

from benchmarks.material import SAMPLE, full_hd_copy, last_frame, table_of
from benchmarks.yardstick import SIZE_PX, detector, weight_count
from calibration.table import load_table
from vision.facts import Image
from vision.frames import Recording
from vision.halves import HalfReader
from vision.watch import Watcher
from vision.weights import weights_folder

REPEATS = 5
PRINTED_WIDTH = 120
"""Columns of the table where nobody's terminal says how many there are."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value."""

    what: str
    value: float
    unit: str
    beside: str = ""
    """The yardstick that was measured in the same run."""


def main(argv: list[str] | None = None) -> int:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=1e9, help="how much of the sample to take (default: all)"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    asked = parser.parse_args(argv)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, Console(stderr=True).status("") as status:
        status.update("making a full HD recording")
        video = full_hd_copy(SAMPLE, Path(folder), asked.seconds)
        picture = Path(folder) / "last.jpg"
        cv2.imwrite(str(picture), last_frame(video))
        steps: list[tuple[str, Callable[[], list[Figure]]]] = [
            ("the yardstick, the reader", lambda: reading(picture, table_of(video))),
            ("every frame", lambda: watching(video)),
            ("start-up", lambda: starting(picture, table_of(video))),
            ("review", lambda: reviewing([SAMPLE, video], Path(folder))),
        ]
        for text, measure in steps:
            status.update(f"measuring: {text}")
            figures += measure()
    print_figures(f"What it costs ({os.cpu_count()} cores)", figures)
    if asked.json:
        data = {"cores": os.cpu_count(), "figures": [asdict(figure) for figure in figures]}
        asked.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0


def reading(picture: Path, table: Path) -> list[Figure]:
    """One reading of a whole full HD picture beside the yardstick on its smaller one."""
    image = cv2.imread(str(picture))
    assert image is not None
    whole: Image = np.asarray(image, dtype=np.uint8)
    plane = load_table(table).plane
    reader = HalfReader.load(weights_folder())
    model = detector()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # as the reader; more threads spend more in all
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    square = np.zeros((1, 3, SIZE_PX, SIZE_PX), np.float32)
    yardstick_s = _cpu_s(lambda: session.run(None, {"image": square}))
    whole_s = _cpu_s(lambda: reader.read(whole, plane))
    count = len(reader.read(whole, plane))
    return [
        Figure(
            f"detector of the smallest usual size ({weight_count(model) / 1e6:.1f} M weights), "
            f"{SIZE_PX} x {SIZE_PX}",
            yardstick_s * 1000,
            "ms of CPU a picture",
            "this is the yardstick",
        ),
        Figure(
            f"reading a whole 1920 x 1080 picture ({count} halves)",
            whole_s * 1000,
            "ms of CPU a picture",
            f"{whole_s / yardstick_s:.2f} of the yardstick",
        ),
    ]


def watching(video: Path) -> list[Figure]:
    """What each frame costs beyond decoding it, readings included."""
    frames, decoding_s = _through(video, lambda _: None)
    table = load_table(table_of(video))
    watcher = Watcher(HalfReader.load(weights_folder()), table.plane, table.zones)
    _, watching_s = _through(video, lambda frame: watcher.see(frame))
    decode_ms = decoding_s / frames * 1000
    beyond_ms = (watching_s - decoding_s) / frames * 1000
    return [
        Figure("decoding a 1920 x 1080 frame", decode_ms, "ms of CPU a frame"),
        Figure(
            "watching it, beyond decoding",
            beyond_ms,
            "ms of CPU a frame",
            f"{beyond_ms / decode_ms:.2f} of decoding",
        ),
    ]


def starting(picture: Path, table: Path) -> list[Figure]:
    """From the command to its first answer, a fresh process each time."""
    see = ["see", str(picture), "--table", str(table)]
    return [
        Figure("'referee --help'", _wall_s(["--help"]), "s"),
        Figure("'referee see', from start to the first reading", _wall_s(see), "s"),
    ]


def reviewing(videos: list[Path], folder: Path) -> list[Figure]:
    """How much faster than life a recording is reviewed, start-up included."""
    figures = []
    for video in videos:
        recording = Recording(video)
        length_s, (width, height) = recording.duration_s or 0.0, recording.size_px
        recording.close()
        out = folder / f"review-{width}"
        needed_s = _wall_s(
            ["review", str(video), "--table", str(table_of(video)), "--out", str(out), "--quiet"],
            repeats=1,
        )
        figures.append(
            Figure(
                f"reviewing {length_s:.0f} s of {width} x {height}",
                length_s / needed_s,
                "x real time",
                f"{os.cpu_count()} cores",
            )
        )
    return figures


def _through(video: Path, see: Callable[..., object]) -> tuple[int, float]:
    """All frames of a recording through a function: how many, and the CPU seconds of it."""
    count = 0
    began_s = time.process_time()
    for frame in Recording(video):
        see(frame)
        count += 1
    return count, time.process_time() - began_s


def _cpu_s(work: Callable[[], object]) -> float:
    """Median CPU seconds of all threads, after one run to warm up."""
    work()
    times = []
    for _ in range(REPEATS):
        began_s = time.process_time()
        work()
        times.append(time.process_time() - began_s)
    return statistics.median(times)


def _wall_s(arguments: list[str], repeats: int = 3) -> float:
    """Median seconds of a `referee` command; raises where it fails.

    Python keeps what it compiles, as it does unless told otherwise: a program's second start is
    measured, not its first.
    """
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(repeats):
        began_s = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "referee.cli", *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            env=surroundings,
        )
        times.append(time.perf_counter() - began_s)
    return statistics.median(times)


def print_figures(title: str, figures: list[Figure]) -> None:
    """Print a table."""
    table = PrintedTable(title=title)
    for heading in ("what", "figure", "", "beside it"):
        table.add_column(heading, justify="right" if heading == "figure" else "left")
    for figure in figures:
        table.add_row(figure.what, f"{figure.value:.2f}", figure.unit, figure.beside)
    console = Console()
    if not console.is_terminal:
        console.width = PRINTED_WIDTH
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
