"""The set-up page in a real browser: a table is set up and a game begins, without a command line."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from calibration.auto import PlaneFit
from calibration.table import load_table
from calibration.view import View
from referee.server import setup_state
from referee.server.serve import Serving, bind
from referee.server.setup import setup_routes
from tests.pages import PHONE, SIZES, opened, violations
from tests.setup.still import Room
from tests.stage import HIGH, PLANE, WIDE

RUNS_OUT = """() => {
  const cut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible";
  const shown = [...document.querySelectorAll("main *, header *")].filter((one) => one.checkVisibility() && !one.closest(".sr"));
  const wide = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
  return [...shown.filter((one) => one.tagName !== "INPUT" && one.clientWidth && cut(one)), ...wide].map((one) => one.outerHTML.slice(0, 80));
}"""
"""Elements whose text is cut off, or that reach beyond the page."""

FOUND = PlaneFit(PLANE, View((WIDE, HIGH), 0.5, (0.0, 0.0), 400.0), 9, 1.0)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A table with two cards and a draw pile on it; the search for it takes no time and finds it."""
    monkeypatch.setattr(setup_state, "plane_from_cards", lambda *_, **__: FOUND)
    room = Room(tmp_path)
    room.stage.cards = [("r5/g1", 0.0, 0.0), ("b7/yS", -200.0, 80.0)]
    room.stage.pile = True
    room.see()
    return room


@contextmanager
def served(room: Room) -> Iterator[str]:
    """The room's server, and a camera that goes on meanwhile."""
    over = threading.Event()

    def film() -> None:
        while not over.wait(0.1):
            room.see()

    filming = threading.Thread(target=film)
    filming.start()
    try:
        with Serving(room.live, bind(port=0), routers=[setup_routes(room.setup)]) as server:
            yield server.url
    finally:
        over.set()
        filming.join()


def step(page: Any, name: str) -> None:
    button = page.locator(f"#steps li[data-step={name}] h2 button")
    if button.get_attribute("aria-expanded") != "true":
        button.click()


def until(true: Any, within_s: float = 60.0) -> None:
    """Wait for something that the page has the server do."""
    end_s = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end_s
        time.sleep(0.05)


def drag(page: Any, handle: str, right_px: float, down_px: float) -> None:
    box = page.locator(handle).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right_px / 2, y + down_px / 2)
    page.mouse.move(x + right_px, y + down_px)
    page.mouse.up()


def test_a_table_is_set_up_and_a_game_begins_in_the_browser(chromium: Any, room: Room) -> None:
    with served(room) as url, opened(chromium, f"{url}/setup") as page:
        # The table is found without being asked to.
        page.get_by_text("Found by 9 half cards, to 1.0 mm.").wait_for()
        assert page.locator("#problems li").count() == 0

        # A corner is dragged; the picture is some 1.7 times as large as it is filmed.
        before = room.state()["draft"]["corners_px"]
        drag(page, "[data-key=corner-2]", 34, 17)
        until(lambda: room.state()["draft"]["found"] == "corners")
        after = room.state()["draft"]["corners_px"]
        assert after[2][0] > before[2][0] + 8 and after[2][1] > before[2][1] + 4
        assert after[0] == pytest.approx(before[0], abs=0.2)

        step(page, "seats")
        names = page.locator("#seats input")
        names.nth(0).fill("Ann")
        names.nth(0).press("Enter")
        page.get_by_role("button", name="Ann's seat; arrow keys move it").wait_for()
        page.locator("#add-seat").click()
        names.nth(3).wait_for()
        drag(page, "[data-key=seat-3]", -60, 30)
        page.locator("#first").select_option("Ann")

        step(page, "zones")
        drag(page, "[data-key=zone-draw_pile]", -20, 40)
        page.locator("#draw_pile-0").fill("90")
        page.locator("#draw_pile-0").press("Tab")
        until(lambda: room.state()["draft"]["zones"][0]["size_mm"][0] == 90)

        step(page, "masks")
        page.locator("#add-mask").click()
        page.locator("[data-key=mask-0-3]").wait_for()
        drag(page, "[data-key=mask-0-0]", -30, -10)

        step(page, "game")
        page.locator("#option-interject").select_option(label="Yes, at either end of the line")
        page.get_by_text("Not the usual rule · rulebook 2.19").wait_for()

        step(page, "cards")
        page.locator("#read").click()
        page.locator("#read-halves button").nth(3).wait_for()
        assert page.locator("#read-halves button").nth(0).inner_text().startswith("blue 7")
        page.locator("#all-right").click()
        page.locator("[data-check=cards][data-light=good]").wait_for()

        page.locator("#start").click()
        page.get_by_role("heading", name="The game is being watched").wait_for()
        table = load_table(room.file)
        assert table.players[0].name == "Ann"
        assert len(table.players) == 4
        assert table.options == {"interject": True}
        assert table.zones["draw_pile"].size_mm[0] == 90
        assert len(table.masks_px) == 1
        session = room.live.session
        assert session is not None and session.game.header.first_player == 0
        assert page.locator("#obs-link").input_value() == f"{url}/overlay"

        page.locator("#stop").click()
        page.get_by_role("button", name="Stop watching").click()
        page.locator("#go-on").click()
        page.get_by_role("heading", name="The game is being watched").wait_for()
        assert room.live.session is not session


