"""Weights from ONNX back into a network that can be trained further.

Checkpoints are not kept, and `models.export.write_network` folds batch norms into the convolutions
before them. Here they are taken apart again: each norm holds the mean and spread of what comes out
of its convolution, so that training goes on as from a checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

_OF_THE_NETWORK = "network."
"""Exported networks are wrapped, which shows in the names of their weights."""


def load_onnx(model: nn.Module, path: Path, show: Callable[[nn.Module], object]) -> None:
    """Gives ``model`` the weights of an ONNX file that was made of one like it.

    ``show`` has the model look at pictures of the kind it is trained on; from these come the
    norms' statistics. Raises `ValueError` where the file is another network's.
    """
    graph = onnx.load(path).graph
    weights = {one.name: torch.tensor(numpy_helper.to_array(one)) for one in graph.initializer}
    named = {
        name.rsplit(_OF_THE_NETWORK, 1)[-1]: weights.pop(name)
        for name in list(weights)
        if name.startswith(_OF_THE_NETWORK)
    }
    folded = [
        [weights[name] for name in node.input[1:]]
        for node in graph.node
        if node.op_type in {"Conv", "MatMul"} and node.input[1] in weights
    ]
    model.eval()
    pairs = _in_order(model, show, set(named))
    shapes = [tuple(layer.weight.shape) for layer, _ in pairs]
    found = [tuple(part[0].shape if len(part) > 1 else part[0].T.shape) for part in folded]
    if shapes != found:
        raise ValueError(f"{path}: expected layers of {shapes}, found {found}")
    model.load_state_dict({**model.state_dict(), **named})
    norms = []
    with torch.no_grad():
        for (layer, norm), (weight, *bias) in zip(pairs, folded, strict=True):
            layer.weight.copy_(weight if bias else weight.T)
            if norm is not None and bias:
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
                norm.bias.copy_(bias[0])
                norms.append(norm)
        _give_statistics(model, norms, show)
    model.train()


def _in_order(
    model: nn.Module, show: Callable[[nn.Module], object], named: set[str]
) -> list[tuple[nn.Module, nn.Module | None]]:
    """Layers whose weights have lost their names, as they come, each with the norm after it."""
    ran: list[nn.Module] = []
    hooks = [
        part.register_forward_hook(lambda part, *_: ran.append(part) if part not in ran else None)
        for part in model.modules()
        if isinstance(part, (nn.Conv2d, nn.Linear, nn.BatchNorm1d, nn.BatchNorm2d))
    ]
    with torch.no_grad():
        show(model)
    for hook in hooks:
        hook.remove()
    kept = {part for name, part in model.named_modules() if f"{name}.weight" in named}
    return [
        (layer, norm if isinstance(norm, nn.BatchNorm2d) else None)
        for layer, norm in zip(ran, [*ran[1:], None], strict=True)
        if layer not in kept and isinstance(layer, (nn.Conv2d, nn.Linear))
    ]


def _give_statistics(
    model: nn.Module, norms: list[nn.BatchNorm2d], show: Callable[[nn.Module], object]
) -> None:
    """Moves what the norms add and stretch into mean and spread of what they are given."""
    seen: dict[nn.Module, list[Tensor]] = {norm: [] for norm in norms}

    def note(norm: nn.Module, given: tuple[Tensor]) -> None:
        values = given[0].double()
        moments = [values.mean((0, 2, 3)), values.square().mean((0, 2, 3))]
        seen[norm].append(torch.stack(moments))

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    show(model)
    for hook in hooks:
        hook.remove()
    for norm, moments in seen.items():
        mean, square = torch.stack(moments).mean(0)
        spread = (square - mean.square()).clamp(min=1e-8)
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None and norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias += mean.float()
