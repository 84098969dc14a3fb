"""Where annotators who have finished a reading disagree on it: the queue of adjudication, in order. Pure.

A disagreement is about one field of a reading, or about the codes of one step. It is computed from the labels a viewer may see
(`visible_labels.py`), so it is as blind as they are. Spans are not compared: that two people mark slightly different words needs
no decision. They are shown beside the disagreement instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.canonical import canonical
from readers.engine.labels.agreement import Item
from readers.engine.labels.agreement_report import of_field, of_steps
from readers.engine.labels.label import Decision, Label

STEP = "step"
SUBJECTS = ("outcome", "support", "path", "decisive", "fate", STEP)  # what a disagreement can be about, in the queue's order


@dataclass(frozen=True)
class Disagreement:
    """Annotators' different values for a field of reading `run`, or (`about` is `STEP`) for the codes of its `step`, from 1.

    `values` has each annotator's value as the engine compares it: the field's value, a decisive step (or words), a set of codes.
    `number` is the reading's place in the project, from 1. `decisions` are all that were made; the last one counts.
    """

    run: str
    number: int
    about: str
    step: int | None
    values: Mapping[str, Any]
    decisions: tuple[Decision, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.run}.{self.about}" + ("" if self.step is None else f".{self.step}")

    @property
    def target(self) -> dict[str, Any]:
        """The target of a decision on it."""
        return {"step": self.step} if self.about == STEP else {"field": self.about}

    @property
    def decision(self) -> Decision | None:
        """The current decision."""
        return self.decisions[-1] if self.decisions else None

    @property
    def all_agree(self) -> bool:
        """Whether all annotators agree by now. It is still listed if it was decided before."""
        return len(set(self.values.values())) == 1

    def annotators_with(self, value: Any) -> list[str]:
        """The annotators who gave this value."""
        return [name for name, given in self.values.items() if given == value]


def find_disagreements(visible: VisibleLabels, history: Iterable[Decision] = ()) -> list[Disagreement]:
    """All disagreements, and those that were decided although all agree by now: by reading in the project's order, fields first,
    then steps.

    `history` has all decisions, earlier revisions too; without it the current decisions are used.
    """
    decisions: dict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in sorted(history or visible.decisions, key=lambda one: one.revision):
        decisions[decision.run, canonical(decision.target)].append(decision)
    number = {run: n for n, run in enumerate(visible.runs, 1)}
    found: list[Disagreement] = []
    for about, step, items in _compared(visible):
        run = items[0].reading
        one = Disagreement(run, number[run], about, step, dict(sorted((item.annotator, item.value) for item in items)))
        made = tuple(decisions.get((run, canonical(one.target)), ()))
        if made or not one.all_agree:
            found.append(replace(one, decisions=made))
    return sorted(found, key=lambda one: (one.number, SUBJECTS.index(one.about), one.step or 0))


def _compared(visible: VisibleLabels) -> Iterable[tuple[str, int | None, list[Item]]]:
    """The values that two annotators or more gave for the same thing, as the figures of agreement compare them."""
    done = visible.done
    counted = [label for label in visible.labels if (label.run, label.annotator) in done]
    for subject in SUBJECTS:
        items = of_steps(counted, done) if subject == STEP else of_field(counted, subject)
        if subject == "decisive":
            items = [item._replace(value=item.value["step"]) for item in items]
        units: dict[tuple[str, str], list[Item]] = defaultdict(list)
        for item in items:
            units[item.reading, item.unit].append(item)
        for (_, unit), given in units.items():
            yield subject, int(unit) if unit else None, given


def matching(
    disagreements: Sequence[Disagreement], *, about: str = "", run: str = "", undecided_only: bool = False
) -> list[Disagreement]:
    """The disagreements about a subject, on a reading, or without a decision."""
    return [
        one
        for one in disagreements
        if (not about or one.about == about) and (not run or one.run == run) and not (undecided_only and one.decision)
    ]


def neighbours(disagreements: Sequence[Disagreement], disagreement_id: str) -> tuple[Disagreement | None, Disagreement | None]:
    """The previous and the next one. For an id that is not listed: none, and the first."""
    at = next((n for n, one in enumerate(disagreements) if one.id == disagreement_id), None)
    if at is None:
        return None, disagreements[0] if disagreements else None
    return disagreements[at - 1] if at else None, disagreements[at + 1] if at + 1 < len(disagreements) else None


def labels_of(disagreement: Disagreement, visible: VisibleLabels, annotator: str) -> list[Label]:
    """The annotator's labels that the disagreement is about."""
    own = [label for label in visible.labels if (label.run, label.annotator) == (disagreement.run, annotator)]
    if disagreement.about == STEP:
        return [label for label in own if label.kind == "step" and label.target.get("step") == disagreement.step]
    return [label for label in own if label.kind == "reading" and label.target.get("field") == disagreement.about]


def related_labels(disagreement: Disagreement, visible: VisibleLabels, annotator: str) -> list[Label]:
    """The annotator's other labels that bear on it: the note on the reading, corrections of the step, and spans."""
    own = [label for label in visible.labels if (label.run, label.annotator) == (disagreement.run, annotator)]
    notes = [label for label in own if label.kind == "reading" and label.target.get("field") == "note"]
    fixes = [label for label in own if label.kind == "correction" and disagreement.step in (None, label.target.get("step"))]
    return [*notes, *fixes, *(label for label in own if label.kind == "span")]


def changed_since_decision(disagreement: Disagreement, visible: VisibleLabels) -> list[str]:
    """The annotators who changed their labels after the decision."""
    decision = disagreement.decision
    if decision is None:
        return []
    return [
        name for name in disagreement.values if any(label.at > decision.at for label in labels_of(disagreement, visible, name))
    ]
