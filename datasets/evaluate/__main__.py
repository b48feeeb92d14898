"""`python -m datasets.evaluate`: prints how good the referee is, as one table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from datasets.evaluate.pictures import Reading
from datasets.evaluate.report import Row, as_json, as_markdown, as_table
from datasets.evaluate.run import ReadPicture, score_pictures, score_recordings
from datasets.evaluate.sources import (
    Exhibit,
    Recording,
    answer_from_json,
    fresh_scenes,
    recordings,
    stills,
)
from referee import cli
from referee.commands.see import answer_for
from vision.halves import HalfReader
from vision.weights import weights_folder

PRINTED_WIDTH = 180
"""Columns of the table where nobody's terminal says how many there are."""


def arguments() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate", description=__doc__)
    parser.add_argument("--scenes", type=int, default=200, help="how many fresh scenes to render")
    parser.add_argument(
        "--shared",
        type=Path,
        default=Path("../shared"),
        help="a folder with stills/ and clips/ and their truth; passed over where absent",
    )
    parser.add_argument("--no-clips", action="store_true", help="leave the recordings out")
    parser.add_argument(
        "--misses", type=Path, help="write a page of every miss, by cause, to this folder"
    )
    parser.add_argument("--json", type=Path, help="write all figures to this file, too")
    parser.add_argument("--markdown", type=Path, help="write a short table for the README, too")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Score everything that is there; exit code 1 where anything could not be read at all."""
    asked = arguments().parse_args(argv)
    console, progress = Console(), Console(stderr=True)
    if not console.is_terminal:
        console.width = PRINTED_WIDTH
    read = reader()
    rows: list[Row] = []
    with progress.status("loading") as status:
        tell = status.update
        rows += score_pictures(
            "fresh scenes",
            fresh_scenes(asked.scenes),
            read,
            misses=asked.misses,
            by_tag=True,
            tell=tell,
        )
        if (asked.shared / "stills" / "truth.jsonl").is_file():
            rows += score_pictures(
                "stills",
                stills(asked.shared / "stills"),
                read,
                misses=asked.misses,
                by_tag=True,
                tell=tell,
            )
        clips = [] if asked.no_clips else recordings(asked.shared / "clips")
        if clips:
            with tempfile.TemporaryDirectory() as folder:
                rows += score_recordings(
                    "clips", clips, lambda clip: review(clip, Path(folder)), tell=tell
                )
    console.print(as_table(rows))
    failures = [text for row in rows if not row.is_part for text in row.failures]
    for text in failures:
        print(text, file=sys.stderr)
    if asked.json:
        asked.json.write_text(json.dumps(as_json(rows), indent=1) + "\n", encoding="utf-8")
    if asked.markdown:
        asked.markdown.write_text(as_markdown(rows), encoding="utf-8")
    return 1 if failures else 0


def reader() -> ReadPicture:
    """Reads pictures as `referee see` does."""
    network = HalfReader.load(weights_folder())

    def read(exhibit: Exhibit) -> Reading:
        return answer_from_json(answer_for(exhibit.name, exhibit.image, exhibit.plane, network))

    return read


def review(recording: Recording, folder: Path) -> Path:
    """Review a recording as a user would, and say where the record lies."""
    out = folder / recording.name
    code = cli.main(
        [
            "review",
            str(recording.video),
            "--table",
            str(recording.table),
            "--out",
            str(out),
            "--quiet",
        ]
    )
    if code != 0:
        raise RuntimeError(f"expected 'referee review' to end with exit code 0, found {code}")
    return out / "game.jsonl"


if __name__ == "__main__":
    sys.exit(main())
