"""A page of everything that was missed, grouped by cause, with a picture of each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import cv2
import numpy as np

from datasets.evaluate.causes import CAUSES, Miss, by_cause, misses_of
from datasets.evaluate.misses import has_miss, save_misses
from datasets.evaluate.pictures import Reading
from datasets.evaluate.sources import Exhibit
from vision.facts import Image

_CUT_PX = 132
_AROUND = 1.5
"""How much of the surroundings a cut shows, in short sides of the half to each side."""

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>What was missed</title>
<style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2rem; background: #16181c; color: #e8e8e8 }}
h2 {{ margin: 2rem 0 .2rem }} p {{ margin: 0 0 .8rem; color: #a8b0ba }}
ul {{ display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; list-style: none }}
li {{ width: {cut}px }} img {{ width: 100%; border-radius: 4px; display: block }}
a {{ color: #9cc8ff }} small {{ color: #a8b0ba; overflow-wrap: anywhere }}
li.line {{ width: 100% }} code {{ color: #ffd479 }}
table {{ border-collapse: collapse }} td, th {{ padding: .1rem 1rem .1rem 0; text-align: left }}
</style>
<h1>What was missed in {name}</h1>
<table><tr><th>cause<th>misses<th>meaning</tr>{summary}</table>
{groups}
</html>
"""


class Gallery:
    """Gathers the misses of a body of data in a folder; `write` makes its page."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder / name, name
        self.misses: list[Miss] = []

    def add(self, exhibit: Exhibit, answer: Reading) -> None:
        """Keep what was missed in a picture, and the picture with rings around it."""
        if not has_miss(exhibit.truth, answer):
            return
        save_misses(self.folder, exhibit.name, exhibit.image, exhibit.truth, answer)
        new = misses_of(exhibit.name, exhibit.image, exhibit.truth, answer, exhibit.tags)
        for miss in new:
            if miss.measure != "line":
                path = self.folder / _cut_name(len(self.misses) + new.index(miss))
                cv2.imwrite(str(path), _cut(exhibit.image, miss))
        self.misses += new

    def write(self) -> Path | None:
        """The page, or None where nothing was missed."""
        if not self.misses:
            return None
        numbers = {id(miss): i for i, miss in enumerate(self.misses)}
        groups = by_cause(self.misses)
        summary = "".join(
            f"<tr><td>{escape(cause)}<td>{len(group)}<td>{escape(CAUSES[cause])}</tr>"
            for cause, group in groups
        )
        shown = "".join(
            f"<h2>{escape(cause)}: {len(group)}</h2><p>{escape(CAUSES[cause])}</p><ul>"
            + "".join(_entry(miss, numbers[id(miss)]) for miss in group)
            + "</ul>"
            for cause, group in groups
        )
        page = self.folder / "index.html"
        text = _PAGE.format(cut=_CUT_PX, name=escape(self.name), summary=summary, groups=shown)
        page.write_text(text, encoding="utf-8")
        return page

    def counts(self) -> Sequence[tuple[str, int]]:
        """How many misses each cause has, the most first."""
        return [(cause, len(group)) for cause, group in by_cause(self.misses)]


def _entry(miss: Miss, number: int) -> str:
    whole = f'<a href="{escape(Path(miss.picture).stem)}.jpg">{escape(miss.picture)}</a>'
    tags = escape(", ".join(miss.tags))
    if miss.measure == "line":
        said = escape(miss.said_label or "no line")
        return (
            f'<li class="line">{whole} is <code>{escape(miss.is_label)}</code>, said '
            f"<code>{said}</code> <small>{tags}</small></li>"
        )
    says = {"found": "not found", "precise": "nothing there", "read": "misread"}[miss.measure]
    labels = " &gt; ".join(escape(label) for label in (miss.is_label, miss.said_label) if label)
    return (
        f'<li><img src="{_cut_name(number)}" alt="{says}"> <code>{labels}</code> {says}'
        f"<br>{whole}<br><small>{tags}</small></li>"
    )


def _cut_name(number: int) -> str:
    return f"cut-{number:04d}.png"


def _cut(image: Image, miss: Miss) -> Image:
    reach = max(12.0, miss.short_side_px * _AROUND)
    size = (_CUT_PX, _CUT_PX)
    scale = _CUT_PX / (2 * reach)
    move = np.array([[scale, 0, _CUT_PX / 2 - miss.x_px * scale],
                     [0, scale, _CUT_PX / 2 - miss.y_px * scale]])  # fmt: skip
    return np.asarray(cv2.warpAffine(image, move, size, flags=cv2.INTER_AREA), np.uint8)
