"""A server that others can reach, with keys of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from referee.server.access import Access
from referee.server.app import create_app
from referee.server.links import LinksFile
from tests.server.desk import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LinksFile:
    """The file of keys, in a folder of the test's own."""
    monkeypatch.setenv("REFEREE_CONFIG", str(tmp_path / "config"))
    file = LinksFile()
    file.load()
    return file


@pytest.fixture
def app(desk: Desk, file: LinksFile) -> FastAPI:
    return create_app(desk, access=Access(frozenset({"table.lan"}), file, 8017))
