"""Labels and turns from a file, taken into a project: what is new is added, and nothing that is here is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from readers.engine.canonical import digest
from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label, Turn, allowed, annotator_name, checked, same_label
from readers.engine.labels.project import HOST, Annotator, Viewer, one_person, sees, upcoming
from readers.engine.store import Store
from readers.engine.store.connection import now

Made = TypeVar("Made", Label, Turn)


@dataclass(frozen=True)
class Offered:
    """What a file brings, checked for its shape and not against any project. Of versions of a codebook and of decisions only how
    many there are: they are not taken in."""

    labels: tuple[Label, ...] = ()
    turns: tuple[Turn, ...] = ()
    codebooks: int = 0
    decisions: int = 0


class Clash(NamedTuple):
    """A label of a file that says something else than the one that is kept. `stands` is None where it may not be seen."""

    offered: Label
    stands: Label | None


class Left(NamedTuple):
    """What of a file is not taken in. Labels: `lead`, of who leads the project and does not label in it; `elsewhere`, on readings
    that their annotator was not given. Turns: `turns`, which only the lead takes in; `standing`, which stand otherwise here."""

    lead: int = 0
    elsewhere: int = 0
    turns: int = 0
    standing: int = 0
    codebooks: int = 0
    decisions: int = 0


class Taken(NamedTuple):
    """What came of taking labels in: how many were added, how many were there already as they are, and which say otherwise.
    `turns` were added. `unknown` are the codes of added labels that the project's codebook does not have."""

    added: int
    same: int
    clashes: tuple[Clash, ...]
    turns: int = 0
    left: Left = Left()
    unknown: tuple[str, ...] = ()


def take_in(store: Store, project: str, offered: Offered, *, viewer: Viewer, dry: bool = False) -> Taken:
    """Keep in one transaction what is new of a file; `dry` only tells what would come of it.

    Annotators that are not here yet join, in the stage their labels are of; names that differ in capital letters are one. Of who
    leads the project and does not label in it nothing is taken in: it would make an annotator of them, who sees the whole no
    more. Who labels in the project takes in their own labels alone, of readings that are theirs and that they have not done,
    beside what they see here already, and no turns: a file is no way around blindness, or around who reads what. Raises
    BadOptions or NotFound, with the reason; then nothing is changed.
    """
    try:
        with store.connection.writing():
            taken = _Taking(store, project, viewer).take(offered)
            if dry:
                raise _DryRun(taken)
    except _DryRun as told:
        return told.taken
    return taken


