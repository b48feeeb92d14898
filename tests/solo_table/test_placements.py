"""SOLO at the table, by the rulebook's sentences: facts in, judged observations out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from referee.game import Game
from referee.placements_solo import SoloPlacements, guesses, written
from referee.rules.deck import CLASSIC_SOLO
from referee.rules.header import Header
from referee.rules.rulings import Ruling
from referee.seats import Seats
from tests.solo_table.table import ANN, BEN, CEM, face
from vision.events import ArmLeft, Fact
from vision.facts import Half
from vision.hands import Arm, Visit
from vision.pile import Pile
from vision.pile_events import CardsDiscarded, PileBegan, PileLifted, PileMoved, TopTaken

SEATS = (ANN, BEN, CEM)
_NUMBERS = count(1)


def arm(player: int, stays: int = 0) -> Arm:
    """An arm that has come from a player's seat, and stayed at the draw pile so many times."""
    x, y = SEATS[player]
    visits = tuple(Visit("draw_pile", 8.0 + k, 8.4 + k, 20.0, True) for k in range(stays))
    number = next(_NUMBERS)
    return Arm(number, (x * 0.8, y * 0.8), (0.0, 0.0), (x * 0.1, y * 0.1), 7.0, 20.0, 20.0, visits)


class AtTable:
    """A game in which Ann begins with a red 7 on the pile."""

    def __init__(self, start: str = "r7", **options: object) -> None:
        header = Header(
            "solo", ("Ann", "Ben", "Cem"), 0, {"shouts": "ignored", **options}, (8, 8, 8), 87
        )
        self.game = Game(header)
        self.placements = SoloPlacements(Seats(SEATS), lambda: self.game.state)
        self.pile = Pile((face(start),))
        self.see(PileBegan(1.0, 1.2, None, self.pile))

    def see(self, fact: Fact) -> list[dict[str, Any]]:
        """What is told of a fact; it is judged at once."""
        told = self.placements.observe(fact)
        for observation in told:
            self.game.append_entry(observation)
        return told

    def lay(
        self, player: int, *cards: str | Half, sure: float = 1.0, stays: int = 0
    ) -> list[dict[str, Any]]:
        """A player lays cards."""
        laid = tuple(face(card) if isinstance(card, str) else card for card in cards)
        onto = self.pile.top
        self.pile = Pile((*self.pile.cards, *laid))
        who = arm(player, stays)
        return self.see(CardsDiscarded(10.0, 10.3, who, laid, onto, self.pile, sure))

    def draw(self, player: int, stays: int = 1) -> list[dict[str, Any]]:
        """A player's hand stays at the draw pile, so many times."""
        return self.see(ArmLeft(10.0, 10.0, arm(player, stays)))

    def ruling(self) -> Ruling:
        """The ruling on the last move."""
        return self.game.rulings(len(self.game.moves) - 1)[-1]

    def verdicts(self) -> list[bool | None]:
        """All verdicts so far, in order."""
        moves = range(len(self.game.moves))
        return [ruling.legal for of in moves for ruling in self.game.rulings(of)]


def kinds(observations: Sequence[dict[str, Any]]) -> list[Any]:
    return [(one["type"], one.get("player"), one.get("card") or one.get("count"))
            for one in observations]  # fmt: skip


def test_3_2_a_card_that_matches_and_one_that_does_not() -> None:
    table = AtTable()
    assert kinds(table.lay(0, "b7")) == [("place", 0, "b7")]
    assert table.ruling().legal is True
    table.lay(1, "g5")
    assert [str(one) for one in table.ruling().violations] == ["no_match"]


def test_3_3_a_wild_needs_no_colour() -> None:
    table = AtTable()
    assert kinds(table.lay(0, "kW")) == [("place", 0, "kW")]
    assert table.ruling().legal is True


def test_3_12_a_colour_that_nobody_told_accuses_nobody() -> None:
    table = AtTable()
    table.lay(0, "kW")
    table.lay(1, "g5")
    assert table.ruling().legal is None


