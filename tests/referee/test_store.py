"""The record on disk: whole lines only, whatever happens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.store import Store, StoreError, read

HEADER = {"type": "game", "game": "solomino", "players": ["Änn", "Ben"]}
START = {"type": "start", "card": "r5/g1", "t": 4.0}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "game.jsonl"


@pytest.mark.parametrize("durable", [True, False])
def test_each_line_is_on_disk_when_append_returns(path: Path, durable: bool) -> None:
    with Store(path, durable=durable) as store:
        store.append([HEADER])
        assert json.loads(path.read_text(encoding="utf-8")) == HEADER
        store.append([START, START])
        assert path.read_bytes().count(b"\n") == 3


def test_a_record_is_read_back(path: Path) -> None:
    with Store(path, durable=False) as store:
        store.append([HEADER, START])
    assert read(path).records == (HEADER, START)


def test_a_record_that_is_opened_again_goes_on(path: Path) -> None:
    for record in (HEADER, START):
        with Store(path, durable=True) as store:
            store.append([record])
    assert read(path).records == (HEADER, START)


def test_a_last_line_that_was_cut_off_is_dropped(path: Path) -> None:
    with Store(path, durable=False) as store:
        store.append([HEADER, START])
    path.write_bytes(path.read_bytes()[:-9])
    assert read(path).records == (HEADER,)
    with Store(path, durable=False) as store:
        store.append([START])
    assert read(path).records == (HEADER, START)


def test_a_broken_line_in_the_middle_is_named(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"type": "game"}\n{"type": \n[1]\n')
    with pytest.raises(StoreError, match="line 2: expected a JSON object"):
        read(path)


def test_a_full_disk_is_said_and_what_was_written_stays_whole() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    store = Store.__new__(Store)
    store.path, store._durable, store._size_bytes, store._torn = full, False, 0, False
    store._file = full.open("ab", buffering=0)
    with pytest.raises(StoreError, match="what was written until now is whole"):
        store.append([HEADER])
    store.close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file, not a folder")
    with pytest.raises(StoreError, match="cannot write the record"):
        Store(tmp_path / "out" / "game.jsonl", durable=False)


def test_numbers_that_json_does_not_have_are_refused(path: Path) -> None:
    with Store(path, durable=False) as store, pytest.raises(ValueError, match="JSON"):
        store.append([{"confidence": float("nan")}])
