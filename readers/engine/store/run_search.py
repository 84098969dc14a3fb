"""Which runs hold some words: in what a model was shown, in what was written, and in what was replied and answered.

A scan, without an index: 1,000 readings with 78,000 calls take half a second, while an index by three characters, which every
script needs, would make the database half as large again and every saved reply slower. A document is searched once, however many
prompts showed it; the events say which prompts did. Where in a run the words are is computed in `analysis/passages.py`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache, partial

from readers.engine.record import events
from readers.engine.record.events import Asked
from readers.engine.record.trace import holds, shown_raw
from readers.engine.store.database import Connection
from readers.engine.text.document import Span
from readers.engine.text.search import Sought

_WROTE = '{"kind":"wrote",'
_ASKED = """SELECT body FROM events WHERE run = ? AND instr(substr(body, 1, 60), '"kind":"asked"') ORDER BY n"""


class RunSearch:
    """Runs are named by their ids; whether a visitor may see them is decided by who lists them (`run_list.py`)."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def holding(self, sought: Sought, ids: Collection[str], *, places: dict[str, tuple[Span, ...]]) -> set[str]:
        """Those of the runs that hold what is sought. `places` are those in the documents that were searched before, by id; new
        ones are added."""
        db, select = self._connection.db, partial(self._connection.select_in, ids=ids)
        db.create_function("sought", 1, lambda text: sought.is_in(text or ""))
        db.create_function("sought_in_event", 1, lambda wrote: sought.is_in(json.loads(wrote)["text"]))
        db.create_function("sought_in_messages", 1, partial(_is_in_messages, sought))
        db.create_function("sought_in_prompt", 1, lru_cache(partial(_is_in_prompt, sought)))
        about = select("SELECT id, document FROM runs WHERE id IN ({})")
        found = {run for (run,) in select("SELECT id FROM runs WHERE (sought(question) OR sought(answer)) AND id IN ({})")}
        found |= {run for run, _ in about if run not in found and self._holds(run, sought)}
        self._search_documents(sought, {document for _, document in about} - set(places), places)
        return found | {run for run, document in about if run not in found and self._shows(run, places.get(document, ()))}

    def _holds(self, run: str, sought: Sought) -> bool:
        """Whether the run's prompts hold it in their own words, or its replies or writings do."""

        def likely(column: str) -> str:
            return "".join(f"{column} LIKE ? AND " for _ in sought.plain)

        given = [f"%{word}%" for word in sought.plain]
        written = f"""SELECT 1 FROM events WHERE run = ? AND substr(body, 1, {len(_WROTE)}) = ? AND {likely("body")}
            sought_in_event(body) LIMIT 1"""
        said = f"""SELECT 1 FROM calls WHERE run = ? AND task != 'score' AND (({likely("reply")} sought(reply))
            OR thoughts IS NOT NULL AND sought(thoughts) OR messages IS NOT NULL AND sought_in_messages(messages)) LIMIT 1"""
        own = "SELECT 1 FROM prompts WHERE hash IN (SELECT prompt FROM calls WHERE run = ?) AND sought_in_prompt(wording)"
        every = ((own, (run,)), (written, (run, _WROTE, *given)), (said, (run, *given)))
        return any(self._connection.execute(sql, values).fetchone() for sql, values in every)

    def _search_documents(self, sought: Sought, ids: Collection[str], places: dict[str, tuple[Span, ...]]) -> None:
        for document, text in self._connection.select_in("SELECT id, text FROM documents WHERE id IN ({})", ids):
            places[document] = tuple(sought.places(text))

    def _shows(self, run: str, places: Sequence[Span]) -> bool:
        """Whether a prompt of the run showed one of these places whole."""
        if not places:
            return False
        with self._connection.decoding():
            asked = (events.from_json(body) for (body,) in self._connection.execute(_ASKED, (run,)))
            return any(holds(shown_raw(event), place) for event in asked if isinstance(event, Asked) for place in places)


def _is_in_messages(sought: Sought, messages: str) -> bool:
    return any(sought.is_in(str(one["content"])) for one in json.loads(messages))


def _is_in_prompt(sought: Sought, wording: str) -> bool:
    """Whether a prompt's own words hold what is sought."""
    return sought.is_in(json.loads(wording)["template"])
