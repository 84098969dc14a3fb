"""Import a project file: a new project, or a merge with the stored copy.

Stored readings are found by their content ids; the others are added, each replayed like any imported run file. Labels, turns,
versions of the codebook and decisions that only the file has are added; where the two differ, the stored form is kept and the
difference is listed. So a file imported twice adds nothing the second time, and two copies of a project that were labelled
separately become one. Not here: the form of the file (`project_file.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from readers.engine.canonical import canonical, digest
from readers.engine.errors import BadFile, BadOptions, BadRunFile, NotFound
from readers.engine.files.labels.import_labels import LabelImport, add_labels
from readers.engine.files.labels.project_file import ProjectFile, ProjectReading
from readers.engine.files.labels.read_labels import LabelFile
from readers.engine.files.runs.content import content_of
from readers.engine.files.runs.import_run import check_run_file_apart, save_checked
from readers.engine.labels.check_label import checked_decision
from readers.engine.labels.codebook import from_json as codebook_from_json
from readers.engine.labels.label import Decision, Label, annotator_name, tidy_name
from readers.engine.labels.project import HOST, Annotator, Project, settings_json, settings_of
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text.phrases import counted

_ID = re.compile(r"[0-9a-f]{10}")
_SHORT = 40


@dataclass(frozen=True)
class ProjectImport:
    """What an import did. `refused` are readings that are not imported, each with the reason, and their labels with them.
    `differs` lists, one sentence for each, where the file and this project differ; the stored form is kept."""

    project: Project
    is_new: bool
    readings: int
    readings_here: int
    refused: tuple[str, ...]
    codebooks: int
    decisions: int
    labels: LabelImport
    differs: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """What the import did, and what it left unchanged, one sentence for each."""
        came = f"{counted(self.readings, 'reading')} imported, {self.readings_here:,} already here"
        what = "is new here" if self.is_new else "was here and is merged with the file"
        labels = self.labels
        added = [
            counted(labels.added, "label"), counted(labels.turns, "assignment"), counted(self.decisions, "decision"),
            counted(self.codebooks, "version") + " of the codebook",
        ]  # fmt: skip
        told = [f"The project “{self.project.name}” {what}: {came}.", f"Added: {', '.join(added)}."]
        if labels.clashes:
            differ = "differs and stays" if len(labels.clashes) == 1 else "differ and stay"
            told.append(f"{counted(len(labels.clashes), 'label')} {differ} as here.")
        return [*told, *self.differs, *(f"{reason}; its labels are left out." for reason in self.refused)]


def import_project(
    store: Store,
    file: ProjectFile,
    *,
    offered: Callable[[str], Reader],
    by: str | None = None,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> ProjectImport:
    """Import a whole project, or merge it into the stored one. Readings come first, each in its own transaction, so that an
    interrupted import continues where it stopped; then all the rest in one.

    `offered` returns the reader with an id, if runs of it can be imported; it must be a function of a module. `by` is the person
    who imports, None for the host: only who sees everything in a project may merge a file with it. `progress` is called with the
    readings done and their number. Raises BadOptions or BadFile if nothing of the project can be imported.
    """
    _refuse_others(store, file, by)
    ids: dict[str, str] = {}
    refused: list[str] = []
    there = 0
    for number, reading in enumerate(file.about.readings):
        progress(number, len(file.about.readings))
        run = _present(store, reading)
        there += run is not None
        try:
            ids[reading.id] = (run or _imported(store, reading, file.readings[reading.id], offered)).id
        except BadRunFile as error:
            refused.append(str(error))
    progress(len(file.about.readings), len(file.about.readings))
    if not ids:
        raise BadFile(f"none of the readings can be imported, so the project is not: {refused[0]}")
    _add_questions(store, file, ids)
    with store.connection.writing():
        return _Merge(store, file, ids).done(readings=len(ids) - there, there=there, refused=refused)


def _refuse_others(store: Store, file: ProjectFile, by: str | None) -> None:
    with suppress(NotFound):
        here = store.projects.get(_own_id(store, file))
        if by is not None and not store.projects.viewer(here.id, by).whole:
            raise BadOptions(
                f"the project {here.name!r} is here already, and only its owner, before they label in it, can merge a file with "
                "it; ask them, or the host of this machine"
            )


def _own_id(store: Store, file: ProjectFile) -> str:
    """The id of the file's project here. A visitor of a demo has it under an id of their own, always the same."""
    given, visitor = file.about.project.id, store.connection.visitor
    return digest(f"{visitor}|{given}")[:10] if visitor else given


def _present(store: Store, reading: ProjectReading) -> Run | None:
    """The reading that is here with this content id, preferably under the same short id."""
    with suppress(NotFound):
        run = store.runs.get(reading.id) if _ID.fullmatch(reading.id) else None
        if run and run.id == reading.id and content_of(store, run) == reading.content_id:
            return run
    found = store.runs.with_content(reading.content_id)
    return found[0] if found else None


def _imported(store: Store, reading: ProjectReading, unpacked: Callable[[], bytes], offered: Callable[[str], Reader]) -> Run:
    """The reading, imported under its id in the file if that is free, because the order for annotators depends on it. In a public
    demo it gets a new one."""
    incoming = check_run_file_apart(unpacked(), f"{reading.id[:_SHORT]}.json", readers=offered)
    if incoming.run.content not in (None, reading.content_id):
        raise BadRunFile(f"{reading.id[:_SHORT]!r} is not imported: project.json has another content id for it")
    free = _ID.fullmatch(reading.id) and not store.connection.visitor and not store.runs.exists(reading.id)
    return save_checked(store, replace(incoming, run=replace(incoming.run, id=reading.id if free else "")))


