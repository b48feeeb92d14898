"""A server over a game that the test moves on."""

from __future__ import annotations

from collections.abc import Iterator

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
