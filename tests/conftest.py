"""What the tests of several areas use: where the sample is, where the shared data is."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of the sample recording, which every clone has."""
    return ROOT / "datasets" / "samples"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of pictures and recordings beside the project; the test skips without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"needs {folder}")
    return folder
