"""What one viewer may see of a project's labels, fetched at once: the ground of its agreement and its results. Pure.

Blindness is decided in `projects.py`. Here is only what it lets through: readings whose labels by others the viewer may see, with
all their labels, the turns of them that are done, and the decisions taken. Everything counted or compared is made of this, so a
reading that must not be seen yet is in no figure, either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readers import READERS
from readers.engine.canonical import digest
from readers.engine.errors import BadOptions
from readers.engine.labels import codebook
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.counts import UNKNOWN, About, Spent, step_kind
from readers.engine.labels.label import CODES, Decision, Label, Turn
from readers.engine.labels.project import Project, Viewer, sees_codes, sees_others
from readers.engine.models import catalogue
from readers.engine.record.events import Event, StepBegan, StepEnded, from_json
from readers.engine.record.events import Looked as Other
from readers.engine.record.narrative import Narrative
from readers.engine.record.trace import Trace
from readers.engine.store import Run, Store
from readers.engine.text.document import Document

_NOTHING = Document.of("-")
_OTHER = Other(())
_BEGAN, _ENDED = f'{{"kind":"{StepBegan.kind}"', f'{{"kind":"{StepEnded.kind}"'


@dataclass(frozen=True)
class Seen:
    """`runs` are the readings that may be seen, in the project's order, `total` all it has. `done` are those of them that an
    annotator's work is finished on; `again` are those among `done` that were not done blind (`Turn.again`)."""

    project: Project
    viewer: Viewer
    runs: Mapping[str, Run]
    total: int
    labels: tuple[Label, ...]
    turns: tuple[Turn, ...]
    decisions: tuple[Decision, ...]
    book: Codebook | None
    titles: Mapping[str, str]

    @property
    def done(self) -> frozenset[tuple[str, str]]:
        return frozenset((turn.run, turn.annotator) for turn in self._finished)

    @property
    def again(self) -> frozenset[tuple[str, str]]:
        return frozenset((turn.run, turn.annotator) for turn in self._finished if turn.again)

    @property
    def _finished(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.stage == CODES and turn.standing == "done"]

    @property
    def flagged(self) -> list[tuple[Label, str]]:
        """The labels of these readings that were made under an older definition, with the reason."""
        return codebook.to_review(self.book, self.labels) if self.book else []

    @property
    def spent(self) -> list[Spent]:
        """The time each annotator took for a reading they are done with, all its stages together."""
        times: dict[tuple[str, str], int] = defaultdict(int)
        for turn in self.turns:
            times[turn.run, turn.annotator] += turn.ms
        return [Spent(run, annotator, times[run, annotator]) for run, annotator in sorted(self.done)]

    def without(self, turns: Collection[tuple[str, str]]) -> Seen:
        """As if these readings were not done by these annotators yet."""
        return replace(self, turns=tuple(turn for turn in self.turns if (turn.run, turn.annotator) not in turns))

    def stamp(self) -> str:
        """What changes whenever anything of this does, for what is worked out of it and kept."""
        parts: list[str] = [f"{label.id} {label.revision} {label.annotator}" for label in self.labels]
        parts += [f"{turn}" for turn in self.turns]
        parts += [f"{one.run} {one.target} {one.revision}" for one in self.decisions]
        parts += [f"{run.id} {run.status} {run.ended}" for run in self.runs.values()]
        return digest("\n".join([self.project.id, str(self.book.version if self.book else 0), *parts]))

    def called(self, code: str) -> str:
        """A code with its name; an unknown one by what stands in the label."""
        found = self.book.find(code) if self.book else None
        return found.called if found else code


def load(store: Store, project: Project, viewer: Viewer) -> Seen:
    """What the viewer may see; nothing before the codebook is open to them. Raises NotFound for a project that is gone."""
    ids = store.projects.readings(project.id)
    there = {run.id: run for run in store.run_list.runs(ids)} if sees_codes(viewer) else {}
    runs = {id: there[id] for id in ids if id in there and sees_others(viewer, id)}
    if not runs:
        return Seen(project, viewer, {}, len(ids), (), (), (), _book(store, project, viewer), {})
    return Seen(
        project,
        viewer,
        runs,
        len(ids),
        tuple(label for label in store.labels.in_project(project.id, viewer) if label.run in runs),
        tuple(turn for turn in store.turns.in_project(project.id, viewer) if turn.run in runs),
        tuple(one for one in store.decisions.in_project(project.id, viewer) if one.run in runs),
        _book(store, project, viewer),
        {shelved.id: shelved.title for shelved in store.documents()},
    )


def _book(store: Store, project: Project, viewer: Viewer) -> Codebook | None:
    """The codebook as it stands; None where there is none, or one that cannot be read."""
    kept = store.codebooks.latest(project.id, viewer)
    if kept is None:
        return None
    try:
        return codebook.from_json(kept.version, kept.codes, change=kept.change)
    except BadOptions:
        return None


# What kinds of steps a reading has


def kinds(bodies: Sequence[str]) -> tuple[str, ...]:
    """The kind of every step of a reading, out of its events as they are kept.

    Only the beginnings and ends of steps are read in whole: a project's readings hold hundreds of thousands of other events.
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
        events[-1] = from_json(bodies[-1])  # the reading's end, if it has one, belongs to no step of its own
    return tuple(step_kind(step) for step in Trace(_NOTHING, tuple(events)).steps)


def about(runs: Iterable[Run], kinds_of: Callable[[Run], tuple[str, ...]]) -> list[About]:
    return [About(run.id, run.reader, str(run.spec.get("model", "")), kinds_of(run)) for run in runs]


# Words


def covered(seen: Seen) -> str:
    """Of which readings and annotators the figures are."""
    runs, people = len({run for run, _ in seen.done}), len({name for _, name in seen.done})
    who = "1 annotator" if people == 1 else f"{people:,} annotators"
    told = f"Of the {seen.total:,} readings of the project, {runs:,} {'is' if runs == 1 else 'are'} done by {who}."
    hidden = seen.total - len(seen.runs)
    if seen.viewer.whole or not hidden:
        return told
    return (
        f"{told} You see only readings that you have finished yourself: {len(seen.runs):,} so far. Nothing of the other "
        f"{hidden:,} is in these figures."
    )


def kind_name(kind: str) -> str:
    """A kind of step in words."""
    phase, _, rest = kind.partition(": ")
    words = next((own.headings[phase] for own in _narratives() if phase in own.headings), phase.replace("_", " "))
    more = next((own.steps[rest] for own in _narratives() if rest in own.steps), rest)
    return f"{words[:1].upper()}{words[1:]}{f': {more}' if more else ''}" if kind != UNKNOWN else "A step that is not known"


def _narratives() -> list[Narrative]:
    """How readers name their steps: a kind of step is counted over readings by several readers."""
    return [reader.narrative for reader in READERS]


def model_name(model: str) -> str:
    return catalogue.title(model) if model else "no model"


def decided(decisions: Iterable[Decision]) -> dict[tuple[str, int], tuple[str, ...]]:
    """The codes that were decided on, by reading and step. Decisions about anything else, or of another shape, are left out."""
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for one in decisions:
        step, codes = one.target.get("step"), one.value.get("codes")
        if isinstance(step, int) and isinstance(codes, list) and all(isinstance(code, str) for code in codes):
            found[one.run, step] = tuple(codes)
    return found
