"""The number, the sample and the attempt of each call, and the order of what a batch of calls gives."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from readers.engine.models.call import Call, Reply
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.store import Store
from readers.engine.text.document import Document, Question, Span, Text
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import Scripted, parts_of
from tests.support.processes.killed_readings import OPTIONS, PARTS, answer
from tests.support.readings.recurrent_reader import Recurrent
from tests.support.specs import current_spec

READER = MemWalker()
NOTE = Prompt(id="test.note", task="shorten", template="$text")


class Overlapping(Recurrent):
    """Its rows come from a generator that itself asks, as gists do while pages are still being cut."""

    run_id = "overlapping"
    prompts = (NOTE,)

    def read(self, document: Document, question: Question, desk: Any, options: Any) -> Text:
        def rows() -> Any:
            for text in desk.cut(document, [Span(0, 4), Span(5, 9), Span(0, 4)]):
                desk.write("page", desk.ask(NOTE, text=text))
                yield {"text": text}

        return Text.join(" ", [desk.write("gist", got) for got in desk.ask_all(NOTE, rows())])


def overlapping(model: Any) -> Any:
    return rehearse(parts_of(1), Overlapping(), RunSpec("overlapping", 1, "?"), model)


def test_equal_prompts_in_one_run_are_different_samples() -> None:
    model = Scripted(lambda call: f"{call.seq}")
    overlapping(model)
    by_seq = sorted(model.calls, key=lambda call: call.seq)
    assert [call.sample for call in by_seq] == [0, 1, 0, 1, 2, 3]
    assert len({call.identity for call in model.calls}) == 6
    assert len({call.asked for call in model.calls}) == 2


def test_a_retried_call_keeps_its_number_and_sample_and_takes_the_next_attempt() -> None:
    model = Scripted(lambda call: "" if call.seq in (1, 4) and call.attempt == 0 else f"{call.seq}")
    overlapping(model)
    again = sorted((call.seq, call.attempt, call.sample) for call in model.calls if call.seq in (1, 4))
    assert again == [(1, 0, 1), (1, 1, 1), (4, 0, 2), (4, 1, 2)]
    assert len({call.identity for call in model.calls}) == 8


def test_results_keep_the_order_of_their_rows_whichever_was_retried() -> None:
    trace = overlapping(Scripted(lambda call: "" if call.seq == 3 and call.attempt == 0 else f"{call.seq}"))
    assert [event.text for event in trace.events if isinstance(event, events.Wrote) and event.role == "gist"] == ["1", "3", "5"]
    assert [(event.seq, event.attempt) for event in trace.misreads] == [(3, 0)]


def test_a_generators_own_calls_are_numbered_and_emitted_at_once_and_the_batch_in_row_order() -> None:
    trace = overlapping(Scripted(lambda call: f"{call.seq}"))
    told = [
        (event.kind, event.seq if isinstance(event, events.Asked) else event.text)
        for event in trace.events
        if event.kind in ("asked", "wrote")
    ]
    assert told == [
        ("asked", 0), ("wrote", "0"), ("asked", 2), ("wrote", "2"), ("asked", 4), ("wrote", "4"),
        ("asked", 1), ("asked", 3), ("asked", 5), ("wrote", "1"), ("wrote", "3"), ("wrote", "5"),
    ]  # fmt: skip


def test_a_generator_that_asks_overlaps_with_its_rows(store: Store) -> None:
    last_page = threading.Event()

    class Held:
        """Answers the first row when the last page is asked about, and not before."""

        def complete(self, call: Call) -> Reply:
            if call.seq == 4:
                last_page.set()
            assert call.seq != 1 or last_page.wait(10)
            return Reply(str(call.seq))

    run = create_run(store, parts_of(1), Overlapping(), RunSpec("overlapping", 1, "?"))
    assert execute(store, run.id, Overlapping(), Execution(Held(), concurrency=4)).status == "finished"


def test_a_sample_base_makes_every_call_another_sample() -> None:
    plain, moved = Scripted(answer), Scripted(answer)
    spec = current_spec("memwalker", "When?", options=OPTIONS)
    rehearse(parts_of(PARTS), READER, spec, plain)
    rehearse(parts_of(PARTS), READER, replace(spec, sample_base=5), moved)
    assert {call.sample for call in moved.calls} == {call.sample + 5 for call in plain.calls}
    assert not {call.identity for call in plain.calls} & {call.identity for call in moved.calls}
    assert {call.asked for call in plain.calls} == {call.asked for call in moved.calls}
