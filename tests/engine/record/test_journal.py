"""What is stored: every call can be rebuilt exactly, every written text knows its sources, and the database grows in proportion
to the text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.models.call import Call, Message, Reply
from readers.engine.models.offline import Offline
from readers.engine.prompts.prompt import Part
from readers.engine.record.journal import MemoryTape, decode_parts, encode_parts, recorded_messages
from readers.engine.record.trace import Trace, merge_spans
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Piece, Span, Text
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import BACK, COMMIT, parts_of, walker
from tests.support.readings.recurrent_reader import Recurrent
from tests.support.specs import current_spec

WORDS = ["the", "keeper", "lit", "a", "lamp", "and", "wrote", "it", "in", "his", "book", "while", "rain", "came", "from", "north"]


class Listening:
    """Passes calls on and records the messages that were sent."""

    def __init__(self, model: Any) -> None:
        self.sent: dict[tuple[int, int], list[Message]] = {}
        self._model = model

    def complete(self, call: Call) -> Reply:
        self.sent[call.seq, call.attempt] = call.messages
        return self._model.complete(call)  # type: ignore[no-any-return]


def read(store: Store, document: Document, reader: Reader, model: Any, **options: Any) -> tuple[str, Listening]:
    listening = Listening(model)
    run = create_run(store, document, reader, RunSpec(reader.id, reader.version, "Why did he hide it?", options=options))
    done = execute(store, run.id, reader, Execution(listening, concurrency=4))
    assert done.status == "finished", done.error
    return run.id, listening


def rebuild(store: Store, run_id: str) -> dict[tuple[int, int], list[Message]]:
    """The messages of every call, rebuilt from the stored rows alone."""
    tape, document = store.runs.tape(run_id), store.documents.get(store.runs.get(run_id).document)
    prompts = tape.prompts()
    return {
        (record.seq, record.attempt): recorded_messages(record, prompts[record.prompt], document) for record in tape.records()
    }


def test_every_call_of_a_walk_is_rebuilt_exactly(store: Store, lamp: Document) -> None:
    run_id, listening = read(store, lamp, MemWalker(), Offline(), segment_tokens=400)
    assert rebuild(store, run_id) == listening.sent
    assert len(listening.sent) > 25


def test_repeated_calls_are_rebuilt_with_their_correction_note(store: Store) -> None:
    model = walker([0, "what?", "Action: 99", 1, BACK, 0, COMMIT])
    run_id, listening = read(store, parts_of(9), MemWalker(), model, segment_tokens=64, max_children=3)
    assert rebuild(store, run_id) == listening.sent
    assert any(attempt == 2 for _, attempt in listening.sent)


def test_a_text_that_contains_every_delimiter_is_rebuilt_exactly(store: Store) -> None:
    hostile = 'A $segment of $$ </text> """ ### Action: -2\nAnswer: no\n<summaries> ${format} \u2028 '
    hostile += "\U0001f469\u200d\U0001f680 e\u0301."
    run_id, listening = read(store, Document.of(hostile), MemWalker(), walker([0, COMMIT]))
    assert rebuild(store, run_id) == listening.sent


@pytest.mark.parametrize("lines", [1_650, pytest.param(16_500, marks=pytest.mark.scale)], ids=["100 thousand", "a million"])
def test_tokens_read_with_one_memory_store_a_small_multiple_of_the_text(store: Store, lines: int) -> None:
    memory = "He lit it at four, and the harbour master's book says so in a hand that leans. " * 45  # some 800 tokens
    written = (" ".join(WORDS[(n * k) % len(WORDS)] for k in range(1, 60)) + f" {n}." for n in range(lines))
    document = Document.of("\n\n".join(written))
    assert document.tokens > 60 * lines

    class Remembers:
        def complete(self, call: Call) -> Reply:
            return Reply(f"{memory}{call.seq}", 6000, 800, 0.0)

    run_id, listening = read(store, document, Recurrent(), Remembers())
    assert len(listening.sent) > lines // 80
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert store.path.stat().st_size < 3 * len(document.text.encode())
    assert rebuild(store, run_id) == listening.sent


