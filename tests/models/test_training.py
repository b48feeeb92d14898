"""Learning beside what was known; runs where the training extra is installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from models.mix import mixed  # noqa: E402
from models.networks import Reader  # noqa: E402
from models.train import parting  # noqa: E402
from vision.facts import PRINT_COLOURS, PRINT_FACES  # noqa: E402

COLOUR, FACE = torch.tensor([0, 1]), torch.tensor([3, 4])


def told(face: int, sure: float = 6.0, present: float = 4.0) -> tuple[object, object, object]:
    """Logits that read both crops with this face, in the right colours."""
    hue = torch.zeros(2, len(PRINT_COLOURS))
    hue[torch.arange(2), COLOUR] = sure
    joint = torch.zeros(2, 2 * len(PRINT_FACES))
    joint[:, face] = sure
    return hue, joint, torch.full((2, 1), present)


def test_to_part_costs_where_the_weights_before_were_right() -> None:
    kept = told(3)
    costs = [float(parting(now, kept, COLOUR, FACE)) for now in (told(3), told(3, 3.0), told(4))]
    assert costs == sorted(costs)
    assert costs[0] < 0.1 < costs[2]


def test_nothing_is_kept_of_what_was_misread() -> None:
    kept = told(9)  # neither crop's face
    assert float(parting(told(3), kept, COLOUR, FACE)) == pytest.approx(
        float(parting(told(4), kept, COLOUR, FACE))
    )


def test_a_mixture_lies_between_both_states() -> None:
    torch.manual_seed(1)
    old, new = Reader().state_dict(), Reader().state_dict()
    half = mixed(old, new, 0.25)
    name = "body.0.0.weight"
    assert torch.allclose(half[name], 0.75 * old[name] + 0.25 * new[name], atol=1e-6)
    with pytest.raises(ValueError, match="one network"):
        mixed({}, new, 0.5)