def test_3_12_a_colour_that_the_operator_tells() -> None:
    table = AtTable()
    table.lay(0, "kW")
    table.game.append_entry({"type": "choose_colour", "player": 0, "colour": "y"})
    table.lay(1, "g5")
    assert table.ruling().legal is False
    table.game.replace(2, {"type": "choose_colour", "player": 0, "colour": "g"})
    assert table.ruling().legal is True


def test_3_14_after_a_rotation_any_card_follows() -> None:
    table = AtTable()
    table.lay(0, "nP")
    table.lay(1, "g5")
    assert table.verdicts() == [True, True, True]


def test_3_15_an_identical_card_may_be_thrown_in_by_anybody() -> None:
    table = AtTable()
    table.lay(0, "b7")
    table.lay(2, "b7")  # Ben was on turn
    assert table.ruling().legal is True
    assert table.game.state.turn == 0


def test_3_15_another_card_may_not() -> None:
    table = AtTable()
    table.lay(0, "b7")
    table.lay(2, "b6")
    assert [str(one) for one in table.ruling().violations] == ["interjection_not_identical"]


def test_3_15_a_card_that_may_be_identical_or_not_accuses_nobody() -> None:
    table = AtTable()
    table.lay(0, "b7")
    table.lay(2, "b6", sure=0.6)
    assert table.ruling().legal is None


def test_3_8_two_cards_are_taken_one_by_one() -> None:
    table = AtTable()
    table.lay(0, "rD")
    assert kinds(table.draw(1, stays=2)) == [("draw", 1, 2)]
    table.lay(1, "r5")
    assert table.verdicts() == [True] * 4


def test_3_8_two_cards_are_taken_at_once() -> None:
    """Nobody can see how many cards a hand took: whoever went to the pile is believed."""
    table = AtTable()
    table.lay(0, "rD")
    assert kinds(table.draw(1)) == [("draw", 1, 1)]
    told = table.lay(1, "r5")
    assert kinds(told) == [("draw", 1, 1), ("place", 1, "r5")]
    assert told[0]["assumed"]
    assert table.verdicts() == [True] * 5


def test_3_8_who_lays_with_the_hand_that_drew_is_counted_once() -> None:
    table = AtTable()
    table.lay(0, "rD")
    told = table.lay(1, "r5", stays=2)
    assert kinds(told) == [("draw", 1, 2), ("place", 1, "r5")]


def test_3_8_who_never_went_to_the_pile_is_accused() -> None:
    table = AtTable()
    table.lay(0, "rD")
    table.lay(1, "r5")
    assert [str(one) for one in table.ruling().violations] == ["draw_owed"]


def test_3_17_three_of_a_number_laid_at_once() -> None:
    table = AtTable(triple="exact")
    (told,) = table.lay(0, "b7", "g7", "y7")
    assert told["cards"] == ["b7", "g7", "y7"]
    assert table.ruling().legal is True


def test_two_cards_of_different_faces_are_two_moves() -> None:
    table = AtTable()
    assert kinds(table.lay(0, "b7", "b3")) == [("place", 0, "b7"), ("place", 0, "b3")]


def test_3_19_who_gathers_the_pile_draws_nothing() -> None:
    table = AtTable()
    table.lay(0, "b7")
    assert table.see(PileLifted(11.0, 11.5, arm(1), table.pile)) == []
    assert table.draw(1) == []  # the cards are put down
    assert table.see(PileMoved(15.0, 15.3, arm(1, stays=1), table.pile, False)) == []
    assert kinds(table.draw(1)) == [("draw", 1, 1)]


def test_3_19_nor_who_has_put_the_top_card_aside() -> None:
    table = AtTable()
    table.see(PileMoved(11.0, 11.5, arm(1), table.pile, True))
    assert table.draw(1) == []
    table.see(PileMoved(14.0, 14.5, arm(1), table.pile, False))
    assert kinds(table.draw(0)) == [("draw", 0, 1)]


