"""What a reader is, in words. Pure."""

from __future__ import annotations

from readers import get
from readers.engine.errors import NotFound
from readers.engine.run.reader import Reader


def summary(reader: Reader) -> str:
    """A reader in one line: the first of its docstring."""
    return (type(reader).__doc__ or "").strip().partition("\n")[0]


def title_of(reader_id: str) -> str:
    """A reader's title; the id if there is no such reader."""
    try:
        return get(reader_id).title
    except NotFound:
        return reader_id
