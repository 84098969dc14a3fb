"""What Evaluate, `evaluate` and their files say about a batch: scores, figures, pairs, repeats, slices, ratings, and what papers
print. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, stdev
from typing import Any

from readers.engine.analysis.evaluate.evaluated import LENGTH, RATING_KINDS, Evaluated, Evaluation, Ratings
from readers.engine.analysis.evaluate.scores import Comparison, ScoreCell, ScoredReading, Scores, repeats
from readers.engine.analysis.facts.fates import SEVERAL
from readers.engine.analysis.measures import FIGURES
from readers.engine.forks.rater import RatingKind
from readers.engine.forks.rater import agreement as agreement_of
from readers.engine.models import catalogue
from readers.engine.questions.recipes import Recipe
from readers.engine.questions.scores import RATED, SCORES
from readers.engine.report.values import NOTHING, UNITS, Cell, Column, Figure, Link, Mark, Report, Row, Table, Unit, columns
from readers.engine.run.batches import BatchPlan
from readers.engine.statistics.agreement import Coefficient
from readers.engine.statistics.intervals import ABOUT, MeanEstimate
from readers.engine.text.phrases import counted, percent
from readers.engine.text.shorten import shorten_at_word

MOST_NAMED = 3  # pairs in a sentence
LONGEST = 90  # characters of a question in a table
RATINGS: Mapping[RatingKind, str] = {"lr": "LR-1 and LR-2", "helmet": "HELMET’s judge"}
OWN_FIGURES = "The methods’ own figures"
ABOUT_PAIRS = (
    "On the questions that both readers were asked. A reader is called ahead only if the interval of the difference excludes 0 "
    "and, for scores of right and wrong, McNemar’s exact test agrees at 0.05, corrected for the number of pairs (Holm)."
)


def facts(found: Evaluation, plan: BatchPlan) -> list[str]:
    """How many readings are in the figures, of how many questions and texts, which are not and why, and how the questions were
    drawn, if they were."""
    left_out = {
        "not finished yet": found.unfinished,
        "of questions without a known answer": found.unknown,
        "of questions whose answers are hidden from you until you have labelled them": found.hidden,
    }
    chances = [len(one.asked.choices) for one in found.readings]
    guessing = f"guessing would be right in {Figure(fmean(1 / of for of in chances))} %" if chances and all(chances) else ""
    return [
        counted(len(found.readings), "reading"),
        counted(len({one.question for one in found.readings}), "question"),
        counted(len({one.text for one in found.readings}), "text"),
        *filter(None, [guessing]),
        *(f"{counted(number, 'reading')} {reason}" for reason, number in left_out.items() if number),
        *filter(None, [plan.drawn_in_words]),
    ]


def scores(scored: Scores, *, name: str, questions: int = 0) -> Table:
    """Readers by scores: means in percent over everything asked. A score that does not apply to all `questions` says to how
    many it does."""
    heads = []
    for score in scored.scores:
        applies = max(cell.asked.questions for cell in scored.cells.values() if cell.score == score)
        heads.append(Column(title(score), f"{applies:,} of {counted(questions, 'question')}" if applies < questions else ""))
    rows = [Row(reader, [_score(scored.cell(reader, score)) for score in scored.scores]) for reader in scored.readers]
    return Table(f"Scores of {name}", heads, rows, [*no_intervals(scored), *_traps(scored)])


def no_intervals(scored: Scores) -> list[str]:
    """Why intervals are missing, each reason once, and of which figures: of which readers, if not of all."""
    missing: dict[str, dict[str, list[str]]] = {}
    for cell in scored.cells.values():
        if cell.asked.note:
            missing.setdefault(cell.asked.note, {}).setdefault(cell.score, []).append(cell.reader)
    if len(missing) == 1 and all(cell.asked.note for cell in scored.cells.values()):
        return [f"{note.capitalize()}." for note in missing]
    having = Counter(cell.score for cell in scored.cells.values())
    return [
        f"{note.capitalize()}, for {'; '.join(_without(score, readers, having[score]) for score, readers in of.items())}."
        for note, of in missing.items()
    ]


def _without(score: str, readers: Sequence[str], of: int) -> str:
    return f"“{title(score)}”" + ("" if len(readers) == of else f" of {' and '.join(readers)}")


def _score(cell: ScoreCell | None) -> Cell:
    if cell is None:
        return Cell()
    return Cell(figure(cell.asked, _unit(cell.score)), [_published(cell)], data=_data(cell))


def figure(found: MeanEstimate, unit: Unit = "share") -> Figure:
    return Figure(found.value, found.low, found.high, unit)


def _unit(name: str) -> Unit:
    return FIGURES[name].unit if name in FIGURES else "share"


def _published(cell: ScoreCell) -> str:
    """The score as published, where that is another once both are rounded."""
    published = str(figure(cell.published))
    return f"as published {published}" if cell.score not in FIGURES and published != str(figure(cell.asked)) else ""


def _data(cell: ScoreCell) -> dict[str, Any]:
    found = cell.asked
    return {
        "reader": cell.reader, "score": cell.score, "mean": found.value, "low": found.low, "high": found.high,
        "interval": found.interval, "note": found.note, "readings": found.of, "questions": found.questions, "texts": found.texts,
        "published": None if cell.score in FIGURES else cell.published.value, "dropped": cell.dropped,
        "unscored": cell.unscored,
        "traps": dict(cell.traps),
    }  # fmt: skip


def _traps(scored: Scores) -> list[str]:
    """What makes the published scores differ where the difference can be seen, with how many readings each touches."""
    counts: dict[str, Counter[str]] = {}
    for cell in scored.cells.values():
        if _published(cell):
            for trap, number in cell.traps.items():
                counts.setdefault(trap, Counter())[cell.score] += number
    touched = {
        trap: [f"{title(score)} ({counted(found[score], 'reading')})" for score in scored.scores if found[score]]
        for trap, found in counts.items()
    }
    return [f"{trap[0].upper()}{trap[1:]}: {', '.join(names)}." for trap, names in touched.items()]


def own_figures(measured: Scores, *, without: Collection[str] = ()) -> Table:
    """The methods' own figures by readers, each with the paper that reports it; of how many readings where not all have it.
    Those `without` stand in another table."""
    rows = []
    shown = [name for name in measured.scores if name not in without]
    cells_of = {at: cell for at, cell in measured.cells.items() if at[1] in shown}
    for name in shown:
        cells = [own_figure(measured.cell(reader, name)) for reader in measured.readers]
        rows.append(Row(title(name), cells, FIGURES[name].source))
    notes = no_intervals(replace(measured, cells=cells_of))
    return Table(OWN_FIGURES, columns(*measured.readers), rows, [*notes, *([SEVERAL] if "evidence_raw" in shown else [])])


def own_figure(cell: ScoreCell | None, *notes: str) -> Cell:
    """A figure of a reader, of how many readings where not all have it, and these notes."""
    if cell is None:
        return Cell()
    of = f"of {counted(cell.asked.of, 'reading')}" if cell.unscored else ""
    return Cell(figure(cell.asked, _unit(cell.score)), [of, *notes], data=_data(cell))


def title(name: str) -> str:
    """What a score or a rating is called, or a figure with its unit."""
    if name in RATED:
        most = RATED[name].most
        return RATED[name].title if most == 1 else f"{RATED[name].title} (% of {most:g})"
    if name not in FIGURES:
        return SCORES[name].title
    measure = FIGURES[name]
    unit, words = UNITS.get(measure.unit, ""), measure.heading or measure.title
    return words if not unit or unit in words.lower() else f"{words} ({unit})"


def pairs(found: Sequence[Comparison], *, of: str = "") -> Table:
    """Readers in pairs, those with one ahead first; `of` names the score."""
    ordered = sorted(found, key=lambda one: (one.ahead == "open", -abs(one.difference.value or 0.0)))
    heads = columns("Difference in points", "Right alone", "McNemar", "Corrected", "Ahead")
    rows = [Row(f"{one.first} against {one.second}", _pair(one)) for one in ordered]
    return Table(f"Readers in pairs{f': {of}' if of else ''}", heads, rows, [ABOUT_PAIRS])


def all_pairs(compared: Mapping[str, Sequence[Comparison]]) -> list[Table]:
    """Readers in pairs by each score, if there are several readers."""
    return [pairs(found, of=title(score)) for score, found in compared.items() if found]


def _pair(one: Comparison) -> list[Cell]:
    alone = NOTHING if one.only_first is None else f"{one.only_first:,} and {one.only_second:,}"
    tests = [Cell(Figure(p, unit="probability")) for p in (one.p, one.corrected)]
    found = one.difference
    data = {
        "first": one.first, "second": one.second, "score": one.score, "difference": found.value, "low": found.low,
        "high": found.high, "interval": found.interval, "note": one.why or found.note, "readings": found.of,
        "questions": found.questions, "texts": found.texts, "only_first": one.only_first, "only_second": one.only_second,
        "p": one.p, "p_corrected": one.corrected, "ahead": one.ahead,
    }  # fmt: skip
    return [Cell(figure(found, "points"), data=data), Cell(alone), *tests, Cell(_ahead(one))]


def _ahead(one: Comparison) -> str:
    """Which of two readers is ahead, in words that claim no more than is shown."""
    if one.difference.value is None:
        return one.why
    name = {"first": one.first, "second": one.second}.get(one.ahead)
    return f"{name} is ahead" if name else one.difference.note or "open"


def pairs_sentence(found: Sequence[Comparison]) -> str:
    """How many of the pairs have a reader ahead."""
    decided = [one for one in found if one.ahead != "open"]
    if not decided:
        return f"Of {counted(len(found), 'pair')} no reader is ahead of the other beyond chance."
    named = "; ".join(one.sentence for one in decided[:MOST_NAMED])
    more = f"; and {len(decided) - MOST_NAMED:,} more" if len(decided) > MOST_NAMED else ""
    have = "has" if len(decided) == 1 else "have"
    return f"Of {counted(len(found), 'pair')} {len(decided):,} {have} a reader ahead: {named}{more}."


def spread(rows: Sequence[ScoredReading], readers: Iterable[str], score: str) -> list[str]:
    """How far the score of each reader moves between repeats, for those that have any."""
    told = []
    for reader in readers:
        means, of, changed = repeats(rows, reader, score)
        if means:
            low, high, deviation = Figure(min(means)), Figure(max(means)), Figure(stdev(means))
            told.append(
                f"{reader}: {low} to {high} over {len(means)} repeats of {counted(of, 'question')} (standard deviation "
                f"{deviation}); {counted(changed, 'question')} did not come out the same each time."
            )
    return told


def slices(parts: Mapping[str, Mapping[str, MeanEstimate]], readers: Sequence[str], *, by: str) -> Table:
    """The score of each reader over parts of the readings."""
    rows = []
    for name in readers:
        found = [of.get(name) for of in parts.values()]
        rows.append(Row(name, [Cell(figure(one), [counted(one.of, "reading")]) if one else Cell() for one in found]))
    return Table(f"Scores by {slice_name(by)}", columns(*parts), rows)


def slice_name(by: str) -> str:
    return "length of the text" if by == LENGTH else by.replace("_", " ")


def marks(readings: Iterable[Evaluated], score: str, readers: Sequence[str]) -> Table:
    """Questions by readers: a mark for the first sample of each, which opens it."""
    at: dict[str, dict[str, Evaluated]] = {}
    for one in readings:
        at.setdefault(one.question, {}).setdefault(one.reader, one)
    rows = []
    for some in at.values():
        asked = next(iter(some.values())).asked.question
        rows.append(Row(shorten_at_word(asked, LONGEST), [_mark(name, some.get(name), score) for name in readers]))
    return Table("Questions by readers", columns(*readers), rows)


def _mark(reader: str, one: Evaluated | None, score: str) -> Cell:
    if one is None:
        return Cell(f"{reader}: not read", mark="none")
    value = one.value(score)
    kind: Mark = "none" if value is None else "right" if value >= 1 else "partly" if value > 0 else "wrong"
    said = "not scored" if value is None else percent(value)
    return Cell(f"{reader}: {said}", link=Link("Trace", {"run": one.run}) if one.run else None, mark=kind)


def printed(one: Recipe) -> Table:
    """What a paper prints, with what differs from a batch here."""
    rows = [
        Row(name, [_printed(name, head, value, one.paper) for head, value in zip(one.heads, values, strict=True)])
        for name, values in one.rows
    ]
    told = [{"reader": name, "printed": dict(zip(one.heads, values, strict=True))} for name, values in one.rows]
    data = {"title": one.title, "source": one.paper, "differs": one.differs, "rows": told}
    notes = [*filter(None, [one.differs, one.elsewhere])]
    return Table(f"In the paper: {one.title}", columns(*one.heads), rows, notes, source=one.paper, data=data)


def _printed(reader: str, head: str, value: float | None, paper: str) -> Cell:
    if value is None:
        return Cell()
    return Cell(f"{value:g}", data={"reader": reader, "score": head, "printed": f"{value:g}", "source": paper})


def raters(ratings: Ratings) -> list[tuple[str, Table | None]]:
    """For each kind of rating which models rated how many answers and, of several models, how far they agree."""
    told: list[tuple[str, Table | None]] = []
    for kind in RATING_KINDS:
        by_reading = {run: [one for one in some if one.kind == kind] for run, some in ratings.items()}
        models = dict.fromkeys(one.model for some in by_reading.values() for one in some)
        if models:
            answers = counted(sum(map(bool, by_reading.values())), "answer")
            names = " and ".join(map(catalogue.title, models))
            table = _agreement(agreement_of(by_reading.items(), kind), len(models)) if len(models) > 1 else None
            told.append((f"{RATINGS[kind]}: {answers} rated by {names}.", table))
    return told


def _agreement(found: Sequence[Coefficient], models: int) -> Table:
    cells = [
        Cell(notes=[one.why]) if one.value is None
        else Cell(Figure(one.value, one.low, one.high, "coefficient"), [one.note if one.low is None or one.high is None else ""])
        for one in found
    ]  # fmt: skip
    heads = columns(*(one.name.capitalize() for one in found))
    return Table("How far the raters agree", heads, [Row(f"Agreement of {models} raters", cells)])


def ways(plan: BatchPlan, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What a table calls each reader with its model and options, and these in columns of their own."""
    return {
        name: {
            "reader": one.reader, "model": one.model, "reader_version": str(one.version), "temperature": f"{one.temperature:g}",
            "options": ", ".join(f"{option} {value}" for option, value in sorted(one.options.items())),
        }
        for name, one in zip(names, plan.variants, strict=True)
    }  # fmt: skip


