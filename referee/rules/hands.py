"""What is known of cards that lie hidden: hands and the draw pile.

A camera knows counts, a simulation knows cards, a replay something between. What is not
known is a number of unknown cards, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import UNREAD_CARD, Card


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: how many cards, and those of them that are known."""

    count: int | None
    """None where unknown."""
    known: tuple[Card, ...] = ()

    @staticmethod
    def dealt(hand: int | tuple[Card, ...] | None) -> Hand:
        """A hand from the header: a count, or the cards with ``?`` for unknown ones."""
        if isinstance(hand, tuple):
            return Hand(len(hand), tuple(card for card in hand if card.known))
        return Hand(hand)

    @property
    def is_known(self) -> bool:
        """Whether every card is known (an empty hand is)."""
        return self.count == len(self.known)

    def may_hold(self, card: Card) -> bool:
        """Whether a card so read can be in this hand."""
        if not self.is_known or card in self.known:
            return True
        return not card.known and any(card.could_be(mine) for mine in self.known)

    def with_cards(self, cards: tuple[Card, ...]) -> Hand:
        """The hand with further cards, some of them perhaps unknown."""
        known = tuple([card for card in cards if card.known])
        count = None if self.count is None else self.count + len(cards)
        return Hand(count, self.known + known if known else self.known)

    def without(self, card: Card) -> Hand:
        """The hand after a card has left it.

        Where it cannot be told which one left, what is known shrinks to what still must be
        true; where the card cannot have been there, nothing known is left, and where no card
        can have been there, not even the count.
        """
        count = self.count - 1 if self.count else None
        known = self.known
        if not known:
            return Hand(count)
        if card in known:
            place = known.index(card)
            return Hand(count, known[:place] + known[place + 1 :])
        if self.is_known:
            return Hand(count)
        if card.known:
            return Hand(count, known)
        return Hand(count, tuple(mine for mine in known if not card.could_be(mine)))


@dataclass(frozen=True, slots=True)
class Pile:
    """The draw pile: how many cards, and which ones, the top card first, where known."""

    count: int | None
    known: tuple[Card, ...] = ()
    """From the top; shorter than the pile where the rest is unknown."""

    @staticmethod
    def dealt(pile: int | tuple[Card, ...] | None) -> Pile:
        """A pile from the header: a count, or its cards."""
        return Pile(len(pile), pile) if isinstance(pile, tuple) else Pile(pile)

    def stated(self, count: int) -> Pile:
        """The pile once somebody has counted it: what was known of it counts no more if that
        is another number."""
        return self if count == self.count else Pile(count)

    def top(self, count: int) -> tuple[Card, ...]:
        """The next so many cards, ``?`` for each unknown one."""
        known = self.known[:count]
        return known + (UNREAD_CARD,) * (count - len(known))

    def without(self, count: int) -> Pile:
        """The pile after so many cards were taken; never fewer than none."""
        rest = None if self.count is None else max(0, self.count - count)
        return Pile(rest, self.known[count:] if self.known else ())
