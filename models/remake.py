"""Makes the committed weights again, all in one: `python -m models.remake WORK`.

Renders the samples, trains the finders, collects what they take for cards and is none, trains the
reader and the finder of sides, exports all four and writes the model cards. As many scenes and minutes as the committed
weights had: more than half a day on one core. The fonts of `FONT_PACKAGES` (Debian) should be
installed; with others the weights differ, with none they are poorer.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from vision.halves import FACE_FINDER_FILE, FINDER_FILE

FONT_PACKAGES = (
    "fonts-aenigma", "fonts-breip",
    "fonts-cabin", "fonts-cantarell", "fonts-comfortaa", "fonts-comic-neue",
    "fonts-crosextra-caladea", "fonts-crosextra-carlito", "fonts-dejavu", "fonts-dosis",
    "fonts-dustin", "fonts-ebgaramond", "fonts-ecolier-court", "fonts-fantasque-sans",
    "fonts-femkeklaver", "fonts-firacode", "fonts-freefont-ttf", "fonts-gfs-neohellenic",
    "fonts-goudybookletter", "fonts-hack", "fonts-inter", "fonts-isabella", "fonts-junction",
    "fonts-jura", "fonts-karla", "fonts-lato",
    "fonts-league-spartan", "fonts-liberation", "fonts-linuxlibertine", "fonts-lobstertwo",
    "fonts-mononoki", "fonts-noto-core", "fonts-oldstandard", "fonts-open-sans", "fonts-play",
    "fonts-prociono", "fonts-quicksand", "fonts-roboto", "fonts-roboto-slab", "fonts-rufscript",
    "fonts-sil-andika", "fonts-urw-base35", "fonts-vollkorn", "fonts-yanone-kaffeesatz",
)  # fmt: skip
SCENES, CLOSE_SCENES, SOLO_SCENES, VALIDATION_SCENES = 4950, 9300, 6300, 300
MINED_SCENES, MINED_SOLO_SCENES = 900, 450
SIDE_SCENES, MATCHING_SIDE_SCENES, SOLO_SIDE_SCENES = 2550, 3000, 600
FINDER_MINUTES, FACE_FINDER_MINUTES, READER_MINUTES, SIDES_MINUTES = 50, 109, 449, 291


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path, help="folder for pictures and checkpoints")
    chosen = parser.parse_args()
    data, run = chosen.work / "data", chosen.work / "run"
    _module("models.build_data", data, "--scenes", SCENES, "--close", CLOSE_SCENES,
            "--solo", SOLO_SCENES, "--sides", SIDE_SCENES, "--matching", MATCHING_SIDE_SCENES,
            "--solo-sides", SOLO_SIDE_SCENES,
            "--validation", VALIDATION_SCENES)  # fmt: skip
    _module("models.train", "finder", data, run, "--minutes", FINDER_MINUTES)
    _module("models.train", "face-finder", data, run, "--minutes", FACE_FINDER_MINUTES,
            "--resume", run / "finder.pt", "--top-rate", 0.0015)  # fmt: skip
    _module("models.export", data, run, "--out", run, "--finders-only")
    _module("models.mine", data, run / FINDER_FILE, "--scenes", MINED_SCENES)
    _module("models.mine", data, run / FACE_FINDER_FILE, "--scenes", MINED_SOLO_SCENES, "--solo")
    _module("models.train", "reader", data, run, "--minutes", READER_MINUTES)
    _module("models.export", data, run)
    _module("models.train", "sides", data, run, "--minutes", SIDES_MINUTES)
    _module("models.export_sides", data, run)


def _module(module: str, *arguments: object) -> None:
    subprocess.run([sys.executable, "-m", module, *(str(a) for a in arguments)], check=True)


if __name__ == "__main__":
    main()
