"""One reading as a sample of an Inspect log: its steps as spans, its calls as model events, everything else as info.

The record has no clock, only how long each call took. Times of events are therefore estimates: the reading's start, and the live
calls one after the other; `times` in the metadata says so. Events are in the order of the record. Every call is there; a
comparison by a scorer, which no model reads, is info. Not here: the file around the samples (`export_inspect.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from readers.engine.analysis.narrate import narrate
from readers.engine.files.runs.run_file import shown_call
from readers.engine.models.call import LENGTH
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record import events
from readers.engine.record.events import Event
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run

SOURCE = "palimpsest"
TIMES = "estimated: the start, and the live calls one after the other"
SCORE_TASK = "score"
_STOP_REASONS = {"stop": "stop", LENGTH: "max_tokens", "content_filter": "content_filter"}
_REUSED = ("cached", "replayed", "inherited")
_STATUS_IN_WORDS = {"cancelled": "the reading was cancelled", "interrupted": "the reading was interrupted"}


@dataclass(frozen=True)
class SampleScore:
    """A score of a sample: its value, and the rule's reason if it has one."""

    value: float
    explanation: str = ""


@dataclass(frozen=True)
class Entry:
    """A reading of a log, not yet opened: its place there, its known answer, its scores by name, and `details`, which join
    its metadata."""

    run: Run
    sample_id: str
    epoch: int = 1
    known: KnownAnswer | None = None
    scores: Mapping[str, SampleScore] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SampleSource:
    """The parts of a sample: an entry, the reading itself, its reader, and the prompts of its calls."""

    entry: Entry
    reading: Reading
    reader: Reader
    prompts: Mapping[str, Prompt]


def sample(source: SampleSource) -> dict[str, Any]:
    """The sample as JSON data of `samples/*.json`."""
    reading = source.reading
    run = reading.run
    written = _Transcript(source)
    made = written.events()
    scores = {name: _score(one, run.answer) for name, one in source.entry.scores.items()}
    target = target_of(source.entry.known)
    made += [written.event("score", score=score, target=target, scorer=name) for name, score in scores.items()]
    usage = model_usage(reading.records)
    answer = {"role": "assistant", "content": run.answer or "", "source": "generate", "id": f"{run.id}-answer"}
    return {
        "id": source.entry.sample_id,
        "epoch": source.entry.epoch,
        "input": run.question,
        **({"choices": list(run.spec["choices"])} if run.spec.get("choices") else {}),
        "target": target,
        "messages": [{"role": "user", "content": run.question, "source": "input", "id": f"{run.id}-question"}, answer],
        "output": {
            "model": str(run.spec["model"]),
            "choices": [{"message": answer, "stop_reason": "stop" if run.outcome == "answered" else "unknown"}],
            "completion": run.answer or "",
            **({"time": run.seconds} if run.seconds is not None else {}),
        },
        "scores": scores,
        "metadata": metadata(source),
        "store": {},
        "events": made,
        "model_usage": usage,
        "started_at": written.began.isoformat(),
        "completed_at": (_when(run.ended) or written.now).isoformat(),
        "total_time": run.seconds or 0.0,
        "working_time": written.seconds,
        "uuid": run.id,
        **_error(source),
        "attachments": {},
    }


def summary(whole: Mapping[str, Any], *, finished: bool) -> dict[str, Any]:
    """What lists of samples show, from a whole sample."""
    names = ("id", "epoch", "input", "choices", "target", "metadata", "scores", "model_usage", "started_at", "completed_at",
             "total_time", "working_time", "uuid")  # fmt: skip
    error = {"error": whole["error"]["message"]} if "error" in whole else {}
    shown = {name: whole[name] for name in names if name in whole}
    return {**shown, **error, "completed": finished, "message_count": len(whole["messages"])}


