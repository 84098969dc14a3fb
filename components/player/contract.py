"""What the player gets from Python and says to it: its scripts in `assets/js/player/` read and write the same.

The frames of a reading are described in `frames.py`. What the player says comes from a browser, and is checked against this
(`components/session/islands.py`); each part for itself, so that one without a valid shape takes no other with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from pydantic import (
    AfterValidator,
    AliasPath,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from components.session.islands import IslandMessage, each_checked

Count = Annotated[int, Field(ge=0)]
MOST = 64  # stretches, and places that are followed
MOST_OPENED = 500  # folded parts of a picture


def _pair(given: object) -> object:
    return tuple(given) if isinstance(given, list) else given


def _in_order(place: tuple[int, int]) -> tuple[int, int]:
    if place[0] >= place[1]:
        raise ValueError("a place ends after its start")
    return place


Place = Annotated[tuple[Count, Count], BeforeValidator(_pair), AfterValidator(_in_order)]  # of the text, in characters


class StageData(TypedDict):
    """What a player gets once: the reading's frames, the step to begin at, its name if it stands `beside` another one, whether it
    has a switch for the end, what Stage shows, whether the algorithm is shown, and whether the page has a tour."""

    frames: Mapping[str, Any]
    at: int | None
    beside: str
    end: dict[str, bool] | None
    stage: dict[str, Any] | None
    algorithm: dict[str, bool] | None
    tour: bool


class FoundData(TypedDict):
    """What the line of found words gets: their reading, the words and phrases, the step at which it opens (from 0), and the
    passages, each with its step, whose words they are, and where in the text, if they are the text's."""

    run: str
    words: list[str]
    at: int
    passages: list[dict[str, Any]]


def _or(otherwise: object) -> WrapValidator:
    """What has no valid shape counts as not said."""

    def validated(given: object, validate: ValidatorFunctionWrapHandler) -> object:
        try:
            return validate(given)
        except ValidationError:
            return otherwise

    return WrapValidator(validated)


def _each(kind: Any, most: int) -> BeforeValidator:
    def validated(given: object) -> tuple[Any, ...]:
        return each_checked(kind, given, most)

    return BeforeValidator(validated)


class PlayerReport(IslandMessage):
    """What the player reported: the step shown (from 0; None before any), whether it hides what comes later (None if it was not
    said), the places of the text it follows, in characters, and what it requests, with a number that identifies the answer."""

    at: Annotated[int | None, _or(None)] = None
    hides: Annotated[bool | None, _or(None)] = None
    number: Annotated[int, _or(0)] = Field(0, validation_alias=AliasPath("want", "number"))
    stretches: Annotated[tuple[Count, ...], _each(Count, MOST)] = Field((), validation_alias=AliasPath("want", "stretches"))
    opened: Annotated[tuple[str, ...], _each(Annotated[str, Field(max_length=80)], MOST_OPENED)] = Field(
        (), validation_alias=AliasPath("want", "open")
    )
    facts: Annotated[tuple[Place, ...], _each(Place, MOST)] = ()
