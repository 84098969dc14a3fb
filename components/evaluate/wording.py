"""The words of the Evaluate page: scores with their intervals, who is ahead, and what is not in the figures. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from components.html.words import wording
from readers.engine.analysis.evaluate import ABOUT, FIGURES, Cell, Comparison, Spread, Table
from readers.engine.analysis.evaluate.evaluated import LENGTH, Evaluation
from readers.engine.analysis.evaluate.rated import Raters
from readers.engine.files.tables.export_table import between, mean, percent, title
from readers.engine.forks.rate_many import RatingPlan
from readers.engine.forks.rater import RatingKind
from readers.engine.models import catalogue
from readers.engine.questions.recipes import Recipe
from readers.engine.run.batches import BatchPlan, variant_names
from readers.engine.store.question_sets import ListedSet

MOST_NAMED = 3  # pairs in a sentence
ABOUT_TABLE = (
    f"Means in percent over everything asked: a question without an answer counts 0. The small figures are intervals. {ABOUT}"
)
ABOUT_PAIRS = (
    "On the questions that both were asked. A reader is called ahead only if the interval of the difference leaves out 0 and, "
    "for scores of right and wrong, McNemar’s exact test agrees at 0.05, corrected for the number of pairs."
)
ABOUT_COSTS = "Means over readings; calls that earlier readings had answered cost nothing and are not counted."
ABOUT_FIGURES = (
    "Means over the readings that have the figure, failed ones included; the small figures are 95 % intervals, as in the table "
    "of scores. A dash: no reading has it."
)
ABOUT_RATING = (
    "A language model says how far each answer agrees with the known one. Every rating is an experiment with its reading, and is "
    "on record there. Models differ as raters: let two of them rate, and look at how far they agree."
)
RATINGS: Mapping[RatingKind, str] = {"lr": "LR-1 and LR-2", "helmet": "HELMET’s judge"}
ABOUT_BARS = "Error bars are 95 % intervals, as in the table; a mean of fewer than five texts has none."
ABOUT_DEPTH = (
    "The mean score of the readings whose evidence begins in that fifth of the text, all readers together; n is their number."
)
NOTHING = "No reading of this batch has come to an end on a question whose answer is known."
NO_SET_YET = "No question set yet. Give a benchmark’s own file, or questions of your own, and let readers answer them."
NO_COLUMN = "None of the chosen columns applies to these questions."
AGAINST = {
    "length": "Length of the text", "calls": "Calls", "tokens": "Tokens", "cost": "Cost", "seconds": "Time",
    "depth": "Depth by length",
}  # fmt: skip
UNITS = {"calls": "calls a reading", "tokens": "tokens a reading", "cost": "dollars a reading", "seconds": "seconds a reading"}


def set_name(listed: ListedSet) -> str:
    """A question set in a list to choose from."""
    return f"{listed.name} ({wording.count(listed.questions, 'question')} on {wording.count(listed.documents, 'text')})"


def recipe_name(one: Recipe, benchmarks: Collection[str]) -> str:
    """A recipe in a list to choose from; for other questions than these, whose it is."""
    return one.title if one.fits(benchmarks) else f"{one.title} (for {', '.join(one.benchmarks)})"


def about_recipe(one: Recipe, benchmarks: Collection[str]) -> list[str]:
    """What to know of a recipe before its readers read these questions."""
    return list(filter(None, [f"{one.paper}. {one.differs}", one.other_data(benchmarks)]))


def short_names(plan: BatchPlan, title: Callable[[str], str]) -> list[str]:
    """What the variants of a batch are called in its tables: their readers alone, where these tell them apart."""
    readers = [title(one.reader) for one in plan.variants]
    return readers if len({*readers}) == len(readers) else variant_names(plan, title)


def models(plan: BatchPlan) -> str:
    """The models that read a batch."""
    return ", ".join(dict.fromkeys(catalogue.title(one.model) for one in plan.variants))


def facts(found: Evaluation) -> list[str]:
    """How many readings are in the figures, of how many questions and texts, and which are not and why."""
    return [
        wording.count(len(found.readings)),
        wording.count(len({one.number for one in found.readings}), "question"),
        wording.count(len({one.question.document for one in found.readings}), "text"),
        *found.not_counted(),
    ]


def traps(table: Table) -> list[str]:
    """What makes the published scores differ where the difference can be seen, with how many readings each touches."""
    counts: dict[str, Counter[str]] = {}
    for cell in table.cells.values():
        if published(cell):
            for trap, number in cell.traps.items():
                counts.setdefault(trap, Counter())[cell.score] += number
    touched = {
        trap: [f"{title(score)} ({wording.count(found[score])})" for score in table.scores if found[score]]
        for trap, found in counts.items()
    }
    return [f"{trap[0].upper()}{trap[1:]}: {', '.join(scores)}." for trap, scores in touched.items()]


def score_heads(table: Table, questions: int) -> list[str]:
    """What each score is called and, where it does not apply to all questions, to how many it does, in a second line."""
    heads = []
    for score in table.scores:
        scored = max(cell.asked.questions for cell in table.cells.values() if cell.score == score)
        part = f"\n{scored:,} of {wording.count(questions, 'question')}" if scored < questions else ""
        heads.append(title(score) + part)
    return heads


def published(cell: Cell) -> str:
    """The score as published, where that is another once both are rounded."""
    return f"as published {percent(cell.published)}" if percent(cell.published) != percent(cell.asked) else ""


def ahead(one: Comparison) -> str:
    """Which of two readers is ahead, in words that claim no more than is shown."""
    if one.difference.value is None:
        return one.why
    name = {"first": one.first, "second": one.second}.get(one.ahead)
    return f"{name} is ahead" if name else one.difference.note or "open"


def difference(one: Comparison) -> str:
    """The difference in points with its interval."""
    found = one.difference
    if found.value is None:
        return "–"
    between = "" if found.low is None or found.high is None else f" ({100 * found.low:+.1f} to {100 * found.high:+.1f})"
    return f"{100 * found.value:+.1f}{between}"


def probability(value: float | None) -> str:
    """A probability with three decimals."""
    return "–" if value is None else "under 0.001" if value < 0.001 else f"{value:.3f}"


def pairs_told(found: Sequence[Comparison]) -> str:
    """How many of the pairs have a reader ahead, in a sentence."""
    decided = [one for one in found if one.ahead != "open"]
    if not decided:
        return f"Of {wording.count(len(found), 'pair')} no reader is ahead of the other beyond chance."
    named = "; ".join(one.sentence for one in decided[:MOST_NAMED])
    more = f"; and {len(decided) - MOST_NAMED:,} more" if len(decided) > MOST_NAMED else ""
    have = "has" if len(decided) == 1 else "have"
    return f"Of {wording.count(len(found), 'pair')} {len(decided):,} {have} a reader ahead: {named}{more}."


def pairs_table(found: Sequence[Comparison]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The pairs of readers: headings and rows, those with a reader ahead first."""
    heads = ["", "Difference in points", "Right alone", "McNemar", "Corrected", "Ahead"]
    ordered = sorted(found, key=lambda one: (one.ahead == "open", -abs(one.difference.value or 0.0)))
    rows = [
        (
            f"{one.first} against {one.second}",
            [
                difference(one), "–" if one.only_first is None else f"{one.only_first:,} and {one.only_second:,}",
                probability(one.p), probability(one.corrected), ahead(one),
            ],
        )
        for one in ordered
    ]  # fmt: skip
    return heads, rows


