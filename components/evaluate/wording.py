"""The words of the Evaluate page around its tables. What the tables say is in `engine/analysis/evaluate/report.py`. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection

from components.html.words import wording
from readers.engine.forks.rater import RatingPlan
from readers.engine.models import catalogue
from readers.engine.questions.recipes import Recipe
from readers.engine.run.batches import BatchPlan, variant_names
from readers.engine.statistics.intervals import ABOUT
from readers.engine.store.question_sets import ListedSet

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


def not_followed(number: int) -> str:
    return f"The evidence of {wording.count(number)} has not been followed yet; the figures of evidence are without them."


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
