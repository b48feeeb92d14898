"""The network that finds the sides of cards, to ONNX: `python -m models.export_sides DATA RUN`.

Writes ``sides.onnx`` and its model card, ``SIDES.md``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import Tensor, nn

from models.card import last_rows
from models.export import write_network
from models.networks import Sides
from models.sides import (
    FRAMED,
    SIDES_MATCHING_SEED,
    SIDES_SEED,
    SIDES_SOLO_SEED,
    SIDES_VALIDATION_SEED,
    SideStore,
)
from models.train import validate_sides
from vision.sides import ALONG_MM, SIDES_FILE, STRIP_PX_PER_MM, STRIP_SIZE_PX

_BEFORE_MINUTES, _BEFORE_STEPS = 216, 30_182
"""How long the weights were trained while rendered lenses shrank the pictures."""
_CARD = """\
# Model card: finder of the sides of cards

Written by `python -m models.export_sides`; do not edit by hand.

| | `{file}`, {kb} kB |
|---|---|
| looks at | strips {wide} x {high} px, {scale:g} px/mm, uint8 BGR, from within a card to beside \
it; each two that follow each other lie at opposite sides of one card |
| tells | how far out the side lies from the strip's middle, {along:g} mm to both ends of its own \
middle, in millimetres; and how far off that is, on average |
| weights | {parameters} |
| trained | {minutes:.0f} minutes on one core, {steps:,} steps of 128 strips |

**Use.** To find the plane and scale of a table from half cards (`calibration/auto.py`), whose size
is known. Sides up to 8 mm from where they are looked for; nothing is told of whether there is a
card at all.

**Data.** {cards} cards of rendered scenes of invented editions (seeds from {seed:,}; two of three are
close-ups; in scenes from {matching_seed:,} most cards of the line cover a half of their own colour) and
one-faced cards (from {solo_seed:,}), of which one half at least is seen. What lies over a side stays
there: a strip that does not show the side teaches to be unsure. Both strips of a card are turned,
shifted and scaled as a rough plane would have them, and relit: half of them up to five times as
bright as white, where light spreads over edges; some are blurred or sharpened, and on
{framed:.0%} of the cards a thin frame is printed besides (`models/sides.py`). Validation: {checked} cards
of scenes from {check_seed:,}, whose digits are set in fonts that training never saw. No photograph
took part.

**How these very weights came about.** The first 107 minutes (4 stages, seeds 1, 1, 31 and 37, 13,191
steps, 54,292 half cards) the network saw one side at a time; then the strips of opposite sides were
shown to each other: 3 stages of 60, 16 and 33 minutes (seeds 43, 44 and 45), the matching colours
from the middle of the first on, the frames from the second. All that time a fault of the renderer
shrank the pictures of bent lenses, three of ten, by 1.6 to 2.8 %: cards were drawn smaller than
they were said to be. Last came {stage_minutes} minutes (seed 46, rate 0.0012) with pictures that are
right; the cards counted above are these. `python -m models.remake` trains in one stage; since
training stops by the clock, a faster machine takes more steps and other weights result.

**Scores on the validation scenes**, strips up to 7 mm off and relit as in training: off by
{median_mm:.2f} mm in the median and {mean_mm:.2f} mm on average, the surer half by
{sure_median_mm:.2f} and {sure_mean_mm:.2f} mm (n = {places}). Many of these strips show no side at
all. How well tables are found stands in the project's README, with the command that measures it.
"""


class _InMillimetres(nn.Module):
    """Tells how unsure a place is in millimetres instead of as a logarithm."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, strips: Tensor) -> tuple[Tensor, Tensor]:
        place, unsure = self.network(strips)
        return place, torch.exp(unsure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    model = Sides()
    model.load_state_dict(torch.load(chosen.run / "sides.pt", weights_only=True))
    model.eval()
    check = SideStore(chosen.data, "val")
    scores = validate_sides(model, check)
    model.eval()
    wide, high = STRIP_SIZE_PX
    many = {0: "sides"}
    path = chosen.out / SIDES_FILE
    write_network(
        _InMillimetres(model), torch.zeros((2, high, wide, 3), dtype=torch.uint8), path,
        ("strips", ["offsets", "unsure"]), {"strips": many, "offsets": many, "unsure": many},
    )  # fmt: skip
    stages = last_rows(chosen.run / "sides.jsonl")
    text = _CARD.format(
        file=SIDES_FILE,
        kb=path.stat().st_size // 1000,
        wide=wide,
        high=high,
        scale=STRIP_PX_PER_MM,
        along=ALONG_MM,
        parameters=sum(p.numel() for p in model.parameters()),
        minutes=_BEFORE_MINUTES + sum(stage["minutes"] for stage in stages),
        steps=_BEFORE_STEPS + sum(int(stage["step"]) for stage in stages),
        stage_minutes=" and ".join(f"{stage['minutes']:.0f}" for stage in stages),
        framed=FRAMED,
        matching_seed=SIDES_MATCHING_SEED,
        cards=len(SideStore(chosen.data, "train").cards),
        checked=len(check.cards),
        seed=SIDES_SEED,
        solo_seed=SIDES_SOLO_SEED,
        check_seed=SIDES_VALIDATION_SEED,
        **scores,
    )
    (chosen.out / "SIDES.md").write_text(text, encoding="utf-8")
    print(json.dumps(scores, indent=1))


if __name__ == "__main__":
    main()
