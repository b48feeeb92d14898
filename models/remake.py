"""Makes the committed weights again, all in one: `python -m models.remake WORK`.

Renders the samples, trains both networks side by side on one core each, exports them and
writes the model card. About two hours on two cores. The fonts of `FONT_PACKAGES` (Debian)
should be installed; with others the weights differ, with none they are poorer.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

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
SCENES, VALIDATION_SCENES = 3900, 300
FINDER_MINUTES, READER_MINUTES = 50, 70


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path, help="folder for pictures and checkpoints")
    chosen = parser.parse_args()
    data, run = chosen.work / "data", chosen.work / "run"
    _module("models.build_data", data, "--scenes", SCENES, "--validation", VALIDATION_SCENES)
    trainings = [
        subprocess.Popen(_command("models.train", network, data, run, "--minutes", minutes))
        for network, minutes in (("finder", FINDER_MINUTES), ("reader", READER_MINUTES))
    ]
    for training in trainings:
        if training.wait():
            sys.exit("training failed; see its message above")
    _module("models.export", data, run)


def _command(module: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", module, *(str(a) for a in arguments)]


def _module(module: str, *arguments: object) -> None:
    subprocess.run(_command(module, *arguments), check=True)


if __name__ == "__main__":
    main()
