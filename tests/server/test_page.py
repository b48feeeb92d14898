"""The overlay in a real browser."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from referee.cli import application
from referee.server.serve import Serving, bind
from tests.pages import SIZES, violations
from tests.server.desk import HEADER, ILLEGAL, PLACE, START, Desk, ruling

Page = Any
"""playwright's, which the type checker may not have."""

AFTER_START = ruling(0, player=None, turn=0, hands=[8, 8, 8], ends=["r5", "g1"])
WRONG = ruling(
    2, player=1, legal=False, violations=["no_match"], turn=2, hands=[7, 7, 8], ends=["r5", "y1"]
)


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Callable[..., Page]]:
    """Opens addresses; a script that fails on the page fails the test."""
    pages: list[Page] = []
    errors: list[str] = []

    def open_it(address: str, width: int = 1280, height: int = 720) -> Page:
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address, wait_until="domcontentloaded")
        pages.append(page)
        return page

    yield open_it
    for page in pages:
        page.close()
    assert errors == []


def test_the_page_shows_the_table(open_page: Callable[..., Page], url: str, desk: Desk) -> None:
    effect = {"effect": "owe_draw", "player": 1, "count": 2}
    desk.add(START, AFTER_START, PLACE, ruling(1, must_draw=2, effects=[effect]))
    page = open_page(f"{url}/overlay?lang=de")
    seats = page.locator(".seat")
    seats.nth(2).wait_for()
    assert page.locator(".seat-name").all_inner_texts() == ["Ann", "Ben", "Cem"]
    assert page.locator(".seat-cards").all_inner_texts() == ["7", "8", "8"]
    assert page.locator(".seat.on-turn .seat-name").inner_text() == "Ben"
    assert page.locator(".seat.on-turn .mark-owes").inner_text() == "zieht 2"
    assert page.locator("#pile").inner_text() == "95"
    assert page.locator("#direction").inner_text() == "links herum"
    ends = page.locator(".end .half")
    assert [ends.nth(i).get_attribute("data-half") for i in (0, 1)] == ["r5", "g6"]
    assert page.locator(".play-what").inner_text() == "Ann legt Grün 7, Grün 6."
    assert page.locator(".play-next").inner_text() == ("Ben muss 2 Karten ziehen. Ben ist am Zug.")
    assert page.locator("#status").inner_text() == "schaut zu"


def test_a_colour_is_a_shape_as_well(open_page: Callable[..., Page], url: str, desk: Desk) -> None:
    desk.add(START, AFTER_START)
    page = open_page(f"{url}/overlay")
    page.locator(".end .half").nth(1).wait_for()
    shapes = {
        page.evaluate(
            "async (colour) => (await import('/static/cards.js')).shape(colour).innerHTML", colour
        )
        for colour in "rygb"
    }
    assert len(shapes) == 4
    assert page.locator("#end-left .pip .shape > *").count() > 0


def test_an_illegal_move_raises_the_alarm_with_its_reason(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START, PLACE, ruling(1))
    page = open_page(f"{url}/overlay")
    page.locator(".seat").nth(2).wait_for()
    assert page.locator("#banner").is_hidden()
    desk.add(ILLEGAL, WRONG)
    banner = page.locator("#banner[data-kind=illegal]")
    banner.wait_for()
    assert "ILLEGAL MOVE" in banner.inner_text()
    assert "Ben's card matches in neither colour nor symbol." in banner.inner_text()
    halves = banner.locator(".half")
    assert [halves.nth(i).get_attribute("data-half") for i in (0, 1)] == ["y4", "g6"]
    assert page.locator("body.alarm").count() == 1
    assert page.locator(".seat").nth(1).locator(".mark-fault").inner_text() == "1"
    desk.add({"type": "take_back", "player": 1, "card": "y4/y1", "t": 12.0}, ruling(3, turn=1))
    page.locator("#banner[data-kind=taken_back]").wait_for()
    assert page.locator("body.alarm").count() == 0


def test_a_page_that_opens_during_a_fault_shows_it(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START, PLACE, ruling(1), ILLEGAL, WRONG)
    open_page(f"{url}/overlay").locator("#banner[data-kind=illegal]").wait_for()


def test_doubt_is_no_alarm(open_page: Callable[..., Page], url: str, desk: Desk) -> None:
    desk.add(START, AFTER_START)
    page = open_page(f"{url}/overlay")
    page.locator(".seat").nth(2).wait_for()
    desk.add(PLACE, ruling(1, legal=None))
    page.locator("#banner[data-kind=unsure]").wait_for()
    assert "CANNOT TELL" in page.locator("#banner").inner_text()
    assert page.locator("body.alarm").count() == 0


def test_a_correction_tells_what_holds_now(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START, PLACE, ruling(1), ILLEGAL, WRONG)
    page = open_page(f"{url}/overlay")
    page.locator("#banner[data-kind=illegal]").wait_for()
    right = ILLEGAL | {"card": "g4/y1", "with": "g4"}
    desk.show(log=(START, AFTER_START, PLACE, ruling(1), right, ruling(2, player=1, turn=2)))
    page.locator("#banner[data-kind=corrected]").wait_for()
    assert "Ben plays green 4, yellow 1." in page.locator("#banner").inner_text()


