"""Import the labels and turns of a file into a project: add new ones, and change nothing stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from readers.engine.canonical import digest
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.labels.read_labels import LabelFile
from readers.engine.files.runs.content import content_of
from readers.engine.labels.check_label import checked
from readers.engine.labels.label import CODES, GROUPS, NOTES, Label, Turn, allowed, annotator_name, same_label
from readers.engine.labels.project import HOST, Annotator, Viewer, one_person, sees, upcoming
from readers.engine.store import Store
from readers.engine.store.database import now

LabelOrTurn = TypeVar("LabelOrTurn", Label, Turn)


class Clash(NamedTuple):
    """A label of a file that differs from the stored one. `stored` is None if the viewer may not see it."""

    imported: Label
    stored: Label | None


class Skipped(NamedTuple):
    """What was not imported. Labels: `lead`, by a lead who does not label in the project; `elsewhere`, on runs that their
    annotator was not given. Turns: `turns`, which only the lead may import; `standing`, whose state differs here."""

    lead: int = 0
    elsewhere: int = 0
    turns: int = 0
    standing: int = 0
    codebooks: int = 0
    decisions: int = 0


class LabelImport(NamedTuple):
    """The result of an import: the labels added, the labels stored before, those that differ, and the turns added. `unknown` are
    the codes of added labels that the project's codebook does not have."""

    added: int
    same: int
    clashes: tuple[Clash, ...]
    turns: int = 0
    skipped: Skipped = Skipped()
    unknown: tuple[str, ...] = ()


def import_labels(store: Store, project: str, file: LabelFile, *, viewer: Viewer, dry: bool = False) -> LabelImport:
    """Add what is new in a file, in one transaction; with `dry`, only report what would be added.

    New annotators join the project, at the stage of their labels; names that differ only in case are the same. Labels by a lead
    who does not label in the project are skipped: they would make the lead an annotator, who may no longer see the whole project.
    An annotator may import only their own labels, on runs that are theirs and not done, in addition to labels that they can
    already see, and no turns: a file must not defeat blindness or the assignment of runs. Raises BadOptions or NotFound with the
    reason; then nothing is changed.
    """
    try:
        with store.connection.writing():
            result = add_labels(store, project, file, viewer=viewer)
            if dry:
                raise _DryRun(result)
    except _DryRun as dry_run:
        return dry_run.result
    return result


def add_labels(store: Store, project: str, file: LabelFile, *, viewer: Viewer, keep_ids: bool = False) -> LabelImport:
    """`import_labels` inside the caller's transaction. With `keep_ids`, labels keep ids that are free, so that any copy of the
    project recognises them: only for a whole project, imported by a person who sees all of it."""
    return _LabelImporter(store, project, viewer, keep_ids).add(file)


