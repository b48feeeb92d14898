"""The desk with a game of SOLO, that of the sample recording: each correction, by thumb and key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.desk.desk import Look
from referee.notation import parse_header
from tests.desk.tables import Table, Watched
from tests.pages import DESKTOP, PHONE, SIZES, opened, violations

WILD = 10
"""The move of the sample with which Ann lays a wild; its colour is what no camera sees."""


@pytest.fixture
def table(samples: Path) -> Table:
    """The sample's game as a camera would have told it: the wild read as a wild plus four."""
    text = (samples / "solo.game.jsonl").read_text(encoding="utf-8")
    header, *lines = [json.loads(line) for line in text.splitlines()]
    moves = [line for line in lines if line["type"] not in ("ruling", "choose_colour")]
    assert moves[WILD]["card"] == "kW"
    likely = [["kF", 0.7], ["kW", 0.3]]
    moves[WILD] |= {"card": "kF", "confidence": 0.7, "candidates": likely}
    header = {**header, "options": {"shouts": "ignored", "triple": "exact"}}
    return Table(*moves, header=parse_header(header))


class Page:
    """A page of the desk, told of each change as a session would."""

    def __init__(self, page: Any, source: Watched) -> None:
        self.page, self._source = page, source

    def open(self, number: int) -> None:
        self.page.locator(f".entry[data-id='{number}'] .entry-head").click()
        self.page.locator(f".entry.is-open[data-id='{number}']").wait_for()

    def tap(self, key: str) -> None:
        """Tap what carries this key, have the change made, and show what came of it."""
        self.page.locator(f"[data-k='{key}']").click()
        self.done()

    def done(self) -> None:
        toast = self.page.locator(".toast-good")
        toast.wait_for()
        toast.evaluate("(one) => one.remove()")
        for changed in list(self._source.subscribers):
            changed()

    def shows(self, where: str, text: str) -> None:
        self.page.locator(where, has_text=text).first.wait_for()


@pytest.mark.parametrize("size", SIZES, ids=["phone", "desktop"])
def test_every_correction_takes_two_taps(
    chromium: Any, url: str, table: Table, source: Watched, size: tuple[int, int]
) -> None:
    with opened(chromium, url, size) as page:
        desk = Page(page, source)
        desk.shows(".entry", "The first card")
        desk.open(WILD)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        desk.tap("card-kW")
        desk.shows(".entry.is-open", "Ann plays wild.")
        desk.tap("chosen-r")  # the colour, in hindsight: Ben has drawn and played since
        desk.shows(".entry", "Ann calls red.")
        assert (table.lines[WILD]["card"], table.lines[WILD + 1]["colour"]) == ("kW", "r")
        desk.tap("chosen-g")
        assert table.lines[WILD + 1]["colour"] == "g"

        desk.open(3)  # Ben's red 3, thrown in: it was Cem's
        desk.tap("who-2")
        assert (table.lines[3]["player"], table.verdicts[3]) == (2, True)
        desk.open(5)  # a card that did not fit
        desk.tap("draw-2")
        assert table.lines[5] == {"type": "draw", "player": 1, "count": 2, "t": 19.267,
                                  "entered": "operator"}  # fmt: skip
        desk.open(7)
        desk.tap("taken-back")
        assert table.lines[8]["type"] == "take_back"
        desk.open(1)
        desk.tap("no-move")
        assert [line["type"] for line in table.lines[:3]] == ["start", "place", "place"]


def test_cards_are_put_together(chromium: Any, url: str, table: Table, source: Watched) -> None:
    with opened(chromium, url, PHONE) as page:
        desk = Page(page, source)
        desk.shows(".entry", "The first card")
        desk.open(2)  # Ben's red 3: it was a wild, then three fives at once
        page.locator("[data-k=another]").click()
        page.locator("[data-k=pick-0-1-F]").click()
        desk.tap("apply-card")
        assert table.lines[2]["card"] == "kF"
        page.locator("[data-k=another]").click()
        page.locator("[data-k=pick-0-1-5]").click()
        page.locator("[data-k=pick-0-0-r]").click()
        page.locator("[data-k=add]").click()
        page.locator("[data-k=pick-1-0-g]").click()
        page.locator("[data-k=add]").click()
        page.locator("[data-k=pick-2-0-b]").click()
        assert violations(page) == []
        desk.tap("apply-card")
        assert table.lines[2]["cards"] == ["r5", "g5", "b5"]
        desk.shows(".entry.is-open", "Ben")


def test_a_wild_that_was_missed_and_how_it_stands(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    with opened(chromium, url, DESKTOP) as page:
        desk = Page(page, source)
        desk.shows(".entry", "The first card")
        page.keyboard.press("m")
        shown = page.locator("dialog[open]")
        assert shown.locator(".radio", has_text="SOLO!").count() == 1
        shown.locator(".radio", has_text="Ann").click()
        assert not shown.locator("input[name=colour]").first.is_visible()
        shown.locator("[data-k=pick-0-1-W]").click()
        shown.locator(".radio", has_text="blue").click()
        assert violations(page) == []
        shown.locator("[type=submit]").click()
        desk.done()
        missed = {"type": "place", "player": 0, "card": "kW", "colour": "b"}
        assert {name: table.lines[-1].get(name) for name in missed} == missed
        desk.shows(".fact", "blue")
        page.locator("[data-k=set-state]").click()
        shown.locator(".radio", has_text="yellow").click()
        assert violations(page) == []
        shown.locator("[type=submit]").click()
        desk.done()
        assert table.lines[-1]["type"] == "state"
        assert table.game.state.colour == "y"


def test_what_waits_in_a_game_of_solo(
    chromium: Any, url: str, table: Table, source: Watched
) -> None:
    """A colour that nobody entered, a pile that is not the log's."""
    for number in table.game.ids[:WILD:-1]:
        table.game.delete(table.game.ids.index(number))
    table.seen.shown = Look("watching", ("b2",), 50.0, None)
    with opened(chromium, url, PHONE) as page:
        desk = Page(page, source)
        desk.shows(".note-choice", "Ann wants the colour")
        desk.shows(".note-sync", "does not fit")
        assert violations(page) == []
        page.keyboard.press("3")
        desk.done()
        assert table.lines[-1]["colour"] == "g"
        desk.shows(".fact", "green")
        page.keyboard.press("o")
        desk.done()
        assert (table.lines[-1]["type"], table.ends) == ("state", ["b2"])
