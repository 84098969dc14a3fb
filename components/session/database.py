"""The database of the page that is drawn: opened once, when it is first needed, and closed when the page has been drawn.

A connection belongs to the thread that opened it. Work on another thread (a reading, a batch, a file made when it is downloaded)
opens its own. Not here: what a visitor may see (`access.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from readers.engine.store import Store

_shared: ContextVar[list[Store] | None] = ContextVar("palimpsest_database", default=None)  # each thread begins without one


@contextmanager
def shared() -> Iterator[None]:
    """Within this, all who open the database on this thread share one connection. It is closed at the end of the outermost."""
    if _shared.get() is not None:
        yield
        return
    mine: list[Store] = []  # the open database, once opened
    token = _shared.set(mine)
    try:
        yield
    finally:
        _shared.reset(token)
        for store in mine:
            store.close()


@contextmanager
def opened(visitor: str | None = None) -> Iterator[Store]:
    """The store as a visitor sees it; without a visitor, nothing is hidden, and added items belong to the host."""
    with shared():
        mine = _shared.get()
        assert mine is not None
        if not mine:
            mine.append(Store())
        yield mine[0].seen_by(visitor)
