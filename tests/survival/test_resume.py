"""A game that was broken off goes on: same record, same state, no move told twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.notation import parse_header
from referee.resume import Resumed
from referee.session import Session, header_for
from referee.store import PatientStore, Record, Store, StoreError, read
from tests.referee.play import NORTH, SOUTH, TABLE, WEST
from tests.stage import Stage
from vision.frames import Frame


def opening(stage: Stage) -> Iterator[Frame]:
    """Cem starts, Ann lays."""
    yield from stage.wait(0.6)
    yield from stage.reach(NORTH, (0.0, -10.0), brings=("r5/g1", 0.0, 0.0))
    yield from stage.wait(0.6)
    yield from stage.reach(SOUTH, (45.5, 10.0), brings=("g7/g6", 45.5, 0.0))
    yield from stage.wait(0.6)


def bens_card(stage: Stage) -> Iterator[Frame]:
    """Ben lays what does not match."""
    yield from stage.reach(WEST, (-45.5, 0.0), brings=("b2/y4", -45.5, 0.0))
    yield from stage.wait(0.6)


def moves(records: Sequence[Record]) -> list[tuple[Any, ...]]:
    kinds = ("start", "place", "draw")
    return [(r["type"], r.get("player"), r.get("card")) for r in records if r["type"] in kinds]


def play(path: Path, stage: Stage, *parts: Iterator[Frame], away_s: float = 5.0) -> Session:
    """Watch as `referee live` does: go on with the record where there is one."""
    before = Resumed.read(read(path).records, away_s) if path.exists() else None
    header = header_for(TABLE) if before is None else before.game.header
    with Store(path, durable=False) as store:
        session = Session(TABLE, header, stage, store, before)
        for part in parts:
            for frame in part:
                session.see(frame)
    return session


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record of the opening."""
    path, stage = tmp_path_factory.mktemp("opened") / "game.jsonl", Stage()
    play(path, stage, opening(stage))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, opened: bytes) -> Path:
    """The record of a game that was broken off after its opening."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(opened)
    return path


CARDS = [("r5/g1", 0.0, 0.0), ("g7/g6", 45.5, 0.0)]
"""What lies on the table after the opening."""


def test_the_same_game_goes_on(path: Path) -> None:
    before = read(path).records
    began_again = Stage(cards=[*CARDS])  # its clock starts anew, as a camera's does
    session = play(path, began_again, began_again.wait(1.5), bens_card(began_again))
    records = read(path).records
    assert records[: len(before)] == before
    assert [r["type"] for r in records].count("game") == 1
    assert moves(records)[2:] == [("place", 1, "y4/b2")]
    ruling = records[-1]
    assert (ruling["of"], ruling["violations"]) == (2, ["no_match"])
    times = [r["t"] for r in records if "t" in r]
    assert times == sorted(times)
    assert times[-1] > max(r["t_reported"] for r in before if "t_reported" in r) + 5.0
    assert session.view().log == tuple(records[1:])


def test_a_card_that_was_laid_meanwhile_is_accused_of_nothing(path: Path) -> None:
    stage = Stage(cards=[*CARDS, ("b2/y4", -45.5, 0.0)])
    play(path, stage, stage.wait(1.0))
    told = [r for r in read(path).records if r["type"] == "ruling"]
    assert len(told) == 3
    assert told[-1]["legal"] is None
    assert sorted(told[-1]["ends"]) == ["b2", "g6"]


def test_a_game_that_had_not_begun_begins(path: Path) -> None:
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    stage = Stage()
    play(path, stage, opening(stage))
    assert moves(read(path).records)[0][0] == "start"


@pytest.mark.parametrize("cut", range(1, 6))
def test_wherever_the_record_broke_off(path: Path, cut: int) -> None:
    """Half a line is dropped; a move without its ruling gets it."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:cut]) + lines[cut % len(lines)][:20])
    play(path, Stage())
    records = read(path).records
    types = [r["type"] for r in records]
    assert types == ["game", "start", "ruling", "place", "ruling"][: 2 * (cut // 2) + 1]
    assert path.read_bytes() == b"".join(lines[: len(types)])


def test_nothing_is_shown_that_is_not_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = False
    append = Store.append

    def appending(store: Store, records: Any) -> None:
        if full:
            raise StoreError("the disk is full") from OSError(28, "No space left on device")
        append(store, records)

    monkeypatch.setattr(Store, "append", appending)
    stage = Stage(cards=[*CARDS])
    with PatientStore(path, retry_s=0.0) as store:
        before = Resumed.read(read(path).records, 0.0)
        session = Session(TABLE, before.game.header, stage, store, before)
        for frame in stage.wait(1.0):
            session.see(frame)
        assert not session.view().safe_mode
        full = True
        for frame in bens_card(stage):
            session.see(frame)
        view = session.view()
        assert (view.safe_mode, view.trouble) == (True, "the disk is full")
        assert (len(moves(view.log)), len(session.game.moves)) == (2, 3)
        full = False
        for frame in stage.wait(0.2):
            session.see(frame)
        assert not session.view().safe_mode
        assert session.view().log == read(path).records[1:]
        assert len(moves(read(path).records)) == 3


def test_the_header_stays_as_it_was(path: Path) -> None:
    first = path.read_text().splitlines()[0].replace('"type"', '"event": "Club night", "type"')
    path.write_text(first + "\n")
    session = play(path, Stage())
    header = session.view().header
    assert header is not None and header["event"] == "Club night"
    assert parse_header(header) == session.game.header
