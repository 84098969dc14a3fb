"""Recursive reading line by line, and which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from readers.engine.record.events import Cut
from readers.engine.record.narrative import StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran, quoted
from readers.engine.text.phrases import counted
from readers.recursive.narrative import LEAF
from readers.recursive.view import written

READING, VISIT = "readers.recursive.reading:SharedReading.", "readers.recursive.visit:SliceVisit."
PAPER, SEEN_IN_PAPER = "section 2", "section 3.1"


class RecursiveCode(PseudoCode):
    paper = "Zhang et al., 2025, arXiv 2512.24601"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("read", "read(slice, question):", PAPER, f"{READING}answer"),
        Line("leaf", "if slice fits, or depth is used up: return model(question, slice)", OURS, f"{READING}_read", 1),
        Line("put_back", "if that is over the model’s window: do not show it", OURS, f"{READING}_read", 1),
        Line("repeat", "repeat, max_actions times at most:", PAPER, f"{VISIT}run", 1),
        Line("next", "action ← model(question, size, seen, parts, answers)", PAPER, f"{VISIT}_turn", 2),
        Line("refuse", "if it did just that before: refuse it", OURS, f"{VISIT}_was_done", 2),
        Line("search", "if search: seen += places with these words", SEEN_IN_PAPER, f"{VISIT}_search", 2),
        Line("peek", "if peek: seen += that stretch", SEEN_IN_PAPER, f"{VISIT}_peek", 2),
        Line("split", "if split: parts ← cut(slice)", SEEN_IN_PAPER, f"{VISIT}_split", 2),
        Line("ask", "if ask: for each part named: answers += read(part, its question)", PAPER, f"{VISIT}_ask_below", 2),
        Line("answer", "if answer, or nothing: return it", PAPER, f"{VISIT}_turn", 2),
        Line("unread", "if unreadable: search for the question’s words", OURS, f"{VISIT}_fall_back", 2),
        Line("last", "return model(question, seen, answers)", OURS, f"{VISIT}_finish", 1),
    )

    def ran(self, record: StepRecord) -> Iterator[Ran]:
        here = record.step.names[-1]
        if any(event.prompt == LEAF for event in record.asked):
            yield Ran("read", f"read({here}, question):")
            yield Ran("leaf", f"{here} fits: {_verdict(record)} ← model(question, {here})")
        elif record.decisions_of("put_back"):
            yield Ran("read", f"read({here}, question):")
            yield Ran("put_back", f"{here} is over the model’s window")
        elif record.decisions_of("stop"):
            yield Ran("last", f"{record.decisions_of('stop')[0].because}: {_verdict(record)} ← model(question, seen, answers)")
        else:
            yield from self._turned(record, here)

    def _turned(self, record: StepRecord, here: str) -> Iterator[Ran]:
        before = (step.names[-1] for step in record.trace.steps[: record.step.number])
        if here not in before:
            yield Ran("read", f"read({here}, question):")
        yield Ran("repeat")
        for asked in record.asked:
            sizes = {name: len(texts) for name, texts in asked.parts}
            seen, parts, answers = sizes["seen"], sizes["parts"], sizes["answers"]
            known = f"{counted(seen, 'place')} seen, {counted(parts, 'part')}, {counted(answers, 'answer')}"
            yield Ran("next", f"action ← model(question, {known})")
        said = written(record.events)
        found = record.opened.why if record.opened else "nothing"
        for event in record.decisions:
            match event.action:
                case "repeat":
                    yield Ran("refuse", f"{event.picked}: refused, it did just that before")
                case "search":
                    yield Ran("search", f"search {quoted(said.get('query', ''))}: seen += {found}")
                case "fallback":
                    yield Ran("unread", f"unreadable: seen += {found} with words of the question")
                case "peek":
                    yield Ran("peek", f"seen += {found} of {here}")
                case "split":
                    cut = next((len(one.spans) for one in record.events if isinstance(one, Cut)), 0)
                    yield Ran("split", f"{counted(cut, 'part')} ← cut({here})")
                case "ask_below":
                    question = quoted(said["question"]) if "question" in said else "question"
                    yield Ran("ask", f"answers += read({record.name(event.picked)}, {question})")
                case "commit" | "not_there":
                    yield Ran("answer", f"return {_verdict(record)}")


def _verdict(record: StepRecord) -> str:
    """What came of a slice: an answer or nothing."""
    return "answer" if record.decisions_of("commit") else "nothing"
