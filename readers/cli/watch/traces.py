"""What other tools recorded of a program, read as its calls: files that are told apart by their shape. Pure, and for untrusted
files: what is not understood is counted by what it is, and told.

- OTLP JSON (also a line for each export): spans with attributes of OpenInference or of OpenTelemetry's GenAI conventions; each
  trace is a reading.
- Inspect's logs (`.eval`): the model events of each sample, which is a reading.
- JSON lines of `{"messages": [...], "reply": "..."}`, one reading; `model`, `question`, `asked` and `answered` (seconds) may be
  beside them.
- Execution graphs (`smartcomment`): each operation with texts that go in and come out counts as a call, whoever did it.

Not here: making readings of the calls (`import_traces.py`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from readers.cli.watch.protocols import as_dict, as_list, as_words, said_in
from readers.engine.errors import BadRunFile
from readers.engine.files.runs.run_file_schema import MAX_FILE_BYTES, SCHEMA, check_values
from readers.engine.files.runs.unzip import Room, is_zip, run_files
from readers.observed.calls import ObservedCall, Said

MOST_SAMPLES = 1_000
_GENAI = ("chat", "text_completion", "generate_content")  # the operations of GenAI spans that ask a model for words
NO_REPLY = "the reply is not on record"
_ATTACHED = "attachment://"
_NONE = "COMMENT:NONE@1"  # what stands for nothing in a graph
_INDEXED = re.compile(r"(\d{1,5})\.(.+)")


class TracedReading(NamedTuple):
    """A reading in a file: its calls in order, its question and answer where the file has them, and what was not understood, by
    what it is."""

    name: str
    calls: tuple[ObservedCall, ...]
    question: str
    answer: str
    left: Counter[str]


def traced(data: bytes, name: str) -> list[TracedReading] | None:
    """The readings in a file; None if it has none of these shapes. Raises BadRunFile for one that is broken or too large."""
    if is_zip(data):
        return _inspect(data, name) if b"samples/" in data else None
    head = data[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(b"{") or SCHEMA.encode() in head:  # no object, or a run file
        return None
    check_values(data)
    objects = _objects(data)
    if not objects:
        return None
    if "resourceSpans" in objects[0]:
        return _otlp(objects)
    if isinstance(objects[0].get("messages"), list) and "reply" in objects[0]:
        return [_lines(objects)]
    graph = as_dict(objects[0].get("data"))
    if len(objects) == 1 and isinstance(graph.get("operations"), list) and isinstance(graph.get("nodes"), list):
        return [_graph(graph, as_words(objects[0].get("graph_id")))]
    return None


def _objects(data: bytes) -> list[dict[str, Any]]:
    """The objects of a JSON file, or of its lines; none if it is neither."""
    try:
        whole = json.loads(data)
        return [whole] if isinstance(whole, dict) else []
    except (ValueError, RecursionError):
        pass
    found = []
    for line in data.split(b"\n"):
        if line.strip():
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                return []
            found.append(one if isinstance(one, dict) else {})
    return found


def _lines(objects: Iterable[Mapping[str, Any]]) -> TracedReading:
    calls, left, question = [], Counter[str](), ""
    for number, one in enumerate(objects):
        messages = said_in(one.get("messages"))
        reply, times = as_words(one.get("reply")), (_number(one.get("asked"), number), _number(one.get("answered"), number + 0.5))
        question = question or as_words(one.get("question"))
        if not messages or not reply:
            left["lines without messages and a reply"] += 1
            continue
        calls.append(ObservedCall(times[0], max(times), messages, reply, model=as_words(one.get("model"))))
    return TracedReading("", tuple(calls), question, "", left)


# OTLP


def _otlp(objects: Iterable[Mapping[str, Any]]) -> list[TracedReading]:
    calls: dict[str, list[ObservedCall]] = {}
    left: dict[str, Counter[str]] = {}
    for span in _spans(objects):
        trace = as_words(span.get("traceId"))
        given = {as_words(one.get("key")): _value(one.get("value")) for one in map(as_dict, as_list(span.get("attributes")))}
        call = _openinference(given) or _genai(given)
        if call is None:
            kind = as_words(given.get("openinference.span.kind") or given.get("gen_ai.operation.name"))
            left.setdefault(trace, Counter())[f"spans that ask no model ({kind[:40].lower() or 'of no kind'})"] += 1
            continue
        began, ended = (_number(span.get(f"{end}TimeUnixNano"), 0.0) / 1e9 for end in ("start", "end"))
        why = as_words(as_dict(span.get("status")).get("message")) or NO_REPLY
        timed = replace(call, asked=began, answered=max(began, ended), error="" if call.reply else why)
        calls.setdefault(trace, []).append(timed)
    return [TracedReading(trace[:16], _from_zero(made), "", "", left.get(trace, Counter())) for trace, made in calls.items()]


def _spans(objects: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in objects:
        for resource in map(as_dict, as_list(one.get("resourceSpans"))):
            for scope in map(as_dict, as_list(resource.get("scopeSpans"))):
                yield from map(as_dict, as_list(scope.get("spans")))


def _value(given: Any) -> Any:
    """An attribute's value, which is typed."""
    for kind, value in as_dict(given).items():
        if kind == "arrayValue":
            return [_value(one) for one in as_list(as_dict(value).get("values"))]
        if kind == "kvlistValue":
            return {
                as_words(one.get("key")): _value(one.get("value")) for one in map(as_dict, as_list(as_dict(value).get("values")))
            }
        return value
    return None


