"""The labels of a project that one viewer may see, loaded at once: the basis of its agreement and results, and of the queue of
adjudication: where annotators who have finished a reading disagree on it.

Blindness is decided in `labels/project.py`. This module loads only what may be seen: the readings on which the viewer may see
others' labels, with these labels, the turns and the decisions. Everything counted or compared is computed from this, so a hidden
reading is part of no figure either. What is compared, and what a decision can be, is in `labels/adjudication.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readers.engine.canonical import digest
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels import adjudication, codebook
from readers.engine.labels.adjudication import SUBJECTS, Compared, from_stored, in_force
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.counts import LabelledRun, TimeSpent, step_kind
from readers.engine.labels.label import CODES, STEP, Decision, Label, Turn, is_model
from readers.engine.labels.project import HOST, Project, Viewer, sees_codes, sees_others, training
from readers.engine.record.events import Event, StepBegan, StepEnded, from_json
from readers.engine.record.events import Looked as AnyOther
from readers.engine.record.trace import Trace
from readers.engine.store import Run, Store
from readers.engine.text.document import Document

_NO_TEXT = Document.of("-")
_OTHER = AnyOther(())
_BEGAN, _ENDED = f'{{"kind":"{StepBegan.kind}"', f'{{"kind":"{StepEnded.kind}"'


@dataclass(frozen=True)
class VisibleLabels:
    """`runs` are the visible readings in the project's order, `total` counts all of its readings. `labels`, `turns` and
    `decisions` are those of the visible readings; a withdrawn decision does not count. `training` are the project's readings of
    the training round. What models did is apart from all that: their labels are `proposals`, their turns `proposing`."""

    project: Project
    viewer: Viewer
    runs: Mapping[str, Run]
    total: int
    labels: tuple[Label, ...]
    turns: tuple[Turn, ...]
    decisions: tuple[Decision, ...]
    book: Codebook | None
    titles: Mapping[str, str]
    training: frozenset[str] = frozenset()
    proposals: tuple[Label, ...] = ()
    proposing: tuple[Turn, ...] = ()

    @property
    def trained(self) -> frozenset[tuple[str, str]]:
        """Those of `done` that belong to the training round."""
        return frozenset(one for one in self.done if one[0] in self.training)

    @property
    def done(self) -> frozenset[tuple[str, str]]:
        """The readings that are finished, each with the annotator who finished it."""
        return frozenset((turn.run, turn.annotator) for turn in self._finished)

    @property
    def not_blind(self) -> frozenset[tuple[str, str]]:
        """Those of `done` that were not done blind (`Turn.again`)."""
        return frozenset((turn.run, turn.annotator) for turn in self._finished if turn.again)

    @property
    def _finished(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.stage == CODES and turn.standing == "done"]

    @property
    def to_review(self) -> list[tuple[Label, str]]:
        """The labels made under an older definition of their code, each with the reason to review it."""
        return codebook.to_review(self.book, self.labels) if self.book else []

    @property
    def times(self) -> list[TimeSpent]:
        """The time each annotator spent on a finished reading, all stages together."""
        times: dict[tuple[str, str], int] = defaultdict(int)
        for turn in self.turns:
            times[turn.run, turn.annotator] += turn.ms
        return [TimeSpent(run, annotator, times[run, annotator]) for run, annotator in sorted(self.done)]

    def without(self, turns: Collection[tuple[str, str]]) -> VisibleLabels:
        """The same, as if these annotators had not finished these readings."""
        return replace(self, turns=tuple(turn for turn in self.turns if (turn.run, turn.annotator) not in turns))

    def cache_key(self) -> str:
        """Changes whenever any of this does: the cache key of everything computed from it."""
        labels = (*self.labels, *self.proposals)
        parts: list[str] = [f"{label.id} {label.revision} {label.annotator}" for label in labels]
        parts += [f"{turn}" for turn in (*self.turns, *self.proposing)]
        parts += [f"{one.run} {one.target} {one.revision}" for one in self.decisions]
        parts += [f"{run.id} {run.status} {run.ended}" for run in self.runs.values()]
        return digest("\n".join([self.project.id, str(self.book.version if self.book else 0), *parts]))

    def code_title(self, code: str) -> str:
        """A code's id and name; an unknown code as the label has it."""
        found = self.book.find(code) if self.book else None
        return found.called if found else code


