"""Whose a reading is: the models its calls went to, and the call that gave the answer. Pure.

The model that a spec names is the one a reading begins with. A fork may have been switched to another one from a call on
(`edits.ModelEdit`), and a reply may be a person's; so what is said of an answer goes by the record of its call. Works on specs as
they are stored, for lists ask about many readings at once. Not here: what a model is called (`catalogue.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.record.events import Answered, Asked
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.text import refs


def answering_record(trace: Trace, records: Sequence[Record]) -> Record | None:
    """The reply that became the answer; of an answer in no reply's words (a choice, a rule's) that of the last call. None for a
    reading without an answer, and where the call is not on record."""
    if not isinstance(trace.end, Answered):
        return None
    asked = [event for event in trace.events if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
    seq = max(_replies(trace), default=asked[-1].seq if asked else None)
    attempt = trace.asked[seq].attempt if seq in trace.asked else None
    return next((record for record in records if (record.seq, record.attempt) == (seq, attempt)), None)


def _replies(trace: Trace) -> set[int]:
    """The calls whose replies the answer is made of; copies of writings are followed back to theirs."""
    assert isinstance(trace.end, Answered)
    found: set[int] = set()
    seen: set[str] = set()
    todo = [piece.origin for piece in trace.end.pieces]
    while todo:
        origin = todo.pop()
        number = refs.written(origin)
        if (seq := refs.replied(origin)) is not None:
            found.add(seq)
        elif number in trace.wrote and origin not in seen:
            seen.add(origin)
            todo += [piece.origin for piece in trace.wrote[number].pieces]
    return found
