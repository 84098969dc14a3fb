"""What the run file and the pages show of a recursive reading, from its events alone."""

from __future__ import annotations

from typing import Any

from readers.engine.record.events import Asked, Chose, Cut, Event, Wrote
from readers.engine.record.trace import Step, Trace
from readers.engine.text import refs
from readers.engine.text.shorten import shorten_at_word
from readers.recursive.narrative import LEAF
from readers.recursive.slices import WHOLE, part_name

LONGEST_NAME = 80
Row = dict[str, Any]


def view(trace: Trace) -> dict[str, Any]:
    """The `slices`, each with the one `above` it; every action with its slice; and the questions `asked` below.

    A question has the step that asked it, those with which its reader began and ended (None if there was no call left for it),
    and the answer that came back (None if nothing did)."""
    fold = _Fold(trace)
    for step in trace.steps:
        fold.follow(step)
    return {"slices": list(fold.slices.values()), "actions": fold.actions, "asked": fold.asked}


class _Fold:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.slices: dict[str, Row] = {WHOLE: _slice(WHOLE, "", 0, len(trace.document.text))}
        self.actions: list[Row] = []
        self.asked: list[Row] = []
        self.open: list[Row] = []
        """The questions whose readers are at work, the deepest last."""

    def follow(self, step: Step) -> None:
        here, events = step.names[-1], self.trace.events[step.start : step.end]
        self._enter(here, step)
        for event in events:
            if isinstance(event, Cut):
                for number, (start, end) in enumerate(event.spans, 1):
                    name = part_name(here, number)
                    self.slices[name] = _slice(name, here, start, end)
            elif isinstance(event, Asked) and event.prompt == LEAF:
                self.slices[here]["read"] = True
            elif isinstance(event, Chose):
                self._decided(event, step, written(events))
        if self.open and (answer := written(events).get("answer")):
            self.open[-1]["answer"] = answer

    def _enter(self, here: str, step: Step) -> None:
        """Close the readers that this step is not about, and begin the one that it is."""
        while self.open and not f"{here}.".startswith(f"{self.open[-1]['to']}."):
            self.open.pop()
        if here not in (WHOLE, *(row["to"] for row in self.open[-1:])):
            row = next(row for row in self.asked if row["to"] == here and row["began"] is None)
            row["began"] = step.number
            self.open.append(row)
        for row in self.open[-1:]:
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


def _slice(name: str, above: str, start: int, end: int) -> Row:
    """A slice; `read` if it was shown as a whole."""
    return {"name": name, "above": above, "start": start, "end": end, "read": False}


def written(events: tuple[Event, ...]) -> dict[str, str]:
    """What was written, by role."""
    return {event.role: event.text for event in events if isinstance(event, Wrote)}


def names(trace: Trace) -> dict[str, str]:
    """The names of slices by their places, and of what was searched for, asked and answered."""
    found = {refs.place(row["start"], row["end"]): row["name"] for row in view(trace)["slices"]}
    for step in trace.steps:
        for event in trace.events[step.start : step.end]:
            if isinstance(event, Wrote):
                words = shorten_at_word(event.text, LONGEST_NAME)
                named = {"query": f"“{words}”", "question": f"question “{words}”"}
                found[refs.wrote(event.n)] = named.get(event.role, f"answer about {step.names[-1]}")
    return found
