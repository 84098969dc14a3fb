"""`project`: make, export and import a project; how far its annotators agree, and what its labels say: the page Annotate's
tables, printed or saved.

Anyone with access to the database sees everything. Not here: labels as files, which the page exports.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers import READERS, get, importable
from readers.cli import propose
from readers.cli.arguments import positive
from readers.cli.output import DONE, check_writable, form_of, print_json, read_bytes, write_bytes
from readers.cli.propose import find_project
from readers.engine.analysis import label_report, label_results, visible_labels
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import Wanted
from readers.engine.analysis.label_results import RULES
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.labels.codebook_file import read_codebook_file
from readers.engine.files.labels.import_project import import_project
from readers.engine.files.labels.project_file import export_project, read_project_file
from readers.engine.labels import codebook
from readers.engine.labels.label import CODES, NOTES, is_model
from readers.engine.labels.project import Project, Settings
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.report import files
from readers.engine.report.values import Report
from readers.engine.store import Run, Store
from readers.engine.text.phrases import counted


def list_projects(arguments: argparse.Namespace) -> int:
    with Store() as store:
        if getattr(arguments, "json", False):
            print_json([_about(store, project) for project in store.projects.listed()])
            return DONE
        for project in store.projects.listed():
            people = counted(sum(not is_model(one.name) for one in store.projects.annotators(project.id)), "annotator")
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
            training=arguments.training, proposals=arguments.proposals,
        )  # fmt: skip
        project = store.projects.create(arguments.name, settings, runs=finished, book=book, by=arguments.owner)
        return _say(arguments, _about(store, project), [f"{project.id}  {project.name}  {counted(len(finished), 'reading')}"])


def export_command(arguments: argparse.Namespace) -> int:
    """Write a project with its readings, labels, codebooks and decisions into one file."""
    check_writable(arguments.out)
    with Store() as store:
        project = find_project(store, arguments.project)
        data = export_project(store, project.id, readers=get)
        about = _about(store, project)
    write_bytes(arguments.out, data)
    size = f"{arguments.out}: {project.name}, {counted(about['readings'], 'reading')}, {len(data) / 1e6:.1f} MB"
    return _say(arguments, {**about, "file": str(arguments.out), "bytes": len(data)}, [size])


def import_command(arguments: argparse.Namespace) -> int:
    """Import a project file, or merge it with the copy of the project that is here."""
    file = read_project_file(arguments.file.name, read_bytes(arguments.file))
    with Store() as store:
        done = import_project(store, file, offered=importable)
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
        visible, about = visible_labels.finished(store, find_project(store, arguments.project))
    return _tell(arguments, label_report.agreement_report(visible, about))


def results_command(arguments: argparse.Namespace) -> int:
    """Print and save what the labels say."""
    with Store() as store:
        visible, about = visible_labels.finished(store, find_project(store, arguments.project))

        def known(run: Run) -> KnownAnswer | None:
            asked = store.question_sets.question_of(run)
            return KnownAnswer.of(asked) if asked else None

        facts = label_results.question_facts(store, visible, known)
        found = label_results.found(visible, about, facts, reader_title=_reader)
        wanted = [Wanted(visible.runs[run], one) for run, one in found.followed.items()]
        fates = label_results.beside_fates(found, evidence.saved_fates(store, wanted))
    rule = label_results.rule_of(arguments.count, any_decided=bool(visible.decisions))
    codes = label_results.results(visible, about, rule, reader_title=_reader, kind_title=_kind)
    if arguments.by not in found.groupings:
        raise BadOptions("--by both needs several readers and several models; these readings have one of either")
    said = label_report.results_report(visible, codes, found, by=arguments.by, titles=(_reader, _kind), fates=fates)
    return _tell(arguments, said)


def _reader(reader: str) -> str:
    try:
        return get(reader).title
    except NotFound:
        return reader


def _kind(kind: str) -> str:
    return label_results.kind_title(kind, (reader.narrative for reader in READERS))


def _tell(arguments: argparse.Namespace, said: Report) -> int:
    for path in arguments.save:
        path.write_text(files.written(said, form_of(path)), encoding="utf-8")
    if arguments.json:
        print(files.written(said, "json"), end="")
        return DONE
    print(f"{said.name}: {', '.join(said.facts)}")
    for table in said.tables:
        print(f"\n# {table.title}", *files.lines(table), *table.notes, sep="\n")
    print("", *said.notes, "", said.methods, sep="\n")
    return DONE


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of `project` and of its acts."""
    sub.set_defaults(command=list_projects)
    sub.add_argument("--json", action="store_true", help="as JSON")
    acts = sub.add_subparsers(metavar="ACT")
    maker = acts.add_parser("new", help="make a project of finished readings")
    maker.set_defaults(command=new)
    maker.add_argument("name")
    maker.add_argument("--readings", nargs="+", default=[], metavar="RUN", help="ids of readings")
    maker.add_argument("--batch", metavar="BATCH", help="all finished readings of a batch")
    maker.add_argument(
        "--owner",
        default="",
        metavar="NAME",
        help="the owner, who sees everything until they label; if not given, everybody does",
    )
    maker.add_argument("--notes-first", action="store_true", help="annotators take notes before they see the codebook")
    maker.add_argument("--open", action="store_true", help="annotators see each other's labels at once: not blind")
    maker.add_argument(
        "--share",
        type=float,
        default=0.2,
        metavar="S",
        help="share of the readings that several people label: 0 to 1, 0.2 if not given",
    )
    maker.add_argument("--annotators", type=positive, default=2, metavar="N", help="people for each of these, 2 if not given")
    maker.add_argument("--training", type=int, default=0, metavar="N", help="the first N readings are a training round for all")
    maker.add_argument("--proposals", action="store_true", help="a model may propose codes (`project propose`)")
    maker.add_argument("--seed", type=int, default=0, metavar="N", help="fixes each annotator's order, and who labels what")
    maker.add_argument(
        "--codebook", type=Path, metavar="FILE", help="a codebook that was exported; the codes of Palimpsest if not given"
    )
    exporter = acts.add_parser("export", help="write a project with its readings, labels, codebooks and decisions to a file")
    exporter.set_defaults(command=export_command)
    exporter.add_argument("project", help="its id or name")
    exporter.add_argument("-o", "--out", required=True, type=Path, metavar="FILE.zip")
    importer = acts.add_parser("import", help="import such a file, or merge it with the project's copy here")
    importer.set_defaults(command=import_command)
    importer.add_argument("file", type=Path, metavar="FILE.zip")
    proposer = acts.add_parser("propose", help="have a model propose codes, where the project allows it")
    propose.add_arguments(proposer)
    agreement_parser = acts.add_parser("agreement", help="how far annotators agree, each figure with its interval")
    agreement_parser.set_defaults(command=agreement_command)
    results = acts.add_parser(
        "results", help="what annotators found in the readings, and codes by reader, model and kind of step"
    )
    results.set_defaults(command=results_command)
    groups = ("reader", "model", "both", "length")
    results.add_argument("--by", choices=groups, default="reader", help="how whole readings are grouped")
    results.add_argument("--count", choices=tuple(RULES), help="which codes of a step count if annotators differ; by default "
    "the decided ones if anything was decided, otherwise any")  # fmt: skip
    for act in (maker, exporter, importer, agreement_parser, results):
        act.add_argument("--json", action="store_true", help="as JSON")
    forms = "as csv, json, tex, html, svg or pdf; several times for several"
    for act in (agreement_parser, results):
        act.add_argument("project", help="its id or name")
        act.add_argument("--save", action="append", default=[], type=Path, metavar="FILE", help=forms)
