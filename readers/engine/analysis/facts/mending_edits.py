"""Edits that would keep a fact: a sentence put into a writing, another choice, and an instruction to stay. Pure.

Each works by what the record declares: the text that was written, and the reply form of the call. A form that cannot express such
an edit has none. Not here: which edit mends a fate (`mending.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from readers.engine.analysis.facts.life import Life
from readers.engine.analysis.facts.matcher import Match
from readers.engine.forks.describe_edit import PICKED_BY_PERSON
from readers.engine.prompts.formats.form import REASON, Form, Parsed, Shown, Value, numbers
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.edits import PromptEdit, ReplyEdit, WrittenEdit
from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.journal import Record, decode_parts, recorded_messages
from readers.engine.record.trace import SCORE_PROMPT, merge_spans
from readers.engine.run.bounded_memory import MEMORY, NOTHING_YET
from readers.engine.store import Reading
from readers.engine.text import refs, split, tokens

_NEAR = 0.15  # from this share of a fact's words on, a stretch of a text is derived from the fact
NAMES_ALONE = ("entity",)  # roles of texts whose lines are names: a sentence would become a name


@dataclass(frozen=True)
class Calls:
    """The calls of a reading with their prompts as they were worded, by hash."""

    reading: Reading
    prompts: Mapping[str, Prompt]

    def of_step(self, step: int) -> list[Asked]:
        """The calls of a step (from 0) that a model replied to, the last first."""
        trace = self.reading.trace
        events = trace.of(trace.steps[step])
        return [event for event in reversed(events) if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]

    def record(self, seq: int, attempt: int | None) -> Record | None:
        """The reply of a call that was used; None if it is not on record."""
        return self._records.get((seq, attempt or 0))

    @cached_property
    def _records(self) -> Mapping[tuple[int, int], Record]:
        return {(record.seq, record.attempt): record for record in self.reading.records}

    def prompt(self, record: Record) -> Prompt | None:
        return self.prompts.get(record.prompt)

    def parts(self, record: Record) -> tuple[Part, ...]:
        return decode_parts(record.parts, self.reading.document, wrote=self.reading.trace.wrote)


# A writing


def with_sentence(text: str, words: str, near: Match, *, instead: bool = False) -> str:
    """A text with a sentence added after the stretch derived from it, or replacing that stretch; at the end if no such stretch is
    found."""
    if not text.strip() or near.share < _NEAR:
        return f"{text.rstrip()} {words}".strip()
    inside = [span for span in split.sentences(text) if span.start < near.end and near.start < span.end]
    start, end = inside[0].start, inside[-1].end
    before, after = text[: start if instead else end].rstrip(), text[end:].lstrip()
    gap = text[len(text[:end].rstrip()) : len(text) - len(after)] if after else ""
    return f"{before} {words}".strip() + gap + after


def written_with(wrote: Wrote, words: str, near: Match, *, instead: bool = False) -> WrittenEdit | None:
    """A text that a reader wrote, as if it said the fact in these words; None if it has only names."""
    if wrote.role in NAMES_ALONE:
        return None
    return WrittenEdit(wrote.n, wrote.role, wrote.text, with_sentence(wrote.text, words, near, instead=instead))


def remembered_there(calls: Calls, step: int, words: str) -> ReplyEdit | None:
    """At a step that left a memory as it was, the reply that keeps it and says the fact in these words; None if the step asked
    for no memory, or it would be longer than it may be."""
    for event in calls.of_step(step):
        record = calls.record(event.seq, event.attempt)
        prompt = calls.prompt(record) if record else None
        if record is None or prompt is None or prompt.task != "update_memory":
            continue
        before = " ".join(words for words in _words_of(calls.parts(record), MEMORY) if words != NOTHING_YET)
        reply = prompt.reply.render({prompt.reply.main: f"{before} {words}".strip()})
        if isinstance(prompt.reply.parse(reply, {}), Parsed):
            return ReplyEdit(event.seq, record.attempt, reply)
    return None


def over_its_limit(calls: Calls, wrote: Wrote, text: str) -> str:
    """By how much a new text exceeds the limit that its writing was given, in a clause; empty if it does not, or had none."""
    trace = calls.reading.trace
    seq = max(trace.calls_behind(wrote.pieces), default=None)
    record = None if seq is None else calls.record(seq, trace.asked[seq].attempt)
    prompt = calls.prompt(record) if record else None
    if record is None or prompt is None:
        return ""
    held = getattr(prompt.reply.in_words, "limit", None)
    if isinstance(held, int):
        size = tokens.count(text)
        return f"it has {size:,} tokens then, and was to have {held:,} at most" if size > held else ""
    (told, *_) = *_words_of(calls.parts(record), "limit"), ""
    size = len(text.split())
    return f"it has {size:,} words then, and was to have {told} at most" if told.isdecimal() and size > int(told) else ""


def _words_of(parts: Sequence[Part], name: str) -> list[str]:
    return [text.text for part in parts if part.name == name for text in part.texts]


# A choice


def chosen_instead(calls: Calls, step: int, life: Life, *, ref: str = "") -> ReplyEdit | None:
    """At a step, the reply that chooses what carries the fact: the text `ref`, otherwise the nearest text. None if no form of a
    reply there can say so, or if it was chosen."""
    for event in calls.of_step(step):
        record = calls.record(event.seq, event.attempt)
        prompt = calls.prompt(record) if record else None
        if record is None or prompt is None or record.reply is None:
            continue
        offered = dict(event.parts).get(prompt.numbered, ())
        number = _carrier(calls, offered, life, ref)
        shown = prompt.shown(calls.parts(record))
        reply = None if number is None else _reply_choosing(prompt.reply, number, record.reply, shown)
        sizes = {name: len(texts) for name, texts in event.parts}
        if reply and reply != record.reply and isinstance(prompt.reply.parse(reply, sizes), Parsed):
            return ReplyEdit(event.seq, record.attempt, reply)
    return None


def _carrier(calls: Calls, offered: Sequence[Pieces], life: Life, ref: str) -> int | None:
    """Which of these texts carries the fact: the text with this ref, otherwise the derived text with the least of the document
    behind it."""
    written, trace = refs.written(ref), calls.reading.trace
    exact = [
        n
        for n, pieces in enumerate(offered)
        if written is not None and {refs.written(piece.origin) for piece in pieces} == {written}
    ]
    if exact:
        return exact[0]
    behind = {n: trace.sources(pieces) for n, pieces in enumerate(offered)}
    start, end = life.fact
    resting = [n for n, spans in behind.items() if any(a <= start and end <= b for a, b in merge_spans(spans))]
    return min(resting, key=lambda n: sum(end - start for start, end in behind[n]), default=None)


def _reply_choosing(form: Form, number: int, recorded: str, shown: Shown) -> str:
    """The reply that names this text, among others before those that a recorded one named."""
    field = next(field for field in form.fields(shown) if field.part)
    reason = {REASON: PICKED_BY_PERSON} if form.asks_why else {}
    if field.kind == "one":
        return form.filled({**reason, field.name: number})
    parsed = form.parse(recorded, shown.sizes)
    named = numbers(str(parsed.fields[field.name].value)) if isinstance(parsed, Parsed) else []
    several = [number, *(other for other in named if other != number)]
    most = "".join(shown.texts("limit"))
    return form.filled({**reason, field.name: several[: int(most)] if most.isdecimal() else several})


# Staying


def told_to_stay(calls: Calls, step: int) -> PromptEdit | None:
    """At a step, the last call with a line that asks it to answer from what it is shown; None if its reply could not say that."""
    for event in calls.of_step(step):
        first = calls.record(event.seq, 0)
        prompt = calls.prompt(first) if first else None
        if first is None or prompt is None or (staying := _staying(prompt.reply)) is None:
            continue
        *before, last = recorded_messages(first, prompt, calls.reading.document)
        told = f"Answer from what is shown here: reply with the {staying[0]} {staying[1]}."
        return PromptEdit(event.seq, (*before, {**last, "content": f"{last['content']}\n\n{told}"}))
    return None


def _staying(form: Form) -> tuple[str, Value] | None:
    """The number that decides between answering and going on, by its name, and its value for answering."""
    decided = next((field.name for field in form.fields() if field.numbers and not field.part), None)
    answers = next((field.when[1] for field in form.fields() if field.when), None)
    return None if decided is None or answers is None else (decided, answers)
