"""What a project has to say for a paper: the agreement of its annotators and what their labels say, each as a report with what it
rests on, and the methods in a paragraph written from the protocol.

Page, terminal and files show the same. Only labels that the viewer may see are in it (`visible_labels.py`). Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from readers.engine import APP_VERSION
from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.scores import ScoredReading, compare_all
from readers.engine.analysis.label_results import (
    INTERVALS,
    RULES,
    LabelResults,
    Results,
    Title,
    model_title,
    parents,
    row_title,
)
from readers.engine.analysis.visible_labels import VisibleLabels, find_disagreements
from readers.engine.labels import agreement, agreement_tables, calibration, counts, settled
from readers.engine.labels.adjudication import undecided
from readers.engine.labels.agreement import READING, SETS
from readers.engine.labels.counts import LabelledRun
from readers.engine.labels.label import DECISIVE, NOTES, STEP, TITLES, VALUES
from readers.engine.labels.project import NOTED_FIRST, protocol
from readers.engine.labels.settled import BesideRule, Settled
from readers.engine.questions.scores.score import Scored
from readers.engine.report.values import Figure, Report, Table, coefficient
from readers.engine.statistics.agreement import Coefficient
from readers.engine.text.phrases import counted, listed

Figures = Mapping[str, Sequence[Coefficient]]
RIGHT, CANNOT = ("correct", "abstained_right"), "not_judgeable"
BY_PEOPLE = "right as people found it"
ABOUT_RIGHT = "Right is an answer that people found correct, or that rightly abstained; those that cannot be judged are left out."
# The figures of the methods paragraph: of which question, its figure, and what it is said to be of.
_NAMED = (
    *((field, "Krippendorff's alpha", f"the {TITLES[field].lower()}") for field in VALUES),
    (DECISIVE, "Krippendorff's alpha of the step", "the decisive step"),
    (READING, SETS, "the codes of a reading (MASI distance)"),
    (STEP, SETS, "the codes within a step (MASI distance)"),
)


# Agreement


def figures(visible: VisibleLabels, about: Sequence[LabelledRun]) -> dict[str, tuple[Coefficient, ...]]:
    """Every figure of agreement, by question, without the training round."""
    done = visible.done - visible.trained
    return agreement.figures(visible.labels, done=done, phase_of=counts.phase_of(about), parents=parents(visible))


def codes_table(visible: VisibleLabels) -> Table:
    """The agreement on each code, within a step and within a reading, without the training round."""
    above, done = parents(visible), visible.done - visible.trained
    steps, readings = (
        agreement.by_code(items_of(visible.labels, done), above) for items_of in (agreement.of_steps, agreement.of_readings)
    )
    return agreement_tables.codes_table(steps, readings, row_title(visible))


def agreement_report(visible: VisibleLabels, about: Sequence[LabelledRun]) -> Report:
    """How far the annotators agree."""
    found = figures(visible, about)
    tables = [agreement_tables.table(found), codes_table(visible), *calibration_tables(visible)]
    return _report(visible, tables, [agreement_tables.INTERVALS], found=found)


def calibration_tables(visible: VisibleLabels) -> list[Table]:
    """How far each annotator agrees with what is known, and all of them from round to round; only tables with something in
    them."""
    owner = visible.project.settings.lead
    beside = calibration.by_annotator(visible.labels, visible.done, visible.decisions, owner=owner)
    rounds = calibration.by_round(visible.labels, visible.done, visible.turns, training=visible.training)
    tables = [beside, rounds, *_models(visible)]
    return [table for table in tables if any(isinstance(cell.content, Figure) for row in table.rows for cell in row.cells)]


def _models(visible: VisibleLabels) -> Iterator[Table]:
    """How far each model that proposes codes agrees with people: code by code, and over time."""
    proposing, done = {(turn.run, turn.annotator) for turn in visible.proposing}, visible.done - visible.trained
    seen = "after they finished a reading" if visible.project.settings.blind else "while they labelled"
    came = counted(sum(label.proposed for label in visible.labels if not label.removed), "label")
    note = f"Pairs of the model and a person. People saw what models proposed {seen}, and accepted {came} of it."
    note += "" if visible.project.settings.blind else " So their agreement with it is not independent."
    for model in sorted({name for _, name in proposing}):
        pairs, rounds = calibration.beside_people(
            visible.labels, done, visible.turns, model=model, proposals=visible.proposals, proposing=proposing
        )
        steps, readings = (agreement.by_code(pairs[one], parents(visible)) if pairs[one] else {} for one in (STEP, READING))
        found = agreement_tables.codes_table(steps, readings, row_title(visible))
        rows = [
            replace(row, cells=[replace(one, data={**one.data, "annotator": model}) if one.data else one for one in row.cells])
            for row in found.rows
        ]
        yield replace(found, title=f"{model}, beside people code by code", rows=rows, notes=[*found.notes, note])
        yield rounds


# Results


def in_pairs(visible: VisibleLabels, outcome: Settled, reader_title: Title) -> Table:
    """Readers with their models in pairs, by how often people found their answers right, on the same questions. Several readings
    of a question by one reader and model count as repeats, whatever their options."""
    rows: list[ScoredReading] = []
    repeats: Counter[tuple[str, str, str]] = Counter()
    for run, value in outcome.values.items():
        if value != CANNOT:
            one, right = visible.runs[run], float(value in RIGHT)
            name = f"{reader_title(one.reader)} · {model_title(str(one.spec.get('model', '')))}"
            asked = (name, one.document, one.question)
            rows.append(ScoredReading(*asked, {BY_PEOPLE: Scored(right, right)}, repeats[asked], run))
            repeats[asked] += 1
    return report.pairs([one for one in compare_all(rows, BY_PEOPLE) if one.difference.of], of=BY_PEOPLE)


def results_report(
    visible: VisibleLabels,
    codes: Results,
    found: LabelResults,
    *,
    by: str,
    titles: tuple[Title, Title],
    fates: BesideRule | None = None,
) -> Report:
    """What the labels say, whole readings divided `by` one of the groupings. `titles` are those of readers and kinds of steps;
    `fates` compares the rules' fates with people's, if they were followed."""
    reader_title, kind_title = titles
    tables = [found.table(subject, by, kind_title=kind_title) for subject in found.values]
    tables.append(in_pairs(visible, found.values["outcome"], reader_title))
    tables += [settled.rule_table("outcome", found.beside_rule)] if found.beside_rule.pairs else []
    tables += [settled.rule_table("fate", fates)] if fates and fates.pairs else []
    notes = [f"A code of a step is counted if it was {RULES[codes.rule]}.", INTERVALS, ABOUT_RIGHT]
    return _report(visible, [*tables, *codes.tables.values()], notes, counted_codes=RULES[codes.rule])


# What both rest on


def _report(
    visible: VisibleLabels, tables: Sequence[Table], notes: Sequence[str], *, found: Figures | None = None, **options: str
) -> Report:
    facts = [f"{_finished(visible):,} of {counted(visible.total, 'reading')}", f"finished by {_people(visible)}"]
    there = [table for table in tables if table.rows]
    return Report(visible.project.name, facts, there, notes, origin(visible) | options, methods(visible, found))


def origin(visible: VisibleLabels) -> dict[str, Any]:
    """What the figures rest on: how many readings, the protocol and its seed, the versions of codebook, readers and models."""
    settings, book = visible.project.settings, visible.book
    specs = [run.spec for run in visible.runs.values()]
    options = (sorted(spec.get("options", {}).items()) for spec in specs)
    return {
        "project": visible.project.name, "project_readings": visible.total, "project_finished": _finished(visible),
        "annotators": len({name for _, name in visible.done}), "assignments": len(visible.done),
        "assignments_not_blind": len(visible.not_blind), "seed": settings.seed, "drawn": settings.sample,
        "protocol": protocol(settings, visible.total), "codebook_version": book.version if book else 0,
        "readers": _each(f"{run.reader} version {run.spec.get('version', '?')}" for run in visible.runs.values()),
        "models": _each(str(spec.get("model", "")) for spec in specs),
        "options": _each(", ".join(f"{name} {value}" for name, value in given) for given in options),
    }  # fmt: skip


def _each(words: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, words)))


def _finished(visible: VisibleLabels) -> int:
    return len({run for run, _ in visible.done})


def _people(visible: VisibleLabels) -> str:
    return counted(len({name for _, name in visible.done}), "annotator")


def methods(visible: VisibleLabels, found: Figures | None = None) -> str:
    """How the readings were drawn, labelled and decided, as a paper's section on methods says it; with the figures of agreement
    if they are given."""
    return " ".join(filter(None, (_drawn(visible), _labelled(visible), _coded(visible), _agreed(found), _decided(visible))))


def _drawn(visible: VisibleLabels) -> str:
    runs = visible.runs.values()
    counts_of = [
        counted(len({run.reader for run in runs}), "reader"),
        counted(len({run.spec.get("model") for run in runs}), "model"),
        counted(len({(run.document, run.question) for run in runs}), "question"),
        counted(len({run.document for run in runs}), "text"),
    ]
    sample = visible.project.settings.sample
    drawn = f" The project's readings were drawn from more ({sample})." if sample else ""
    labelled = f"{_finished(visible):,} of {counted(visible.total, 'reading')}"
    return f"We labelled {labelled} ({listed(counts_of, most=4)}).{drawn}"


def _labelled(visible: VisibleLabels) -> str:
    settings = visible.project.settings
    each = sorted(Counter(Counter(run for run, _ in visible.done).values()).items(), reverse=True)
    by = [f"{counted(number, 'reading')} {'was' if number == 1 else 'were'} labelled by {who} of them" for who, number in each]
    order = f"each had the readings in an order of their own (seed {settings.seed})"
    blind = "saw the labels of others on a reading only after finishing it themselves" if settings.blind else "were not blind"
    seen = f", except in {len(visible.not_blind):,} of {counted(len(visible.done), 'assignment')}" if visible.not_blind else ""
    trained = len({run for run, _ in visible.trained})
    apart = f" The first {counted(trained, 'reading')} were a training round, in no figure of agreement." if trained else ""
    return f"{_people(visible).capitalize()} took part: {listed(by)}; {order}, and they {blind}{seen}.{apart}"


def _coded(visible: VisibleLabels) -> str:
    settings, book = visible.project.settings, visible.book
    if book is None:
        return ""
    broader = len(set(parents(visible).values()))
    levels = f", {broader} of them broader" if broader else ""
    grown = f" It reached version {book.version} while labelling." if book.version > 1 else ""
    start = f"after open notes on about {NOTED_FIRST} readings" if settings.start_stage == NOTES else "from the start"
    review = (
        f" {counted(len(visible.to_review), 'label')} made under an older definition count unchanged."
        if visible.to_review
        else ""
    )
    return f"They used a codebook of {counted(len(book.in_use), 'code')}{levels}, {start}.{grown}{review}"


def _agreed(found: Figures | None) -> str:
    told = []
    for question, name, of in _NAMED:
        for one in (found or {}).get(question, ()):
            if one.name == name and one.value is not None:
                between = Figure(one.value, one.low, one.high, "coefficient").between
                told.append(
                    f"{coefficient(one.value)} ({f'95 % interval {between}, ' if between else ''}n = {one.units:,}) for {of}"
                )
    if not told:
        return ""
    return f"Krippendorff's alpha was {listed(told, most=len(told))}; intervals keep the labels of a reading together."


def _decided(visible: VisibleLabels) -> str:
    disputed = find_disagreements(visible)
    if not disputed:
        return f"Labels were made and analysed with Palimpsest {APP_VERSION}."
    left = len(undecided(disputed))
    made, by = len(disputed) - left, len({one.by for one in visible.decisions})
    was = "was" if made == 1 else "were"
    decided = f"Of {counted(len(disputed), 'disagreement')}, {made or 'none'} {was} decided"
    decided += f" by {counted(by, 'person')}" if made else ""
    return f"{decided}. Labels were made and analysed with Palimpsest {APP_VERSION}."