def metadata(source: SampleSource) -> dict[str, Any]:
    """The fields of a reading in addition to its events: only small values."""
    run, document = source.reading.run, source.reading.document
    return {
        "reading": run.id, "reader": run.reader, "model": run.spec["model"], "status": run.status, "outcome": run.shown_outcome,
        "document": document.id, "title": document.title, "chars": len(document.text), "tokens": document.tokens,
        "options": json.dumps(run.spec["options"], ensure_ascii=False), "evidence": [list(span) for span in run.evidence],
        "times": TIMES, **source.entry.details,
    }  # fmt: skip


def target_of(known: KnownAnswer | None) -> str | list[str]:
    """The known answers; empty where none is known."""
    answers = list(known.answers) if known else []
    return answers[0] if len(answers) == 1 else answers or ""


def model_usage(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """The tokens and dollars of the live calls, by model."""
    used: dict[str, dict[str, Any]] = {}
    for record in records:
        if record.origin == "live" and record.task != SCORE_TASK:
            total = used.setdefault(record.model, {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0, "total_cost": 0.0})
            tokens_in, tokens_out = record.tokens_in or 0, record.tokens_out or 0
            total["input_tokens"] += tokens_in
            total["output_tokens"] += tokens_out
            total["total_tokens"] += tokens_in + tokens_out
            total["total_cost"] += record.cost_usd or 0.0
    return used


class _Transcript:
    """The events of a sample, one after the other, with the spans that are open and the time so far."""

    def __init__(self, source: SampleSource) -> None:
        run = source.reading.run
        self.began = _when(run.started) or _when(run.created) or datetime.fromtimestamp(0, UTC)
        self.seconds = 0.0
        self._source = source
        self._spans: list[str] = []
        self._count = 0
        self._names = source.reader.names(source.reading.trace)

    @property
    def now(self) -> datetime:
        return self.began + timedelta(seconds=self.seconds)

    def event(self, kind: str, **fields: Any) -> dict[str, Any]:
        """An event that happens now, in the innermost open span."""
        self._count += 1
        span = {"span_id": self._spans[-1]} if self._spans else {}
        own = {"uuid": f"{self._source.reading.run.id}-{self._count}", "timestamp": self.now.isoformat()}
        return {**own, "working_start": round(self.seconds, 3), "event": kind, **span, **fields}

    def events(self) -> list[dict[str, Any]]:
        reading = self._source.reading
        told = _told_at(reading.trace, narrate(reading.trace, self._source.reader, names=self._names))
        by_call: dict[int, list[Record]] = {}
        for record in sorted(reading.records, key=lambda one: (one.seq, one.attempt)):
            by_call.setdefault(record.seq, []).append(record)
        made: list[dict[str, Any]] = []
        for number, event in enumerate(reading.trace.events):
            made += [self.event("info", source=f"{SOURCE}.narration", data=words) for words in told.get(number, ())]
            if isinstance(event, events.StepBegan):
                made.append(self._begin(event.name))
            elif isinstance(event, events.StepEnded):
                made.append(self._end())
            elif isinstance(event, events.Asked):
                made += [self._call(record) for record in by_call.pop(event.seq, ())]
            else:
                made.append(self.event("info", source=f"{SOURCE}.{event.kind}", data=self._data(event)))
        made += [self._call(record) for records in by_call.values() for record in records]  # failed, or not used yet
        while self._spans:
            made.append(self._end())
        return made

    def _begin(self, name: str) -> dict[str, Any]:
        parent = self._spans[-1] if self._spans else None
        span = f"{self._source.reading.run.id}-step-{self._count}"
        self._spans.append(span)
        called = self._source.reader.narrative.step(name)
        return self.event("span_begin", id=span, name=called, type="step", **({"parent_id": parent} if parent else {}))

    def _end(self) -> dict[str, Any]:
        made = self.event("span_end", id=self._spans[-1])
        self._spans.pop()
        return made

    def _call(self, record: Record) -> dict[str, Any]:
        source = self._source
        shown = shown_call(record, source.prompts[record.prompt], source.reading.document)
        if record.task == SCORE_TASK:
            return self.event("info", source=f"{SOURCE}.score", data={name: shown[name] for name in ("seq", "model", "reply")})
        live = record.origin == "live"
        took = record.ms / 1000 if live else 0.0
        spec = source.reading.run.spec
        made = self.event(
            "model",
            model=record.model,
            role=record.task,
            input=self._messages(record, shown["messages"]),
            tools=[],
            tool_choice="none",
            config={name: spec[name] for name in ("temperature", "top_p") if spec.get(name) is not None},
            output=_output(record, took),
            completed=(self.now + timedelta(seconds=took)).isoformat(),
            working_time=took,
            metadata={"call": record.seq, "attempt": record.attempt, "prompt": shown["prompt"], "origin": record.origin},
            **({"cache": "read"} if record.origin in _REUSED else {}),
            **({"error": record.error} if record.error else {}),
        )  # fmt: skip
        self.seconds += took
        return made

    def _messages(self, record: Record, sent: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
        call = f"{self._source.reading.run.id}-{record.seq}-{record.attempt}"
        return [{**message, "id": f"{call}-{number}"} for number, message in enumerate(sent)]

    def _data(self, event: Event) -> dict[str, Any]:
        """An event as data: texts by their names, without their pieces, which only this program reads."""
        data = {name: value for name, value in json.loads(events.to_json(event)).items() if name not in ("kind", "pieces")}
        if isinstance(event, events.Chose):
            data["picked"], data["among"] = self._called(event.picked), [self._called(ref) for ref in event.among]
        if isinstance(event, events.Looked):
            data["opened"] = self._called(event.ref)
        return data

    def _called(self, ref: str) -> str:
        return self._names.get(ref, ref)


def _told_at(trace: Trace, sentences: Sequence[str]) -> dict[int, list[str]]:
    """The sentence of each step, by the number of the first event inside it."""
    found: dict[int, list[str]] = {}
    for step, words in zip(trace.steps, sentences, strict=True):
        found.setdefault(_first_inside(trace, step.start), []).append(words)
    return found


def _first_inside(trace: Trace, start: int) -> int:
    marks = (events.StepBegan, events.StepEnded)
    return next((n for n in range(start, len(trace.events)) if not isinstance(trace.events[n], marks)), start)


def _output(record: Record, took: float) -> dict[str, Any]:
    usage = {"input_tokens": record.tokens_in or 0, "output_tokens": record.tokens_out or 0,
             "total_tokens": (record.tokens_in or 0) + (record.tokens_out or 0),
             **({"total_cost": record.cost_usd} if record.cost_usd is not None else {})}  # fmt: skip
    if record.reply is None:
        return {"model": record.model, "choices": [], "completion": ""}
    content: Any = record.reply
    if record.thoughts:
        content = [{"type": "reasoning", "reasoning": record.thoughts}, {"type": "text", "text": record.reply}]
    message = {"role": "assistant", "content": content, "source": "generate"}
    reason = _STOP_REASONS.get(record.finish or "stop", "unknown")
    choice = {"message": message, "stop_reason": reason}
    return {"model": record.model, "choices": [choice], "completion": record.reply, "usage": usage, "time": took}


def _score(one: SampleScore, answer: str | None) -> dict[str, Any]:
    return {
        "value": one.value,
        **({"answer": answer} if answer else {}),
        **({"explanation": one.explanation} if one.explanation else {}),
    }


def _error(source: SampleSource) -> dict[str, Any]:
    """Why a reading did not end; nothing if it did."""
    run = source.reading.run
    if run.status == "finished":
        return {}
    words = run.error or _STATUS_IN_WORDS.get(run.status, f"the reading is {run.status}")
    return {"error": {"message": words, "traceback": "", "traceback_ansi": ""}}


def _when(stored: str | None) -> datetime | None:
    return datetime.fromisoformat(stored) if stored else None


def iter_scores(samples: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """The scores of summaries, by name."""
    for one in samples:
        for name, score in (one.get("scores") or {}).items():
            yield name, float(score["value"])
