"""A server over a game that the test moves on, and a browser to look at it."""

from __future__ import annotations

import json
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
