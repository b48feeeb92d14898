"""The discard pile is watched: drawn positions, read by a reader that knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy

import pytest

from tests.solo_table.table import ANN, BEN, CEM, TABLE, Lying, SoloTable
from vision.events import ArmLeft, Fact
from vision.frames import Frame
from vision.pile_events import CardsDiscarded, PileBegan, PileLifted, PileMoved, TopTaken
from vision.pile_watch import PileWatcher


class Watched:
    """A table and what its watcher says of it."""

    def __init__(self) -> None:
        self.table = SoloTable()
        self.watcher = PileWatcher(self.table, TABLE.plane, TABLE.zones)
        self.facts: list[Fact] = []

    def see(self, frames: Iterator[Frame]) -> list[Fact]:
        """What becomes known with these frames, arms that leave apart."""
        told = [fact for frame in frames for fact in self.watcher.see(frame)]
        told = [fact for fact in told if not isinstance(fact, ArmLeft)]
        self.facts += told
        return told

    def top(self) -> str:
        assert self.watcher.pile is not None
        return self.watcher.pile.top.label


@pytest.fixture(scope="module")
def begun() -> Watched:
    """A table on which a first card, then a green 5 came to lie."""
    game = Watched()
    game.see(game.table.wait(0.6))
    first = game.see(game.table.lay(CEM, Lying("g9")))
    assert [type(fact) for fact in first] == [PileBegan]
    second = game.see(game.table.lay(ANN, Lying("g5", 6.0, -4.0, 5.0)))
    assert [type(fact) for fact in second] == [CardsDiscarded]
    return game


@pytest.fixture
def watched(begun: Watched) -> Watched:
    """That table, for one test's own use."""
    return deepcopy(begun)


def only(facts: list[Fact]) -> Fact:
    assert len(facts) == 1, facts
    return facts[0]


def test_a_card_that_is_laid(watched: Watched) -> None:
    fact = only(watched.see(watched.table.lay(BEN, Lying("r5", -7.0, 3.0, -8.0))))
    assert isinstance(fact, CardsDiscarded)
    assert [card.label for card in fact.cards] == ["r5"]
    assert fact.onto.label == "g5"
    assert fact.arm is not None
    assert fact.arm.entry_mm[0] < -400
    assert fact.confidence > 0.9


@pytest.mark.parametrize("place", [(11.0, 0.0, 0.0), (-9.0, 10.0, 12.0), (3.0, 4.0, 35.0),
                                   (45.0, 10.0, -3.0)])  # fmt: skip
def test_an_identical_card(watched: Watched, place: tuple[float, float, float]) -> None:
    x, y, turn = place
    card = Lying("g5", 6.0 + x, -4.0 + y, 5.0 + turn)
    fact = only(watched.see(watched.table.lay(BEN, card)))
    assert isinstance(fact, CardsDiscarded)
    assert [card.label for card in fact.cards] == ["g5"]
    assert fact.confidence > 0.9


@pytest.mark.parametrize("place", [(2.0, 1.0, 0.0), (-1.5, 0.0, 2.0), (0.0, 3.0, -3.0)])
def test_an_identical_card_on_the_very_place(
    watched: Watched, place: tuple[float, float, float]
) -> None:
    """What lies there looks as if somebody had touched it, but a hand was seen to bring it."""
    x, y, turn = place
    card = Lying("g5", 6.0 + x, -4.0 + y, 5.0 + turn)
    fact = only(watched.see(watched.table.lay(BEN, card)))
    assert isinstance(fact, CardsDiscarded)
    assert [card.label for card in fact.cards] == ["g5"]
    assert fact.arm is not None and fact.arm.entry_mm[0] < -400
    assert watched.see(watched.table.wait(2.0)) == []
    fact = only(watched.see(watched.table.take(BEN)))
    assert isinstance(fact, TopTaken)
    assert (fact.card.label, watched.top()) == ("g5", "g5")
    assert isinstance(only(watched.see(watched.table.take(ANN))), TopTaken)
    assert watched.top() == "g9"


