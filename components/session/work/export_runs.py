"""Export readings as files, for this visitor: nothing they may not see, and no answer that is hidden from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from components.session.page import database
from components.session.visitor import access, hidden_answers
from readers import get
from readers.engine.files.runs.run_file import run_file
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run, Store

T = TypeVar("T")


def exporter() -> Callable[[str], dict[str, Any]]:
    """A function from the id of a reading to its run file, with the known answer where there is one. Raises NotFound."""
    made = making(lambda store, run, known: run_file(store, run.id, get(run.reader), known=known))
    return lambda run_id: made([run_id])[0]


def making(make: Callable[[Store, Run, KnownAnswer | None], T]) -> Callable[[Sequence[str]], list[T]]:
    """A function from ids of readings to what `make` makes of each, with what this visitor may know of the answer. It raises
    NotFound.

    Who is looking is found out now, so it may be called later and on another thread.
    """
    visitor = access.visitor()
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)

    def made(ids: Sequence[str]) -> list[T]:
        with database.opened(visitor) as store:
            runs = [store.runs.get(run_id) for run_id in ids]
            return [make(store, run, hidden_answers.known_answer(store, run, hidden)) for run in runs]

    return made
