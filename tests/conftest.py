"""What the tests of several areas use: where the sample is, where the shared data is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.pages import Browser, browser

# The same examples on every run, so that a landing does not hang on luck, and no deadline, so
# that it does not hang on the machine. HYPOTHESIS_PROFILE=explore looks for new examples.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

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


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless browser for all tests of a run; see `tests.pages`."""
    with browser() as started:
        yield started