def test_what_is_being_checked_is_shown_as_such(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START)
    desk.show(light="checking", provisional=PLACE)
    page = open_page(f"{url}/overlay")
    page.locator("#play.checking .card").wait_for()
    assert page.locator(".play-what").inner_text() == "Checking…"
    desk.show(light="out_of_sync", provisional=None)
    page.locator("#status[data-light=out_of_sync]").wait_for()
    assert "The table does not fit the record" in page.locator("#status").inner_text()


def test_the_page_survives_the_server(open_page: Callable[..., Page], desk: Desk) -> None:
    listener = bind(port=0)
    port = listener.getsockname()[1]
    server = Serving(desk, listener)
    server.start()
    page = open_page(f"{server.url}/overlay")
    page.locator(".seat").nth(2).wait_for()
    server.stop()
    page.locator("body.stale").wait_for(state="attached")
    assert page.locator("#status[data-light=stale]").is_visible()
    desk.add(START, AFTER_START, PLACE, ruling(1))
    again = Serving(desk, bind(port=port))
    again.start()
    try:
        page.locator("#end-right .half[data-half=g6]").wait_for()
        page.locator("body:not(.stale)").wait_for(state="attached")
    finally:
        again.stop()


def test_a_page_opened_before_the_server_begins_by_itself(
    open_page: Callable[..., Page], desk: Desk, tmp_path: Path
) -> None:
    with bind(port=0) as free:
        port = free.getsockname()[1]
    local = tmp_path / "overlay.html"
    address = f"http://127.0.0.1:{port}/overlay?lang=fi&theme=light"
    arguments = ["overlay-page", "--url", address, "--out", str(local)]
    done = CliRunner().invoke(application("overlay-page"), arguments)
    assert done.exit_code == 0, done.output
    page = open_page(local.as_uri())
    page.wait_for_timeout(1500)
    assert page.locator("iframe").count() == 0
    assert violations(page) == [], "it waits, and shows nothing"
    server = Serving(desk, bind(port=port))
    server.start()
    try:
        frame = page.frame_locator("iframe")
        frame.locator(".seat").nth(2).wait_for()
        assert frame.locator("#direction").inner_text() == "vasemmalle"
        assert frame.locator("body").get_attribute("data-theme") == "light"
    finally:
        server.stop()


def test_the_page_is_transparent_where_nothing_is_shown(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START)
    page = open_page(f"{url}/overlay?motion=calm")
    page.locator(".end .half").nth(1).wait_for()
    image = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    assert image.size == (1280, 720)
    alpha = np.asarray(image)[..., 3]
    assert alpha[300, 640] == 0
    assert alpha[640, 640] > 200


def test_panels_can_be_left_out_and_movement_too(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    desk.add(START, AFTER_START)
    page = open_page(f"{url}/overlay?panels=line&motion=calm&theme=contrast")
    page.locator(".end .half").nth(1).wait_for()
    assert page.locator("#players").is_hidden()
    assert page.locator("#status").is_hidden()
    assert page.locator("body").get_attribute("data-theme") == "contrast"
    desk.show(light="checking")
    page.locator("#play.checking").wait_for()
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter("
        "(e) => getComputedStyle(e).animationName !== 'none').length"
    )
    assert moving == 0


@pytest.mark.parametrize("layout", ["full", "lower", "vertical"])
def test_every_layout_keeps_its_panels_in_the_picture(
    open_page: Callable[..., Page], url: str, desk: Desk, layout: str
) -> None:
    names = ["Annemarie", "Ben", "Cem", "Dörte", "Eetu", "Florentina-Maria"]
    header = HEADER | {"players": names, "hands": [8] * 6}
    desk.show(header=header)
    hands = ruling(2, player=5, hands=[8] * 6)
    desk.add(START, AFTER_START, PLACE, ruling(1, hands=[8] * 6), ILLEGAL, WRONG | hands)
    size = (540, 960) if layout == "vertical" else (1280, 720)
    page = open_page(f"{url}/overlay?motion=calm&lang=de&layout={layout}", *size)
    page.locator("#line").wait_for()
    for panel in ("#players", "#line", "#status"):
        box = page.locator(panel).bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["y"] >= 0
        assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]
    for text in page.locator(".seat-cards, .play-what, .banner-head").all():
        assert text.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")


def test_a_name_is_text_and_nothing_else(
    open_page: Callable[..., Page], url: str, desk: Desk
) -> None:
    name = "<img src=x onerror=alert(1)>"
    desk.show(header=HEADER | {"players": [name, "Ben", "Cem"]})
    desk.add(START, AFTER_START, PLACE, ruling(1))
    page = open_page(f"{url}/overlay")
    page.locator(".seat").nth(2).wait_for()
    assert page.locator(".seat-name").first.inner_text() == name
    assert page.locator("#stage img").count() == 0


def test_the_list_of_addresses_needs_no_other_server(
    open_page: Callable[..., Page], url: str
) -> None:
    page = open_page(f"{url}/docs")
    page.locator("article").nth(3).wait_for()
    headings = page.locator("h2").all_inner_texts()
    assert "GET/api/state" in [heading.replace(" ", "") for heading in headings]


@pytest.mark.parametrize("size", SIZES)
def test_the_list_of_addresses_tells_what_to_send_and_fits(
    open_page: Callable[..., Page], url: str, size: tuple[int, int]
) -> None:
    page = open_page(f"{url}/docs", *size)
    decide = page.locator("article", has_text="/api/control/moves/{number}/decide")
    decide.wait_for()
    sent = decide.locator("h3 + table tr").first.locator("td").all_inner_texts()
    assert sent[:2] == ["legal *", "boolean"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []
