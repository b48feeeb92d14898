"""A server over a game that the test moves on, and a browser to look at it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.server.serve import bind, serving
from tests.server.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def url(desk: Desk) -> Iterator[str]:
    """The address of a server over the desk."""
    with serving(desk, bind(port=0)) as address:
        yield address


@pytest.fixture(scope="session")
def sample_record(samples: Path) -> list[dict[str, Any]]:
    """The sample recording's record, its header first."""
    text = (samples / "c1.game.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless browser; the test skips where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs Debian's Chromium")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        )
        yield browser
        browser.close()
