"""Where annotators who have finished a reading disagree on it: the queue of adjudication, in order. Pure.

It is computed from the labels a viewer may see (`visible_labels.py`), so it is as blind as they are. What is compared, and what a
decision can be, is in `labels/adjudication.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.labels import adjudication
from readers.engine.labels.adjudication import STEP, SUBJECTS, Compared
from readers.engine.labels.label import Decision, Label


def find_disagreements(
    visible: VisibleLabels, history: Iterable[Decision] = (), *, compared: Sequence[Compared] | None = None
) -> list[Compared]:
    """All disagreements, and those that were decided although all agree by now: by reading in the project's order, fields first,
    then steps.

    `history` has all decisions, earlier revisions too; without it the current decisions are used. `compared`
    are the annotators' answers, if they were compared before.
    """
    place = {run: n for n, run in enumerate(visible.runs)}
    answers = adjudication.compared(visible.labels, done=visible.done) if compared is None else compared
    every = adjudication.with_decisions(answers, history or visible.decisions)
    return sorted(adjudication.disputed(every), key=lambda one: (place[one.run], SUBJECTS.index(one.about), one.step or 0))


def matching(disagreements: Sequence[Compared], *, about: str = "", undecided_only: bool = False) -> list[Compared]:
    """The disagreements about a subject, or without a decision."""
    return [one for one in disagreements if (not about or one.about == about) and not (undecided_only and one.decision)]


def labels_of(disagreement: Compared, visible: VisibleLabels, annotator: str) -> list[Label]:
    """The annotator's labels that the disagreement is about."""
    own = [label for label in visible.labels if (label.run, label.annotator) == (disagreement.run, annotator)]
    if disagreement.about == STEP:
        return [label for label in own if label.kind == "step" and label.target.get("step") == disagreement.step]
    return [label for label in own if label.kind == "reading" and label.target.get("field") == disagreement.about]


def changed_since_decision(disagreement: Compared, visible: VisibleLabels) -> list[str]:
    """The annotators who changed their labels after the decision."""
    decision = disagreement.decision
    if decision is None:
        return []
    return [
        name for name in disagreement.values if any(label.at > decision.at for label in labels_of(disagreement, visible, name))
    ]
