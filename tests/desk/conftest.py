"""A desk that is served, for tests in a browser; each module has a `table` of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.server.serve import bind, serving
from tests.desk.tables import Table, Watched


@pytest.fixture
def source(table: Table) -> Watched:
    source = Watched()
    source.desk = table.desk
    return source


@pytest.fixture
def url(source: Watched) -> Iterator[str]:
    with serving(source, bind(port=0)) as address:
        yield f"{address}/desk?lang=en"