def _openinference(given: Mapping[str, Any]) -> ObservedCall | None:
    """A call of a span of the kind LLM, whose lists are flattened: `llm.input_messages.0.message.content`."""
    if given.get("openinference.span.kind") != "LLM":
        return None
    asked = [_open_message(_flat(one, "message.")) for one in _indexed(given, "llm.input_messages.")]
    replies = said_in([_open_message(_flat(one, "message.")) for one in _indexed(given, "llm.output_messages.")])
    messages = said_in(asked) or said_in([{"role": "user", "content": given.get("input.value")}])
    reply = replies[0].text if replies else as_words(given.get("output.value"))
    return _call(given, messages, reply, "llm.model_name", "llm.token_count.prompt", tokens_out="llm.token_count.completion")


def _open_message(one: Mapping[str, Any]) -> dict[str, Any]:
    parts = [as_words(part.get("message_content.text")) for part in _indexed(one, "contents.")]
    calls = [_flat(call, "tool_call.function.") for call in _indexed(one, "tool_calls.")]
    content = as_words(one.get("content")) or "\n".join(filter(None, parts))
    return {"role": one.get("role"), "content": content, "tool_calls": [{"function": call} for call in calls]}


def _genai(given: Mapping[str, Any]) -> ObservedCall | None:
    """A call of a GenAI span: its messages are JSON, or, as earlier instrumentations wrote them, flattened."""
    if given.get("gen_ai.operation.name") not in (*_GENAI, None) or not any(name.startswith("gen_ai.") for name in given):
        return None
    system = [{"role": "system", "parts": _json(given.get("gen_ai.system_instructions"))}]
    asked = [*system, *_json(given.get("gen_ai.input.messages"))]
    messages = said_in([_genai_message(one) for one in map(as_dict, asked)]) or said_in(_indexed(given, "gen_ai.prompt."))
    replies = said_in([_genai_message(one) for one in map(as_dict, _json(given.get("gen_ai.output.messages")))])
    replies = replies or said_in(_indexed(given, "gen_ai.completion."))
    if not messages:
        return None
    reply = replies[0].text if replies else ""
    model = "gen_ai.request.model"
    return _call(given, messages, reply, model, "gen_ai.usage.input_tokens", tokens_out="gen_ai.usage.output_tokens")


def _genai_message(one: Mapping[str, Any]) -> dict[str, Any]:
    parts = list(map(as_dict, as_list(one.get("parts"))))
    texts = [as_words(part.get("content")) for part in parts if part.get("type") == "text"]
    results = [_said(part.get("response", part.get("result"))) for part in parts if part.get("type") == "tool_call_response"]
    calls = [{"function": part} for part in parts if part.get("type") == "tool_call"]
    return {"role": one.get("role"), "content": "\n".join(filter(None, [*texts, *results])), "tool_calls": calls}


def _call(
    given: Mapping[str, Any], messages: tuple[Said, ...], reply: str, model: str, tokens_in: str, *, tokens_out: str
) -> ObservedCall | None:
    if not messages:
        return None
    counts = _count(given.get(tokens_in)), _count(given.get(tokens_out))
    named = as_words(given.get(model))[:200]
    return ObservedCall(0.0, 0.0, messages, reply, model=named, tokens_in=counts[0], tokens_out=counts[1])


