"""The desk in a real browser: by keyboard alone, by thumb, by two operators at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.desk import orders
from referee.desk.table import Outline
from tests.desk.tables import START, Table, Watched, done, place
from tests.pages import DESKTOP, PHONE, opened, violations

TARGET_PX = 44
"""What a thumb needs."""


@pytest.fixture
def table() -> Table:
    table = Table(
        START,
        place(0, "g1", "g7/g6", t=5.0, candidates=[["g7/g6", 0.9], ["g7/g9", 0.1]]),
        place(1, "g6", "b9/bX", t=9.0, confidence=0.5, candidates=[["b9/bX", 0.8]]),
    )
    table.lies("r5", "b8")
    corner = Outline([(0.1, 0.1), (0.2, 0.1), (0.2, 0.2), (0.1, 0.2)], "end", "r5")
    table.seen.shown = replace(table.seen.shown, outlines=(corner,), picture_px=(1280, 720))
    return table


def told(page: Any, source: Watched) -> None:
    """Have the page learn of what changed, as a session would."""
    for changed in list(source.subscribers):
        changed()


def test_a_game_is_put_right_by_keyboard_alone(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    with opened(chromium, url, DESKTOP) as page:
        page.locator(".entry").nth(2).wait_for()
        press = page.keyboard.press
        page.locator(".outlines polygon").wait_for(state="attached")
        page.locator(".note-sync").wait_for()
        assert "does not fit" in page.locator(".note-sync").inner_text()
        assert page.locator(".note-choice").inner_text().startswith("Ben swaps hands with")
        press("ArrowDown")
        press("ArrowDown")
        press("Enter")
        page.locator(".entry.is-open").wait_for()
        assert violations(page) == []
        press("1")  # the likeliest other card
        page.locator(".toast", has_text="judged differently").wait_for()
        assert table.lines[1]["card"] == "g7/g9"
        told(page, source)
        page.locator(".entry.is-open .was", has_text="green 6").wait_for()
        press("u")
        page.locator(".toast", has_text="Undone").wait_for()
        assert table.lines[1]["card"] == "g7/g6"
        told(page, source)
        page.locator("#redo:not([disabled])").wait_for()
        press("Escape")
        press("o")
        page.locator(".toast", has_text="Done").wait_for()
        assert table.lines[-1]["type"] == "state"
        press("?")
        page.locator("dialog[open] .keys").wait_for()
        assert violations(page) == []
        press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")


def test_a_move_is_put_right_with_two_taps_of_a_thumb(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    with opened(chromium, url, PHONE) as page:
        page.locator(".entry-head").nth(1).click()
        page.locator(".entry.is-open").wait_for()
        small = page.evaluate(
            """(least) => [...document.querySelectorAll("button, select, input, a.tool")]
              .filter((one) => one.checkVisibility() && !one.disabled)
              .map((one) => [one.className, one.getBoundingClientRect()])
              .filter(([, box]) => box.width < least || box.height < least)
              .map(([name]) => name)""",
            TARGET_PX - 0.5,
        )
        assert small == []
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        assert violations(page) == []
        page.locator("[data-k=no-move]").click()
        page.locator(".toast", has_text="Done").wait_for()
        assert [line["type"] for line in table.lines] == ["start", "place"]
        told(page, source)
        page.locator("#undo:not([disabled])").wait_for()
        page.locator("#missed").click()
        page.locator("dialog[open] .radio", has_text="Draw").click()
        assert violations(page) == []
        page.locator("dialog[open] [type=submit]").click()
        page.locator("dialog[open]").wait_for(state="detached")
        assert table.lines[-1]["type"] == "draw"


def test_the_second_operator_is_asked_again(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    with opened(chromium, url, DESKTOP) as page:
        page.locator(".entry-head").nth(1).click()
        page.locator(".entry.is-open").wait_for()
        done(table.desk.order(lambda game, _: orders.change(game, 1, {"player": 2}), None))
        page.locator(".entry.is-open [data-hot='1']").click()  # before the page has learnt of it
        toast = page.locator(".toast-bad", has_text="Another operator")
        toast.wait_for()
        assert table.lines[1]["card"] == "g7/g6"
        toast.locator("button").click()
        page.locator(".toast-good").wait_for()
        assert (table.lines[1]["card"], table.lines[1]["player"]) == ("g7/g9", 2)


def test_every_correction_has_its_keys(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    with opened(chromium, url, DESKTOP) as page:
        page.locator(".entry").nth(2).wait_for()
        press = page.keyboard.press

        def entered(digit: str, chosen: str) -> dict[str, Any]:
            """What a digit makes of the open move, once the page shows it."""
            page.evaluate("document.getElementById('toasts').replaceChildren()")
            press(digit)
            page.locator(".toast-good").wait_for()
            told(page, source)
            page.locator(f".is-open {chosen}").wait_for()
            return table.lines[1]

        press("ArrowDown")
        press("ArrowDown")
        press("w")  # opens the row, too
        assert page.locator(".digit:visible").all_inner_texts() == ["1", "2", "3"]
        assert violations(page) == []
        assert entered("3", "[data-k=who-2][aria-pressed=true]")["player"] == 2
        press("f")
        assert entered("1", "[data-k=end-0][aria-pressed=true]")["onto"] == "r5"
        press("Escape")
        press("ArrowUp")
        press("r")
        entered("2", "[data-k=chosen-2][aria-pressed=true]")
        assert (table.lines[3]["type"], table.lines[3]["target"]) == ("choose_player", 2)
        press("a")
        entered("2", ".entry-text:has-text('draws')")
        assert (table.lines[2]["type"], table.lines[2]["count"]) == ("draw", 2)
        press("z")
        page.locator("dialog[open]", has_text="State how it is").wait_for()
        press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
        press("Shift+G")
        page.locator("dialog[open]", has_text="Break off").wait_for()