def load(store: Store, project: Project, viewer: Viewer, *, run: str | None = None) -> VisibleLabels:
    """The labels the viewer may see, of one reading if given; none before they may see the codebook. Raises NotFound for a
    deleted project."""
    ids = store.projects.readings(project.id)
    asked = [one for one in ids if run in (None, one)]
    found = {one.id: one for one in store.run_list.runs(asked)} if sees_codes(viewer) else {}
    runs = {run_id: found[run_id] for run_id in ids if run_id in found and sees_others(viewer, run_id)}
    if not runs:
        return VisibleLabels(project, viewer, {}, len(ids), (), (), (), _book(store, project, viewer), {})
    labels = [label for label in store.labels.in_project(project.id, viewer, run=run) if label.run in runs]
    turns = [turn for turn in store.turns.in_project(project.id, viewer, run=run) if turn.run in runs]
    return VisibleLabels(
        project,
        viewer,
        runs,
        len(ids),
        tuple(label for label in labels if not is_model(label.annotator)),
        tuple(turn for turn in turns if not is_model(turn.annotator)),
        tuple(one for one in in_force(store.decisions.in_project(project.id, viewer, run=run)) if one.run in runs),
        _book(store, project, viewer),
        {shelved.id: shelved.title for shelved in store.documents.listed()},
        frozenset(training(project.settings, ids)),
        tuple(label for label in labels if is_model(label.annotator)),
        tuple(turn for turn in turns if is_model(turn.annotator)),
    )


def finished(store: Store, project: Project) -> tuple[VisibleLabels, list[LabelledRun]]:
    """All labels of a project, and what counting needs of its readings. Raises NotFound if nobody has finished one."""
    visible = load(store, project, HOST)
    if not visible.done:
        raise NotFound(f"no annotator has finished a reading of the project {project.name!r} yet")
    return visible, about_readings(store, visible)


def _book(store: Store, project: Project, viewer: Viewer) -> Codebook | None:
    """The current codebook; None if there is none, or if it cannot be read."""
    stored = store.codebooks.latest(project.id, viewer)
    try:
        return stored.book if stored else None
    except BadOptions:
        return None


# Kinds of steps


def step_kinds(bodies: Sequence[str]) -> tuple[str, ...]:
    """The kind of each step of a reading, from its stored events.

    Only the starts and ends of steps are parsed: a project's readings hold hundreds of thousands of other events.
    """
    events: list[Event] = []
    for body in bodies:
        if body.startswith(_BEGAN):
            events.append(from_json(body))
        elif body.startswith(_ENDED):
            events.append(StepEnded())
        else:
            events.append(_OTHER)
    if events and events[-1] is _OTHER:
        events[-1] = from_json(bodies[-1])  # the end of the reading, if present, belongs to no step
    return tuple(step_kind(step) for step in Trace(_NO_TEXT, tuple(events)).steps)


def about_readings(
    store: Store, visible: VisibleLabels, *, kinds_of: Callable[[Run], tuple[str, ...]] | None = None
) -> list[LabelledRun]:
    """What counting needs to know about the readings; `kinds_of` gives the kinds of a run's steps where they are known."""

    def kinds(run: Run) -> tuple[str, ...]:
        return kinds_of(run) if kinds_of else step_kinds(store.runs.tape(run.id).events())

    return [LabelledRun(run.id, run.reader, str(run.spec.get("model", "")), kinds(run)) for run in visible.runs.values()]


def decided_codes(decisions: Iterable[Decision]) -> dict[tuple[str, int], tuple[str, ...]]:
    """The codes that were decided, by reading and step. Other decisions are left out."""
    coded = [one for one in decisions if isinstance(one.target.get("step"), int)]
    found = {(one.run, one.target["step"]): from_stored(STEP, one.value) for one in coded}
    return {key: codes for key, codes in found.items() if codes is not None}


def find_disagreements(
    visible: VisibleLabels, history: Iterable[Decision] = (), *, compared: Sequence[Compared] | None = None
) -> list[Compared]:
    """All disagreements, and those that were decided although all agree by now: by reading in the project's order, fields first,
    then steps.

    `history` has all decisions, including earlier revisions; without it, the current decisions are used. `compared` are the
    annotators' answers, if they were compared before.
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
