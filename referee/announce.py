"""What the referee says: each observation and ruling as sentences, in four languages.

The wording lives in gettext catalogues (`referee/locale/LANG/LC_MESSAGES/referee.po`), one per
language and all four equal: the message ids are the contract's own words (`violation.no_match`),
so English is a catalogue like the others and a club can change a sentence without touching
code. Sentences are short enough to be read aloud and name the player.

Observations and rulings are taken in the shape of the border contract, as they stand in
`game.jsonl`, so a record of another program is announced as well as our own.

>>> Announcer("en").card("r2/bS")
'red 2, blue skip'
>>> Announcer("de").card("r2/bS")
'Rot 2, Blau Aussetzen'
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from referee.store import Record

Language = Literal["en", "de", "pt", "fi"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""Languages in which everything is said, the default first."""

LOCALE = Path(__file__).parent / "locale"
"""Where the catalogues lie."""

Kind = Literal["move", "violation", "doubt", "effect", "turn", "win", "score"]


@cache
def labels(domain: str, language: str) -> Mapping[str, str]:
    """All texts of a page by their keys; ``domain`` is the catalogue: ``desk`` or ``setup``."""
    with (LOCALE / language / "LC_MESSAGES" / f"{domain}.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    # gettext has no public way to list a catalogue.
    raw: dict[str, str] = vars(catalogue)["_catalog"]
    return {key: text for key, text in raw.items() if key}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing to say."""

    kind: Kind
    code: str
    """Message id without its plural or direction: ``effect.skip``."""
    text: str


class Announcer:
    """Says things about one game in one language."""

    def __init__(self, language: str, players: Sequence[str] = (), game: str = "solomino") -> None:
        """`players` are the names in seat order; `game` is ``solomino`` or ``solo``.

        Raises ValueError for a language without a catalogue.
        """
        if language not in LANGUAGES:
            raise ValueError(
                f"expected a language out of {', '.join(LANGUAGES)}, found {language!r}"
            )
        self.language = language
        self._players = tuple(players)
        self._game = game
        self._catalogue = _catalogue(language)

    # -- words

    def name(self, player: int | None) -> str:
        """A player's name, or 'Somebody' where nobody knows who it was."""
        if player is None or not 0 <= player < len(self._players):
            return self._text("player.unknown")
        return self._players[player]

    def colour(self, letter: str) -> str:
        """A colour's name: ``r`` is red."""
        return self._text(f"colour.{letter}") if letter in "rygbkn" else letter

    def half(self, half: str) -> str:
        """A half card (or a whole card of SOLO) as one says it: ``bS`` is blue skip."""
        if len(half) != 2 or "?" in half:
            return self._text("half.unknown")
        colour, face = half[0], half[1]
        words = {
            "face": face,
            "colour": self._text(f"colour.{colour}"),
            "colour_f": self._text(f"colour_f.{colour}"),
        }
        if face.isdigit():
            return self._text("half.number").format(**words)
        solo = f"solo.{face}"
        if (self._game == "solo" or face in "WF") and self._has(solo):
            return self._text(solo).format(**words)
        return self._text(f"half.{face}").format(**words)

    def card(self, card: str | None) -> str:
        """A card as one says it: ``r2/b8`` is red 2, blue 8."""
        if not card or card == "?":
            return self._text("card.unknown")
        first, slash, second = card.partition("/")
        if not slash:
            return self.half(card)
        return self._text("card.two_halves").format(
            first=self.half(first), second=self.half(second)
        )

    def labels(self) -> dict[str, str]:
        """The words that stand on the overlay, by their key without ``label.``."""
        return {
            key.removeprefix("label."): text
            for key, text in _entries(self.language).items()
            if key.startswith("label.")
        }

    # -- sentences

    def observation(self, observation: Record) -> Sentence | None:
        """What somebody did, or None for what is no observation."""
        kind = str(observation.get("type"))
        code = f"move.{kind}"
        words = {
            "player": self.name(observation.get("player")),
            "target": self.name(observation.get("target")),
            "card": self._cards(observation),
            "colour": self.colour(str(observation.get("colour", ""))),
        }
        if kind in ("draw", "hand_left"):
            count = _count(observation)
            text = self._counted(code, count).format(**words, count=count)
        elif kind == "shout" and self._game == "solo":
            text = self._text("solo.shout").format(**words)
        elif kind == "place" and observation.get("colour"):
            text = self._text("move.place_colour").format(**words)
        elif kind == "choose_direction":
            turned = f"{code}.{observation.get('direction')}"
            if not self._has(turned):
                return None  # neither left nor right: the ruling says what is wrong with it
            text = self._text(turned).format(**words)
        elif self._has(code):
            text = self._text(code).format(**words)
        else:
            return None
        return Sentence("move", code, text)

    def ruling(self, ruling: Record, turn_before: int | None = None) -> tuple[Sentence, ...]:
        """What the referee says to it: faults, effects, who plays next.

        `turn_before` is whose turn it was before the observation: that somebody stays on turn
        is only worth a sentence when the turn came back to them by an effect.
        """
        said = [self.violation(code, ruling.get("player")) for code in ruling["violations"]]
        if ruling["legal"] is None:
            said.append(self._say("doubt", "doubt.legal", player=self.name(ruling.get("player"))))
        said += [self.effect(effect) for effect in ruling["effects"]]
        turn = ruling.get("turn")
        if turn is not None and not ruling.get("finished"):
            if turn != turn_before:
                said.append(self._say("turn", "turn.now", player=self.name(turn)))
            elif any(e["effect"] in ("skip", "change_direction") for e in ruling["effects"]):
                said.append(self._say("turn", "turn.again", player=self.name(turn)))
        return tuple(said)

    def violation(self, code: str, player: int | None) -> Sentence:
        """The reason why something was against the rules."""
        known = code if self._has(f"violation.{code}") else "other"
        return self._say("violation", f"violation.{known}", player=self.name(player))

    def effect(self, effect: Record) -> Sentence:
        """What follows from a move: one of the contract's effects."""
        kind = str(effect["effect"])
        code = f"effect.{kind}"
        if kind == "win":
            players = [self.name(p) for p in effect["players"]]
            text = self._counted(code, len(players)).format(players=self._list(players))
            return Sentence("win", code, text)
        words = {
            "player": self.name(effect.get("player")),
            "target": self.name(effect.get("target")),
        }
        if kind in ("owe_draw", "penalty_draw"):
            count = int(effect["count"])
            text = self._counted(code, count).format(**words, count=count)
        elif kind in ("change_direction", "pass_hands") and effect.get("direction"):
            text = self._text(f"{code}.{effect['direction']}")
        elif kind == "swap_hands" and effect.get("target") is not None:
            text = self._text(f"{code}.target").format(**words)
        else:
            text = self._text(code).format(**words)
        return Sentence("effect", code, text)

    def score(self, score: Record) -> tuple[Sentence, ...]:
        """The totals after a round, and who won the game where it is over."""
        points = ", ".join(
            self._text("score.player").format(player=self.name(i), points=total)
            for i, total in enumerate(score["totals"])
        )
        said = [self._say("score", "score.round", round=score["round"], points=points)]
        winners = [self.name(p) for p in score.get("winners", ())]
        if score.get("finished") and winners:
            text = self._counted("score.win", len(winners)).format(players=self._list(winners))
            said.append(Sentence("win", "score.win", text))
        return tuple(said)

    # -- looking messages up

    def _say(self, kind: Kind, code: str, **words: object) -> Sentence:
        return Sentence(kind, code, self._text(code).format(**words))

    def _cards(self, observation: Record) -> str:
        cards = observation.get("cards")
        if isinstance(cards, Sequence) and not isinstance(cards, str):
            return ", ".join(self.card(card) for card in cards)
        return self.card(observation.get("card"))

    def _list(self, names: Sequence[str]) -> str:
        if len(names) < 2:
            return "".join(names)
        return self._text("list.two").format(first=", ".join(names[:-1]), last=names[-1])

    def _has(self, code: str) -> bool:
        return code in _entries(self.language)

    def _text(self, code: str) -> str:
        return self._catalogue.gettext(code)

    def _counted(self, code: str, count: int) -> str:
        return self._catalogue.ngettext(code, f"{code}.many", count)


def _count(observation: Record) -> int:
    count = observation.get("count")
    return int(count) if count is not None else len(observation.get("cards", ()))


@cache
def _catalogue(language: str) -> gettext.GNUTranslations:
    with (LOCALE / language / "LC_MESSAGES" / "referee.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


@cache
def _entries(language: str) -> dict[str, str]:
    """Every message id with its text (of a plural: its singular)."""
    # gettext has no public way to list a catalogue; the ids are needed to tell 'not there'
    # from 'reads like its id', and to hand all labels to the overlay at once.
    raw: dict[str | tuple[str, int], str] = vars(_catalogue(language))["_catalog"]
    return {key if isinstance(key, str) else key[0]: text for key, text in raw.items()}
