"""The overlay over a game of SOLO: the top card alone, and the colour called for a wild."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.server.serve import bind, serving
from tests.pages import Browser, opened
from tests.server.desk import HEADER, Desk, ruling

WILD = {"type": "place", "t": 6.0, "player": 0, "card": "kW"}
CALLED = {"type": "choose_colour", "t": 7.0, "player": 0, "colour": "b"}
LAID = {"type": "place", "t": 9.0, "player": 1, "card": "b7"}


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.show(header=HEADER | {"game": "solo"})
    desk.add({"type": "start", "t": 2.0, "card": "r5"}, ruling(0, ends=["r5"], colour="r"))
    return desk


@pytest.fixture
def url(desk: Desk) -> Iterator[str]:
    """The address of a server over the desk."""
    with serving(desk, bind(port=0)) as address:
        yield address


def test_the_top_card_and_the_colour_in_force(chromium: Browser, url: str, desk: Desk) -> None:
    with opened(chromium, f"{url}/overlay?motion=calm") as page:
        left, right = page.locator("#end-left"), page.locator("#end-right")
        left.locator("[data-half=r5]").wait_for()
        assert right.locator(".half").count() == 0
        assert left.locator(".called").count() == 0
        desk.add(WILD, ruling(1, ends=["kW"], colour="?", turn=0))
        left.locator("[data-half=kW]").wait_for()
        assert left.locator(".called").inner_text() == "?"
        desk.add(CALLED, ruling(2, ends=["kW"], colour="b"))
        left.locator(".called[data-colour=b]").wait_for()
        assert left.locator(".called").count() == 1
        desk.add(LAID, ruling(3, ends=["b7"], colour="b", turn=2))
        left.locator("[data-half=b7]").wait_for()
        assert left.locator(".called").count() == 0