def spread(one: Spread) -> str:
    """How far a reader's score moves between repeats, in a sentence."""
    return (
        f"{one.reader}: {100 * one.low:.1f} to {100 * one.high:.1f} over {len(one.by_repeat)} repeats of "
        f"{wording.count(one.questions, 'question')} (standard deviation {100 * one.deviation:.1f}); "
        f"{wording.count(one.changed, 'question')} did not come out the same each time."
    )


def printed(figure: float | None) -> str:
    """A figure as a paper prints it; a dash for none."""
    return "–" if figure is None else f"{figure:g}"


def figures_table(table: Table) -> tuple[list[str], list[tuple[str, list[tuple[str, str, str]]]], dict[str, str]]:
    """Figures by readers: headings; rows, each cell a mean, its interval, and how many readings have the figure where not all
    that the reader has do; and by figure the paper that reports it."""
    rows, sources = [], {}
    for name in table.scores:
        cells = [table.cell(reader, name) for reader in table.readers]
        sources[title(name)] = FIGURES[name].source
        rows.append((title(name), [_figure(cell) for cell in cells]))
    return ["", *table.readers], rows, sources


def _figure(cell: Cell | None) -> tuple[str, str, str]:
    if cell is None:
        return "–", "", ""
    return mean(cell), between(cell), f"of {wording.count(cell.asked.of)}" if cell.unscored else ""


def not_followed(number: int) -> str:
    return f"The evidence of {wording.count(number)} has not been followed yet; the figures of evidence are without them."


def slice_name(by: str) -> str:
    return "length of the text" if by == LENGTH else by.replace("_", " ")


def raters(found: Raters) -> str:
    """Which models rated how many answers."""
    models = " and ".join(map(catalogue.title, found.models))
    return f"{RATINGS[found.kind]}: {wording.count(found.answers, 'answer')} rated by {models}."


def agreement_table(found: Raters) -> tuple[list[str], list[tuple[str, list[tuple[str, str]]]]]:
    """How far several raters agree: headings, and a row of figures with their intervals."""
    heads = ["", *(one.name.capitalize() for one in found.agreement)]
    cells = [
        ("–", one.why) if one.value is None
        else (f"{one.value:.2f}", one.note if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}")
        for one in found.agreement
    ]  # fmt: skip
    return heads, [(f"Agreement of {len(found.models)} raters", cells)]


def rating_facts(planned: RatingPlan, model: str) -> list[str]:
    """How far a model is in rating."""
    return [f"{model} has rated {planned.done:,} of {wording.count(round(planned.work.of or 0), 'answer')}"]


def rate_label(planned: RatingPlan, price: str) -> str:
    """What the button says: what is left, with its price."""
    resumed = f"resume {wording.count(len(planned.stopped), 'rating')}" if planned.stopped else ""
    rated = ""
    if planned.new:
        rated = f"rate {wording.count(len(planned.new), 'answer')}: {price}"
    told = ", ".join(filter(None, (resumed, rated)))
    return told[:1].upper() + told[1:]
