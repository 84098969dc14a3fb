"""Islands: what moves in the browser by scripts of our own (the player, the bench, the board, a class).

Python gives an island its data, a TypedDict of its room's `contract.py`; its messages come back under its key. Messages come from
a browser, so anybody can send anything: they are checked here, in one place, against the contract. Messages of invalid form are
ignored. Not here: what a message does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Generic, TypeVar

import streamlit as st
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from components.html.scripts import script
from components.html.styles import sheet
from components.session import scripts, state
from components.session.drawing import nothing

Data = TypeVar("Data", bound=Mapping[str, Any])
T = TypeVar("T")


class IslandMessage(BaseModel):
    """What an island says: strict, so that no text passes for a number; more than its fields is left out."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Island(Generic[Data]):
    """An island, by its name: `kind` is the class of its element, `entry` its script, `sheets` its style sheets, `says` the names
    under which it says something. `library` is the file of a script that runs before its own (`scripts.keep`)."""

    def __init__(self, name: str, kind: str, entry: str, *sheets: str, says: tuple[str, ...] = (), library: str = "") -> None:
        self._says: dict[str, Any] = {f"on_{name}_change": nothing for name in says}
        html, css = f'<div class="{kind}"></div>', sheet(*sheets) if sheets else None
        before = f'import "./{library}";\n' if library else ""
        js = scripts.importing(scripts.keep(name, before + _unpacking(entry)))
        self._component = st.components.v2.component(f"palimpsest.{name}", html=html, css=css, js=js)

    def draw(self, data: Data, *, key: str) -> Any:
        """Draw it over its data. What it says in this very run, by name: a press, which counts once.

        The data goes in a list: in a mapping, Streamlit would look for tables, for which it loads pandas, a third of a second."""
        return self._component(key=key, data=[data], **self._says)


def _unpacking(entry: str) -> str:
    """The script of an entry, which takes its data out of the list that it comes in."""
    body, found, rest = script(entry).partition("export default function (")
    assert found, f"{entry} has no function as its default export"
    unpack = "export default (component) => islandEntry({ ...component, data: component.data[0] });"
    return f"{body}function islandEntry({rest}\n{unpack}\n"


def said(key: str, name: str, kind: type[T]) -> T | None:
    """What the island with this key said last under a name; None if nothing."""
    return checked(kind, sent(key).get(name))


def sent(key: str) -> Mapping[str, Any]:
    """All that the island with this key said last, unchecked."""
    found = state.value(key)
    return found if isinstance(found, Mapping) else {}


def checked(kind: type[T], given: object) -> T | None:
    """What was given, if it has the shape of its kind."""
    shape: Any = kind
    adapter: TypeAdapter[T] = _adapter(shape)
    try:
        return adapter.validate_python(given, strict=True)
    except ValidationError:
        return None


def each_checked(kind: type[T], given: object, most: int) -> tuple[T, ...]:
    """The items of a list, up to its limit, that have the form of their kind."""
    each = (checked(kind, one) for one in (given[:most] if isinstance(given, list | tuple) else ()))
    return tuple(one for one in each if one is not None)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
