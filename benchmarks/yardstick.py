"""The yardstick: a general object detector of the smallest usual size, with random weights.

What it would find does not matter, only what it costs: a picture of 640 x 640, about three
million weights and nine billion multiply-adds and adds, in the way of the small one-stage
detectors (a backbone of split-and-merge blocks, a two-way neck, three heads). Somebody who
reads a table by running such a network on every frame pays this much for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIZE_PX = 640
CLASSES = 80
BOX_BINS = 64


@dataclass(slots=True)
class _Graph:
    """A network under construction; each method adds a layer and returns its output's name."""

    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def node(self, kind: str, inputs: list[str], **attributes: object) -> str:
        output = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, values: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def plain(self, x: str, wide_in: int, wide_out: int, kernel: int = 1, stride: int = 1) -> str:
        scale = 1 / np.sqrt(wide_in * kernel * kernel)
        shape = (wide_out, wide_in, kernel, kernel)
        weight = self.constant((self.rng.standard_normal(shape) * scale).astype(np.float32))
        bias = self.constant(np.zeros(wide_out, np.float32))
        return self.node(
            "Conv",
            [x, weight, bias],
            kernel_shape=[kernel, kernel],
            strides=[stride, stride],
            pads=[kernel // 2] * 4,
        )

    def conv(self, x: str, wide_in: int, wide_out: int, kernel: int = 1, stride: int = 1) -> str:
        """Convolution and SiLU."""
        y = self.plain(x, wide_in, wide_out, kernel, stride)
        return self.node("Mul", [y, self.node("Sigmoid", [y])])

    def block(self, x: str, wide_in: int, wide: int, deep: int, *, add: bool) -> str:
        """Split in two, send one half through `deep` pairs of convolutions, keep every step."""
        half = wide // 2
        steps = [self.conv(x, wide_in, half), self.conv(x, wide_in, half)]
        for _ in range(deep):
            y = self.conv(self.conv(steps[-1], half, half, 3), half, half, 3)
            steps.append(self.node("Add", [y, steps[-1]]) if add else y)
        return self.conv(self.node("Concat", steps, axis=1), half * len(steps), wide)

    def pooled(self, x: str, wide: int) -> str:
        """Look at wider and wider surroundings."""
        steps = [self.conv(x, wide, wide // 2)]
        for _ in range(3):
            steps.append(
                self.node("MaxPool", [steps[-1]], kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1])
            )
        return self.conv(self.node("Concat", steps, axis=1), wide * 2, wide)

    def doubled(self, x: str) -> str:
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        return self.node("Resize", [x, "", scales], mode="nearest")

    def join(self, a: str, b: str) -> str:
        return self.node("Concat", [a, b], axis=1)

    def head(self, x: str, wide: int) -> str:
        """Boxes and classes at one scale."""
        outputs = []
        for between, out in ((64, BOX_BINS), (80, CLASSES)):
            y = self.conv(self.conv(x, wide, between, 3), between, between, 3)
            outputs.append(self.plain(y, between, out))
        return self.join(*outputs)


def detector(seed: int = 0) -> bytes:
    """The network as an ONNX file, the same for the same seed."""
    g = _Graph(np.random.default_rng(seed))
    x = g.conv(g.conv("image", 3, 16, 3, 2), 16, 32, 3, 2)
    x = g.block(x, 32, 32, 1, add=True)
    fine = g.block(g.conv(x, 32, 64, 3, 2), 64, 64, 2, add=True)
    middle = g.block(g.conv(fine, 64, 128, 3, 2), 128, 128, 2, add=True)
    coarse = g.block(g.conv(middle, 128, 256, 3, 2), 256, 256, 1, add=True)
    coarse = g.pooled(coarse, 256)
    up = g.block(g.join(g.doubled(coarse), middle), 384, 128, 1, add=False)
    out_fine = g.block(g.join(g.doubled(up), fine), 192, 64, 1, add=False)
    out_middle = g.block(g.join(g.conv(out_fine, 64, 64, 3, 2), up), 192, 128, 1, add=False)
    out_coarse = g.block(g.join(g.conv(out_middle, 128, 128, 3, 2), coarse), 384, 256, 1, add=False)
    outputs = [g.head(out_fine, 64), g.head(out_middle, 128), g.head(out_coarse, 256)]
    graph = helper.make_graph(
        g.nodes,
        "yardstick",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, SIZE_PX, SIZE_PX])],
        [
            helper.make_tensor_value_info(
                name,
                TensorProto.FLOAT,
                [1, BOX_BINS + CLASSES, SIZE_PX // stride, SIZE_PX // stride],
            )
            for name, stride in zip(outputs, (8, 16, 32), strict=True)
        ],
        g.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def weight_count(model: bytes) -> int:
    """How many weights a network has."""
    graph = onnx.load_from_string(model).graph
    return sum(int(np.prod(weight.dims)) for weight in graph.initializer)
