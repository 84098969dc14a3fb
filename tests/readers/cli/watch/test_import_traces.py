"""What other tools recorded becomes readings: by the shape of the file, with what was not understood counted and told."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from readers.cli.watch.import_traces import LEAST_SHARED, shared_text
from readers.cli.watch.traces import traced
from readers.engine.errors import BadRunFile
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span
from readers.memagent import MemAgent
from readers.observed.calls import ObservedCall, Said
from tests.support.command_line import run

STORY = "".join(f"In year {n} the lamp stood on the point, and nobody lit it for {7 * n} days. " for n in range(8))
STORY += "Then Amos Garbutt climbed the stairs and lit the lamp."
NOTE = "Amos Garbutt, the keeper, lit it in the end."
QUESTION = "Who lit the lamp?"


def attributes(given: dict[str, Any]) -> list[dict[str, Any]]:
    def typed(value: Any) -> dict[str, Any]:
        return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}

    return [{"key": key, "value": typed(value)} for key, value in given.items()]


def otlp(*spans: dict[str, Any], trace: str = "a1") -> dict[str, Any]:
    made = [
        {"traceId": trace, "startTimeUnixNano": str(10**18 + n * 10**9), "endTimeUnixNano": str(10**18 + n * 10**9 + 5 * 10**8),
         "attributes": attributes(span)}
        for n, span in enumerate(spans)
    ]  # fmt: skip
    return {"resourceSpans": [{"scopeSpans": [{"spans": made}]}]}


OPENINFERENCE = otlp(
    {"openinference.span.kind": "AGENT"},
    {
        "openinference.span.kind": "LLM", "llm.model_name": "small", "llm.token_count.prompt": 12,
        "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Take notes.",
        "llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.contents.0.message_content.text": STORY,
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": NOTE,
    },
    {
        "openinference.span.kind": "LLM", "llm.model_name": "small",
        "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": f"{NOTE}\n{QUESTION}",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "answer",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"who": "Amos"}',
    },
)  # fmt: skip
GENAI = otlp(
    {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "small", "gen_ai.usage.input_tokens": 12,
        "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Take notes."}]),
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": STORY}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": NOTE}]}]),
    },
    {"gen_ai.operation.name": "execute_tool"},
    {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": f"{NOTE}\n{QUESTION}", "gen_ai.completion.0.content": "Amos"},
)  # fmt: skip
LINES = "\n".join(
    json.dumps(one)
    for one in (
        {"messages": [{"role": "user", "content": STORY}], "reply": NOTE, "question": QUESTION},
        {"messages": "none", "reply": ""},
        {"messages": [{"role": "user", "content": f"{NOTE}\n{QUESTION}"}], "reply": "Amos"},
    )
)
GRAPH = {
    "graph_id": "graph-1",
    "data": {
        "nodes": [{"full_node_id": name, "value": value} for name, value in (("s@1", STORY), ("n@1", NOTE), ("a@1", "Amos"))],
        "edges": [
            {"op_id": "op-1", "source_full_node_id": "s@1", "target_full_node_id": "n@1"},
            {"op_id": "op-2", "source_full_node_id": "n@1", "target_full_node_id": "a@1"},
        ],
        "operations": [
            {"op_id": "op-2", "op_name": "answer", "created_at": "2026-05-01 10:00:02.000"},
            {"op_id": "op-1", "op_name": "note", "created_at": "2026-05-01 10:00:01.000"},
            {"op_id": "op-3", "op_name": "idle", "created_at": "2026-05-01 10:00:03.000"},
        ],
    },
}
SAMPLE = {
    "input": QUESTION, "output": {"completion": "Amos"}, "attachments": {"1f": STORY},
    "events": [
        {"event": "info"},
        {"event": "model", "model": "small", "timestamp": "2026-05-01T10:00:00+00:00", "completed": "2026-05-01T10:00:01+00:00",
         "input": [{"role": "user", "content": "attachment://1f"}],
         "output": {"choices": [{"message": {"role": "assistant", "content": NOTE}}]}},
        {"event": "model", "model": "small", "timestamp": "2026-05-01T10:00:02+00:00", "input": []},
        {"event": "model", "model": "small", "timestamp": "2026-05-01T10:00:03+00:00",
         "input": [{"role": "user", "content": [{"type": "text", "text": f"{NOTE}\n{QUESTION}"}]}],
         "output": {"choices": [{"message": {"role": "assistant", "content": "Amos"}}]}},
    ],
}  # fmt: skip


def eval_log(*samples: dict[str, Any]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for number, sample in enumerate(samples, 1):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))
    return made.getvalue()


SHAPES = {
    "openinference": (json.dumps(OPENINFERENCE).encode(), "spans that ask no model (agent)"),
    "genai": (json.dumps(GENAI).encode(), "spans that ask no model (execute_tool)"),
    "lines": (LINES.encode(), "lines without messages and a reply"),
    "graph": (json.dumps(GRAPH).encode(), "operations without texts that go in and come out"),
    "inspect": (eval_log(SAMPLE), "model events without messages"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_calls_of_each_shape_are_read_and_the_rest_is_counted(shape: str) -> None:
    data, left = SHAPES[shape]
    found = traced(data, "one")
    assert found is not None
    [reading] = found
    first, second = reading.calls
    assert first.messages[-1].text == STORY
    assert first.reply == NOTE
    assert NOTE in second.messages[-1].text
    assert second.reply in ("Amos", 'answer({"who": "Amos"})')
    assert first.asked == 0 < second.asked
    assert dict(reading.left) == {left: 1}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_becomes_a_reading_of_a_text_that_is_named(tmp_path: Path, shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traced.json").write_bytes(SHAPES[shape][0])
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    assert run("import", tmp_path / "traced.json", "--text", tmp_path / "story.txt", "--question", QUESTION) == 0
    out, err = capsys.readouterr()
    assert f"left out {SHAPES[shape][1]} (1)" in err
    with Store() as store:
        reading = open_reading(store, out.strip())
        assert (reading.run.reader, reading.run.outcome, reading.run.taken_in) == ("observed", "answered", True)
        assert reading.trace.spans_shown(0) == (Span(0, len(STORY)),)
        assert reading.document.title == "story"


def test_the_text_is_found_as_the_longest_part_that_prompts_share() -> None:
    def asked(words: str) -> ObservedCall:
        return ObservedCall(0.0, 0.0, (Said("user", words),), "a reply")

    found = shared_text([asked(f"First\n{STORY} One."), asked(f"Then\n{STORY} Two.")], title="found")
    assert found is not None
    assert found.text == STORY
    assert shared_text([asked(STORY), asked(NOTE * LEAST_SHARED)], title="found") is None
    again = shared_text([asked(STORY), asked(STORY)], title="found")
    assert again is not None
    assert again.text == STORY


def test_a_text_that_is_not_found_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traced.jsonl").write_text(LINES, encoding="utf-8")
    assert run("import", tmp_path / "traced.jsonl") == 2
    assert "import FILE --text TEXT` names it" in capsys.readouterr().err


def test_a_log_that_we_export_for_inspect_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader = MemAgent()
    with Store() as store:
        document = Document.of(STORY, title="The lamp")
        made = create_run(store, document, reader, RunSpec(reader.id, reader.version, QUESTION, options={"chunk_tokens": 60}))
        execute(store, made.id, reader, Execution(Offline()))
        calls = len(store.runs.tape(made.id).records())
    assert run("export", made.id, "--format", "eval", "-o", tmp_path / "one.eval") == 0
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    capsys.readouterr()
    assert run("import", tmp_path / "one.eval", "--text", tmp_path / "story.txt") == 0
    with Store() as store:
        reading = open_reading(store, capsys.readouterr().out.strip())
        assert reading.run.question == QUESTION
        assert len(reading.records) == calls
        assert reading.trace.spans_shown(0)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'{"a": 1}', b"PK\x03\x04 no zip", b'{"resourceSpans": 3}', b'{"messages": [], "reply": 1}',
     b'{"data": {"nodes": [1], "edges": [2], "operations": [3]}}', eval_log({}), eval_log(), b'{"schema": "palimpsest.run/1"}',
     b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [3], "startTimeUnixNano": "x"}]}]}]}'],
)  # fmt: skip
def test_what_is_no_record_is_refused_in_a_sentence(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.json").write_bytes(data)
    assert run("import", tmp_path / "odd.json") == 2
    assert "is not imported" in capsys.readouterr().err


def test_a_log_whose_samples_are_too_many_is_not_unpacked() -> None:
    with pytest.raises(BadRunFile, match="run files"):
        traced(eval_log(*[{}] * 2_001), "many.eval")
