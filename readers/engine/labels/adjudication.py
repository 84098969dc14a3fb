"""Adjudication of readings: what their annotators answered to the same question, what a key decides, and what is left to decide.
Pure.

A question is one field of a reading, or the codes of one step. A decision on it is never overwritten: a later one supersedes it,
and an empty one withdraws it. A reading can have one reason for all its decisions, saved as a separate decision, so that it is
recorded before anything is decided. Not here: what a viewer may see (`project.py`), and how far annotators agree
(`agreement.py`). Spans are not compared: that two people mark slightly different words needs no decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from readers.engine.canonical import canonical
from readers.engine.labels.agreement import Done, of_field, of_steps
from readers.engine.labels.label import BUILDING, DECISIVE, NO_STEP, STEP, VALUES, Decision, Label
from readers.engine.statistics.agreement import Item

SUBJECTS = ("outcome", "support", "path", DECISIVE, "fate", STEP)  # what can be decided, in order
REASON: Mapping[str, Any] = {"field": "reason"}  # the target of a reading's reason; its words are the decision's reason
WITHDRAWN: Mapping[str, Any] = {}  # the value of a decision that withdraws the earlier one


@dataclass(frozen=True)
class Compared:
    """The annotators' values for a field of reading `run`, or (`about` is `STEP`) for the codes of its `step`, from 1.

    `values` has each annotator's value as the figures of agreement compare it: the field's value, a decisive step (or words), a
    set of codes. `decisions` are all that were made, the last one counts.
    """

    run: str
    about: str
    step: int | None
    values: Mapping[str, Any]
    decisions: tuple[Decision, ...] = ()

    @property
    def name(self) -> str:
        """Its name within the reading."""
        return self.about if self.step is None else f"{self.about}.{self.step}"

    @property
    def id(self) -> str:
        return f"{self.run}.{self.name}"

    @property
    def target(self) -> dict[str, Any]:
        """The target of a decision on it."""
        return {"step": self.step} if self.about == STEP else {"field": self.about}

    @property
    def decision(self) -> Decision | None:
        """The current decision; None if there is none, or the last one was withdrawn."""
        return self.decisions[-1] if self.decisions and self.decisions[-1].value != WITHDRAWN else None

    @property
    def all_agree(self) -> bool:
        """Whether all annotators who answered gave the same value."""
        return len(set(self.values.values())) == 1

    def annotators_with(self, value: Any) -> list[str]:
        """The annotators who gave this value."""
        return [name for name, given in self.values.items() if given == value]


def compared(labels: Iterable[Label], *, done: Done, decisions: Iterable[Decision] = ()) -> list[Compared]:
    """Everything that annotators who are `done` answered, agreed or not, with the decisions: fields first, then steps."""
    found = [
        Compared(items[0].reading, about, step, dict(sorted((item.annotator, item.value) for item in items)))
        for about, step, items in _questions(labels, done)
    ]
    return with_decisions(sorted(found, key=lambda one: (SUBJECTS.index(one.about), one.step or 0)), decisions)


def with_decisions(questions: Iterable[Compared], decisions: Iterable[Decision]) -> list[Compared]:
    """The questions, each with all decisions that were made on it, the last one last."""
    made: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in sorted(decisions, key=lambda one: one.revision):
        made[decision.run, canonical(decision.target)].append(decision)
    if not made:
        return list(questions)
    return [replace(one, decisions=tuple(made.get((one.run, canonical(one.target)), ()))) for one in questions]


def _questions(labels: Iterable[Label], done: Done) -> Iterator[tuple[str, int | None, list[Item]]]:
    counted = [label for label in labels if (label.run, label.annotator) in done]
    for subject in SUBJECTS:
        items = of_steps(counted, done) if subject == STEP else of_field(counted, subject)
        if subject == DECISIVE:
            items = [item._replace(value=item.value["step"]) for item in items]
        units: dict[tuple[str, str], list[Item]] = defaultdict(list)
        for item in items:
            units[item.reading, item.unit].append(item)
        for (_, unit), given in units.items():
            yield subject, int(unit) if unit else None, given


# What is left to decide


def disputed(questions: Iterable[Compared]) -> list[Compared]:
    """The questions on which annotators differ, and those that were decided although all agree by now."""
    return [one for one in questions if not one.all_agree or one.decisions]


def undecided(questions: Iterable[Compared]) -> list[Compared]:
    """The questions on which annotators differ and that are not decided."""
    return [one for one in questions if not one.all_agree and not one.decision]


def next_undecided(questions: Iterable[Compared], runs: Sequence[str], here: str) -> str | None:
    """The next of these `runs` with something to decide, searched from `here` and round; None if there is no other."""
    open_runs = {one.run for one in undecided(questions)}
    at = runs.index(here) + 1 if here in runs else 0
    return next((run for run in (*runs[at:], *runs[:at]) if run in open_runs and run != here), None)


def steps_in_dispute(questions: Iterable[Compared]) -> set[int]:
    """The steps that annotators differ about: those that they gave different codes, and those that they call decisive."""
    found: set[object] = set()
    for one in disputed(questions):
        found |= {one.step, *(one.values.values() if one.about == DECISIVE else ())}
    return {step for step in found if isinstance(step, int)}


# What a key decides


def annotators(questions: Iterable[Compared]) -> tuple[str, ...]:
    """The annotators of a reading in the order of the keys 1, 2, …"""
    return tuple(sorted({name for one in questions for name in one.values}))


def one_side(questions: Iterable[Compared], annotator: str) -> dict[str, dict[str, Any]]:
    """What it decides to take an annotator's side in everything that is disputed: values as they are stored, by question.
    Questions that the annotator did not answer are unchanged."""
    return {one.name: to_stored(one.about, one.values[annotator]) for one in disputed(questions) if annotator in one.values}


def all_sides(questions: Iterable[Compared]) -> dict[str, dict[str, Any]]:
    """What it decides to take all sides: the codes that anybody gave a step. A field has one value, so it is unchanged."""
    return {
        one.name: to_stored(STEP, frozenset().union(*one.values.values())) for one in disputed(questions) if one.about == STEP
    }


# Decisions as they are stored


def to_stored(about: str, value: Any) -> dict[str, Any]:
    """A value as a decision stores it."""
    if about == STEP:
        return {"codes": sorted(str(code) for code in value)}
    return {"value": {"step": value}} if about == DECISIVE else {"value": value}


def from_stored(about: str, stored: Mapping[str, Any]) -> Any:
    """The value that `to_stored` was given, codes in order; None if nothing is stored, or in another form."""
    if about == STEP:
        codes = stored.get("codes")
        return tuple(codes) if isinstance(codes, list) and all(isinstance(code, str) for code in codes) else None
    value = stored.get("value")
    if about == DECISIVE:
        value = value.get("step") if isinstance(value, Mapping) else None
        return value if isinstance(value, int | str) and not isinstance(value, bool) else None
    return value if value in VALUES[about] else None


def is_value(about: str, stored: Mapping[str, Any], *, steps: int, codes: Collection[str]) -> bool:
    """Whether a decision may hold this: a value of the field, a step of the reading, known codes, or nothing."""
    if stored == WITHDRAWN:
        return True
    value = from_stored(about, stored)
    if value is None or to_stored(about, value) != dict(stored):
        return False
    if about == STEP:
        return set(value) <= set(codes)
    return about != DECISIVE or value in (NO_STEP, BUILDING) or (isinstance(value, int) and 1 <= value <= steps)


def in_force(decisions: Iterable[Decision]) -> list[Decision]:
    """Those of the current decisions that decide something: no withdrawn ones, and no reasons."""
    return [one for one in decisions if one.target != REASON and one.value != WITHDRAWN]


def reasons(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The current reason of each reading that has one."""
    found = {one.run: one for one in sorted(decisions, key=lambda one: one.revision) if one.target == REASON}
    return {run: one for run, one in found.items() if one.reason.strip()}


def with_reasons(decisions: Iterable[Decision]) -> list[Decision]:
    """All decisions, including superseded ones; a decision without a reason has that of its reading. Of a reading's reason only
    the last saved text: it is saved while it is typed."""
    every = list(decisions)
    found = reasons(every)
    kept = [one for one in every if one.target != REASON or one == found.get(one.run)]
    return [one._replace(reason=found[one.run].reason) if one.run in found and not one.reason.strip() else one for one in kept]
