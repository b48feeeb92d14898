"""`python -m benchmarks.live_bench`: what the live side reaches on this machine.

Three figures, each from a run of its own: how fast a change reaches many viewers while some of
them are stalled, how old the picture and how late the rulings are, and whether memory, lag and
load stay flat over a long game (a recording played over and over).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.__main__ import Figure, print_figures
from benchmarks.fan_out import fan_out
from benchmarks.soak import soak


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live_bench", description=__doc__)
    parser.add_argument("--clients", type=int, default=100, help="viewers (default: 100)")
    parser.add_argument("--stalled", type=int, default=10, help="of them, stalled (default: 10)")
    parser.add_argument(
        "--seconds", type=float, default=120, help="how long the game goes on (default: 120)"
    )
    parser.add_argument(
        "--speed", type=float, default=1, help="time lapse: the game goes so much faster"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        steps: list[Callable[[], list[Figure]]] = [
            lambda: fan_out(asked.clients, asked.stalled),
            lambda: soak(Path(folder), asked.seconds, speed=asked.speed),
        ]
        figures = [figure for step in steps for figure in step()]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print_figures(f"On air ({os.cpu_count()} cores, load average {load:.1f})", figures)
    if asked.json:
        data = {"cores": os.cpu_count(), "figures": [asdict(figure) for figure in figures]}
        asked.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
