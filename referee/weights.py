"""Where the networks' weights lie. They are data of the installation, found by path.

The package `models` stands above this one and is not imported: it holds the training, which
a referee at work does not need.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from referee.errors import RefereeError

OVERRIDE = "REFEREE_MODELS"
"""Environment variable: a folder to take the weights from instead, for those who train."""


def weights_folder() -> Path:
    """The folder of the weights; raises `RefereeError` where there is none.

    Whether the right files are in it is for whoever loads them to say.
    """
    override = os.environ.get(OVERRIDE)
    if override:
        if not Path(override).is_dir():
            raise RefereeError(f"{OVERRIDE}: expected a folder, found no such one: {override}")
        return Path(override)
    spec = find_spec("models")
    if spec is None or not spec.submodule_search_locations:
        raise RefereeError("the package 'models' with the weights is not installed")
    return Path(next(iter(spec.submodule_search_locations)))
