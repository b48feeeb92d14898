"""What stands behind the set-up page: the draft of the table, what is read in it, its game."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from calibration.assumed import find_draw_pile, plane_from
from calibration.auto_cards import plane_from_cards
from calibration.markers import MarkerFit, find_markers
from calibration.picture_checks import LightWatch
from calibration.table import Table, save_table, table_to_json
from referee.announce import Announcer, Language
from referee.games import Games
from referee.rules.options import GameName
from referee.server.setup_checks import Check, Checks, cards_check, seats_check
from referee.server.setup_draft import Draft, DraftError, Found
from referee.server.setup_shown import (
    GameState,
    PictureState,
    ReadHalf,
    SetUpState,
    draft_state,
)
from referee.server.setup_watch import TableWatch
from referee.server.setup_words import Decimal, Said, said
from referee.session import Session, header_for
from referee.sight import outline_px
from vision.capture import LOCKS, Lock
from vision.facts import CARD_MM, Half, Image, Reader
from vision.frames import Frame, SourceError
from vision.line import HALF_MM
from vision.plane import PlaneError


class BusyError(RuntimeError):
    """A game is being watched, so that the table cannot be changed; says what to do first."""

    def __init__(self, why: Said) -> None:
        super().__init__(why.text())
        self.why = why


@dataclass(frozen=True, slots=True)
class FirstDraft:
    """What is known of the table before anybody looks at the page."""

    table: Table | None = None
    players: tuple[str, ...] = ()
    options: Mapping[GameName, Mapping[str, object]] = field(default_factory=dict)
    game: GameName | None = None


class SetUp:
    """Sets a table up and begins games at it. All methods may be called from any thread.

    What changes the table raises `BusyError` while a game is watched; masks may always change.
    """

    def __init__(
        self,
        games: Games,
        readers: Callable[[GameName], Reader],
        path: Path,
        first: FirstDraft | None = None,
    ) -> None:
        """``readers`` makes what reads the cards of a game, and is used by nobody else; ``path``
        is where the table is saved; ``first`` is what is known already."""
        self._games = games
        self._live = games.live
        self._readers = cache(readers)
        self._path = path
        self._first = first or FirstDraft()
        self._draft: Draft | None = None
        self._saved: dict[str, Any] | None = None
        if self._first.table is not None:
            # Nothing is shown before it is covered.
            self._live.masks_px = self._first.table.masks_px
        self._note: Said | None = None
        self._revision = 0
        self._closed = False
        self._read: list[ReadHalf] = []
        self._lock = threading.RLock()
        self._reading = threading.Lock()
        """One reading at a time; nothing else waits for it."""
        self._light = LightWatch()
        self._checks = Checks(self._light)
        self._watch = TableWatch()
        self._live.watch(self._look)
        self._have_draft()

    # -- what the page asks

    def state(self, language: Language = "en") -> SetUpState:
        """All of it."""
        with self._lock:
            draft = self._have_draft()
            camera = self._live.camera
            return SetUpState(
                revision=self._revision,
                picture=PictureState(
                    camera.name,
                    camera.status.size_px,
                    list(camera.granted),
                    [lock for lock in LOCKS if lock in camera.wish.locks],
                    camera.can_lock,
                    camera.duration_s is not None,
                ),
                draft=None if draft is None else draft_state(draft),
                note="" if self._note is None else self._note.text(language),
                problems=[one.text(language) for one in _problems(draft)],
                trouble=self._live.view().wrong,
                file=str(self._path),
                saved=draft is not None and self._is_saved(draft),
                game=self._game(),
                read=[self._half(half, language) for half in self._read],
            )

    def checks(self) -> list[Check]:
        """The check list."""
        draft = self._have_draft()
        camera = self._live.camera
        made = self._checks.made(
            camera.status, self._image(), draft, is_recording=camera.duration_s is not None
        )
        seats = [] if draft is None else [seats_check(draft)]
        return [*made, *seats, cards_check(self._read)]

    def table(self) -> Table:
        """The table as it is now; raises `DraftError` where something is missing."""
        return self._need_draft().table()

    # -- what the page changes

    def change(self, make: Callable[[Draft], Draft], *, at_any_time: bool = False) -> None:
        """Make a new draft of the old; raises `DraftError` and `BusyError`."""
        with self._lock:
            if not at_any_time:
                self._refuse_in_game()
            self._adopt(make(self._need_draft()))

    def find(self) -> None:
        """Have the table found: by the page of markers if it lies there, else by the cards. The
        draw pile is found where only one card lies face down."""
        self._refuse_in_game()
        image = self._need_image()
        with self._reading:
            self._refuse_closed()
            game = self._need_draft().game
            markers = find_markers(image)
            found: Found
            if isinstance(markers, MarkerFit):
                plane, found, assumed_from = markers.plane, "markers", ""
                residual_mm = markers.residual_mm
                mm = Decimal(residual_mm, 1)
                note = said("note.markers", count=len(markers.markers), mm=mm)
            else:
                cards = plane_from_cards([image], self._readers(game), one_faced=game == "solo")
                if cards is None:
                    with self._lock:
                        self._note = said("note.not_found")
                        self._revision += 1
                    return
                plane, found, assumed_from = cards.plane, "cards", plane_from(cards)
                residual_mm = cards.residual_mm
                mm = Decimal(residual_mm, 1)
                kind = "note.cards" if game == "solo" else "note.half_cards"
                note = said(kind, count=cards.halves, mm=mm)
            halves = self._readers(game).read(image, plane)
            pile, pile_from = find_draw_pile(image, plane, halves)
        with self._lock:
            self._refuse_in_game()
            draft = self._need_draft().with_plane(plane, found, residual_mm, assumed_from)
            if pile is not None:
                draft = draft.with_pile_found(pile, pile_from)
            self._adopt(draft, note)

    def read(self) -> None:
        """Read the cards that lie there now."""
        self._refuse_in_game()
        draft, image = self._need_draft(), self._need_image()
        plane = draft.plane
        if plane is None:
            raise DraftError(said("refused.not_placed"))
        with self._reading:
            self._refuse_closed()
            halves = self._readers(draft.game).read(image, plane)
        length_mm = CARD_MM[1] if draft.game == "solo" else HALF_MM
        halves = sorted(halves, key=lambda half: (half.x_mm, half.y_mm))
        with self._lock:
            self._read = [
                ReadHalf(h.label, "", round(_sure(h), 3), list(outline_px(h, plane, length_mm)))
                for h in halves
            ]
            self._revision += 1

    def judge(self, right: Sequence[bool | None]) -> None:
        """What the person says of each half that was read last, in its order."""
        with self._lock:
            if len(right) != len(self._read):
                expected = len(self._read)
                raise DraftError(said("refused.words", expected=expected, found=len(right)))
            pairs = zip(self._read, right, strict=True)
            self._read = [replace(half, right=one) for half, one in pairs]
            self._revision += 1

    def lock(self, locks: frozenset[Lock]) -> None:
        """Have the camera hold these as they are, and free the others."""
        camera = self._live.camera
        camera.ask(replace(camera.wish, locks=locks))

    def save(self) -> None:
        """Write the table file; raises `DraftError` and OSError."""
        with self._lock:
            table = self.table()
            save_table(table, self._path)
            self._saved = table_to_json(table)
            self._revision += 1

    def start(self) -> Session:
        """Save, and begin a game at this table; raises what `Games.begin` raises."""
        with self._lock:
            self._refuse_in_game()
            table = self.table()
            draft = self._need_draft()
            header = header_for(table, options=draft.options)
            if draft.first is not None:
                header = replace(header, first_player=header.players.index(draft.first))
            self.save()
            session = self._games.begin(table, header)
            self._revision += 1
            return session

    def go_on(self) -> Session:
        """Go on with the last game at this table; raises what `Games.go_on` raises."""
        with self._lock:
            self._refuse_in_game()
            session = self._games.go_on(self.table())
            self._revision += 1
            return session

    def close(self) -> None:
        """Wait for a reading that is under way: a network must not run when the program ends."""
        with self._reading:
            self._closed = True

    def stop(self) -> None:
        """Watch no game any more, so that the table can be changed; its record stays."""
        with self._lock:
            self._games.end()
            self._revision += 1

    # -- inside

    def _look(self, frame: Frame) -> None:
        if self._live.session is not None:
            self._watch.rest()
            return
        self._light.keep(frame)
        draft = self._draft
        if draft is None:
            return
        seats_mm = self._watch.seats_seen(frame, draft)
        if seats_mm:
            self._add_seen(
                draft,
                lambda now: now.with_seats_seen(seats_mm),
                said("note.seats", count=len(seats_mm)),
            )
        if self._watch.pile_is_due(frame, draft):
            # The next picture must not wait for the reading.
            Thread(target=self._seek_pile, args=(frame.image, draft), name="draw pile").start()

    def _seek_pile(self, image: Image, draft: Draft) -> None:
        """Look again for a draw pile that was hidden when the table was found."""
        if draft.plane is None or not self._reading.acquire(blocking=False):
            return
        try:
            if self._closed:
                return
            halves = self._readers(draft.game).read(image, draft.plane)
            pile, pile_from = find_draw_pile(image, draft.plane, halves)
        finally:
            self._reading.release()
        if pile is not None:
            self._add_seen(draft, lambda now: now.with_pile_found(pile, pile_from))

    def _add_seen(
        self, seen_with: Draft, make: Callable[[Draft], Draft], note: Said | None = None
    ) -> None:
        """Add what was seen to the draft, if its plane is still the one that it was seen with."""
        with self._lock:
            draft = self._need_draft()
            if draft.plane is seen_with.plane and self._live.session is None:
                made = make(draft)
                if made != draft:
                    self._adopt(made, note)

    def _image(self) -> Image | None:
        picture = self._live.picture()
        return None if picture is None else picture.image

    def _need_image(self) -> Image:
        image = self._image()
        if image is None:
            raise DraftError(said("refused.picture"))
        return image

    def _have_draft(self) -> Draft | None:
        with self._lock:
            if self._draft is None:
                try:
                    size_px = self._live.camera.size_px
                except SourceError:
                    return None
                self._draft = self._first_draft(size_px)
            return self._draft

    def _first_draft(self, size_px: tuple[int, int]) -> Draft:
        first, draft = self._first, Draft.new(size_px)
        if first.table is not None:
            try:
                fitting = first.table.resized(size_px)
            except PlaneError as error:
                self._note = said("note.other_picture", why=error)
            else:
                draft = Draft.of(fitting)
                self._live.masks_px = fitting.masks_px
                # What a draft rounds is no change.
                self._saved = None if draft.problems() else table_to_json(draft.table())
        if first.players:
            draft = draft.with_seats([(name, None) for name in first.players])
        game = first.game or draft.game
        own = draft.options if game == draft.game else {}
        return draft.with_game(game, {**own, **first.options.get(game, {})})

    def _need_draft(self) -> Draft:
        draft = self._have_draft()
        if draft is None:
            raise DraftError(said("refused.picture"))
        return draft

    def _refuse_closed(self) -> None:
        if self._closed:
            raise BusyError(said("refused.ending"))

    def _refuse_in_game(self) -> None:
        if self._live.session is not None:
            raise BusyError(said("refused.game"))

    def _adopt(self, draft: Draft, note: Said | None = None) -> None:
        if draft.plane is not self._need_draft().plane:
            self._read = []  # its outlines belong to another plane
        self._draft = draft
        self._live.masks_px = draft.masks_px
        if note is not None:
            self._note = note
        self._revision += 1

    def _is_saved(self, draft: Draft) -> bool:
        if self._saved is None or draft.problems():
            return False
        now = table_to_json(draft.table())
        return json.dumps(now, sort_keys=True) == json.dumps(self._saved, sort_keys=True)

    def _game(self) -> GameState | None:
        session, record = self._live.session, self._games.record
        if record is None:
            return None
        if session is None:
            return GameState(False, str(record), [], 0, over=False)
        game = session.game
        return GameState(
            True, str(record), list(game.header.players), len(game.moves), game.state.finished
        )

    def _half(self, half: ReadHalf, language: Language) -> ReadHalf:
        draft = self._need_draft()
        return replace(half, text=Announcer(language, game=draft.game).half(half.label))


def _problems(draft: Draft | None) -> list[Said]:
    return [said("problem.picture")] if draft is None else draft.problems()


def _sure(half: Half) -> float:
    return half.confidence * half.found
