"""What operators do: one address for each action, each one change of the log.

Every change says which revision it is based on. One that another operator was quicker than is
refused with 409 and what is there now; changes that do not touch each other all go in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.responses import JSONResponse, Response

from referee.desk import orders
from referee.desk.book import Conflict, Done, NoSuchMoveError, Wanted
from referee.desk.desk import Desk, Order
from referee.desk.table import Entry, verdict_of
from referee.game import CorrectionError
from referee.notation import NotationError
from referee.server.control_models import (
    Asked,
    By,
    Dealt,
    Decided,
    Fields,
    Judged,
    Made,
    Missed,
    Number,
    Ok,
    Player,
    Refused,
    Standing,
    based_on,
)
from referee.store import StoreError

Base = Annotated[int | None, Depends(based_on)]
Count = Annotated[int, Query(ge=1, le=200, description="How many cards.")]
Target = Annotated[int | None, Query(ge=0, le=9, description="With whom hands are swapped.")]
Direction = Annotated[Literal["left", "right"] | None, Query(description="Which way all hands go.")]
Colour = Annotated[Literal["r", "y", "g", "b"] | None, Query(description="The colour of a wild.")]

_DETAILS = {
    "changed": "another operator has changed this move meanwhile",
    "gone": "another operator has taken this move out meanwhile",
    "place": "another operator has entered or removed a move at this place meanwhile",
    "undone": "another operator has corrected something meanwhile",
}

ANSWERS: dict[int | str, dict[str, Any]] = {
    409: {"model": Refused, "description": "Another operator was quicker; what is there now."},
    422: {"description": "Not as the contract has it; `detail` says what was expected."},
    428: {"description": "The change names no revision that it is based on."},
    503: {"description": "The record cannot be written."},
}


def actions_router(desk: Callable[[], Desk]) -> APIRouter:
    """The addresses that change something. ``desk`` raises HTTPException where there is none."""
    router = APIRouter(prefix="/api/control", responses=ANSWERS)
    _correcting(router, desk)
    _entering(router, desk)
    _running(router, desk)
    return router


def _correcting(router: APIRouter, desk: Callable[[], Desk]) -> None:
    """Moves that were not as the camera saw them."""
    tags: list[Any] = ["correct a move"]

    @router.patch("/moves/{number}", tags=tags, response_model=Made)
    def change(
        number: Number, fields: Fields, base: Base, by: By = "", lang: Asked = "en"
    ) -> Response:
        """It was another card, another player, the other end, another number of cards."""
        here = desk()
        which, given = found_number(here, number), fields.given()
        return _made(here, lambda game, _: orders.change(game, which, given), base, by, lang)

    @router.put("/moves/{number}", tags=tags, response_model=Made)
    def was(
        number: Number, missed: Missed, base: Base, by: By = "", lang: Asked = "en"
    ) -> Response:
        """It was a move of another kind; `before` says nothing here."""
        here = desk()
        which, entry = found_number(here, number), missed.observation
        return _made(here, lambda game, _: orders.was(game, which, entry), base, by, lang)

    @router.delete("/moves/{number}", tags=tags, response_model=Made)
    def no_move(number: Number, base: Base, by: By = "", lang: Asked = "en") -> Response:
        """It was not a move."""
        here = desk()
        which = found_number(here, number)
        return _made(here, lambda game, _: orders.no_move(game, which), base, by, lang)

    @router.post("/moves/{number}/draw", tags=tags, response_model=Made)
    def was_draw(
        number: Number,
        base: Base,
        count: Count = 1,
        player: Player = None,
        by: By = "",
        lang: Asked = "en",
    ) -> Response:
        """It was a draw of so many cards."""
        here = desk()
        which = found_number(here, number)
        return _made(
            here, lambda game, _: orders.was_draw(game, which, count, player), base, by, lang
        )

    @router.post("/moves/{number}/take-back", tags=tags, response_model=Made)
    def taken_back(number: Number, base: Base, by: By = "", lang: Asked = "en") -> Response:
        """Its card was taken back into the hand."""
        here = desk()
        which = found_number(here, number)
        return _made(here, lambda game, _: orders.taken_back(game, which), base, by, lang)

    @router.post("/moves/{number}/choose", tags=tags, response_model=Made)
    def chose(
        number: Number,
        base: Base,
        target: Target = None,
        direction: Direction = None,
        colour: Colour = None,
        by: By = "",
        lang: Asked = "en",
    ) -> Response:
        """What was chosen with its card, now or in hindsight: give one of target, direction,
        colour."""
        here = desk()
        which, value = found_number(here, number), _one_of(target, direction, colour)
        return _made(here, lambda game, _: orders.chose(game, which, value), base, by, lang)

    @router.post("/moves/{number}/decide", tags=tags, response_model=Made)
    def decide(
        number: Number, decided: Decided, base: Base, by: By = "", lang: Asked = "en"
    ) -> Response:
        """Decide on it, where the referee cannot tell or where the table sees it otherwise."""
        here = desk()
        which, codes = found_number(here, number), [str(code) for code in decided.violations]
        return _made(
            here,
            lambda game, _: orders.decide(game, which, decided.legal, codes),
            base,
            by,
            lang,
        )

    @router.post("/moves/{number}/as-read", tags=tags, response_model=Made)
    def as_read(number: Number, base: Base, by: By = "", lang: Asked = "en") -> Response:
        """The camera read it right, however unsure it was; a decision made by hand is void."""
        here = desk()
        which = found_number(here, number)
        return _made(here, lambda game, _: orders.as_read(game, which), base, by, lang)


def _entering(router: APIRouter, desk: Callable[[], Desk]) -> None:
    """Moves that the camera did not see, and what it cannot see."""
    tags: list[Any] = ["enter a move"]

    @router.post("/moves", tags=tags, response_model=Made)
    def missed(missed: Missed, base: Base, by: By = "", lang: Asked = "en") -> Response:
        """A move was missed: before another one, or as the newest."""
        entry, before = missed.observation, missed.before
        return _made(
            desk(),
            lambda game, clock_s: orders.missed(game, entry, before, clock_s),
            base,
            by,
            lang,
        )

    @router.post("/shout", tags=tags, response_model=Made)
    def shout(base: Base, player: Player = None, by: By = "", lang: Asked = "en") -> Response:
        """'SOLOmino!' was heard; from whoever owes it, unless a player is named."""
        return _made(desk(), lambda g, s: orders.shout(g, player, s), base, by, lang)

    @router.post("/draw", tags=tags, response_model=Made)
    def draw(
        base: Base, count: Count = 1, player: Player = None, by: By = "", lang: Asked = "en"
    ) -> Response:
        """Cards were drawn and the camera did not see it; by whoever is on turn, unless named."""
        return _made(desk(), lambda g, s: orders.draw(g, count, player, s), base, by, lang)

    @router.post("/end-turn", tags=tags, response_model=Made)
    def end_turn(base: Base, player: Player = None, by: By = "", lang: Asked = "en") -> Response:
        """A player is done."""
        return _made(desk(), lambda g, s: orders.end_turn(g, player, s), base, by, lang)

    @router.post("/choose", tags=tags, response_model=Made)
    def choose(
        base: Base,
        target: Target = None,
        direction: Direction = None,
        colour: Colour = None,
        player: Player = None,
        by: By = "",
        lang: Asked = "en",
    ) -> Response:
        """The choice that a card left to its player: give one of target, direction, colour."""
        value = _one_of(target, direction, colour)
        return _made(desk(), lambda g, s: orders.choose(g, value, player, s), base, by, lang)


def _one_of(*values: int | str | None) -> int | str:
    """The one choice that is given."""
    given = [value for value in values if value is not None]
    if len(given) != 1:
        raise HTTPException(422, f"expected one of target, direction, colour, found {len(given)}")
    return given[0]


def _running(router: APIRouter, desk: Callable[[], Desk]) -> None:
    """The game as a whole."""
    tags: list[Any] = ["run the game"]

    @router.post("/undo", tags=tags, response_model=Made)
    def undo(base: Base, by: By = "", lang: Asked = "en") -> Response:
        """Take back the last change that an operator made; what came since stays."""
        return _made(desk(), lambda *_: Wanted("undo"), base, by, lang)

    @router.post("/redo", tags=tags, response_model=Made)
    def redo(base: Base, by: By = "", lang: Asked = "en") -> Response:
        """Make the change that was undone last once more."""
        return _made(desk(), lambda *_: Wanted("redo"), base, by, lang)

    @router.post("/pause", tags=tags)
    def pause(by: By = "") -> Ok:
        """What the camera sees is no move from here on."""
        return _paused(desk(), True, by)

    @router.post("/resume", tags=tags)
    def resume(by: By = "") -> Ok:
        """What the camera sees counts again; the line is taken as it lies now."""
        return _paused(desk(), False, by)

    @router.post("/accept", tags=tags, response_model=Made)
    def accept(base: Base, by: By = "", lang: Asked = "en") -> Response:
        """The line is as the camera sees it, and play is judged from there."""
        here = desk()
        return _answered(here, lambda: here.accept(base, by), lang)

    @router.post("/keep", tags=tags)
    def keep() -> Ok:
        """The log is right although the camera sees another line; say no more of this one."""
        here = desk()
        here.keep()
        return _ok(here)

    @router.post("/state", tags=tags, response_model=Made)
    def state(standing: Standing, base: Base, by: By = "", lang: Asked = "en") -> Response:
        """How things stand: ends, whose turn, direction, hands, draw pile."""
        given = standing.model_dump(exclude_none=True)
        return _made(desk(), lambda g, s: orders.state(g, given, s), base, by, lang)

    @router.post("/round", tags=tags, response_model=Made)
    def new_round(
        base: Base, dealt: Dealt | None = None, by: By = "", lang: Asked = "en"
    ) -> Response:
        """A further round is dealt; the next card on a cleared table starts its line."""
        given = (dealt or Dealt()).model_dump()
        here = desk()
        return _answered(
            here,
            lambda: here.order(lambda g, s: orders.new_round(g, given, s), base, by, afresh=True),
            lang,
        )

    @router.post("/end", tags=tags, response_model=Made)
    def end(base: Base, by: By = "", lang: Asked = "en") -> Response:
        """The round is broken off; nobody has won it."""
        return _made(
            desk(), lambda g, s: orders.missed(g, {"type": "end"}, None, s), base, by, lang
        )


def _made(desk: Desk, order: Order, base: int | None, by: str, language: str) -> Response:
    return _answered(desk, lambda: desk.order(order, base, by), language)


def _answered(desk: Desk, act: Callable[[], Done | Conflict], language: str) -> Response:
    """The answer to a change, or why it was not made."""
    try:
        done = act()
    except NotationError as error:
        raise HTTPException(422, str(error)) from error
    except StoreError as error:
        raise HTTPException(503, str(error)) from error
    except NoSuchMoveError as error:
        raise HTTPException(404, str(error)) from error
    except CorrectionError as error:
        return _refused(
            Refused(reason="nothing", detail=str(error), revision=desk.book.revision, now=None)
        )
    if isinstance(done, Conflict):
        now = None if done.id is None else desk.move(done.id, language)
        return _refused(
            Refused(
                reason=done.reason, detail=_DETAILS[done.reason], revision=done.revision, now=now
            )
        )
    made = Made(
        revision=done.revision,
        id=done.id,
        changes=[
            Judged(
                id=change.id,
                of=change.of,
                before=verdict_of(change.before) if change.before else None,
                now=verdict_of(change.now) if change.now else None,
            )
            for change in done.rejudged.changes
        ],
    )
    return JSONResponse(made.model_dump(), headers={"ETag": f'"{done.revision}"'})


def _refused(refused: Refused) -> Response:
    return JSONResponse(refused.model_dump(), 409, {"ETag": f'"{refused.revision}"'})


def _paused(desk: Desk, paused: bool, by: str) -> Ok:
    try:
        desk.pause(paused, by)
    except StoreError as error:
        raise HTTPException(503, str(error)) from error
    return _ok(desk)


def _ok(desk: Desk) -> Ok:
    return Ok(revision=desk.book.revision, paused=desk.book.game.paused)


def found_number(desk: Desk, text: str) -> int:
    """The move that an address names; raises HTTPException where there is none."""
    number = desk.newest() if text == "newest" else int(text)
    if number is None:
        raise HTTPException(404, "expected a move, found an empty log")
    return number


def found_entry(desk: Desk, number: int, language: str) -> Entry:
    """The move with a number; raises HTTPException where there is none."""
    entry = desk.move(number, language)
    if entry is None:
        raise HTTPException(404, f"expected a move of the log, found number {number}")
    return entry
