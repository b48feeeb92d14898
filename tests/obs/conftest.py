"""An OBS that is not one, and a game that the test moves on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.obs.fake import FakeObs
from tests.server.desk import Desk


@pytest.fixture
def fake() -> Iterator[FakeObs]:
    obs = FakeObs()
    obs.start()
    yield obs
    obs.stop()


@pytest.fixture
def desk() -> Desk:
    return Desk()
