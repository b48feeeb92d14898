"""What the benchmark works with is what it says."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

from benchmarks.material import full_hd_copy, last_frame, table_of
from calibration.table import load_table

onnx = pytest.importorskip("onnx")


def test_the_yardstick_has_the_size_of_a_small_detector() -> None:
    from benchmarks.yardstick import SIZE_PX, detector, weight_count

    model = detector()
    assert 2.5e6 < weight_count(model) < 4e6
    assert detector() == model, "the same seed makes the same network"
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    outputs = session.run(None, {"image": np.ones((1, 3, SIZE_PX, SIZE_PX), np.float32)})
    assert [output.shape[2] for output in outputs] == [80, 40, 20]
    assert all(np.isfinite(output).all() for output in outputs)


def test_full_hd_copy(samples: Path, tmp_path: Path) -> None:
    copy = full_hd_copy(samples / "c1.mp4", tmp_path, seconds=0.4)
    assert last_frame(copy).shape == (1080, 1920, 3)
    source = cv2.VideoCapture(str(copy))
    assert source.get(cv2.CAP_PROP_FRAME_COUNT) == 6
    source.release()
    # The same point of the table lies at the same place of the picture.
    where = np.array([[100.0, -50.0]])
    small = load_table(samples / "c1.table.json").plane
    large = load_table(table_of(copy)).plane
    assert np.allclose(large.to_px(where), (small.to_px(where) + 0.5) * 1.5 - 0.5)
