"""Where the network's weights lie. They are data of the installation, found by path.

The package `models` stands above this one and is not imported: it holds the training, which
a referee at work does not need.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from referee.errors import RefereeError

READER = "reader.onnx"
"""The network that finds and reads half cards."""

OVERRIDE = "REFEREE_MODELS"
"""Environment variable: a folder to take the weights from instead, for those who train."""


def weights_path(name: str = READER) -> Path:
    """The file of a network's weights; raises `RefereeError` where the installation lacks it."""
    override = os.environ.get(OVERRIDE)
    if override:
        folder = Path(override)
    else:
        spec = find_spec("models")
        if spec is None or not spec.submodule_search_locations:
            raise RefereeError("the package 'models' with the weights is not installed")
        folder = Path(next(iter(spec.submodule_search_locations)))
    path = folder / name
    if not path.is_file():
        raise RefereeError(f"expected the weights {path}, found no such file")
    return path
