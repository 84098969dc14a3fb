"""The state of a recursive reading, from its events: its slices, its actions, and the questions it asked below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readers.engine.record.events import Asked, Chose, Cut, Wrote
from readers.engine.record.hint import Hint, HintSource, overlap, spans_opened, steps_of
from readers.engine.record.trace import Step, Trace
from readers.engine.run.reader import ReadingState
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import times
from readers.engine.text.shorten import shorten_at_word
from readers.recursive.narrative import LEAF, written
from readers.recursive.slices import WHOLE, part_name

LONGEST_NAME = 80
Row = dict[str, Any]


class RecursiveState(ReadingState):
    """The `slices` by name, each with the slice `above` it, and `read` if it was shown as a whole; every action with its slice;
    and the questions `asked` below.

    A question has the step that asked it, those with which its reader began and ended (None if there was no call left for it),
    and the answer that came back (None if nothing did)."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.slices: dict[str, Row] = {}
        self.actions: list[Row] = []
        self.asked: list[Row] = []
        self._open: list[Row] = []  # the questions whose readers are active, the deepest last
        self._add_slice(WHOLE, "", Span(0, len(trace.document.text)))
        for step in trace.steps:
            self._follow(step)

    def _add_slice(self, name: str, above: str, span: Span) -> None:
        self.slices[name] = {"name": name, "above": above, "start": span.start, "end": span.end, "read": False}

    def _follow(self, step: Step) -> None:
        here, events = step.names[-1], self.trace.of(step)
        said = written(event for event in events if isinstance(event, Wrote))
        self._enter(here, step)
        for event in events:
            if isinstance(event, Cut):
                for number, span in enumerate(event.spans, 1):
                    self._add_slice(part_name(here, number), here, span)
            elif isinstance(event, Asked) and event.prompt == LEAF:
                self.slices[here]["read"] = True
            elif isinstance(event, Chose):
                self._decided(event, step, said)
        if self._open and (answer := said.get("answer")):
            self._open[-1]["answer"] = answer

    def _enter(self, here: str, step: Step) -> None:
        """Close the readers that this step is not about, and open the one that it is about."""
        while self._open and not f"{here}.".startswith(f"{self._open[-1]['to']}."):
            self._open.pop()
        if here not in (WHOLE, *(row["to"] for row in self._open[-1:])):
            row = next(row for row in self.asked if row["to"] == here and row["began"] is None)
            row["began"] = step.number
            self._open.append(row)
        for row in self._open[-1:]:
            row["ended"] = step.number

    def _decided(self, event: Chose, step: Step, said: dict[str, str]) -> None:
        here = step.names[-1]
        argument = said.get("query") or said.get("question") or ""
        to = next((row["name"] for row in self.slices.values() if refs.place(row["start"], row["end"]) == event.picked), "")
        row = {"step": step.number, "slice": here, "action": event.action, "argument": argument, "to": to}
        self.actions.append(row | {"reasoning": event.because})
        if event.action == "ask_below":
            asked = {"step": step.number, "from": here, "to": to, "question": argument}
            self.asked.append(asked | {"began": None, "ended": None, "answer": None})

    def view(self) -> dict[str, Any]:
        return {"slices": list(self.slices.values()), "actions": self.actions, "asked": self.asked}

    def names(self) -> dict[str, str]:
        """The names of slices by their places, and of searches, questions and answers."""
        found = {refs.place(row["start"], row["end"]): row["name"] for row in self.slices.values()}
        for step, event in self.trace.by_step():
            if isinstance(event, Wrote):
                words = shorten_at_word(event.text, LONGEST_NAME)
                named = {"query": f"“{words}”", "question": f"question “{words}”"}
                found[refs.wrote(event.n)] = named.get(event.role, f"answer about {step.names[-1]}")
        return found

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """Where it did the same again, and where a rule ended its work in a slice."""
        if repeated := source.decisions("repeat"):
            told = f"It chose to do just what it had done in the same slice before, {times(len(repeated))}, and was refused."
            yield Hint("repeated", steps_of(repeated), told)
        if stopped := source.decisions("stop"):
            why = stopped[-1][1].because
            yield Hint("stopped", steps_of(stopped), f"A rule ended its work in a slice {times(len(stopped))}: {why}.")

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
        """Known evidence in a part that was read as a whole and whose reader said that the answer is not there."""
        places = spans_opened(source)
        left = [(step, event) for step, event in source.decisions("not_there") if overlap(places.get(step, ()), evidence)]
        if left:
            told = f"A part that holds known evidence was read, and nothing came back from it, {times(len(left))}."
            yield Hint("left_evidence", steps_of(left), told)
