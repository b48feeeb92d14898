"""Where the networks' weights lie, and how they are loaded.

They are data of the installation, found by path. The package `models` stands above this one and
is not imported: it holds the training, which a referee at work does not need.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import onnxruntime as ort

OVERRIDE = "REFEREE_MODELS"
"""Environment variable: a folder to take the weights from instead, for those who train."""


class WeightsError(ValueError):
    """The weights are missing or not of this program; says what was expected and found."""


def weights_folder() -> Path:
    """The folder of the weights; raises `WeightsError` where there is none.

    Whether the right files are in it is for whoever loads them to say.
    """
    override = os.environ.get(OVERRIDE)
    if override:
        if not Path(override).is_dir():
            raise WeightsError(f"{OVERRIDE}: expected a folder, found no such one: {override}")
        return Path(override)
    spec = find_spec("models")
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError("the package 'models' with the weights is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def load_network(path: Path, threads: int) -> ort.InferenceSession:
    """The network in a file, for the processor alone; raises `WeightsError` where there is none."""
    if not path.is_file():
        raise WeightsError(f"expected the weights {path}, found no such file")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait in a loop would take the core that decodes the next pictures.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has no public base class of its own
        raise WeightsError(f"expected an ONNX network in {path}: {error}") from error
