"""The end of a reading that a worker did: its home does it again from the record, without a model, before it counts as finished.

Every reply must be to the call that the reading makes, every row as the engine writes it, and every event must follow, as for an
imported run file. Outcome, answer and evidence are taken from the replay. It cannot be checked that a model gave these replies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from readers.engine.errors import Diverged
from readers.engine.models.call import Call, Reply, Sampled
from readers.engine.models.model import RefusingModel
from readers.engine.models.received import read_reply
from readers.engine.record import events
from readers.engine.record.journal import Journal, Record, live_record
from readers.engine.run.execute import Execution, RunSpec, calls_for, outcome_columns, run_reader
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.phrases import call_number

OVER = "over_budget"


def replayed(store: Store, run: Run, reader: Reader) -> dict[str, Any]:
    """The columns of a finished run. Raises Diverged, or another ReadingError, if its record is not that of a whole reading."""
    spec = RunSpec.from_json(run.spec)
    tape = store.runs.tape(run.id)
    stored = len(tape.events())
    journal = _CheckedJournal(tape, reuse=False)
    calls = calls_for(journal, spec, Execution(RefusingModel(), concurrency=1), lambda: False)
    try:
        run_reader(journal, calls, store.documents.get(run.document), reader, spec)
    finally:
        calls.close()
    if len(journal.emitted) != stored:
        raise Diverged(f"a worker posted {stored:,} events, and its replies lead to {len(journal.emitted):,}")
    last = journal.emitted[-1]
    answered = {(row.seq, row.attempt) for row in tape.records() if row.reply is not None}
    if answered != journal.recalled and not (isinstance(last, events.Ended) and last.outcome == OVER):
        raise Diverged(f"a worker posted {len(answered):,} replies, and the reading uses {len(journal.recalled):,}")
    return outcome_columns(journal)


class _CheckedJournal(Journal):
    """A journal that recalls only rows that are as it would have written them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.recalled: set[tuple[int, int]] = set()

    def recall(self, call: Call) -> Record | None:
        record = super().recall(call)
        if record is not None and record.reply is not None:
            self._check(call, record, record.reply)
            self.recalled.add((call.seq, call.attempt))
        return record

    def _check(self, call: Call, record: Record, text: str) -> None:
        finish, thoughts = record.finish or "", record.thoughts or ""
        figures = (record.tokens_in, record.tokens_out, record.cost_usd, record.ms)
        reply = Reply(text, *figures, thoughts=thoughts, finish=finish, sampled=Sampled.of(record.sampled))
        read = read_reply(call, text, finish=finish, thought=bool(thoughts))
        expected = replace(live_record(call, reply, read.parsed), origin=record.origin)
        if record.origin == "cached":  # the reading it is from may have worded the same request in another prompt
            expected = replace(expected, prompt=record.prompt, parsed=record.parsed)
        if expected != record:
            raise Diverged(f"{call_number(call.seq)} is on record otherwise than the reading makes it; start a new reading")
