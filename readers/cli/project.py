"""`project`: make, export and import a project; how far its annotators agree, and what its labels say: the page Annotate's
tables, printed or saved.

Anyone with access to the database sees everything. Not here: labels as files, which the page exports.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from readers import READERS, get, offered
from readers.cli.output import DONE, check_writable, form_of, print_json, read_bytes, write_bytes
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.analysis.visible_labels import VisibleLabels
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.labels.codebook_file import read_codebook_file
from readers.engine.files.labels.import_project import import_project
from readers.engine.files.labels.project_file import export_project, read_project_file
from readers.engine.labels import agreement_tables, codebook, settled
from readers.engine.labels.counts import LabelledRun
from readers.engine.labels.label import CODES, NOTES
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report import files
from readers.engine.report.files import Report
from readers.engine.report.values import Table
from readers.engine.store import Run, Store
from readers.engine.text.phrases import counted


def list_projects(arguments: argparse.Namespace) -> int:
    with Store() as store:
        if getattr(arguments, "json", False):
            print_json([_about(store, project) for project in store.projects.listed()])
            return DONE
        for project in store.projects.listed():
            people = counted(len(store.projects.annotators(project.id)), "annotator")
            print(f"{project.id}  {project.name}  {counted(len(store.projects.readings(project.id)), 'reading')}, {people}")
    return DONE


def new(arguments: argparse.Namespace) -> int:
    """Make a project of finished readings, and print its id."""
    with Store() as store:
        batch = store.batches.get(arguments.batch).id if arguments.batch else ""
        named = [*map(store.runs.get, arguments.readings), *(store.batches.runs_of(batch) if batch else ())]
        finished = [run.id for run in named if run.status == "finished"]
        if not finished:
            raise BadOptions("none of these readings is finished; name finished ones: `python -m readers runs` lists them")
        book = codebook.preset()
        if arguments.codebook:
            file = read_codebook_file(arguments.codebook.name, read_bytes(arguments.codebook))
            book = codebook.begun(file.codes, file.source)
        settings = Settings(
            lead=arguments.owner, start_stage=NOTES if arguments.notes_first else CODES, blind=not arguments.open,
            seed=arguments.seed, share=arguments.share, annotators=arguments.annotators, batch=batch,
        )  # fmt: skip
        project = store.projects.create(arguments.name, settings, runs=finished, book=book, by=arguments.owner)
        return _say(arguments, _about(store, project), [f"{project.id}  {project.name}  {counted(len(finished), 'reading')}"])


def export_command(arguments: argparse.Namespace) -> int:
    """Write a project with its readings, labels, codebooks and decisions into one file."""
    check_writable(arguments.out)
    with Store() as store:
        project = _find(store, arguments.project)
        data = export_project(store, project.id, readers=get)
        about = _about(store, project)
    write_bytes(arguments.out, data)
    size = f"{arguments.out}: {project.name}, {counted(about['readings'], 'reading')}, {len(data) / 1e6:.1f} MB"
    return _say(arguments, {**about, "file": str(arguments.out), "bytes": len(data)}, [size])


def import_command(arguments: argparse.Namespace) -> int:
    """Import a project file, or merge it with the copy of the project that is here."""
    file = read_project_file(arguments.file.name, read_bytes(arguments.file))
    with Store() as store:
        done = import_project(store, file, offered=offered)
        about = _about(store, done.project) | {
            "is_new": done.is_new, "readings_added": done.readings, "readings_here": done.readings_here,
            "labels_added": done.labels.added, "labels_same": done.labels.same, "labels_differ": len(done.labels.clashes),
            "decisions_added": done.decisions, "codebooks_added": done.codebooks, "differs": list(done.differs),
            "refused": list(done.refused),
        }  # fmt: skip
    return _say(arguments, about, done.sentences)


def _about(store: Store, project: Project) -> dict[str, Any]:
    return {
        "id": project.id, "name": project.name, "created": project.created,
        "readings": len(store.projects.readings(project.id)),
        "annotators": [one.name for one in store.projects.annotators(project.id)],
    }  # fmt: skip


def _say(arguments: argparse.Namespace, about: dict[str, Any], lines: Sequence[str]) -> int:
    if arguments.json:
        print_json(about)
    else:
        print("\n".join(lines))
    return DONE


def agreement_command(arguments: argparse.Namespace) -> int:
    """Print and save how far annotators agree."""
    with Store() as store:
        visible, about = _loaded(store, arguments.project)
    tables = [agreement_tables.table(label_report.figures(visible, about)), label_report.codes_table(visible)]
    return _tell(arguments, visible, tables, [agreement_tables.INTERVALS])


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
    project = _find(store, name)
    visible = visible_labels.load(store, project, HOST)
    if not visible.done:
        raise NotFound(f"no annotator has finished a reading of the project {project.name!r} yet")
    return visible, visible_labels.about_readings(store, visible)


def _find(store: Store, name: str) -> Project:
    """The project of this id or name. Raises NotFound."""
    return next((one for one in store.projects.listed() if one.name == name), None) or store.projects.get(name)


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
    if arguments.json:
        print_json({"project": said.name, "facts": facts, "rows": files.rows_of(said.tables), "notes": list(notes)})
        return DONE
    print(f"{said.name}: {', '.join(facts)}")
    for table in said.tables:
        print(f"\n# {table.title}", *files.lines(table), *table.notes, sep="\n")
    print("", *notes, sep="\n")
    return DONE