class _Taking:
    """One file on its way into a project, inside a transaction."""

    def __init__(self, store: Store, project: str, viewer: Viewer) -> None:
        self._store = store
        self._whole = store.projects.get(project)
        self._project = self._whole.id
        self._viewer = viewer
        self._runs = set(store.projects.readings(project))
        self._latest = store.codebooks.latest_number(project)
        self._stages = {one.name: one.stage for one in store.projects.annotators(project)}
        self._lead = self._whole.settings.lead
        self._turns = {turn[:4]: turn for turn in store.turns.in_project(project, HOST)}

    def take(self, offered: Offered) -> Taken:
        called = self._called([*(one.annotator for one in offered.labels), *(one.annotator for one in offered.turns)])
        brought = [checked(self._ours(label)) for label in _renamed(offered.labels, called)]
        given = [turn._replace(project=self._project) for turn in _renamed(offered.turns, called)]
        labels, turns = self._of_annotators(brought), self._of_annotators(given) if self._viewer.whole else []
        for run in (*(label.run for label in labels), *(turn.run for turn in turns)):
            if run not in self._runs:
                raise NotFound(f"reading {run[:40]!r} does not belong to this project; add it first")
        for label in labels:
            if not self._unchanged(label):
                self._refuse_others(label)
        theirs = self._given(labels)
        self._join(theirs, turns)
        added, same, clashes = self._add(theirs)
        new = [self._add_turn(turn) for turn in turns]
        left = Left(
            len(brought) - len(labels),
            len(labels) - len(theirs),
            0 if self._viewer.whole else len(given),
            sum(one is None for one in new),
            offered.codebooks,
            offered.decisions,
        )
        return Taken(len(added), same, tuple(clashes), sum(map(bool, new)), left, self._unknown(added))

    def _called(self, names: Iterable[str]) -> dict[str, str]:
        """Every name as the project has it, else as the file has it first."""
        known = {one.casefold(): one for one in (self._lead, *self._stages) if one}
        return {name: known.setdefault(name.casefold(), name) for name in dict.fromkeys(names)}

    def _of_annotators(self, made: Sequence[Made]) -> list[Made]:
        """Without those of a lead who does not label here."""
        return [one for one in made if one.annotator in self._stages or not one_person(one.annotator, self._lead)]

    def _given(self, labels: Sequence[Label]) -> list[Label]:
        """Of who does not see the whole project, only the labels on readings that the bench would give them; those that they have
        not begun are begun."""
        if self._viewer.whole:
            return list(labels)
        who = self._store.projects.annotator(self._project, self._viewer.name) if labels else None
        if who is None:
            return []
        own = [turn for turn in self._turns.values() if (turn.annotator, turn.stage) == (who.name, who.stage)]
        there = {turn.run: turn.standing for turn in own}
        coming = set(upcoming(self._whole, self._runs, who, self._turns.values()))
        theirs = [label for label in labels if label.run in coming or there.get(label.run, "skipped") != "skipped"]
        for run in dict.fromkeys(label.run for label in theirs):
            if run not in there and who.stage != GROUPS:
                self._store.turns.begin(self._whole, who, run)
        return theirs

    def _add(self, labels: Sequence[Label]) -> tuple[list[Label], int, list[Clash]]:
        """Those that were added, how many are here already, and those that say something else."""
        added, same, clashes = [], 0, []
        for label in labels:
            self._refuse_early(label)
            kept = self._store.labels.find(label.id)
            if kept is None:
                self._store.labels.refuse_too_many(label)
                self._store.labels.insert(replace(label, revision=1, at=label.at or now("microseconds")))
                added.append(label)
            elif self._is(kept, label):
                same += 1
            else:
                visible = kept.project == self._project and sees(self._viewer, kept)
                clashes.append(Clash(label, kept if visible else None))
        return added, same, clashes

    def _unknown(self, labels: Sequence[Label]) -> tuple[str, ...]:
        used = {label.code for label in labels if label.code}
        book = self._store.codebooks.latest(self._project, HOST) if used else None
        there = book.codes if book and isinstance(book.codes, list) else []
        return tuple(sorted(used - {str(code.get("id")) for code in there if isinstance(code, Mapping)}))

    def _ours(self, label: Label) -> Label:
        """The label in this project. One from another project has an id of its own here, always the same one: what is taken in
        twice is there once."""
        if label.kind == "reading":
            return replace(label, project=self._project, id="")
        id = label.id if label.project == self._project else digest(f"{self._project}.{label.id}")[:32]
        return replace(label, project=self._project, id=id)

    def _unchanged(self, label: Label) -> bool:
        """Whether a label is here as it is in the file, and the viewer sees it: they may have saved the file themselves."""
        kept = self._store.labels.find(label.id)
        return kept is not None and sees(self._viewer, kept) and self._is(kept, label)

    def _is(self, kept: Label, label: Label) -> bool:
        return same_label(kept, label) and (kept.project, kept.run, kept.annotator) == (self._project, label.run, label.annotator)

    def _refuse_others(self, label: Label) -> None:
        if self._viewer.whole:
            return
        if not self._viewer.stage or label.annotator != self._viewer.name:
            raise BadOptions(f"a label of {label.annotator[:80]!r} is not yours; who leads the project can take it in")
        if label.run in self._viewer.done:
            raise BadOptions(f"your labels of reading {label.run!r} are done; open it again before you take labels of it in")

    def _refuse_early(self, label: Label) -> None:
        if label.codebook > self._latest:
            raise BadOptions(
                f"a label is of version {label.codebook} of a codebook, and this project's is at {self._latest}. Make the same "
                "changes to the codebook here first, or take the labels in where they come from"
            )
        if self._stages[label.annotator] < CODES and not allowed(label.kind, label.value, NOTES):
            raise BadOptions(f"{label.annotator!r} has not come to the codes yet; take labels with codes in when they have")

    def _join(self, labels: Sequence[Label], turns: Sequence[Turn]) -> None:
        """Who is not here yet joins, in the latest stage that anything of theirs is of."""
        reached: dict[str, int] = {}
        for label in labels:
            stage = NOTES if allowed(label.kind, label.value, NOTES) else CODES
            reached[label.annotator] = max(stage, reached.get(label.annotator, NOTES))
        for turn in turns:
            reached[turn.annotator] = max(turn.stage, reached.get(turn.annotator, NOTES))
        start = self._whole.settings.start_stage
        for name, stage in reached.items():
            if name in self._stages:
                continue
            if annotator_name(name) != name:
                raise BadOptions(
                    f"{name[:80]!r} is no name of an annotator as it is kept: blanks or signs are in it that do not show"
                )
            who = Annotator(name, now("microseconds"), max(stage, start))
            self._stages[name] = self._store.projects.add_annotator(self._project, who, there=len(self._stages)).stage

    def _add_turn(self, turn: Turn) -> bool | None:
        """Whether it is new; None for one that stands otherwise here."""
        here = self._turns.get(turn[:4])
        if here:
            return False if here.standing == turn.standing else None
        self._store.turns.add(turn._replace(again=turn.again or one_person(turn.annotator, self._lead)))
        self._turns[turn[:4]] = turn
        return True


def _renamed(made: Iterable[Made], called: Mapping[str, str]) -> list[Made]:
    """Under the names that are kept."""
    found = []
    for one in made:
        name = called[one.annotator]
        found.append(one._replace(annotator=name) if isinstance(one, Turn) else replace(one, annotator=name))
    return found


class _DryRun(Exception):
    """Carries what would have been done out of a transaction that is rolled back."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self.taken = taken
