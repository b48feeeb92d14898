"""Pictures of moves outlive the program, belong to their game, and are worth no trouble."""

from __future__ import annotations

from pathlib import Path

from referee.desk.crops import Crops


def test_they_are_there_when_the_game_goes_on(tmp_path: Path) -> None:
    first = Crops()
    first.lie_in(tmp_path / "crops", -1)
    for number in range(3):
        first.keep(number, {"before": b"b%d" % number, "after": b"a%d" % number})
    again = Crops()
    again.lie_in(tmp_path / "crops", 1)  # the third move never came into the record
    assert [again.has(number) for number in range(3)] == [True, True, False]
    assert (again.jpeg(1, "before"), again.jpeg(1)) == (b"b1", b"a1")
    assert again.jpeg(2) is None
    again.keep(2, {"after": b"new"})
    assert (again.jpeg(2), again.jpeg(2, "before")) == (b"new", None)


def test_another_game_begins_without(tmp_path: Path) -> None:
    first = Crops()
    first.lie_in(tmp_path, -1)
    first.keep(0, {"after": b"a"})
    (tmp_path / "mine.jpg").write_bytes(b"of the user")
    other = Crops()
    other.lie_in(tmp_path, -1)
    assert not other.has(0)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jpg"]


def test_memory_forgets_the_oldest_and_the_disk_does_not(tmp_path: Path) -> None:
    crops = Crops(kept=2)
    crops.keep(0, {"after": b"0"})
    crops.lie_in(tmp_path, 0)
    for number in range(1, 5):
        crops.keep(number, {"after": b"%d" % number})
    assert [crops.jpeg(number) for number in range(5)] == [None, b"1", b"2", b"3", b"4"]


def test_a_disk_that_takes_none_costs_nothing_but_the_older_ones(tmp_path: Path) -> None:
    (tmp_path / "crops").write_text("no folder")
    crops = Crops(kept=1)
    crops.lie_in(tmp_path / "crops", -1)
    crops.keep(0, {"after": b"0"})
    assert crops.jpeg(0) == b"0"
    crops.keep(1, {"after": b"1"})
    assert not crops.has(0)
    crops.lie_in(tmp_path, -1)
    crops.keep(2, {"after": b"2"})
    (tmp_path / "2-after.jpg").unlink()
    crops.keep(3, {"after": b"3"})
    assert crops.jpeg(2) is None
