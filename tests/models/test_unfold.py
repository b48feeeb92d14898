"""Weights that are committed can be trained further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from models.networks import Finder, Reader, Sides  # noqa: E402
from models.unfold import load_onnx  # noqa: E402

WEIGHTS = Path(__file__).parents[2] / "models"
NETWORKS = [
    (Finder, "finder.onnx", (1, 80, 96)),
    (Reader, "reader.onnx", (3, 80, 96)),
    (Sides, "sides.onnx", (4, 80, 64)),
]


def pictures(shape: tuple[int, int, int], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (*shape, 3), dtype=np.uint8)


def shown(images: np.ndarray) -> Any:
    return torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255


def answers(told: object) -> list[np.ndarray]:
    return [part.detach().numpy() for part in (told if isinstance(told, tuple) else (told,))]


@pytest.mark.parametrize(("kind", "file", "shape"), NETWORKS)
def test_a_network_of_committed_weights_answers_as_they_do(
    kind: type, file: str, shape: tuple[int, int, int]
) -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(WEIGHTS / file)
    network = kind()
    load_onnx(network, WEIGHTS / file, lambda model: model(shown(pictures(shape, 1))))
    network.eval()
    seen = pictures(shape)
    expected = session.run(None, {session.get_inputs()[0].name: seen})
    told = answers(network(shown(seen)))
    if kind is Sides:  # which tells millimetres, and is trained on their logarithm
        told[1] = np.exp(told[1])
    for one, other in zip(told, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4)


def test_its_norms_hold_what_it_was_shown() -> None:
    """While it is trained, a norm uses the batch's statistics: with the same pictures nothing may
    change."""
    network, seen = Finder(), shown(pictures((6, 80, 96)))
    load_onnx(network, WEIGHTS / "finder.onnx", lambda model: model(seen))
    assert network.training
    batchwise = network(seen).detach()
    settled = network.eval()(seen).detach()
    assert float((batchwise - settled).abs().max()) < 0.01 * float(settled.abs().max())


def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(ValueError, match=r"finder\.onnx: expected layers"):
        load_onnx(Reader(), WEIGHTS / "finder.onnx", lambda m: m(shown(pictures((2, 80, 96)))))