def _add_questions(store: Store, file: ProjectFile, ids: Mapping[str, str]) -> None:
    """Add the questions of the readings with what is known about them, as a set, unless they are stored already."""
    unknown = []
    for reading in file.about.readings:
        if reading.id in ids and reading.known is not None:
            run = store.runs.get(ids[reading.id])
            if store.question_sets.question_of(run) is None:
                unknown.append(_question(reading.question, reading.known, run))
    if unknown:
        store.question_sets.add(QuestionSet(f"Questions of {file.about.project.name}", tuple(dict.fromkeys(unknown))))


class _Merge:
    """The import of everything but the readings into a project, inside a transaction. `ids` are those of the readings here, by
    those in the file."""

    def __init__(self, store: Store, file: ProjectFile, ids: Mapping[str, str]) -> None:
        self._store = store
        self._file = file
        self._ids = ids
        self._differs: list[str] = []

    def done(self, *, readings: int, there: int, refused: Sequence[str]) -> ProjectImport:
        project, is_new = self._project()
        codebooks, shared = self._codebooks(project)
        self._annotators(project)
        labels = self._labels(project, shared)
        decisions = self._decisions(project)
        self._store.boards.arrange(project.id, self._file.about.groups, self._file.about.notes)
        return ProjectImport(project, is_new, readings, there, tuple(refused), codebooks, decisions, labels, tuple(self._differs))

    def _project(self) -> tuple[Project, bool]:
        """The project that is here, else a new one."""
        given, own = self._file.about.project, _own_id(self._store, self._file)
        settings = settings_of(settings_json(given.settings))
        runs = list(self._ids.values())
        try:
            here = self._store.projects.get(own)
        except NotFound:
            made = Project(own, tidy_name(given.name, "a project"), given.created, settings)
            return self._store.projects.add(made, runs=runs), True
        self._store.projects.add_missing(own, runs)
        if settings != here.settings:
            self._differs.append("The settings of the project in the file differ from those here.")
        return here, False

    def _codebooks(self, project: Project) -> tuple[int, int]:
        """Adds the versions that follow those here: how many, and the last version that both copies share."""
        here = self._store.codebooks.versions(project.id, HOST)
        given = self._file.about.codebooks
        shared = 0
        for ours, theirs in zip(here, given, strict=False):
            if canonical(ours.codes) != canonical(theirs.codes):
                more = "both copies changed it, and this one stays. Their labels count as given under the version before it"
                self._differs.append(f"Version {ours.version} of the codebook differs: {more}.")
                return 0, shared
            shared = ours.version
        new = given[len(here) :]
        for version in new:
            codebook_from_json(version.version, version.codes, change=version.change)
            self._store.codebooks.append(project.id, version.codes, version.change, by=version.by, at=version.at)
        return len(new), shared + len(new)

    def _annotators(self, project: Project) -> None:
        here = {one.name.casefold(): one for one in self._store.projects.annotators(project.id)}
        for given in self._file.about.annotators:
            known = here.get(given.name.casefold())
            if known is None:
                one = Annotator(annotator_name(given.name), given.joined, given.stage)
                here[given.name.casefold()] = self._store.projects.add_annotator(project.id, one, there=len(here))
            elif known.stage < given.stage:
                self._store.projects.set_stage(project.id, known.name, given.stage)

    def _labels(self, project: Project, shared: int) -> LabelImport:
        named = self._file.about.project.id

        def here(label: Label) -> Label:
            home = project.id if label.project == named else label.project
            own = "" if label.kind == "reading" else label.id
            return replace(label, project=home, run=self._ids[label.run], id=own, codebook=min(label.codebook, shared))

        labels = [here(label) for label in self._file.labels.labels if label.run in self._ids]
        turns = [
            turn._replace(project=project.id, run=self._ids[turn.run])
            for turn in self._file.labels.turns
            if turn.run in self._ids
        ]
        self._store.turns.close_as(project.id, turns)
        file = LabelFile(tuple(labels), tuple(turns))
        return add_labels(self._store, project.id, file, viewer=HOST, keep_ids=not self._store.connection.visitor)

    def _decisions(self, project: Project) -> int:
        """Adds the decisions on questions undecided here, and those that follow decisions made here."""
        made: dict[tuple[str, str], list[Decision]] = defaultdict(list)
        for one in self._store.decisions.in_project(project.id, HOST, history=True):
            made[one.run, canonical(one.target)].append(one)
        added, differing = 0, set()
        for given in sorted(self._file.about.decisions, key=lambda one: one.revision):
            if given.run not in self._ids:
                continue
            decision = checked_decision(given._replace(project=project.id, run=self._ids[given.run]))
            key = decision.run, canonical(decision.target)
            if key in differing:
                continue
            kept = made[key]
            if len(kept) < given.revision:
                kept.append(self._store.decisions.insert(decision._replace(revision=len(kept) + 1)))
                added += 1
            elif (kept[given.revision - 1].value, kept[given.revision - 1].by) != (decision.value, decision.by):
                differing.add(key)
        if differing:
            many = counted(len(differing), "disagreement")
            self._differs.append(f"{many} {'was' if len(differing) == 1 else 'were'} decided in both copies; this one’s stay.")
        return added


def _question(key: str, known: Mapping[str, Any], run: Run) -> SetQuestion:
    try:
        return SetQuestion.of(key, run.document, run.question, known)
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(f"in project.json, the question of reading {run.id!r} is invalid: {type(error).__name__}") from None