def file_of(
    name: str,
    facts: Sequence[str],
    scored: Scores,
    *,
    papers: Sequence[Recipe] = (),
    measured: Scores | None = None,
    more: Sequence[Table] = (),
    plan: BatchPlan | None = None,
    names: Sequence[str] = (),
) -> Report:
    """What a file has of a batch: its scores, the methods' own figures and `more` tables if they are given, and what papers
    print. The batch's `plan`, whose variants have these `names`, says how the readings were made."""
    elsewhere = {str(cell.data.get("score", "")) for table in more for row in table.rows for cell in row.cells}
    own = [own_figures(measured, without=elsewhere)] if measured else []
    tables = [scores(scored, name=name), *own, *more]
    means = [
        "Means in percent over everything asked; as published, without the readings that a score’s own scorer leaves out.",
        *(["The methods’ own figures are in their units."] if measured else []),
    ]
    about: dict[str, Any] = {"batch": name, "facts": ", ".join(facts)}
    if plan:
        about |= {"samples": plan.samples, "choices": plan.give_choices, "recipe": plan.recipe, "drawn": plan.drawn_in_words}
        tables = [_with_ways(table, ways(plan, names)) for table in tables]
    every = [*tables, *map(printed, papers)]
    return Report(name, facts, every, [*means, ABOUT], about, data={"intervals": ABOUT})


def _with_ways(table: Table, found: Mapping[str, Mapping[str, str]]) -> Table:
    """The table with the reader, the model and the options of each figure in columns of their own in files."""

    def told(cell: Cell) -> Cell:
        name = cell.data.get("reader", "")
        return replace(cell, data={"variant": name, **cell.data, **found[name]}) if name in found else cell

    return replace(table, rows=[replace(row, cells=[told(cell) for cell in row.cells]) for row in table.rows])
