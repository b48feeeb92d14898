"""The sample recording of SOLO, with its true record beside it.

A game of three on an untidy pile: a card thrown in, one that does not fit and is taken back, a
pile that is straightened, nudged, slid and taken up to be shuffled, two cards drawn, a wild.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table import load_table
from referee.game import Game
from referee.notation import is_observation
from referee.reading import open_reader
from referee.session import Session, header_for
from referee.store import Store, read
from tests.solo_table.table import Lying, face
from vision.facts import CARD_MM, Half, Image
from vision.frames import Frame, open_recording
from vision.plane import TablePlane
from vision.weights import weights_folder

_TOLD_BY_PEOPLE = ("choose_colour",)
_WIDE = 400
"""Side of the square in which the pile is drawn to see what covers what, millimetres."""


class TruePile:
    """Reads the pile from the file that tells how it lay; not quite exactly, as readers do."""

    def __init__(self, path: Path) -> None:
        self._piles = [json.loads(line) for line in path.read_text().splitlines()]
        self._rng = np.random.default_rng(1)
        self.now_s = 0.0

    def read(
        self,
        image: Image,
        plane: TablePlane,
        region_mm: tuple[float, float, float, float] | None = None,
    ) -> list[Half]:
        """The faces that are seen for the better part; `vision.facts.Reader`."""
        del image, plane
        cards = [Lying(*card) for card in self._pile()]
        found: list[Half] = []
        for card, seen in zip(cards, _seen(cards), strict=True):
            (dx, dy), turn = self._rng.normal(0, 0.8, 2), float(self._rng.normal(0, 1))
            place = card.x_mm + float(dx), card.y_mm + float(dy)
            if seen > 0.45 and (region_mm is None or _inside(place, region_mm)):
                found.append(face(card.card, *place, card.angle_deg + turn, 0.98, seen))
        return found

    def _pile(self) -> list[list[Any]]:
        lying = [pile["cards"] for pile in self._piles if pile["t"] <= self.now_s + 1e-3]
        return list(lying[-1])


def _inside(place: tuple[float, float], region: tuple[float, float, float, float]) -> bool:
    return region[0] <= place[0] <= region[2] and region[1] <= place[1] <= region[3]


def _seen(cards: list[Lying]) -> list[float]:
    """The share of each card's middle part that no later card covers."""
    shown = np.zeros((_WIDE, _WIDE), np.int32)
    areas: list[int] = []
    middle = np.array([_WIDE / 2, _WIDE / 2]) - (np.array([cards[-1].x_mm, cards[-1].y_mm])
                                                 if cards else 0.0)  # fmt: skip
    for i, card in enumerate(cards, 1):
        for length_mm, mark in ((CARD_MM[1], 0), (CARD_MM[1] / 2, i)):
            corners = np.round(card.corners_mm(length_mm) + middle).astype(np.int32)
            cv2.fillConvexPoly(shown, corners, mark)
        areas.append(int(np.count_nonzero(shown == i)))
    return [int(np.count_nonzero(shown == i)) / max(1, area) for i, area in enumerate(areas, 1)]


@pytest.fixture(scope="module")
def game(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The sample, watched."""
    table = load_table(samples / "solo.table.json")
    reader = TruePile(samples / "solo.pile.jsonl")

    def noted(frame: Frame) -> None:
        # A frame's reading comes before this is called: what lay there is told one frame late.
        reader.now_s = frame.at_s

    path = tmp_path_factory.mktemp("solo") / "game.jsonl"
    with Store(path, durable=False) as store:
        session = Session(table, header_for(table), reader, store)
        session.run(open_recording(samples / "solo.mp4"), noted)
    assert len(read(path).records) > len(session.game.moves)
    return session.game


@pytest.fixture(scope="module")
def truth(samples: Path) -> list[dict[str, Any]]:
    """What was played, without what no camera sees."""
    lines = read(samples / "solo.game.jsonl").records
    return [
        dict(line) for line in lines if is_observation(line) and line["type"] not in _TOLD_BY_PEOPLE
    ]


def test_every_move_and_nothing_else(game: Game, truth: list[dict[str, Any]]) -> None:
    told = [move.as_dict() for move in game.moves]
    names = ("type", "player", "card", "count")
    assert [[one.get(name) for name in names] for one in told] == [
        [one.get(name) for name in names] for one in truth
    ]
    for one, true in zip(told, truth, strict=True):
        assert abs(one["t"] - true["t"]) < 1.0
        if "t_clear" in true:
            assert one["t_reported"] - true["t_clear"] < 1.5


def test_the_card_that_does_not_fit_is_flagged_and_none_else(game: Game) -> None:
    faults = [
        (game.moves[of].as_dict()["card"], [str(fault) for fault in ruling.violations])
        for of in range(len(game.moves))
        for ruling in game.rulings(of)
        if ruling.legal is False
    ]
    assert faults == [("b6", ["no_match"])]


def test_after_the_wild_nobody_can_tell_until_its_colour_is_told(
    game: Game, truth: list[dict[str, Any]]
) -> None:
    last = len(game.moves) - 1
    assert game.moves[last].as_dict()["card"] == "y9"
    assert [ruling.legal for ruling in game.rulings(last)] == [None]
    wild = next(i for i, one in enumerate(truth) if one.get("card") == "kW")
    game.insert(wild + 1, {"type": "choose_colour", "player": 0, "colour": "r"})
    assert [ruling.legal for ruling in game.rulings(last + 1)] == [False]
    game.undo()


def test_the_true_record_is_judged_as_it_says(samples: Path) -> None:
    lines = read(samples / "solo.game.jsonl").records
    verdicts = [line["legal"] for line in lines if line["type"] == "ruling"]
    assert verdicts.count(False) == 2
    assert None not in verdicts


def test_the_committed_weights_read_it(
    samples: Path, truth: list[dict[str, Any]], tmp_path: Path
) -> None:
    if not (weights_folder() / "face-finder.onnx").is_file():
        pytest.skip("the committed weights know half cards alone")
    table = load_table(samples / "solo.table.json")
    with Store(tmp_path / "game.jsonl", durable=False) as store:
        session = Session(table, header_for(table), open_reader("solo"), store)
        session.run(open_recording(samples / "solo.mp4"))
    told = [move.as_dict() for move in session.game.moves]
    told = [one for one in told if not one.get("assumed")]
    assert [(one["type"], one.get("player")) for one in told] == [
        (one["type"], one.get("player")) for one in truth
    ]
    cards = [(one.get("card"), true.get("card")) for one, true in zip(told, truth, strict=True)]
    assert sum(one == true for one, true in cards) >= len(cards) - 1, cards
    faults = [
        move.as_dict().get("card")
        for of, move in enumerate(session.game.moves)
        for ruling in session.game.rulings(of)
        if ruling.legal is False
    ]
    assert faults == ["b6"]