def _indexed(given: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The objects of a flattened list, in order."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in given.items():
        if name.startswith(prefix) and (at := _INDEXED.fullmatch(name, len(prefix))):
            found.setdefault(int(at[1]), {})[at[2]] = value
    return [found[number] for number in sorted(found)]


def _flat(given: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in given.items() if name.startswith(prefix)}


# Inspect


def _inspect(data: bytes, name: str) -> list[TracedReading] | None:
    """The samples of a log; None for a zip without any."""
    files = run_files(data, name, Room(2 * MOST_SAMPLES, MAX_FILE_BYTES, MAX_FILE_BYTES))
    samples = [(path, unpacked) for path, unpacked in files if "samples/" in path]
    return [_sample(path, unpacked()) for path, unpacked in samples] if samples else None


def _sample(path: str, data: bytes) -> TracedReading:
    check_values(data)
    try:
        sample = as_dict(json.loads(data))
    except (ValueError, RecursionError):
        raise BadRunFile(f"{path!r} in it is not complete JSON") from None
    attached = as_dict(sample.get("attachments"))
    calls, left = [], Counter[str]()
    for number, event in enumerate(map(as_dict, as_list(sample.get("events")))):
        if event.get("event") != "model":
            continue
        output = as_dict(event.get("output"))
        choice = as_dict(next(iter(as_list(output.get("choices"))), {}))
        messages = said_in([_inspect_message(as_dict(one), attached) for one in as_list(event.get("input"))])
        replies = said_in([_inspect_message(as_dict(choice.get("message")), attached)])
        if not messages:
            left["model events without messages"] += 1
            continue
        began = _moment(event.get("timestamp"), number)
        usage, error = as_dict(output.get("usage")), as_words(event.get("error") or output.get("error"))
        reply = replies[0].text if replies else ""
        counts = _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))
        ended = max(began, _moment(event.get("completed"), began))
        calls.append(
            ObservedCall(
                began, ended, messages, reply, model=as_words(event.get("model"))[:200],
                error="" if reply else error or NO_REPLY, tokens_in=counts[0], tokens_out=counts[1],
            )
        )  # fmt: skip
    asked, answer = sample.get("input"), as_words(as_dict(sample.get("output")).get("completion"))
    question = asked if isinstance(asked, str) else "\n".join(one.text for one in said_in(asked)[-1:])
    return TracedReading(path.rpartition("samples/")[2].removesuffix(".json"), _from_zero(calls), question, answer, left)


def _inspect_message(one: Mapping[str, Any], attached: Mapping[str, Any]) -> dict[str, Any]:
    def whole(text: str) -> str:
        return as_words(attached.get(text.removeprefix(_ATTACHED))) if text.startswith(_ATTACHED) else text

    content = one.get("content")
    parts = [content] if isinstance(content, str) else [as_words(as_dict(part).get("text")) for part in as_list(content)]
    calls = [
        {"function": {"name": call.get("function"), "arguments": call.get("arguments")}}
        for call in map(as_dict, as_list(one.get("tool_calls")))
    ]
    return {"role": one.get("role"), "content": "\n".join(filter(None, map(whole, parts))), "tool_calls": calls}


# Execution graphs


def _graph(graph: Mapping[str, Any], name: str) -> TracedReading:
    values = {
        as_words(node.get("full_node_id")): as_words(node.get("value")) for node in map(as_dict, as_list(graph.get("nodes")))
    }
    went_in: dict[str, dict[str, None]] = {}
    came_out: dict[str, dict[str, None]] = {}
    for edge in map(as_dict, as_list(graph.get("edges"))):
        operation = as_words(edge.get("op_id"))
        went_in.setdefault(operation, {})[as_words(edge.get("source_full_node_id"))] = None
        came_out.setdefault(operation, {})[as_words(edge.get("target_full_node_id"))] = None
    calls, left = [], Counter[str]()
    for number, one in enumerate(map(as_dict, as_list(graph.get("operations")))):
        operation, began = as_words(one.get("op_id")), _moment(one.get("created_at"), number)
        texts = [text for node in went_in.get(operation, {}) if (text := values.get(node, "")) and node != _NONE]
        reply = "\n".join(filter(None, (values.get(node, "") for node in came_out.get(operation, {}) if node != _NONE)))
        if not texts or not reply:
            left["operations without texts that go in and come out"] += 1
            continue
        what = as_words(one.get("op_name") or one.get("comment"))[:200]
        messages = (*([Said("system", what)] if what else []), *(Said("user", text) for text in texts))
        calls.append(ObservedCall(began, began, messages, reply))
    return TracedReading(name[:40], _from_zero(sorted(calls, key=lambda call: call.asked)), "", "", left)


def _from_zero(calls: Sequence[ObservedCall]) -> tuple[ObservedCall, ...]:
    """The same calls, with the first asked at 0 seconds."""
    first = min((call.asked for call in calls), default=0.0)
    return tuple(replace(call, asked=call.asked - first, answered=call.answered - first) for call in calls)


def _moment(given: Any, otherwise: float) -> float:
    """A time in ISO 8601, in seconds."""
    try:
        return datetime.fromisoformat(as_words(given)).timestamp()
    except (ValueError, OverflowError):
        return float(otherwise)


def _number(given: Any, otherwise: float) -> float:
    """A number, also where it is written as a text, as OTLP writes large ones."""
    try:
        found = float(given) if isinstance(given, (int, float, str)) and not isinstance(given, bool) else otherwise
    except (ValueError, OverflowError):
        return otherwise
    return found if abs(found) < 1e20 else otherwise


def _count(given: Any) -> int | None:
    """How many tokens; None if it is not said."""
    found = _number(given, -1)
    return int(found) if 0 <= found < 2**40 else None


def _json(given: Any) -> list[Any]:
    """A list, or the JSON of one."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return []
    return as_list(given)


def _said(given: Any) -> str:
    return as_words(given) if given is None or isinstance(given, str) else json.dumps(given, ensure_ascii=False)
