"""The overlay in a real browser: states, alarm with pictures, places, themes, sound."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from referee.overlay.source import Corrected, Mark, Picture
from tests.pages import DESKTOP, PHONE, Browser, Page, opened, violations
from tests.server.desk import ILLEGAL, PLACE, START, Desk, ruling

BEGUN = (START, ruling(0, player=None, turn=0, hands=[8, 8, 8], ends=["r5", "g1"]))
SKIP = {"effect": "skip", "player": 1}
WRONG = ruling(2, player=1, legal=False, violations=["no_match"], turn=2, ends=["r5", "y1"])

PLAYS = """() => {
  window.played = [];
  HTMLMediaElement.prototype.play = function () {
    window.played.push(new URL(this.src).pathname);
    setTimeout(() => this.onended?.(), 0);
    return Promise.resolve();
  };
}"""
IS_SILENT = """() => {
  HTMLMediaElement.prototype.play = () =>
    Promise.reject(new DOMException("not yet", "NotAllowedError"));
}"""


def begun(page: Page) -> Page:
    page.locator(".seat").nth(2).wait_for()
    return page


def test_every_state_is_told_in_words_and_shape(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN)
    states: list[tuple[dict[str, Any], str, str]] = [
        ({"camera": "frozen"}, "frozen", "Picture frozen"),
        ({"camera": "gone"}, "no_camera", "No camera"),
        ({"camera": "ok", "paused": True}, "paused", "Paused"),
        ({"paused": False, "light": "out_of_sync"}, "out_of_sync", "Out of sync"),
        # what is wrong with the referee goes before what is wrong at the table
        ({"safe_mode": True}, "safe_mode", "Limited service"),
        ({"safe_mode": False, "light": "watching"}, "watching", "watching"),
    ]
    with opened(chromium, f"{url}/overlay?motion=calm") as page:
        begun(page)
        for changes, light, text in states:
            desk.show(**changes)
            page.locator(f"#status[data-light={light}]").wait_for()
            assert page.locator(".status-text").inner_text() == text
            assert page.locator("#banner").is_hidden()  # calm: no alarm for any of it


def test_a_fault_is_proved_with_pictures(chromium: Browser, url: str, desk: Desk) -> None:
    table = np.full((360, 640, 3), 90, np.uint8)
    desk.photo = Picture(table, 1, 5.0)
    desk.add(*BEGUN, PLACE, ruling(1, effects=[SKIP]))
    with opened(chromium, f"{url}/overlay") as page:
        begun(page)
        card = table.copy()
        cv2.rectangle(card, (300, 150), (330, 200), (30, 200, 220), -1)
        corners = ((300.0, 150.0), (330.0, 150.0), (330.0, 200.0), (300.0, 200.0))
        page.wait_for_timeout(1000)  # a picture from before is kept
        desk.photo = Picture(card, 2, 9.2, (Mark(corners, "illegal"),))
        desk.add(ILLEGAL, WRONG)
        page.locator("#proof figure.at-fault img").wait_for()
        assert page.locator("#proof figcaption").all_inner_texts() == ["before", "after"]
        assert page.locator("body.alarm").count() == 1
        desk.add({"type": "take_back", "player": 1, "card": "y4/y1", "t": 12.0}, ruling(3, turn=1))
        page.locator("#banner[data-kind=taken_back]").wait_for()
        assert page.locator("#proof").is_hidden()


def test_an_action_is_named_with_what_it_does(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN)
    with opened(chromium, f"{url}/overlay?lang=fi") as page:
        begun(page)
        desk.add(PLACE, ruling(1, effects=[SKIP], turn=2))
        banner = page.locator("#banner[data-cue=skip]")
        banner.wait_for()
        assert banner.locator(".banner-kicker").inner_text() == "OHITUS"
        assert banner.locator(".banner-head").inner_text() == "Ben menettää vuoronsa."


def test_only_what_a_correction_changed_is_told(chromium: Browser, url: str, desk: Desk) -> None:
    desk.show(ids=(0, 1, 2))
    desk.add(*BEGUN, PLACE, ruling(1), ILLEGAL, WRONG)
    with opened(chromium, f"{url}/overlay") as page:
        page.locator("#banner[data-kind=illegal]").wait_for()
        # A missed draw is put in before it, and Ben's card turns out to be legal.
        missed = {"type": "draw", "player": 1, "count": 1}
        inserted = (*BEGUN, PLACE, ruling(1), missed, ruling(2, player=1))
        log = (*inserted, ILLEGAL, ruling(3, player=1, turn=2))
        desk.show(log=log, ids=(0, 1, 3, 2), corrected=Corrected(1, (2,)))
        page.locator("#banner[data-kind=corrected]").wait_for()
        assert "Ben plays yellow 4, yellow 1." in page.locator("#banner").inner_text()


def test_panels_go_where_they_are_wanted(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN)
    address = f"{url}/overlay?motion=calm&players=right&status=left&line=top"
    with opened(chromium, address, (1280, 720)) as page:
        begun(page)
        players, status, line = (
            page.locator(name).bounding_box() for name in ("#players", "#status", "#line")
        )
        assert players["x"] > 900 and status["x"] < 100 and line["y"] < 100
        for one, other in ((players, line), (status, line)):
            apart = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert apart


def test_nothing_moves_where_no_movement_is_wanted(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN)
    moving = """() => document.getAnimations().length"""
    with opened(chromium, f"{url}/overlay") as page:
        page.emulate_media(reduced_motion="reduce")
        begun(page)
        desk.add(PLACE, ruling(1, effects=[SKIP]))
        page.locator("#banner[data-cue=skip]").wait_for()
        assert page.evaluate(moving) == 0


def test_everybody_can_read_it(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN, PLACE, ruling(1, must_draw=2), ILLEGAL, WRONG)
    with opened(chromium, f"{url}/overlay?motion=calm&video=1", DESKTOP) as page:
        page.locator("#banner[data-kind=illegal]").wait_for()
        for theme in ("dark", "light", "contrast", "safe"):
            page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
            assert violations(page) == [], theme
    with opened(chromium, f"{url}/overlay?motion=calm&layout=vertical", PHONE) as page:
        page.locator("#banner[data-kind=illegal]").wait_for()
        assert violations(page) == []


def test_sounds_are_played_in_order_and_once(chromium: Browser, url: str, desk: Desk) -> None:
    with opened(chromium, f"{url}/overlay?sound=all&volume=0.4") as page:
        page.evaluate(PLAYS)
        begun(page)
        desk.add(*BEGUN)  # the first card of all: 'play', and nothing that is worth a word
        page.wait_for_function("() => window.played.length >= 1")
        desk.add(PLACE, ruling(1, effects=[SKIP], turn=2))
        page.wait_for_function("() => window.played.length >= 3")
        desk.show(light="hand")  # no news
        desk.add(ILLEGAL, WRONG)
        page.wait_for_function("() => window.played.length >= 5")
        played = page.evaluate("() => window.played")
    chimes = [one for one in played if "speech" not in one]
    assert chimes == ["/sounds/play.wav", "/sounds/skip.wav", "/sounds/illegal.wav"]
    assert [one.rpartition("/")[0] for one in (played[2], played[4])] == ["/sounds/speech/en"] * 2
    assert len(played) == 5


def test_it_is_silent_unless_asked(chromium: Browser, url: str, desk: Desk) -> None:
    desk.add(*BEGUN)
    with opened(chromium, f"{url}/overlay") as page:
        page.evaluate(PLAYS)
        begun(page)
        desk.add(PLACE, ruling(1, effects=[SKIP], turn=2))
        page.locator("#banner[data-cue=skip]").wait_for()
        assert page.evaluate("() => window.played") == []


def test_a_browser_that_wants_a_click_first_says_so(
    chromium: Browser, url: str, desk: Desk
) -> None:
    desk.add(*BEGUN)
    with opened(chromium, f"{url}/overlay?sound=chimes") as page:
        page.evaluate(IS_SILENT)
        begun(page)
        desk.add(PLACE, ruling(1, effects=[SKIP], turn=2))
        button = page.locator("#sound")
        button.wait_for()
        assert button.inner_text() == "Click once for sound"
        page.evaluate(PLAYS)
        button.click()
        assert button.is_hidden()
        desk.add(ILLEGAL, WRONG)
        page.wait_for_function("() => window.played.includes('/sounds/illegal.wav')")