def test_all_of_it_can_be_done_with_the_keyboard(chromium: Any, room: Room) -> None:
    with served(room) as url, opened(chromium, f"{url}/setup") as page:
        page.get_by_text("Found by 9 half cards").wait_for()
        before = room.state()["draft"]["corners_px"]
        page.locator("[data-key=corner-0]").focus()
        for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
            page.keyboard.press(key)
        until(lambda: room.state()["draft"]["found"] == "corners")
        x, y = room.state()["draft"]["corners_px"][0]
        assert (x, y) == pytest.approx((before[0][0] + 2, before[0][1] + 10), abs=0.3)
        assert page.evaluate("() => document.activeElement.dataset.key") == "corner-0"

        page.locator("#steps li[data-step=table] .next").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.textContent") == "Players"
        seat = page.locator("[data-key=seat-0]")
        seat.focus()
        page.keyboard.press("Shift+ArrowLeft")
        start = page.locator("#start")
        start.focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="The game is being watched").wait_for()
        assert page.evaluate("() => document.activeElement.textContent") == "Open the desk"


@pytest.mark.parametrize("size", SIZES, ids=["phone", "desktop"])
def test_everybody_can_use_it(chromium: Any, room: Room, size: tuple[int, int]) -> None:
    with served(room) as url, opened(chromium, f"{url}/setup", size) as page:
        page.get_by_text("Found by 9 half cards").wait_for()
        page.locator(".check").nth(7).wait_for()
        for name in ("table", "seats", "masks", "game", "cards"):
            step(page, name)
            if name == "masks":
                page.locator("#add-mask").click()
                page.locator("[data-key=mask-0-3]").wait_for()
            if name == "cards":
                page.locator("#read").click()
                page.locator("#read-halves button").nth(3).wait_for()
            assert violations(page) == [], name
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= size[0]  # nothing is cut off or has to be moved sideways
        page.locator("#start").click()
        page.get_by_role("heading", name="The game is being watched").wait_for()
        assert violations(page) == []


def test_a_draw_pile_that_was_not_found_is_dragged_to(chromium: Any, room: Room) -> None:
    room.stage.pile = False
    room.see()
    with served(room) as url, opened(chromium, f"{url}/setup") as page:
        page.locator("#problems", has_text="drag its frame onto it").wait_for()
        assert page.locator("#start").is_disabled()
        assert page.locator("#steps li[data-step=zones][data-done=false]").count() == 1
        step(page, "zones")
        assert page.locator(".zone-outline.waits").count() == 1
        drag(page, "[data-key=zone-draw_pile]", -20, 40)
        page.locator("#steps li[data-step=zones][data-done=true]").wait_for()
        assert page.locator("#problems li").count() == 0
        assert page.locator(".zone-outline.waits").count() == 0
        assert page.locator("#start").is_enabled()


def test_a_camera_that_is_gone_is_said_on_the_picture(chromium: Any, room: Room) -> None:
    room.camera.state = "gone"
    with served(room) as url, opened(chromium, f"{url}/setup", PHONE) as page:
        page.locator("#no-picture").get_by_text("picked up again by itself").wait_for()
        room.camera.state = "ok"
        page.locator("#no-picture").wait_for(state="hidden")


@pytest.mark.parametrize("size", SIZES, ids=["phone", "desktop"])
def test_what_is_wrong_with_the_referee_is_said_until_a_game_begins(
    chromium: Any, room: Room, size: tuple[int, int]
) -> None:
    room.live.trouble = "broken.json: expected the key 'mm_to_px'; the table is set up anew"
    with served(room) as url, opened(chromium, f"{url}/setup", size) as page:
        page.locator("#trouble", has_text="broken.json").wait_for()
        page.get_by_text("Found by 9 half cards").wait_for()
        assert violations(page) == []
        page.locator("#start").click()
        page.get_by_role("heading", name="The game is being watched").wait_for()
        page.locator("#trouble").wait_for(state="hidden")
        page.locator("#hint").wait_for(state="hidden")


def test_what_the_server_refuses_is_said_and_goes_back(chromium: Any, room: Room) -> None:
    with served(room) as url, opened(chromium, f"{url}/setup") as page:
        page.get_by_text("Found by 9 half cards").wait_for()
        before = room.state()["draft"]["corners_px"]
        box = page.locator("#stage").bounding_box()
        drag(page, "[data-key=corner-0]", box["width"], box["height"])  # beyond all others
        page.locator("#said[data-kind=error]").wait_for()
        assert "clockwise from the top left" in page.locator("#said").inner_text()
        assert room.state()["draft"]["corners_px"] == before


def test_it_speaks_the_language_that_was_chosen_and_nothing_runs_out(
    chromium: Any, room: Room
) -> None:
    with served(room) as url, opened(chromium, f"{url}/setup?lang=fi", PHONE) as page:
        page.get_by_text("Löytyi 9 kortinpuolikkaasta, tarkkuus 1,0 mm.").wait_for()
        page.locator("#start", has_text="Aloita peli").wait_for()
        for language in ("fi", "pt", "de"):
            page.locator("#language").select_option(language)
            page.locator(f"html[lang={language}]").wait_for()
            assert room.state()["draft"]["seats"][0]["name"] == "Pelaaja 1"  # it is named once
            for item in page.locator("#steps > li").all():
                button = item.locator("h2 button")
                if button.get_attribute("aria-expanded") != "true":
                    button.click()
                assert page.evaluate(RUNS_OUT) == [], (language, button.inner_text())
        page.locator("[data-check=glare]", has_text="Spiegelung").wait_for()
        page.reload()
        page.locator("html[lang=fi]").wait_for()  # the address says so