def test_a_card_is_taken_back() -> None:
    table = AtTable()
    table.lay(0, "g5")
    assert table.ruling().legal is False
    table.pile = Pile(table.pile.cards[:-1])
    told = table.see(TopTaken(12.0, 12.4, arm(0), face("g5"), table.pile, 1.0))
    assert kinds(told) == [("take_back", 0, "g5")]
    assert table.game.state.turn == 0
    table.lay(0, "r2")
    assert table.ruling().legal is True


def test_a_card_that_the_deck_has_no_more_copies_of_was_pushed() -> None:
    """Of red 7s there are two: a third on top of the second is the second, straightened."""
    table = AtTable()
    assert kinds(table.lay(1, "r7")) == [("place", 1, "r7")]
    assert table.lay(2, "r7") == []
    assert table.game.state.turn == 2
    assert kinds(table.lay(2, "r4")) == [("place", 2, "r4")]
    assert table.ruling().legal is True


def test_a_third_copy_elsewhere_is_none_of_the_deck() -> None:
    table = AtTable()
    table.lay(1, "r7")
    table.lay(2, "r4")
    assert kinds(table.lay(0, "r7")) == [("place", 0, "r7")]
    assert list(table.ruling().violations) == ["card_not_in_deck"]


def test_a_game_that_goes_on_with_another_top_card() -> None:
    table = AtTable()
    placements = SoloPlacements(Seats(SEATS), lambda: table.game.state)
    placements.resume("r7")
    same = placements.observe(PileBegan(1.0, 1.0, None, Pile((face("r7"),))))
    assert same == []
    placements.resume("r7")
    (told,) = placements.observe(PileBegan(1.0, 1.0, None, Pile((face("g4"),))))
    assert (told["type"], told["player"], told["card"]) == ("place", None, "g4")
    assert told["confidence"] == 0.0


def test_nothing_is_told_before_the_first_card() -> None:
    game = Game(Header("solo", ("Ann", "Ben", "Cem"), 0))
    placements = SoloPlacements(Seats(SEATS), lambda: game.state)
    assert placements.observe(ArmLeft(1.0, 1.0, arm(0, stays=1))) == []


def test_the_deck_helps_to_read() -> None:
    """There is no black 5: what looks black is a wild, a wild plus four, or no such card."""
    unsure = face("kW", sure=0.55)
    assert written(unsure, CLASSIC_SOLO) == "kW"
    first, *_ = guesses(unsure, CLASSIC_SOLO)
    assert first.p > 0.65


@pytest.mark.parametrize(
    ("colour", "symbol", "expected"),
    [("r", "", "r?"), ("", "5", "?5"), ("", "", "?")],
)
def test_what_was_read_in_part_is_told_in_part(colour: str, symbol: str, expected: str) -> None:
    flat_colours = tuple(1 / 6 for _ in range(6))
    flat_faces = tuple(1 / 18 for _ in range(18))
    known = face(f"{colour or 'r'}{symbol or '5'}")
    half = Half(
        0.0,
        0.0,
        0.0,
        known.colour_p if colour else flat_colours,
        known.face_p if symbol else flat_faces,
    )
    assert written(half, CLASSIC_SOLO) == expected


def test_a_reader_of_half_cards_gives_nothing_to_wilds() -> None:
    half = Half(0.0, 0.0, 0.0, (0.7, 0.1, 0.1, 0.1), tuple([1 / 16] * 16))
    assert all(guess.p == 0 for guess in guesses(half, CLASSIC_SOLO) if guess.card in ("kW", "kF"))


def test_a_card_on_its_way_back_looks_like_a_lifted_pile_and_is_none() -> None:
    table = AtTable()
    table.lay(0, "g5")
    lifted, table.pile = table.pile, Pile(table.pile.cards[:-1])
    assert table.see(PileLifted(11.0, 12.0, arm(0), lifted)) == []
    told = table.see(TopTaken(12.0, 12.9, arm(0), face("g5"), table.pile, 1.0))
    assert kinds(told) == [("take_back", 0, "g5")]
    assert kinds(table.draw(0)) == [("draw", 0, 1)]
