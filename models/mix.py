"""Mixes two states of a network: `python -m models.mix OLD.pt NEW.pt SHARE OUT.pt`.

The mean of weights from before and after a stage of learning often does better than either on
pictures of another kind than those learnt from (arXiv 2109.01903): what the stage has taught
mostly stays, what it has worn off mostly comes back.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor

Weights = dict[str, Tensor]


def mixed(old: Weights, new: Weights, share: float) -> Weights:
    """``share`` of the new weights, the rest of the old ones; counts are the new ones'."""
    if old.keys() != new.keys():
        raise ValueError("expected two states of one network, found other weights in each")
    return {
        name: torch.lerp(old[name], now, share) if now.dtype.is_floating_point else now
        for name, now in new.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("share", type=float, help="of the new weights, 0 to 1")
    parser.add_argument("out", type=Path)
    chosen = parser.parse_args()
    states = [torch.load(path, weights_only=True) for path in (chosen.old, chosen.new)]
    torch.save(mixed(states[0], states[1], chosen.share), chosen.out)


if __name__ == "__main__":
    main()
