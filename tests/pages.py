"""Pages in a real browser: opened at the sizes people use, and asked how accessible they are."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

Browser = Any
"""playwright's, which the type checker may not have."""
Page = Any

PHONE = (390, 844)
DESKTOP = (1440, 900)
SIZES = (PHONE, DESKTOP)
"""What every page is looked at with, width and height in pixels."""

PATIENCE_MS = 60_000
"""How long a test waits for something on a page: a busy machine is no fault of the page."""


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium; the test skips where there is none.

    Tests ask for the fixture ``chromium`` instead: playwright runs only once in a process.
    """
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("needs Chromium on the path (Debian's package chromium)")
    with sync_api.sync_playwright() as play:
        started = play.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        )
        yield started
        started.close()


@contextmanager
def opened(started: Browser, address: str, size: tuple[int, int] = DESKTOP) -> Iterator[Page]:
    """A page at an address; a script that fails on it fails the test when the page is closed."""
    width, height = size
    page = started.new_page(viewport={"width": width, "height": height})
    errors: list[str] = []
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(address, wait_until="domcontentloaded")
        yield page
    finally:
        page.close()
    assert errors == []


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page as it stands: ``rule (impact): element, element``.

    The test skips where axe is not installed.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): "
        + ", ".join(" ".join(map(str, node["target"])) for node in one["nodes"])
        for one in found
    ]
