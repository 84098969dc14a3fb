"""`evaluate`: what readers score on questions, with intervals; of a batch that was read, or of one that is read first.

Exit status as for `batch`. Not here: the scores (`engine/questions/scores/`), and what is computed of them
(`engine/analysis/evaluate/`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from readers import get
from readers.cli.output import DONE, check_writable
from readers.cli.questions import rate, workers
from readers.cli.questions.batch_fates import fates_of
from readers.cli.questions.batches import add_batch, work
from readers.cli.questions.question_sets import import_files
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.compare import compare_all
from readers.engine.analysis.evaluate.evaluated import Evaluation, applying, evaluate
from readers.engine.analysis.evaluate.measured import figures_table
from readers.engine.analysis.evaluate.rated import raters, with_ratings
from readers.engine.analysis.evaluate.table import scores_of
from readers.engine.analysis.facts import evidence
from readers.engine.errors import BadOptions, NotFound
from readers.engine.forks import rate_many
from readers.engine.questions.recipes import Recipe, recipe, recipes, recipes_for, scores_of_recipe
from readers.engine.questions.scores import GROUPS, SCORES
from readers.engine.report import files, text
from readers.engine.report.files import FORMS, Form, Report
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Store
from readers.engine.store.batches import Batch

NAMED = (*SCORES, *(group for group, names in GROUPS.items() if {*names} <= {*SCORES}))  # what --score takes


def evaluate_command(arguments: argparse.Namespace) -> int:
    forms = [(path, _form(path)) for path in arguments.save]
    rate.check(arguments)
    if unknown := [name for name in arguments.score if name not in NAMED]:
        raise BadOptions(f"--score {unknown[0]!r} is no score; there are {', '.join(NAMED)}")
    chosen = recipe(arguments.recipe) if arguments.recipe else None
    if chosen:
        _follow(chosen, arguments)
    workers.check(arguments)
    with Store() as store:
        batch = _batch(store, arguments.what)
        status = DONE
        if batch is None:
            batch = add_batch(store, _set_name(store, arguments.what), arguments)
            if batch is None:
                return DONE
            status = work(store, batch, arguments)
        plan = BatchPlan.of(batch.plan)
        names = batches.variant_names(plan, lambda reader: get(reader).title)
        results = batches.results(store, batch)
        if arguments.rate:
            rate.rate(store, results, arguments)
            if arguments.price:
                return DONE
        reported = chosen.scores if chosen else scores_of_recipe(plan.recipe)
        scores = arguments.score or applying(reported, (one.question for one in results))
        found = evaluate(store, results, names=names, scores=scores)
        ratings = rate_many.said_of(store, [one.row.run for one in found.readings])
        found = with_ratings(found, ratings)
        fates = fates_of(store, evidence.wanted(results)) if arguments.figures else {}
        measured = figures_table(store, found.readings, get, fates=fates) if arguments.figures else None
    scored = scores_of(found.rows)
    papers = [chosen] if chosen else recipes_for(found.benchmarks)
    said = report.file_of(batch.name, report.facts(found), scored, papers=papers, measured=measured)
    _print_scores(found, said)
    rate.print_raters(raters(ratings))
    if measured:
        print("\nThe methods' own figures: means over the readings that have them")
        print(*text.lines(report.own_figures(measured)), sep="\n")
    print("", *(f"note: {note}" for note in said.notes[1:]), sep="\n")
    for one in papers:
        _print_recipe(one, found.benchmarks)
    for path, form in forms:
        path.write_text(files.written(said, form), encoding="utf-8")
        print(f"Saved: {path}", file=sys.stderr)
    return status


def list_recipes(arguments: argparse.Namespace) -> int:
    for one in recipes():
        print(f"{one.name}\n  {one.title}; on {', '.join(one.benchmarks)}")
        for way in one.ways:
            print(f"    {way.name}: {way.in_words}")
        print(f"  Not made by it: {one.elsewhere}\n")
    print("python -m readers evaluate FILES --recipe NAME --model ID reads and scores by one.")
    return DONE


def _follow(chosen: Recipe, arguments: argparse.Namespace) -> None:
    """Take the recipe's ways of reading and choices, with what is given over them."""
    arguments.reader = arguments.reader or [*chosen.readers]
    arguments.ways = chosen.ways
    arguments.no_choices = arguments.no_choices or not chosen.choices


def _print_recipe(one: Recipe, data: Sequence[str]) -> None:
    """The figures of a paper, to compare with."""
    print(f"\nIn the paper ({one.paper}): {', '.join(one.heads)}")
    for name, figures in one.rows:
        print(f"  {name}: {', '.join('–' if figure is None else f'{figure:g}' for figure in figures)}")
    for note in filter(None, (one.other_data(data), one.differs, one.elsewhere)):
        print(f"note: {note}", file=sys.stderr)


def _form(path: Path) -> Form:
    """The form that a path's ending says. Raises BadOptions for another, and where the path cannot be written."""
    form = next((form for form in FORMS if path.suffix == f".{form}"), None)
    if form is None:
        raise BadOptions(f"--save {path.name!r} does not end in {', '.join(f'.{form}' for form in FORMS)}")
    check_writable(path)
    return form


def _batch(store: Store, what: str) -> Batch | None:
    """The batch of this id; None if there is none."""
    try:
        return store.batches.get(what)
    except NotFound:
        return None


def _set_name(store: Store, what: str) -> str:
    """The question set that is meant: files are imported first."""
    path = Path(what)
    return import_files(store, [path]).id if path.exists() else what


def _print_scores(found: Evaluation, said: Report) -> None:
    """Each score with its readers, and who is ahead of whom, beyond chance."""
    print(f"{', '.join(said.facts)}; percent over everything asked")
    table = said.tables[0].transposed
    for score, row in zip(dict.fromkeys(score for one in found.rows for score in one.scores), table.rows, strict=False):
        print("", *text.row_lines(table, row), sep="\n")
        compared = compare_all(found.rows, score)
        ahead = [one.sentence for one in compared if one.sentence]
        if compared and not ahead:
            ahead = ["no reader is ahead of another beyond chance"]
        for sentence in ahead:
            print(f"  {sentence}")
