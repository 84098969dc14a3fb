"""Export readings as run files, for this visitor: nothing they may not see, and no answer that is hidden from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from components.session import access, database, hidden_answers
from readers import get
from readers.engine.files.run_file import run_file


def exporter() -> Callable[[str], dict[str, Any]]:
    """A function from the id of a reading to its run file, with the known answer where there is one. Raises NotFound.

    Who is looking is found out now, so it may be called later and on another thread.
    """
    visitor = access.visitor()
    with access.opened() as store:
        hidden = hidden_answers.hidden_questions(store)

    def exported(run_id: str) -> dict[str, Any]:
        with database.opened(visitor) as store:
            run = store.run(run_id)
            return run_file(store, run_id, get(run.reader), known=hidden_answers.known_answer(store, run, hidden))

    return exported
