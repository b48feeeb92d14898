"""What operators send to the desk's addresses, and what they get back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Header, HTTPException, Path, Query
from pydantic import BaseModel, Field

from referee.announce import Language
from referee.desk.table import Entry, Verdict
from referee.rules.rulings import Violation

Asked = Annotated[Language, Query(alias="lang", description="Language of all sentences.")]
By = Annotated[
    str, Query(max_length=40, description="Who makes the change; written into the record.")
]
Player = Annotated[
    int | None, Query(ge=0, le=9, description="Which player, from 0; left out: whoever fits.")
]
Number = Annotated[
    str,
    Path(
        pattern=r"^(newest|[0-9]{1,9})$",
        description="A move's `id`, or `newest` for the one that was entered last.",
    ),
]


def based_on(
    revision: Annotated[
        str | None,
        Query(
            pattern=r"^(\*|[0-9]{1,9})$",
            description="The revision that the change is based on, or `*`: whatever is there now. "
            "The header `If-Match` says the same.",
        ),
    ] = None,
    if_match: Annotated[str | None, Header()] = None,
) -> int | None:
    """The revision that a change is based on; None for whatever is there."""
    text = revision if revision is not None else (if_match or "").strip().strip('"')
    if not text:
        raise HTTPException(
            428,
            "expected the revision that the change is based on (?revision=17, ?revision=* for "
            "whatever is there now, or the header If-Match), found none",
        )
    if text == "*":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise HTTPException(422, f"revision: expected a number or *, found {text!r}")
    return int(text)


class Fields(BaseModel):
    """What a move was instead; what is left out stays as it was."""

    card: str | None = Field(default=None, max_length=12, examples=["g7/g6"])
    cards: list[str] | None = Field(
        None, min_length=2, max_length=12, description="SOLO: the cards of a set, the top one last."
    )
    player: int | None = Field(default=None, ge=0, le=9)
    onto: str | None = Field(
        None, max_length=2, examples=["g1"], description="The end of the line that was covered."
    )
    covered_by: str | None = Field(
        None,
        max_length=2,
        alias="with",
        examples=["g7"],
        description="The card's half that covers; left out: the one that covered before, else "
        "the one written first.",
    )
    count: int | None = Field(default=None, ge=1, le=200, description="Of a draw: how many cards.")
    target: int | None = Field(default=None, ge=0, le=9)
    direction: Literal["left", "right"] | None = None
    colour: Literal["r", "y", "g", "b"] | None = None

    def given(self) -> dict[str, Any]:
        """The fields that are there, as the record names them."""
        return self.model_dump(by_alias=True, exclude_none=True)


class Missed(BaseModel):
    """A move that was missed, or the kind that another one really was."""

    observation: dict[str, Any] = Field(
        description="An observation as in the record, such as "
        '`{"type": "draw", "player": 1, "count": 1}`.',
        examples=[{"type": "draw", "player": 1, "count": 1}],
    )
    before: int | None = Field(
        None,
        ge=0,
        description="The `id` of the move that it came before; left out: it is the newest.",
    )


class Decided(BaseModel):
    """A decision on a move."""

    legal: bool
    violations: list[Violation] = Field(
        default=[],
        max_length=5,
        description="Its faults; left out: those that the referee suspects.",
    )


class Dealt(BaseModel):
    """The deal of a further round; what is left out is as in the first."""

    first_player: int | None = Field(default=None, ge=0, le=9)
    hands: list[int | None] | None = Field(default=None, max_length=10)
    draw_pile: int | None = Field(default=None, ge=0, le=500)


class Standing(BaseModel):
    """How things stand; what is left out is as it was."""

    ends: list[str] | None = Field(default=None, max_length=2, examples=[["r5", "g6"]])
    colour: Literal["r", "y", "g", "b"] | None = Field(None, description="SOLO: the one in force.")
    turn: int | None = Field(default=None, ge=0, le=9)
    direction: Literal["left", "right"] | None = None
    must_draw: int | None = Field(default=None, ge=0, le=200)
    hands: list[int | None] | None = Field(default=None, max_length=10)
    draw_pile: int | None = Field(default=None, ge=0, le=500)


class Judged(BaseModel):
    """A move that is judged differently now."""

    id: int
    of: int
    before: Verdict | None
    """None for a move that is new."""
    now: Verdict | None
    """None for a move that is gone."""


class Made(BaseModel):
    """A change that was made."""

    revision: int
    id: int | None
    """The move that came or was changed; None for undo and redo."""
    changes: list[Judged]
    """Every move whose verdict or effects are others now."""


class Refused(BaseModel):
    """A change that another operator was quicker than."""

    reason: Literal["changed", "gone", "place", "undone", "nothing"]
    detail: str
    revision: int
    now: Entry | None
    """The move that stands there now."""


class Ok(BaseModel):
    """How the game is now."""

    revision: int
    paused: bool