def test_a_top_card_that_is_touched_was_not_laid(watched: Watched) -> None:
    """Nobody brought a card, or a card of another face, or took his own along again."""
    table = watched.table

    def shifts() -> None:
        table.cards[-1] = table.cards[-1].moved(2.0, 1.0)

    def shifts_and_keeps() -> str:
        shifts()
        return "g5"

    spot = (6.0, -4.0)
    for reach in (
        table.reach(BEN, spot, does=shifts),
        table.reach(ANN, spot, brings="b2", does=shifts),
        table.reach(CEM, spot, brings="g5", does=shifts_and_keeps),
    ):
        told = watched.see(reach) + watched.see(table.wait())
        assert not any(isinstance(fact, CardsDiscarded | TopTaken) for fact in told)
    assert watched.top() == "g5"


def test_a_card_like_the_top_card_that_is_only_shown(watched: Watched) -> None:
    """A hand holds it over the pile and leaves without it, where nobody sees that; but nothing
    on the pile looks otherwise."""
    table = watched.table
    assert watched.see(table.reach(BEN, (6.0, -4.0), brings="g5")) == []
    assert watched.see(table.wait(2.0)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda card: card.moved(9.0, 0.0),
        lambda card: card.moved(-25.0, 14.0, 10.0),
        lambda card: Lying(card.card, 0.0, 0.0, 0.0),
        lambda card: card.moved(0.0, 40.0),
    ],
    ids=["nudged", "slid", "straightened", "shoved"],
)
def test_a_pile_that_is_moved(watched: Watched, change: Callable[[Lying], Lying]) -> None:
    facts = watched.see(watched.table.push(BEN, change))
    assert all(isinstance(fact, PileMoved) for fact in facts), facts
    assert watched.top() == "g5"
    fact = only(watched.see(watched.table.lay(CEM, Lying("g2", 5.0, 5.0, -6.0))))
    assert isinstance(fact, CardsDiscarded)
    assert fact.onto.label == "g5"


def test_a_card_in_an_open_hand_that_looks_like_the_top_card_is_not_the_pile() -> None:
    game = Watched()
    game.table.cards.append(Lying("g5", 250.0, 150.0, 40.0))
    game.see(game.table.wait(0.6))
    game.see(game.table.lay(CEM, Lying("g9")))
    game.see(game.table.lay(ANN, Lying("g5", 6.0, -4.0, 5.0)))
    fact = only(game.see(game.table.take(ANN)))
    assert isinstance(fact, TopTaken)
    assert game.top() == "g9"
    fact = only(game.see(game.table.lay(BEN, Lying("g2", 4.0, 3.0))))
    assert isinstance(fact, CardsDiscarded)


def test_the_top_card_alone_is_pushed(watched: Watched) -> None:
    facts = watched.see(watched.table.push(BEN, lambda card: card.moved(20.0, 8.0), whole=False))
    assert all(isinstance(fact, PileMoved) for fact in facts), facts
    assert watched.top() == "g5"


def test_the_top_card_is_taken_back(watched: Watched) -> None:
    fact = only(watched.see(watched.table.take(ANN)))
    assert isinstance(fact, TopTaken)
    assert fact.card.label == "g5"
    assert watched.top() == "g9"


def test_so_it_is_where_other_cards_lie_open_on_the_table() -> None:
    game = Watched()
    game.table.cards.append(Lying("b3", -230.0, 110.0, 30.0))
    game.see(game.table.wait(0.6))
    game.see(game.table.lay(CEM, Lying("g9")))
    game.see(game.table.lay(ANN, Lying("g5", 6.0, -4.0, 5.0)))
    fact = only(game.see(game.table.take(ANN)))
    assert isinstance(fact, TopTaken)
    assert fact.reported_s - fact.at_s < 0.7


def test_a_top_card_that_is_overlooked_is_not_gone(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched.table, "read", lambda *_: [])
    assert watched.see(watched.table.reach(BEN, (0.0, 60.0), stay_s=0.4)) == []
    assert watched.see(watched.table.wait(3.0)) == []


def test_the_card_below_comes_once_more(watched: Watched) -> None:
    """A second green 9 on the green 5 on a green 9 is laid, not the green 5 taken back."""
    fact = only(watched.see(watched.table.lay(BEN, Lying("g9", 3.0, 4.0, -4.0))))
    assert isinstance(fact, CardsDiscarded)
    assert [card.label for card in fact.cards] == ["g9"]


