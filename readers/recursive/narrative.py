"""The actions of recursive reading, how they are described, and its algorithm line by line: which lines a step ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.record.events import Chose, Wrote
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord
from readers.engine.record.pseudo_code import OURS, Line, PseudoCode, Ran, quoted
from readers.engine.text.phrases import counted

Action = Literal["search", "peek", "split", "ask_below", "not_there", "repeat"]
LEAF = "recursive.leaf"
BEGINNING = "the beginning"  # of a slice; what a peek shows if the reply names no place
READING, VISIT = "readers.recursive.visit:SharedReading.", "readers.recursive.visit:SliceVisit."
PAPER, SEEN_IN_PAPER = "section 2", "section 3.1"


class RecursiveNarrative(Narrative):
    actions: ClassVar[Mapping[str, ActionDisplay]] = {
        "search": ActionDisplay(),
        "peek": ActionDisplay(),
        "split": ActionDisplay(names_the_cut=True),
        "ask_below": ActionDisplay(),
        "not_there": ActionDisplay(mark="back"),
        "repeat": ActionDisplay(note="Refused", reasoned=False, mark="warn"),
    }
    phases: ClassVar[Mapping[str, str]] = {"recursion": "Looking for the answer"}
    offers: ClassVar[Mapping[str, tuple[str, str]]] = {
        "search": ("⌕", "search for words"),
        "peek": ("◔", "peek at a stretch"),
        "split": ("÷", "split it into parts"),
        "ask": ("↓", "ask about a part"),
        "answer": ("◆", "answer"),
        "nothing": ("↩", "say that the answer is not there"),
    }
    roles_in_decisions: ClassVar[tuple[str, ...]] = ("query", "question", "answer")

    def sentences(self, record: StepRecord) -> Iterator[str]:
        """One sentence for all parts that were asked at once."""
        asked = record.decisions_of("ask_below")
        if asked:
            yield _asked(record, [record.name(decision.picked) for decision in asked])
        for decision in record.decisions:
            if decision.action != "ask_below":
                yield from self.sentence(decision, record)

    def sentence(self, decision: Chose, record: StepRecord) -> Iterator[str]:
        here = record.step.names[-1]
        match decision.action:
            case "search":
                yield f"It searched {here} for “{_written(record, 'query')}” and found {_found(record)}."
            case "fallback" if record.wrote:
                yield f"No action could be read, so {here} was searched for the words of the question. It found {_found(record)}."
            case "fallback":
                yield f"No verdict on {here} could be read, so it counts as: nothing there."
            case "peek":
                at = record.opened.why if record.opened else "a stretch"
                any_place = ", where a peek without a place goes, too" if at == BEGINNING else ""
                yield f"It peeked at {at} of {here}{any_place}, for its next call to show."
            case "split":
                yield f"It split {here} into {counted(len(record.cut), 'part')}, for its next call to show how each begins."
            case "repeat":
                yield f"It chose to {decision.picked} in {here} again just as before, which was refused."
            case "stop":
                yield f"It had to answer from what it had seen of {here}: {decision.because}."
            case "commit" if record.decisions_of("stop") and not _written(record, "answer"):
                return  # the answer of the reading follows
            case "commit":
                answer = _written(record, "answer")
                yield f"It {_how(record, here)}answered{f': “{answer}”' if answer else ''}."
            case "not_there":
                yield f"It {_how(record, here)}said that the answer is not there."
            case _:
                yield from super().sentence(decision, record)


def _asked(record: StepRecord, parts: list[str]) -> str:
    own = _written(record, "question")
    what = f": “{own}”" if own else ", the question that it was asked"
    named = parts[0] if len(parts) == 1 else f"each of {', '.join(parts[:-1])} and {parts[-1]}"
    return f"It asked below, about {named}{what}."


def _found(record: StepRecord) -> str:
    """What a search found: no call has shown it yet."""
    return f"{record.opened.why}, for its next call to show" if record.opened else "nothing"


def _how(record: StepRecord, here: str) -> str:
    """What a verdict rests on: the slice as a whole, or what was seen of it; empty where it had to be given, as has been told."""
    if record.decisions_of("stop"):
        return ""
    whole = record.asked and record.asked[-1].prompt == LEAF
    return f"read all of {here} raw and " if whole else f"had seen enough of {here} and "


def written(wrote: Iterable[Wrote]) -> dict[str, str]:
    """What was written, by role."""
    return {event.role: event.text for event in wrote}


def _written(record: StepRecord, role: str) -> str:
    """What was written in this role, on one line."""
    return " ".join(written(record.wrote).get(role, "").split())


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
        said = written(record.wrote)
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
                    yield Ran("split", f"{counted(len(record.cut), 'part')} ← cut({here})")
                case "ask_below":
                    question = quoted(said["question"]) if "question" in said else "question"
                    yield Ran("ask", f"answers += read({record.name(event.picked)}, {question})")
                case "commit" | "not_there":
                    yield Ran("answer", f"return {_verdict(record)}")


def _verdict(record: StepRecord) -> str:
    """The result of a slice: an answer or nothing."""
    return "answer" if record.decisions_of("commit") else "nothing"
