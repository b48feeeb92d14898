"""What is done in a filmed game, and when: moves by the rules and against them, and the rest.

`Choreography.perform` yields the arms of one picture after the other; meanwhile the truth goes
into the game, and into `events` what is no move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from datasets.film import Film, Point, Reach, open_card
from datasets.gestures import Clock, Gesture, Gestures
from datasets.growing_line import (
    carried,
    end_below,
    from_end_to_end,
    matching,
    middle,
    turned,
)
from datasets.layouts import LaidCard, draw_line, random_half
from referee.game import Game

_CALL = "C"


class Choreography:
    """The players' moves and mishaps, one after the other or at the same time."""

    def __init__(
        self, film: Film, rng: np.random.Generator, clock: Clock, game: Game, moves: int,
        beside: Mapping[str, float],
    ) -> None:  # fmt: skip
        """``beside``: how often what happens that is no plain move, by its kind."""
        self._film, self._rng, self._clock, self._game = film, rng, clock, game
        self._hands = Gestures(film, rng, clock)
        self._weights = beside
        half_w, half_h = film.half_view_mm
        area = (-half_w * 0.6, -half_h * 0.68, half_w * 0.6, half_h * 0.68)
        self._plan = matching(rng, draw_line(rng, moves + 1, area).cards, calls="pair" in beside)
        film.furnish(self._plan)
        self._next = 0
        self._laid: list[LaidCard] = []
        """The line's cards where they lie now, those cleared away included."""
        self._cleared: set[int] = set()
        self._beside: list[LaidCard] = []
        self._turn_deg, self._shift = 0.0, np.zeros(2)
        """How the whole line has been moved since its first card was laid."""
        self._behind: list[Gesture] = []
        """What goes on by itself: a camera that drifts."""
        self._joining: list[Gesture] = []
        """What begins with the next picture, beside what is being done."""
        self._lies_s: float | None = None
        """When the card of the move that is being made came to lie."""
        self._gone_s = 0.0
        """When the last hand with a drawn card left the picture."""
        self._covered: list[tuple[int, LaidCard]] = []
        self.clear_s: dict[int, float] = {}
        """For each move with a card, when no arm covered it any more."""
        self.events: list[dict[str, Any]] = []
        """What happened that is no move."""

    def perform(self) -> Iterator[list[Reach]]:
        """The arms in each picture, from the first to the last."""
        rng = self._rng
        yield from self._all(self._hands.pause(float(rng.uniform(1.0, 2.5))))
        yield from self._all(self._start())
        while self._next < len(self._plan):
            yield from self._all(self._hands.pause(float(rng.uniform(0.25, 1.6))))
            kinds = ["place", "draw", *self._weights]
            odds = np.array([1.0, 0.25, *self._weights.values()])
            odds[2:] *= 0.75 / odds[2:].sum()
            kind = str(rng.choice(kinds, p=odds / odds.sum()))
            yield from self._all(self._deed(kind))
        yield from self._all(self._hands.pause(2.0))

    def _all(self, *gestures: Gesture) -> Iterator[list[Reach]]:
        """Gestures that go on together, until the last of them is over."""
        going = list(gestures)
        while going:
            going += self._joining
            self._joining.clear()
            reaches: list[Reach] = []
            for gesture in list(going):
                try:
                    reach = next(gesture)
                except StopIteration:
                    going.remove(gesture)
                    continue
                if reach is not None:
                    reaches.append(reach)
            if not going:
                return
            for gesture in list(self._behind):
                if next(gesture, False) is False:
                    self._behind.remove(gesture)
            self._look_for_clear(reaches)
            yield reaches

    def _look_for_clear(self, reaches: list[Reach]) -> None:
        for of, card in list(self._covered):
            if not any(self._film.hides(reach, card) for reach in reaches):
                self.clear_s[of] = self._clock.now_s
                self._covered.remove((of, card))

    # -- what is done

    def _deed(self, kind: str) -> Gesture:
        rng = self._rng
        turn = self._game.state.turn or 0
        player = turn if rng.random() < 0.93 else int(rng.integers(len(self._film.seats)))
        if kind not in ("place", "draw"):
            self.events.append({"t": round(self._clock.now_s, 3), "event": kind})
        match kind:
            case "place":
                return self._place(player)
            case "pair":
                return self._pair(player)
            case "fumble":
                return self._place(player, fumbles=True)
            case "take_back":
                return self._take_back(player)
            case "draw":
                return self._draw(player, 1)
            case "draws":
                return self._draw(player, int(rng.integers(2, 4)))
            case "nudge":
                return self._push(player, 9.0, whole=False)
            case "straighten":
                return self._straighten(player)
            case "shove":
                return self._push(player, float(rng.choice([22.0, 45.0, 70.0])), whole=True)
            case "shove_and_place":
                return self._push(player, float(rng.choice([22.0, 45.0])), whole=True, lays=True)
            case "clear":
                return self._clear(player)
            case "company":
                return self._company(player)
            case "hover" | "rest":
                return self._idle(player, kind)
            case _:
                self._behind.append(getattr(self._hands, kind)())
                return self._hands.pause(0.4)

    def _start(self) -> Gesture:
        player = int(self._rng.integers(len(self._film.seats)))
        card = self._plan[0]
        self._next = 1
        yield from self._put(player, card, self._laid)
        self._note({"type": "start", "card": "/".join(card.halves)}, card)
        yield from self._hands.go(player, middle(card))

    def _place(self, player: int, *, fumbles: bool = False, comes_s: float = 0.55) -> Gesture:
        """Lays the next card; one who fumbles takes it back before the hand has gone."""
        if self._next >= len(self._plan):
            return
        card = self._moved(self._plan[self._next])
        self._next += 1
        covered = end_below(self._laid, card)
        yield from self._put(player, card, self._laid, comes_s)
        free, covering = card.halves
        self._note({"type": "place", "player": player, "card": f"{free}/{covering}",
                    "onto": covered, "with": covering}, card)  # fmt: skip
        if fumbles:
            away = (card.x_mm + self._out(player)[0] * 150, card.y_mm + self._out(player)[1] * 150)
            yield from self._hands.sweep(player, middle(card), away, 0.35, None)
            yield from self._hands.stay(player, away, float(self._rng.uniform(0.5, 1.2)), 1.0)
            yield from self._hands.sweep(player, away, middle(card), 0.35, None)
            yield from self._hands.stay(player, middle(card), 0.2)
            yield from self._lift_last(player)
            return
        yield from self._hands.go(player, middle(card))
        if _CALL in free[1] + covering[1] and self._game.state.table.call is not None:
            yield from self._call(player)

    def _pair(self, player: int) -> Gesture:
        """Two cards in quick succession: the second arm comes before the first has gone."""
        other = (player + 1) % len(self._film.seats) if self._rng.random() < 0.7 else player
        before = self._next
        for reach in self._place(player):
            if self._lies_s is not None and self._next == before + 1 and other != player:
                self._joining.append(self._place(other, comes_s=0.4))
                before = -1
            yield reach
        if other == player:
            yield from self._place(player, comes_s=0.4)

    def _take_back(self, player: int) -> Gesture:
        if len(self._laid) < 2 or len(self._laid) - 1 in self._cleared:
            return
        spot = middle(self._laid[-1])
        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, 0.2)
        yield from self._lift_last(player)

    def _lift_last(self, player: int) -> Gesture:
        """The hand at the last card takes it home."""
        card = self._laid.pop()
        self._covered = [(of, other) for of, other in self._covered if other is not card]
        self._next -= 1
        self._lay_out()
        free, covering = card.halves
        took_s = self._clock.now_s
        yield from self._hands.go(player, middle(card), card)
        self._note({"type": "take_back", "player": player, "card": f"{free}/{covering}"},
                   t=took_s)  # fmt: skip

    def _draw(self, player: int, count: int) -> Gesture:
        """One card or several from the pile: one by one in one reach, or in several."""
        pile = self._film.pile
        in_one_reach = self._rng.random() < 0.5
        at = pile
        yield from self._hands.come(player, pile)
        for k in range(count):
            yield from self._hands.stay(player, pile, 0.22)
            if k == count - 1:
                break
            if in_one_reach:
                at = (pile[0] + self._out(player)[0] * 210, pile[1] + self._out(player)[1] * 210)
                yield from self._hands.sweep(player, pile, at, 0.4, self._back(pile))
                yield from self._hands.sweep(player, at, pile, 0.4, None)
            else:
                yield from self._leave_with(player, self._back(pile))
                self._note({"type": "draw", "player": player, "count": 1}, t=self._gone_s)
                yield from self._hands.come(player, pile)
        yield from self._leave_with(player, self._back(pile))
        self._note({"type": "draw", "player": player, "count": count if in_one_reach else 1},
                   t=self._gone_s)  # fmt: skip

    def _leave_with(self, player: int, card: LaidCard) -> Gesture:
        """Home with a card; `_gone_s` is when the hand is out of the picture."""
        gone_s: float | None = None
        for reach in self._hands.go(player, (card.x_mm, card.y_mm), card):
            if gone_s is None and reach is not None and not self._film.sees(reach.at_mm):
                gone_s = self._clock.now_s
            yield reach
        self._gone_s = self._clock.now_s if gone_s is None else gone_s

    def _push(self, player: int, far_mm: float, *, whole: bool, lays: bool = False) -> Gesture:
        """Moves the last card a little, or the whole line; ``lays``: and a card is laid at once."""
        last = self._laid[-1]
        spot = middle(last)
        angle = float(self._rng.uniform(0, 2 * np.pi))
        if whole and self._rng.random() < 0.5:  # along the line, as it goes by itself
            along = last.half_centre_mm(0) - last.half_centre_mm(1)
            angle = float(np.arctan2(along[1], along[0])) + float(self._rng.choice([0, np.pi]))
        step = far_mm * np.array([np.cos(angle), np.sin(angle)])
        turn_deg = float(self._rng.normal(0, 3)) if whole else 0.0
        before, chosen = list(self._laid), range(len(self._laid)) if whole else [-1]
        angle_before, shifted = self._turn_deg, self._shift

        def move(share: float) -> None:
            self._laid = list(before)
            for i in chosen:
                self._laid[i] = carried(before[i], spot, turn_deg * share, step * share)
            self._lay_out()

        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, 0.2)
        yield from self._hands.push(player, spot, step, move)
        if whole:
            # A turn about the hand is a turn about the origin and a shift.
            self._turn_deg = angle_before + turn_deg
            pivot = np.array(spot)
            self._shift = turned(shifted - pivot, turn_deg) + pivot + step
        now = (spot[0] + float(step[0]), spot[1] + float(step[1]))
        yield from self._hands.go(player, now)
        if lays:
            yield from self._place(player, comes_s=0.4)

    def _straighten(self, player: int) -> Gesture:
        """Sets the last card straight: a few millimetres and degrees."""
        before = self._laid[-1]
        step, turn_deg = self._rng.normal(0, 3, 2), float(self._rng.normal(0, 4))

        def move(share: float) -> None:
            self._laid[-1] = carried(before, middle(before), turn_deg * share, step * share)
            self._lay_out()

        yield from self._hands.come(player, middle(before))
        yield from self._hands.push(player, middle(before), step, move)
        yield from self._hands.go(player, middle(self._laid[-1]))

    def _clear(self, player: int) -> Gesture:
        """Takes the middle of the line away to make room; the last two cards at each end stay."""
        order = from_end_to_end(self._laid)
        inner = [card for card in order[2:-2] if card not in self._cleared]
        if len(inner) < 2:
            return
        spot = middle(self._laid[inner[len(inner) // 2]])
        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, 0.5)
        self._cleared.update(inner)
        self._lay_out()
        yield from self._hands.go(player, spot, self._laid[inner[0]])

    def _company(self, player: int) -> Gesture:
        """A move while somebody else's arm is over the table, too."""
        other = (player + 1) % len(self._film.seats)
        x, y = self._film.seats[other]
        glass = (x * 0.62 + float(self._rng.normal(0, 60)), y * 0.62)
        self._joining.append(self._visit(other, glass))
        return self._place(player)

    def _visit(self, player: int, spot: Point) -> Gesture:
        yield from self._hands.come(player, spot)
        yield from self._hands.stay(player, spot, float(self._rng.uniform(0.5, 2.0)), 1.5)
        yield from self._hands.go(player, spot)

    def _idle(self, player: int, kind: str) -> Gesture:
        """A hand that hovers over the line, or rests beside it, and lays nothing."""
        target = self._laid[int(self._rng.integers(len(self._laid)))]
        off = 0.0 if kind == "hover" else 90.0
        spot = (target.x_mm + off, target.y_mm + off * 0.6)
        carried = None
        if kind == "hover" and self._rng.random() < 0.5:
            carried = open_card(self._rng, spot, True)
        yield from self._hands.come(player, spot, carried)
        stay_s = float(self._rng.uniform(0.8, 2.5))
        yield from self._hands.stay(player, spot, stay_s, 0.8 if kind == "rest" else 4, carried)
        yield from self._hands.go(player, spot, carried)

    # -- a call for a card

    def _call(self, player: int) -> Gesture:
        """A card is turned up before the next player, perhaps answered, passed on, and taken."""
        asked = self._game.state.turn
        if asked is None:
            return
        pile = self._film.pile
        spot = self._film.place_before(asked, self._plan)
        card = open_card(self._rng, spot, True)
        yield from self._hands.come(player, pile)
        yield from self._hands.stay(player, pile, 0.25)
        yield from self._hands.sweep(player, pile, spot, 0.6, self._back(pile))
        yield from self._drop(player, card, self._beside)
        self._note({"type": "call_reveal", "card": "/".join(card.halves)}, card)
        yield from self._hands.go(player, spot)
        if self._rng.random() < 0.5:
            yield from self._hands.pause(float(self._rng.uniform(0.4, 1.2)))
            shown = card.halves[int(self._rng.integers(2))]
            answer = replace(open_card(self._rng, spot, True),
                             halves=(random_half(self._rng), shown))  # fmt: skip
            yield from self._put(asked, answer, self._beside)
            self._note({"type": "call_answer", "player": asked, "with": shown,
                        "card": "/".join(answer.halves)}, answer)  # fmt: skip
            yield from self._hands.go(asked, spot)
            asked = self._game.state.turn if self._game.state.turn is not None else asked
        yield from self._hands.pause(float(self._rng.uniform(0.4, 1.2)))
        yield from self._hands.come(asked, spot)
        yield from self._hands.stay(asked, spot, 0.3)
        top = self._beside[-1]
        self._covered = [(of, other) for of, other in self._covered if other not in self._beside]
        self._beside.clear()
        self._lay_out()
        yield from self._leave_with(asked, top)
        self._note({"type": "call_take", "player": asked}, t=self._gone_s)

    # -- hands and cards

    def _put(
        self, player: int, card: LaidCard, onto: list[LaidCard], comes_s: float = 0.55
    ) -> Gesture:
        """Comes with a card and lays it."""
        self._lies_s = None
        yield from self._hands.come(player, middle(card), card, comes_s)
        yield from self._drop(player, card, onto)

    def _drop(self, player: int, card: LaidCard, onto: list[LaidCard]) -> Gesture:
        """Lays the card at the hand's fingertips and lets go of it."""
        onto.append(card)
        self._lay_out()
        yield from self._hands.stay(player, middle(card), float(self._rng.uniform(0.08, 0.4)))
        self._lies_s = self._clock.now_s

    def _back(self, at: Point) -> LaidCard:
        """A card from the pile, its back up."""
        return open_card(self._rng, at, False)

    def _out(self, player: int) -> tuple[float, float]:
        """The direction of a player's seat."""
        x, y = self._film.seats[player]
        length = float(np.hypot(x, y))
        return x / length, y / length

    def _lay_out(self) -> None:
        """Show on film what lies on the table now."""
        line = [card for i, card in enumerate(self._laid) if i not in self._cleared]
        self._film.cards = [*line, *self._beside]
        self._film.changed()

    def _note(self, entry: dict[str, Any], card: LaidCard | None = None,
              t: float | None = None) -> None:  # fmt: skip
        """A move, with the time at which it was done: when its card came to lie, or ``t``."""
        at_s = self._lies_s if t is None else t
        assert at_s is not None
        of = len(self._game.moves)
        self._game.append_entry({**entry, "t": round(at_s, 3)})
        if card is not None:
            self._covered.append((of, card))

    # -- the line

    def _moved(self, card: LaidCard) -> LaidCard:
        """Where a card is laid, the line having been moved as a whole."""
        x, y = turned(np.array(middle(card)), self._turn_deg) + self._shift
        angle = card.angle_deg + self._turn_deg
        return replace(card, x_mm=float(x), y_mm=float(y), angle_deg=angle)
