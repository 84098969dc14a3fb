"""A trial of one of your own readers: it reads a short text with the offline model, and each of its hooks is called on the trace.

The trial shows that a method or a hook raises before anybody starts a reading with it. The trial asks no other model and stores
nothing. It can miss an error that only another text or another model brings about, so it refuses nothing. Not here: the contract
that a reader is checked for when it is loaded (`plugins.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from functools import cache
from sys import stderr

from readers.engine.analysis.narrate import narrate
from readers.engine.errors import ModelFailed, ReadingError, in_words
from readers.engine.models.offline import Offline
from readers.engine.record.events import from_json
from readers.engine.record.hint import HintSource
from readers.engine.record.journal import MemoryTape
from readers.engine.record.narrative import StepRecord
from readers.engine.record.provisional import Answers
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document, Span
from readers.plugin_hooks import broke_down

TEXT = """The rain came early. Nobody in the village was ready for it, and the bridge was under water by noon.

The dance was held in the barn. Old Mr Hale paid for it, forty pounds in all, and the band left at two in the morning."""
QUESTION = "Who paid for the dance?"
MOST_CALLS = 100  # a method that asks on and on ends here


@cache
def failures(reader: Reader) -> tuple[str, ...]:
    """What raised in the trial, a sentence each; empty if nothing did."""
    document, tape, failed = Document.of(TEXT, title="The dance"), MemoryTape(), []
    spec = RunSpec(reader.id, reader.version, QUESTION, caps={"max_calls": MOST_CALLS})
    with redirect_stdout(stderr):
        try:
            with suppress(ModelFailed):  # `remarks_on` reports the prompts that the offline model cannot do
                rehearse(document, reader, spec, Offline(), tape=tape)
        except ReadingError as error:
            failed.append(f"a trial with a short text failed: {error}")
        except (Exception, SystemExit) as error:
            failed.append(broke_down(reader, error))
        trace = Trace(document, tuple(from_json(line) for line in tape.lines))
        for hook in _hooks(reader, trace):
            try:
                hook()
            except ReadingError as error:
                failed.append(str(error))
            except Exception as error:  # what a hook returned was of another shape than pages take
                failed.append(f"the reader {reader.id!r} failed in its hooks: {in_words(error)}")
    return tuple(dict.fromkeys(failed))


def _hooks(reader: Reader, trace: Trace) -> Iterator[Callable[[], object]]:
    """Each hook of the reader, its narrative and its pseudo-code on this reading."""
    source, code = HintSource(trace), reader.pseudo_code
    yield lambda: reader.view(trace)
    yield lambda: reader.names(trace)
    yield lambda: reader.measures(trace, [])
    yield lambda: list(reader.hints(source))
    yield lambda: list(reader.hints_from_evidence(source, [Span(0, 20)]))
    yield lambda: list(reader.provisional(Answers(trace, 0, [])))
    yield lambda: narrate(trace, reader, names={})
    records, told = [StepRecord(trace, step, {}) for step in trace.steps], reader.narrative
    yield lambda: [told.phase(record.step.phase) for record in records]
    yield lambda: [told.step(name) for record in records for name in record.step.names]
    yield lambda: told.headings
    yield lambda: [told.ranking(record) for record in records]
    yield lambda: [list(told.may_be_kept(record)) for record in records]
    if code:
        yield lambda: [code.at(record) for record in records]