def test_a_tidy_pile() -> None:
    """Cards that lie on one another within two millimetres are told all the same."""
    game = Watched()
    game.see(game.table.wait(0.6))
    cards = ["r1", "r7", "b7", "b2", "g2"]
    places = [(0, 0), (1, 1), (-1, 0), (0, -1), (1, 0)]
    for card, (x, y) in zip(cards, places, strict=True):
        game.see(game.table.lay(ANN, Lying(card, float(x), float(y))))
    laid = [fact.cards[0].label for fact in game.facts if isinstance(fact, CardsDiscarded)]
    assert laid == cards[1:]
    assert len(game.facts) == len(cards)


def test_a_hand_that_only_hovers(watched: Watched) -> None:
    assert watched.see(watched.table.reach(BEN, (0.0, 0.0), stay_s=1.0)) == []
    assert watched.see(watched.table.wait()) == []


def test_a_hand_that_draws_is_not_read(watched: Watched) -> None:
    readings = watched.table.readings
    assert watched.see(watched.table.draw(BEN)) == []
    assert watched.table.readings <= readings + 1  # the check once all is quiet


def test_the_pile_is_taken_up_and_its_top_card_put_back(watched: Watched) -> None:
    table = watched.table
    facts = watched.see(_takes_all(table))
    assert [type(fact) for fact in facts] == [PileLifted]
    facts = watched.see(table.lay(BEN, Lying("g5", 12.0, -20.0, 40.0)))
    assert [type(fact) for fact in facts] == [PileMoved]
    fact = only(watched.see(table.lay(CEM, Lying("b5", 10.0, -10.0))))
    assert isinstance(fact, CardsDiscarded)


def test_the_top_card_lies_aside_while_the_others_go(watched: Watched) -> None:
    table = watched.table
    facts = watched.see(table.push(BEN, lambda card: card.moved(95.0, 0.0), whole=False))
    fact = only(facts)
    assert isinstance(fact, PileMoved)
    assert fact.put_aside
    below, top = table.cards

    def takes_rest() -> str:
        table.cards[:] = [top]
        return below.card

    assert watched.see(table.reach(BEN, (0.0, 0.0), does=takes_rest)) == []
    assert watched.see(table.wait()) == []
    assert watched.top() == "g5"


def test_light_that_changes(watched: Watched) -> None:
    watched.table.light = 0.7
    assert watched.see(watched.table.wait(1.5)) == []
    fact = only(watched.see(watched.table.lay(BEN, Lying("g5", 14.0, 4.0, 15.0))))
    assert isinstance(fact, CardsDiscarded)


def test_an_unsure_reading_is_shown_before_it_is_told(watched: Watched) -> None:
    watched.table.sure = 0.8
    seen: list[str] = []
    for frame in watched.table.lay(BEN, Lying("r5", -7.0, 3.0, -8.0)):
        watched.see(iter([frame]))
        if watched.watcher.tentative is not None:
            seen.append(watched.watcher.tentative.label)
    assert set(seen) == {"r5"}
    assert watched.top() == "r5"


def test_without_a_zone_a_card_alone_is_no_pile_yet() -> None:
    table = SoloTable(cards=[Lying("r3")])
    watcher = PileWatcher(table, TABLE.plane)
    told = [fact for frame in table.wait(1.5) for fact in watcher.see(frame)]
    assert told == []
    told = [
        fact for frame in table.lay(ANN, Lying("r8", 4.0, 6.0, 7.0)) for fact in watcher.see(frame)
    ]
    kinds = [type(fact) for fact in told if not isinstance(fact, ArmLeft)]
    assert kinds == [PileBegan, CardsDiscarded]


def test_without_a_zone_the_pile_is_where_cards_are_laid() -> None:
    table = SoloTable(cards=[Lying("b3", -230.0, 110.0, 30.0)])  # open, of another use
    watcher = PileWatcher(table, TABLE.plane)
    told: list[Fact] = []
    for play in (table.wait(1.5), table.lay(CEM, Lying("r3")), table.lay(ANN, Lying("r8", 4.0))):
        told += [fact for frame in play for fact in watcher.see(frame)]
    began, laid = (fact for fact in told if not isinstance(fact, ArmLeft))
    assert isinstance(began, PileBegan) and began.pile.top.label == "r3"
    assert isinstance(laid, CardsDiscarded) and laid.cards[0].label == "r8"


def _takes_all(table: SoloTable) -> Iterator[Frame]:
    def does() -> str:
        top = table.cards[-1].card
        table.cards.clear()
        return top

    yield from table.reach(BEN, (6.0, -4.0), does=does)
    yield from table.wait(2.0)
