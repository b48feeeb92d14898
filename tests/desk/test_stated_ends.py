"""What an operator states of the line is where the camera's next card is laid to."""

from __future__ import annotations

from typing import Any

import pytest

from referee.likely import likely_cards, likely_halves
from referee.placements import Placements
from referee.seats import Seats
from tests.stage import half
from vision.events import CardLaid, CardTaken, LineBegan
from vision.line import Line, Place, unread_half
from vision.line_steps import Laid, Taken


def line(*labels: str) -> Line:
    return Line(tuple(Place(half(one, 45.5 * i, 0.0)) for i, one in enumerate(labels)), 1.0)


def laid(end: int, covered: str, cover: str, free: str) -> CardLaid:
    card = Laid(end, 1, half(covered, 45, 0), half(cover, 45, 0), half(free, 91, 0), 0.99)
    return CardLaid(9.0, 9.3, None, card, line("r5", cover, free))


@pytest.fixture
def watched() -> Placements:
    """A line of r5 and g6, whose right end the camera reads as g6."""
    placements = Placements(Seats([(0.0, 400.0), (0.0, -400.0)]))
    placements.observe(LineBegan(4.0, 4.0, None, line("r5", "g6")))
    return placements


def told(placements: Placements, fact: Any) -> dict[str, Any]:
    return placements.observe(fact)[-1]


def test_a_card_is_laid_onto_what_was_stated(watched: Placements) -> None:
    watched.restate(["r5", "g6"], ["r5", "g9"])
    place = told(watched, laid(1, "g6", "b9", "b2"))
    assert (place["onto"], place["with"]) == ("g9", "b9")


def test_what_was_stated_is_sure_however_the_camera_reads_it(watched: Placements) -> None:
    unstated = told(watched, laid(0, "r6", "b6", "b2"))
    assert unstated["deciding"] < 0.1  # called r5 when it came, read as r6 now
    watched.restate(["b2", "g6"], ["b2", "g9"])
    assert told(watched, laid(1, "g6", "b9", "b3"))["deciding"] > 0.9


def test_the_logs_first_end_may_be_the_cameras_second(watched: Placements) -> None:
    watched.restate(["g6", "r5"], ["g9", "r5"])
    assert told(watched, laid(1, "g6", "b9", "b2"))["onto"] == "g9"
    assert told(watched, laid(0, "r5", "r3", "b2"))["onto"] == "r5"


def test_what_the_camera_tells_already_is_no_news(watched: Placements) -> None:
    watched.restate(["g6", "b2"], ["r5", "g6"])
    assert told(watched, laid(0, "r5", "r3", "b2"))["onto"] == "r5"


def test_an_unread_end_states_nothing(watched: Placements) -> None:
    watched.restate(["r5", "g6"], ["?", "g?"])
    assert told(watched, laid(1, "g6", "b9", "b2"))["onto"] == "g6"


def test_a_card_laid_on_top_is_the_cameras_to_read_again(watched: Placements) -> None:
    watched.restate(["r5", "g6"], ["r5", "g9"])
    told(watched, laid(1, "g6", "b9", "b2"))
    assert told(watched, laid(1, "b3", "y2", "y1"))["deciding"] < 0.1  # b2 now reads as b3


def test_once_taken_back_the_stated_end_is_there_again(watched: Placements) -> None:
    watched.restate(["r5", "g6"], ["r5", "g9"])
    told(watched, laid(1, "g6", "b9", "b2"))
    card = Taken(1, half("b9", 45, 0), half("b2", 91, 0), 0.99)
    told(watched, CardTaken(12.0, 12.3, None, card, line("r5", "g6")))
    assert told(watched, laid(1, "g6", "y9", "y2"))["onto"] == "g9"


def test_before_the_line_there_is_nothing_to_restate() -> None:
    placements = Placements(Seats([]))
    placements.restate([], ["r5", "g6"])
    begun = told(placements, LineBegan(4.0, 4.0, None, line("b1", "b2")))
    assert begun["card"] == "b1/b2"


def test_an_observation_brings_the_cards_that_it_may_be(watched: Placements) -> None:
    place = told(watched, laid(1, "g6", "g9", "b2"))
    cards = [card for card, _ in place["candidates"]]
    assert cards[0] == "g9/b2"
    assert len(set(cards)) == len(cards) == 6
    shares = [share for _, share in place["candidates"]]
    assert shares == sorted(shares, reverse=True)


def test_a_half_never_read_is_open_in_every_candidate() -> None:
    cards = likely_cards([half("r2", 0, 0), unread_half(45, 0, 0)])
    assert cards[0][0] == "r2/?"
    assert likely_halves(unread_half(0, 0, 0)) == [("?", 1.0)]
