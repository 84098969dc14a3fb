"""The actions of recursive reading, and how they are described."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from readers.engine.record.events import Chose, Cut
from readers.engine.record.narrative import ActionDisplay, Narrative, StepRecord
from readers.engine.text.phrases import counted

Action = Literal["search", "peek", "split", "ask_below", "not_there", "repeat"]
LEAF, LAST = "recursive.leaf", "recursive.last"


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
        "split": ("⑂", "split it into parts"),
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
                yield f"It searched {here} for “{_written(record, 'query')}” and {_found(record)}."
            case "fallback" if record.wrote:
                yield f"No action could be read, so {here} was searched for the words of the question; it {_found(record)}."
            case "fallback":
                yield f"No verdict on {here} could be read, so it counts as: nothing there."
            case "peek":
                yield f"It peeked at {record.opened.why if record.opened else 'a stretch'} of {here}."
            case "split":
                yield f"It split {here} into {counted(_parts(record), 'part')} and saw how each begins."
            case "repeat":
                yield f"It chose to {decision.picked} in {here} again just as before, which was refused."
            case "stop":
                yield f"It had to answer from what it had seen of {here}: {decision.because}."
            case "commit":
                yield _answered(record, here)
            case "not_there":
                yield f"It {_how(record, here)} and said that the answer is not there."
            case _:
                yield from super().sentence(decision, record)


def _asked(record: StepRecord, parts: list[str]) -> str:
    own = _written(record, "question")
    what = f"“{own}”" if own else "the same question"
    named = parts[0] if len(parts) == 1 else f"each of {', '.join(parts[:-1])} and {parts[-1]}"
    return f"It asked below, about {named}: {what}."


def _found(record: StepRecord) -> str:
    return f"was shown {record.opened.why}" if record.opened else "found nothing"


def _answered(record: StepRecord, here: str) -> str:
    answer = _written(record, "answer")
    return f"It {_how(record, here)} and answered{f': “{answer}”' if answer else ''}."


def _how(record: StepRecord, here: str) -> str:
    """What a verdict rests on: the slice as a whole, or what was seen of it."""
    return f"read all of {here} raw" if record.asked and record.asked[-1].prompt == LEAF else f"had seen enough of {here}"


def _written(record: StepRecord, role: str) -> str:
    """What was written in this role, on one line."""
    return next((" ".join(wrote.text.split()) for wrote in record.wrote if wrote.role == role), "")


def _parts(record: StepRecord) -> int:
    """The number of parts that were made."""
    return next((len(event.spans) for event in record.events if isinstance(event, Cut)), 0)
