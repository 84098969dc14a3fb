"""`project`: how far the annotators of a project agree, and what its labels say: the page Annotate's tables, printed or saved.

Whoever has the database sees everything. Not here: labels as files, which the page exports.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from readers import READERS, get
from readers.cli.output import DONE, form_of
from readers.engine.analysis import label_results, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.errors import NotFound
from readers.engine.labels import agreement, counts, settled
from readers.engine.labels.counts import LabelledRun
from readers.engine.labels.project import HOST
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report import files
from readers.engine.report.files import Report
from readers.engine.report.values import Table
from readers.engine.store import Run, Store
from readers.engine.text.phrases import counted


def list_projects(arguments: argparse.Namespace) -> int:
    with Store() as store:
        for project in store.projects.listed():
            people = counted(len(store.projects.annotators(project.id)), "annotator")
            print(f"{project.id}  {project.name}  {counted(len(store.projects.readings(project.id)), 'reading')}, {people}")
    return DONE


def agreement_command(arguments: argparse.Namespace) -> int:
    """Print and save how far annotators agree."""
    with Store() as store:
        visible, about = _loaded(store, arguments.project)
    figures = agreement.figures(visible.labels, done=visible.done, phase_of=counts.phase_of(about))
    codes = agreement.by_code(agreement.of_steps(visible.labels, visible.done))
    tables = [agreement.table(figures), agreement.codes_table(codes, visible.code_title)]
    return _tell(arguments, visible, tables, [agreement.INTERVALS])


def results_command(arguments: argparse.Namespace) -> int:
    """Print and save what the labels say."""
    with Store() as store:
        visible, about = _loaded(store, arguments.project)

        def known(run: Run) -> KnownAnswer | None:
            asked = store.question_sets.question_of(run)
            return KnownAnswer.of(asked) if asked else None

        facts = label_results.question_facts(store, visible, known)
    rule = label_results.rule_of(arguments.count, any_decided=bool(visible.decisions))
    found = label_results.found(visible, about, facts, reader_title=_reader)
    counted_codes = label_results.results(visible, about, rule, reader_title=_reader, kind_title=_kind)
    tables = [found.table(subject, arguments.by, kind_title=_kind) for subject in found.values]
    tables += [settled.rule_table("outcome", found.beside_rule)] if found.beside_rule.pairs else []
    note = f"A code of a step is counted if it was {label_results.RULES[rule]}."
    return _tell(arguments, visible, [*tables, *counted_codes.tables.values()], [note, label_results.INTERVALS])


def _loaded(store: Store, name: str) -> tuple[VisibleLabels, list[LabelledRun]]:
    """The labels of a project, by its id or name, and the readings. Raises NotFound for a project without a finished reading."""
    project = next((one for one in store.projects.listed() if one.name == name), None) or store.projects.get(name)
    visible = visible_labels.load(store, project, HOST)
    if not visible.done:
        raise NotFound(f"no annotator has finished a reading of the project {project.name!r} yet")
    return visible, visible_labels.about_readings(store, visible)


def _reader(reader: str) -> str:
    try:
        return get(reader).title
    except NotFound:
        return reader


def _kind(kind: str) -> str:
    return label_results.kind_title(kind, (reader.narrative for reader in READERS))


def _tell(arguments: argparse.Namespace, visible: VisibleLabels, tables: Sequence[Table], notes: Sequence[str]) -> int:
    runs, people = ({one[at] for one in visible.done} for at in (0, 1))
    facts = [f"{len(runs):,} of {counted(visible.total, 'reading')}", f"finished by {counted(len(people), 'annotator')}"]
    said = Report(visible.project.name, facts, [table for table in tables if table.rows], notes)
    for path in arguments.save:
        path.write_text(files.written(said, form_of(path)), encoding="utf-8")
    print(f"{said.name}: {', '.join(facts)}")
    for table in said.tables:
        print(f"\n# {table.title}", *files.lines(table), *table.notes, sep="\n")
    print("", *notes, sep="\n")
    return DONE
