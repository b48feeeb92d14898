"""The API, asked at random by what its own description says of it.

Whatever is sent, the server answers with what it describes, and never with a failure of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from referee.session import header_for
from tests.referee.play import TABLE
from tests.setup.still import Room

schemathesis = pytest.importorskip("schemathesis")
checks = pytest.importorskip("schemathesis.checks")

ALL = list(HealthCheck)

HERE = {"Host": "127.0.0.1"}

ENDLESS = ["/api/events", "/api/control/events", "/video", "/api/setup/video"]
"""Feeds end when their client goes; they have tests of their own."""

MUST_HOLD = [
    checks.not_a_server_error,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.status_code_conformance,
]


def test_every_answer_is_as_described(tmp_path: Path) -> None:
    """A server with all that it can have: a camera, a table that is set up, a game."""
    room = Room(tmp_path, whole=True)
    room.see()
    room.games.begin(TABLE, header_for(TABLE))
    schema = schemathesis.openapi.from_asgi("/openapi.json", room.client.app, headers=HERE)
    operations = [one.ok() for one in schema.exclude(path=ENDLESS).get_all_operations()]
    assert len(operations) > 40
    failures = {}
    for operation in operations:

        @settings(max_examples=3, deadline=None, database=None, suppress_health_check=ALL)
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            case.call_and_validate(checks=MUST_HOLD, headers=HERE)

        try:
            ask()
        except checks.FailureGroup as failure:
            failures[operation.label] = failure
    assert not failures, "\n".join(
        f"{label}: {one}" for label, group in failures.items() for one in group.exceptions
    )
