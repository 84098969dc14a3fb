"""What a reader is, in words. Pure."""

from __future__ import annotations

from dataclasses import fields

from readers import get
from readers.engine.errors import NotFound
from readers.engine.prompts.options import value_of
from readers.engine.run.reader import Reader
from readers.engine.store import Run

STRATEGY = "strategy"  # the option that makes one reader several


def summary(reader: Reader) -> str:
    """A reader in one line: the first of its docstring."""
    return (type(reader).__doc__ or "").strip().partition("\n")[0]


def title_of(reader_id: str) -> str:
    """A reader's title; the id if there is no such reader."""
    try:
        return get(reader_id).title
    except NotFound:
        return reader_id


def title_in_list(run: Run) -> str:
    """The reader of a reading, with its strategy if it has several: its title, then `hop by hop`. The version that made a
    reading which nobody could check goes with it, so that it is named wherever the reading is."""
    title = title_of(run.reader)
    if run.unchecked:
        return f"{title} ({run.version_in_words}, not checked)"
    try:
        options = get(run.reader).Options
    except NotFound:
        return title
    default = next((field.default for field in fields(options) if field.name == STRATEGY), None)
    if default is None:
        return title
    found = value_of(options, STRATEGY, str(run.spec.get("options", {}).get(STRATEGY, default)))
    return f"{title}, {found[:1].lower()}{found[1:]}"
