"""The calls of a reading for Full of a replay: what each was sent, by where the words come from, and every reply. Pure.

The same words come up again and again: a prompt's own words at every call, a memory in the reply that wrote it and in the next
prompt. So they stand once in `words` and are named by number; what is quoted from the text is named by its place, [start, end].

{ "words": [...], "calls": [{ "step", "facts", "origin", "says", "prompt": [[source, words, title], ...], "counting", "reply",
"by", "thoughts" }, ...] }: steps from 0; `reply` is a number of words, or None where none came. The reason why none came may name
a server or a folder and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from components.html import prompt_stretches
from components.html.markup import PromptStretch
from components.html.words import call_words, wording
from components.player import browser_text
from readers.engine.analysis import authorship
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Asked
from readers.engine.record.journal import Record
from readers.engine.store import Reading

SHORTEST_PLACE = 60  # characters of the text that are named by their place

Words = int | list[int]


@dataclass
class _Table:
    """Words that stand once, and the places of those that are the text's."""

    text: str
    numbers: dict[str, int] = field(default_factory=dict)
    last: int = 0

    def number(self, words: str) -> int:
        return self.numbers.setdefault(words, len(self.numbers))

    def shown(self, stretch: PromptStretch) -> Words:
        return self.quoted(stretch.words) if stretch.source == "document" else self.number(stretch.words)

    def quoted(self, words: str) -> Words:
        """Words of the text: their place if they are found there, looked for first after those that were found last."""
        if len(words) < SHORTEST_PLACE:
            return self.number(words)
        at = self.text.find(words, self.last)
        at = self.text.find(words) if at < 0 else at
        if at < 0:
            return self.number(words)
        self.last = at
        unit = browser_text.counter(self.text)
        return [unit(at), unit(at + len(words))]


def of(reading: Reading, prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """The calls of a reading with a step. `prompts` are those of its record by hash; a call whose prompt is not among them is
    left out."""
    table = _Table(reading.document.text)
    authors = authorship.of(reading.trace, reading.run, reading.records)
    steps = dict(_steps(reading))
    calls = [
        {"step": steps[record.seq], **_call(record, prompts[record.prompt], _ReplayCalls(reading, authors, table))}
        for record in reading.records
        if record.seq in steps and record.prompt in prompts
    ]
    return {"words": list(table.numbers), "calls": calls}


def _steps(reading: Reading) -> Iterator[tuple[int, int]]:
    """Each call and its step."""
    for step in reading.trace.steps:
        for event in reading.trace.events[step.start : step.end]:
            if isinstance(event, Asked):
                yield event.seq, step.number


@dataclass(frozen=True)
class _ReplayCalls:
    reading: Reading
    authors: authorship.Authorship
    table: _Table


def _call(record: Record, prompt: Prompt, all_of: _ReplayCalls) -> dict[str, Any]:
    table = all_of.table
    shown = prompt_stretches.of_record(record, prompt, all_of.reading, authors=all_of.authors)
    return {
        "facts": call_words.facts(record, prompt),
        "origin": record.origin,
        "says": call_words.ORIGINS[record.origin],
        "prompt": [
            [
                one.source,
                table.quoted(one.words) if one.source == "document" else table.number(one.words),
                table.number(one.title),
            ]
            for one in shown
        ],
        "counting": wording.counting(prompt),
        "reply": None if record.reply is None else table.number(record.reply),
        "by": wording.author_of(record),
        "thoughts": table.number(record.thoughts) if record.thoughts else None,
    }