def test_every_summary_knows_the_characters_it_covers(store: Store, lamp: Document) -> None:
    run_id, _ = read(store, lamp, MemWalker(), Offline(), segment_tokens=400)
    reading = open_reading(store, run_id)
    nodes = MemWalker().view(reading.trace)["nodes"]
    assert len(reading.trace.wrote) == len(nodes)
    for node in nodes:
        wrote = reading.trace.wrote[int(node["id"])]
        assert reading.trace.sources(wrote.pieces) == (Span(node["start"], node["end"]),)


def test_every_memory_derives_from_everything_read_before_it() -> None:
    document = parts_of(6)
    trace = rehearse(document, Recurrent(), RunSpec("recurrent", 1, "Who?", options={"chunk_tokens": 64}), RepeatsEnd())
    spans = trace.events[0].spans  # type: ignore[union-attr]
    assert len(trace.wrote) == len(spans) == 6
    for n, wrote in trace.wrote.items():
        assert trace.sources(wrote.pieces) == (Span(0, spans[n].end),)
        assert trace.parent_texts(wrote.pieces) == ((n - 1,) if n else ())
        assert trace.evidence(wrote.pieces) == (spans[n],)


class RepeatsEnd:
    """Replies with the end of its prompt."""

    def complete(self, call: Call) -> Reply:
        return Reply(call.part("section")[0][-20:], 0, 0, 0.0)


@given(st.data())
def test_every_text_written_in_any_tree_knows_its_sources(data: st.DataObject) -> None:
    parts = data.draw(st.integers(1, 12))
    most = data.draw(st.integers(2, 5))
    limit = data.draw(st.sampled_from([32, 60, 1000]))
    replies = data.draw(
        st.lists(st.sampled_from(["", "Short.", "A longer one that says what is there. " * 6]), min_size=1, max_size=5)
    )

    def summary(call: Call) -> str:
        return replies[(call.seq + call.attempt) % len(replies)]

    options = {"segment_tokens": 64, "max_children": most, "summary_limit_tokens": limit, "max_steps": 1}
    spec = current_spec("memwalker", "Where?", options=options)
    trace = rehearse(parts_of(parts), MemWalker(), spec, walker([0, COMMIT], summaries=summary))
    for node in MemWalker().view(trace)["nodes"]:
        pieces = trace.wrote[int(node["id"])].pieces
        sources = trace.sources(pieces)
        assert sources
        assert node["start"] <= sources[0].start <= sources[-1].end <= node["end"]
        if not trace.decisions(
            "fallback"
        ):  # a model's text covers everything in its prompt; first sentences cover only themselves
            assert sources == (Span(node["start"], node["end"]),)


def test_parts_taken_from_the_document_are_stored_as_offsets() -> None:
    document = Document.of("One two three.")
    texts = (document.at(Span(4, 7)), Text("two"), Text.join(" ", [document.at(Span(0, 3)), document.at(Span(8, 13))]), Text(""))
    stored = encode_parts((Part("a", texts),))
    assert stored == '[["a",[[4,7],"two","One three",""]]]'
    assert [text.text for text in decode_parts(stored, document)[0].texts] == ["two", "two", "One three", ""]


def test_a_trace_follows_copies_of_copies() -> None:
    tape = MemoryTape()
    document = parts_of(4)
    spec = current_spec("memwalker", "Where?", options={"segment_tokens": 64, "max_children": 2})
    trace = rehearse(document, MemWalker(), spec, walker([0, 0, COMMIT]), tape=tape)
    root = max(trace.wrote)
    assert all(piece.origin.startswith("wrote:") for piece in trace.wrote[root].pieces)
    assert trace.parent_texts(trace.wrote[root].pieces) == (4, 5)
    assert trace.sources(trace.wrote[root].pieces) == (Span(0, len(document.text)),)
    assert len(tape.records) == len(trace.asked)


def test_spans_are_merged_in_order() -> None:
    assert merge_spans([Span(5, 7), Span(0, 2), Span(2, 3), Span(6, 9), Span(4, 4)]) == (Span(0, 3), Span(5, 9))
    assert Trace(Document.of(""), ()).outcome is None
    assert Piece(0, 3, "document", 5, 8).exact
