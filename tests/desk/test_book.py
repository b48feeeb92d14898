"""Several operators and a camera write in one log and do not lose each other's changes."""

from __future__ import annotations

import threading

import pytest

from referee.desk import orders
from referee.desk.book import Book, NoSuchMoveError, Wanted
from referee.game import CorrectionError, load
from referee.notation import NotationError
from tests.desk.tables import HEADER, START, Kept, Table, done, place, refused

DRAW = {"type": "draw", "player": 0, "count": 1}


@pytest.fixture
def table() -> Table:
    return Table(START, place(0, "g1", "g7/g6", t=5.0), place(1, "g6", "g2/y2", t=9.0))


def test_changes_that_do_not_touch_each_other_both_go_in(table: Table) -> None:
    base = table.book.revision
    done(table.book.change(orders.change(table.game, 1, {"player": 2}), base))
    done(table.book.change(orders.change(table.game, 2, {"player": 0}), base))
    assert [line.get("player") for line in table.lines[1:]] == [2, 0]


def test_a_move_that_another_changed_meanwhile_is_not_changed_over_it(table: Table) -> None:
    base = table.book.revision
    done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), base))
    answer = refused(table.book.change(orders.change(table.game, 1, {"card": "g7/g8"}), base))
    assert (answer.reason, answer.id, answer.revision) == ("changed", 1, base + 1)
    assert table.lines[1]["card"] == "g7/g9"


def test_who_has_seen_the_other_change_may_change_it_again(table: Table) -> None:
    first = done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), None))
    done(table.book.change(orders.change(table.game, 1, {"card": "g7/g8"}), first.revision))
    assert table.lines[1]["card"] == "g7/g8"


def test_a_move_that_another_took_out_is_gone(table: Table) -> None:
    base = table.book.revision
    done(table.book.change(Wanted("delete", 2), base))
    answer = refused(table.book.change(Wanted("delete", 2), base))
    assert (answer.reason, answer.id) == ("gone", None)
    missed = orders.missed(table.game, DRAW, 2, None)
    assert refused(table.book.change(missed, base)).reason == "gone"


def test_a_missed_move_is_not_entered_twice_at_one_place(table: Table) -> None:
    base = table.book.revision
    first = done(table.book.change(orders.missed(table.game, DRAW, 2, None), base))
    answer = refused(table.book.change(orders.missed(table.game, DRAW, 2, None), base))
    assert (answer.reason, answer.id) == ("place", first.id)
    done(table.book.change(orders.missed(table.game, DRAW, 1, None), base))  # another place
    assert len(table.lines) == 5


def test_what_is_entered_goes_where_its_operator_saw_the_end(table: Table) -> None:
    base = table.book.revision
    table.book.observe(place(2, "y2", "y8/b1", t=12.0))
    done(table.book.change(orders.shout(table.game, 1, 12.5), base))
    assert [line["type"] for line in table.lines[-3:]] == ["place", "shout", "place"]


def test_two_operators_do_not_enter_the_same_at_the_end(table: Table) -> None:
    base = table.book.revision
    done(table.book.change(orders.shout(table.game, 1, 12.5), base))
    table.book.observe(place(2, "y2", "y8/b1", t=12.0))
    answer = refused(table.book.change(orders.shout(table.game, 1, 12.5), base))
    assert answer.reason == "place"
    assert [line["type"] for line in table.lines].count("shout") == 1


def test_an_end_that_the_camera_moved_on_from_is_free_again(table: Table) -> None:
    done(table.book.change(orders.shout(table.game, 1, 12.5), None))
    table.book.observe(place(2, "y2", "y8/b1", t=12.0))
    done(table.book.change(orders.shout(table.game, 2, 13.0), table.book.revision))
    assert [line["type"] for line in table.lines[-3:]] == ["shout", "place", "shout"]


def test_nobody_undoes_what_he_has_not_seen(table: Table) -> None:
    base = done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), None)).revision
    done(table.book.change(orders.change(table.game, 2, {"player": 0}), base))
    assert refused(table.book.change(Wanted("undo"), base)).reason == "undone"
    done(table.book.change(Wanted("undo"), table.book.revision))
    assert table.lines[2]["player"] == 1
    assert table.lines[1]["card"] == "g7/g9"


def test_what_the_camera_adds_is_no_reason_not_to_undo(table: Table) -> None:
    base = done(table.book.change(Wanted("delete", 2), None)).revision
    table.book.observe(DRAW)
    done(table.book.change(Wanted("undo"), base))
    assert [line["type"] for line in table.lines] == ["start", "place", "place", "draw"]


def test_what_was_undone_counts_as_changed(table: Table) -> None:
    done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), None))
    base = table.book.revision
    done(table.book.change(Wanted("undo"), base))
    answer = refused(table.book.change(orders.change(table.game, 1, {"player": 2}), base))
    assert answer.reason == "changed"


def test_a_correction_is_on_disk_and_is_read_back(table: Table) -> None:
    done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), None, by="Eva", t=20.0))
    line = table.kept.lines[-1]
    assert (line["op"], line["of"], line["by"], line["t"]) == ("replace", 1, "Eva", 20.0)
    before = [START, place(0, "g1", "g7/g6", t=5.0), place(1, "g6", "g2/y2", t=9.0)]
    again = load(HEADER, [*before, *table.kept.lines])
    assert [move.as_dict() for move in again.moves] == table.lines
    assert again.revision == table.book.revision


def test_what_cannot_be_leaves_no_trace(table: Table) -> None:
    before = table.lines
    with pytest.raises(NotationError, match="expected a player from 0 to 2"):
        table.book.change(orders.change(table.game, 1, {"player": 7}), None)
    with pytest.raises(NoSuchMoveError, match="found number 9"):
        table.book.change(Wanted("delete", 9), None)
    with pytest.raises(CorrectionError, match="expected a correction to undo"):
        table.book.change(Wanted("undo"), None)
    assert (table.lines, table.kept.lines) == (before, [])


def test_while_the_game_is_paused_nothing_that_is_seen_counts(table: Table) -> None:
    assert table.book.pause(True, by="Eva")
    assert not table.book.pause(True)
    assert table.book.observe(DRAW) == []
    assert table.book.pause(False)
    assert table.book.observe(DRAW) != []
    assert [line["type"] for line in table.kept.lines] == ["pause", "resume", "draw", "ruling"]


def test_camera_and_operators_write_at_the_same_time() -> None:
    kept = Kept()
    book = Book(load(HEADER, [START]), kept)

    def watch() -> None:
        for _ in range(40):
            book.observe(DRAW)

    def operate(player: int) -> None:
        for _ in range(20):
            book.change(Wanted("insert", 0, {"type": "shout", "player": player}), None)

    threads = [threading.Thread(target=watch)]
    threads += [threading.Thread(target=operate, args=(player,)) for player in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kinds = [move.as_dict()["type"] for move in book.game.moves]
    assert (kinds.count("draw"), kinds.count("shout")) == (40, 60)
    lines = [START, *[line for line in kept.lines if line["type"] != "ruling"]]
    assert list(load(HEADER, lines).record()) == list(book.game.record())


def test_a_move_that_only_followed_is_free_to_be_changed(table: Table) -> None:
    base = table.book.revision
    done(table.book.change(orders.change(table.game, 1, {"card": "g7/g9"}), base))
    assert table.lines[2]["onto"] == "g9"
    done(table.book.change(orders.change(table.game, 2, {"player": 2}), base))
    assert (table.lines[2]["onto"], table.lines[2]["player"]) == ("g9", 2)
