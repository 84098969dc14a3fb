"""Which call produced a run's answer. Pure.

A run starts with the model in its spec, but a fork may switch models from some call on (`edits.ModelEdit`), and a person may
write a reply. Statements about an answer therefore follow the record of its call. Not here: which models a run calls
(`edits.models_called`), and their names (`models/catalogue.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from readers.engine.record.events import Answered, Asked
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.text import refs


def answering_record(trace: Trace, records: Sequence[Record]) -> Record | None:
    """The reply that became the answer, or the last call if the answer has no reply's words (a choice, a rule). None if the run
    has no answer or the call is not on record."""
    if not isinstance(trace.end, Answered):
        return None
    asked = [event for event in trace.events if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
    seq = max(_replies(trace), default=asked[-1].seq if asked else None)
    attempt = trace.asked[seq].attempt if seq in trace.asked else None
    return next((record for record in records if (record.seq, record.attempt) == (seq, attempt)), None)


def _replies(trace: Trace) -> set[int]:
    """The calls whose replies the answer is made from; copies of written texts are traced back to their calls."""
    assert isinstance(trace.end, Answered)
    calls: set[int] = set()
    seen: set[str] = set()
    todo = [piece.origin for piece in trace.end.pieces]
    while todo:
        origin = todo.pop()
        number = refs.written(origin)
        if (seq := refs.replied(origin)) is not None:
            calls.add(seq)
        elif number in trace.wrote and origin not in seen:
            seen.add(origin)
            todo += [piece.origin for piece in trace.wrote[number].pieces]
    return calls