class _LabelImporter:
    """The import of one file into a project, inside a transaction."""

    def __init__(self, store: Store, project: str, viewer: Viewer, keep_ids: bool) -> None:
        self._store = store
        self._keep_ids = keep_ids
        self._whole = store.projects.get(project)
        self._project = self._whole.id
        self._viewer = viewer
        self._in_order = store.projects.readings(project)
        self._runs = set(self._in_order)
        self._latest = store.codebooks.latest_number(project)
        self._stages = {one.name: one.stage for one in store.projects.annotators(project)}
        self._lead = self._whole.settings.lead
        self._turns = {turn[:4]: turn for turn in store.turns.in_project(project, HOST)}

    def add(self, file: LabelFile) -> LabelImport:
        file = self._with_runs_of_here(file)
        names = self._canonical_names([*(one.annotator for one in file.labels), *(one.annotator for one in file.turns)])
        labels_in_file = [self._with_own_id(checked(self._in_project(label))) for label in _renamed(file.labels, names)]
        turns_in_file = [turn._replace(project=self._project) for turn in _renamed(file.turns, names)]
        labels, turns = self._without_lead(labels_in_file), self._without_lead(turns_in_file) if self._viewer.whole else []
        for run in (*(label.run for label in labels), *(turn.run for turn in turns)):
            if run not in self._runs:
                raise NotFound(f"reading {run[:40]!r} does not belong to this project; add it first")
        for label in labels:
            if not self._is_stored(label):
                self._check_owner(label)
        allowed_labels = self._allowed(labels)
        self._join(allowed_labels, turns)
        added, same, clashes = self._add(allowed_labels)
        new = [self._add_turn(turn) for turn in turns]
        skipped = Skipped(
            len(labels_in_file) - len(labels),
            len(labels) - len(allowed_labels),
            0 if self._viewer.whole else len(turns_in_file),
            sum(one is None for one in new),
            file.codebooks,
            file.decisions,
        )
        return LabelImport(len(added), same, tuple(clashes), sum(map(bool, new)), skipped, self._unknown(added))

    def _with_runs_of_here(self, file: LabelFile) -> LabelFile:
        """The file with the ids that its readings have here: those of other machines are found by their content ids."""
        named = {label.run for label in file.labels} | {turn.run for turn in file.turns}
        unknown = named - self._runs
        if not unknown & file.contents.keys():
            return file
        here = {content_of(self._store, run): run.id for run in self._store.run_list.runs(list(self._runs))}
        ids = {run: here.get(file.contents.get(run, ""), run) for run in unknown}
        labels = tuple(replace(one, run=ids.get(one.run, one.run)) for one in file.labels)
        return replace(file, labels=labels, turns=tuple(one._replace(run=ids.get(one.run, one.run)) for one in file.turns))

    def _canonical_names(self, names: Iterable[str]) -> dict[str, str]:
        """Each name as the project writes it, else as its first occurrence in the file."""
        known = {one.casefold(): one for one in (self._lead, *self._stages) if one}
        return {name: known.setdefault(name.casefold(), name) for name in dict.fromkeys(names)}

    def _without_lead(self, items: Sequence[LabelOrTurn]) -> list[LabelOrTurn]:
        """Only the items that are not by a lead who does not label here."""
        return [one for one in items if one.annotator in self._stages or not one_person(one.annotator, self._lead)]

    def _allowed(self, labels: Sequence[Label]) -> list[Label]:
        """The labels that the viewer may import: all, or for an annotator those on runs that the bench would give them. Starts a
        turn for each run that they have not opened."""
        if self._viewer.whole:
            return list(labels)
        annotator = self._store.projects.annotator(self._project, self._viewer.name) if labels else None
        if annotator is None:
            return []
        own = [turn for turn in self._turns.values() if (turn.annotator, turn.stage) == (annotator.name, annotator.stage)]
        opened = {turn.run: turn.standing for turn in own}
        coming = set(upcoming(self._whole, self._in_order, annotator, self._turns.values()))
        allowed_labels = [label for label in labels if label.run in coming or opened.get(label.run, "skipped") != "skipped"]
        for run in dict.fromkeys(label.run for label in allowed_labels):
            if run not in opened and annotator.stage != GROUPS:
                self._store.turns.begin(self._whole, annotator, run)
        return allowed_labels

    def _add(self, labels: Sequence[Label]) -> tuple[list[Label], int, list[Clash]]:
        """The labels added, the number stored before, and the labels that differ."""
        added, same, clashes = [], 0, []
        for label in labels:
            self._check_stage(label)
            stored = self._store.labels.find(label.id)
            if stored is None:
                self._store.labels.refuse_too_many(label)
                self._store.labels.insert(replace(label, revision=1, at=label.at or now("microseconds")))
                added.append(label)
            elif self._is_same(stored, label):
                same += 1
            else:
                visible = stored.project == self._project and sees(self._viewer, stored)
                clashes.append(Clash(label, stored if visible else None))
        return added, same, clashes

    def _unknown(self, labels: Sequence[Label]) -> tuple[str, ...]:
        used = {label.code for label in labels if label.code}
        book = self._store.codebooks.latest(self._project, HOST) if used else None
        codes = book.codes if book and isinstance(book.codes, list) else []
        return tuple(sorted(used - {str(code.get("id")) for code in codes if isinstance(code, Mapping)}))

    def _in_project(self, label: Label) -> Label:
        """The label as one of this project. A label of another project gets a new id, always the same, so that importing it twice
        adds it once."""
        if label.kind == "reading":
            return replace(label, project=self._project, id="")
        label_id = label.id if label.project == self._project else digest(f"{self._project}.{label.id}")[:32]
        return replace(label, project=self._project, id=label_id)

    def _with_own_id(self, label: Label) -> Label:
        """The label under an id that no other label has. The ids of labels that people have yet to make can be guessed, so a
        label from a file keeps its id only if it is stored under it already; otherwise it gets a new id, always the same, that no
        other label can have."""
        if label.kind == "reading":
            return label
        where = (label.project, label.run, label.annotator)
        stored = self._store.labels.find(label.id)
        if stored is None and self._keep_ids:
            return label
        if stored is not None and (stored.project, stored.run, stored.annotator) == where:
            return label
        return replace(label, id=digest("|".join((*where, label.id)))[:32])

    def _is_stored(self, label: Label) -> bool:
        """Whether the same label is stored and visible to the viewer, who may have exported the file."""
        stored = self._store.labels.find(label.id)
        return stored is not None and sees(self._viewer, stored) and self._is_same(stored, label)

    def _is_same(self, stored: Label, label: Label) -> bool:
        return same_label(stored, label) and (stored.project, stored.run, stored.annotator) == (
            self._project,
            label.run,
            label.annotator,
        )

    def _check_owner(self, label: Label) -> None:
        if self._viewer.whole:
            return
        if not self._viewer.stage or label.annotator != self._viewer.name:
            raise BadOptions(f"a label of {label.annotator[:80]!r} is not yours; the project lead can import it")
        if label.run in self._viewer.done:
            raise BadOptions(f"your labels of reading {label.run!r} are done; open it again before you import labels for it")

    def _check_stage(self, label: Label) -> None:
        if label.codebook > self._latest:
            raise BadOptions(
                f"a label is of version {label.codebook} of a codebook, and this project's is at {self._latest}. Make the same "
                "changes to the codebook here first, or import the labels where they come from"
            )
        if self._stages[label.annotator] < CODES and not allowed(label.kind, label.value, NOTES):
            raise BadOptions(f"{label.annotator!r} has not reached the codes yet; import labels with codes later")

    def _join(self, labels: Sequence[Label], turns: Sequence[Turn]) -> None:
        """Add the new annotators, each at the latest stage of their labels and turns."""
        stages: dict[str, int] = {}
        for label in labels:
            stage = NOTES if allowed(label.kind, label.value, NOTES) else CODES
            stages[label.annotator] = max(stage, stages.get(label.annotator, NOTES))
        for turn in turns:
            stages[turn.annotator] = max(turn.stage, stages.get(turn.annotator, NOTES))
        start = self._whole.settings.start_stage
        for name, stage in stages.items():
            if name in self._stages:
                continue
            if annotator_name(name) != name:
                raise BadOptions(f"{name[:80]!r} is not a valid name of an annotator: it has blanks or invisible characters")
            annotator = Annotator(name, now("microseconds"), max(stage, start))
            self._stages[name] = self._store.projects.add_annotator(self._project, annotator, there=len(self._stages)).stage

    def _add_turn(self, turn: Turn) -> bool | None:
        """Add a turn if it is new. False if the same turn is stored, None if the stored one has another state."""
        here = self._turns.get(turn[:4])
        if here:
            return False if here.standing == turn.standing else None
        self._store.turns.add(turn)
        self._turns[turn[:4]] = turn
        return True


def _renamed(items: Iterable[LabelOrTurn], names: Mapping[str, str]) -> list[LabelOrTurn]:
    """The items with their annotators' canonical names."""
    found = []
    for one in items:
        name = names[one.annotator]
        found.append(one._replace(annotator=name) if isinstance(one, Turn) else replace(one, annotator=name))
    return found


class _DryRun(Exception):
    """Carries the result out of a transaction that is rolled back."""

    def __init__(self, result: LabelImport) -> None:
        super().__init__()
        self.result = result
