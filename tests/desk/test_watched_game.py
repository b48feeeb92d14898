"""Camera and operators together: a session, its desk, and what viewers are shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.desk import orders
from referee.session import Session, header_for
from referee.store import Store, read
from tests.desk.tables import done
from tests.referee.play import NORTH, SOUTH, TABLE, WEST
from tests.stage import Stage
from vision.frames import Frame


class Watched:
    """A session on the drawn table, moved on by the test."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "game.jsonl"
        self.stage = Stage()
        self.store = Store(self.path, durable=False)
        self.session = Session(TABLE, header_for(TABLE), self.stage, self.store)
        self.told = 0
        self.session.subscribe(self._changed)

    def _changed(self) -> None:
        self.told += 1

    def see(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            self.session.see(frame)

    def lays(self, seat_mm: tuple[float, float], card: str, x_mm: float) -> None:
        self.see(self.stage.reach(seat_mm, (x_mm, 0.0), brings=(card, x_mm, 0.0)))
        self.see(self.stage.wait(1.2))

    @property
    def kinds(self) -> list[str]:
        return [line["type"] for line in self.session.view().log if line["type"] != "ruling"]


def test_what_operators_enter_and_the_camera_sees_is_one_game(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    session, desk = watched.session, watched.session.desk
    watched.see(watched.stage.wait(0.6))
    watched.lays(NORTH, "r5/g1", 0.0)
    watched.lays(SOUTH, "g7/g6", 45.5)
    assert watched.kinds == ["start", "place"]

    # A picture of each card, before and after it was laid, and what it may have been.
    shown = desk.state("en")
    assert all(entry.picture for entry in shown.entries)
    before, after = desk.crops.jpeg(1, "before"), desk.crops.jpeg(1, "after")
    assert before is not None
    assert after is not None
    assert before != after
    assert shown.entries[0].candidates[0].card == "g7/g6"
    assert (shown.sync.fits, len(shown.outlines)) == (True, 3)

    # The half is a nine: viewers see it at once, the table differs, the next card lies on it.
    told = watched.told
    done(desk.order(lambda game, _: orders.change(game, 1, {"card": "g7/g9"}), None))
    assert watched.told == told + 1
    view = session.view()
    assert view.corrected is not None
    assert [line["card"] for line in view.log if "card" in line] == ["r5/g1", "g7/g9"]
    assert view.ids == (0, 1)
    assert desk.state("en").sync.fits is False
    watched.lays(WEST, "b9/b2", 91.0)
    newest = desk.state("en").entries[0]
    assert (newest.onto, newest.verdict) == ("g9", "legal")

    # While the game is paused nothing counts; then the line is taken as it lies.
    desk.pause(True)
    assert session.view().paused
    watched.lays(NORTH, "b2/y4", 136.5)
    assert watched.kinds == ["start", "place", "place"]
    desk.pause(False)
    assert [str(end) for end in session.game.state.ends] == ["r5", "y4"]
    done(desk.order(lambda game, s: orders.state(game, {"turn": 0}, s), None))
    watched.lays(SOUTH, "y4/y1", 182.0)
    assert desk.state("en").entries[0].verdict == "legal"

    # A further round begins with the next card on the cleared table.
    desk.pause(True)
    watched.stage.cards.clear()
    watched.see(watched.stage.wait(1.5))
    done(desk.order(lambda game, s: orders.new_round(game, {}, s), None, afresh=True))
    watched.see(watched.stage.wait(0.8))
    watched.lays(WEST, "y2/r8", 0.0)
    assert watched.kinds[-2:] == ["deal", "start"]
    assert session.game.state.table.round == 2

    # All of it is on disk, as it was done.
    watched.store.close()
    kinds = [record["type"] for record in read(watched.path).records]
    assert kinds.count("correction") == 4
    assert (kinds.count("pause"), kinds.count("resume")) == (2, 2)
