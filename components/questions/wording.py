"""The words of the Questions page about the readings of a batch and their grades. Pure: nothing is drawn here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from components.html.words import wording
from components.html.words.question_words import short
from components.html.words.wording import Chip
from readers.engine.files.runs.export_training import LeftOut
from readers.engine.questions.answers import letter, right_choices
from readers.engine.questions.grading import WORDS, Grade
from readers.engine.questions.question_set import SetQuestion
from readers.engine.report import values
from readers.engine.run.batches import CellResult
from readers.engine.store.batches import Batch, BatchCell

FAILED, OPEN = "failed", "open"
FILTERS: dict[str, str] = {
    "": "All",
    **{outcome: wording.sentence(words).removesuffix(".") for outcome, words in WORDS.items()},
    FAILED: "Failed or could not start",
    OPEN: "Not finished",
}
BY_RULE = (
    "Graded by rule, as a suggestion: a choice by its letter or words, a free answer by whether it says a known answer. "
    "“Likely” marks what a rule reads from sentences. Annotators make the final decision."
)

BY_WORDS = (
    "By matching words, names and figures: “cannot be told” is what the rules cannot decide. An answer can be right though the "
    "evidence did not stand in the answering call."
)


def training_help(left_out: LeftOut) -> str:
    """What the rows for training are, and how many readings they leave out."""
    what = (
        "A line for each prompt and reply, as JSON: with the reward of its reading, its advantage among the readings of the same "
        "question, and what the step gained."
    )
    return f"{what} {wording.sentence(str(left_out))}".strip() if any(left_out) else what


def reading_name(batch: Batch, names: Sequence[str], cell: BatchCell) -> str:
    """The variant of a reading and, where it reads each question several times, which of these it is."""
    samples = batch.plan.get("samples", 1)
    return f"{names[cell.variant]} · sample {cell.sample + 1} of {samples}" if samples > 1 else names[cell.variant]


def without_answer(asked: SetQuestion) -> SetQuestion:
    """The question without its known answer, for a viewer who must not see it."""
    return replace(asked, answers=(), answerable=None, evidence=(), note="", all_required=False)


def without_grade(result: CellResult) -> CellResult:
    """A result without its grade and known answer, for a viewer who must not see them yet."""
    grade = Grade("not_judgeable", wording.KEPT_BACK) if result.grade else None
    return result._replace(question=without_answer(result.question), grade=grade)


def kept_back(readings: int) -> str:
    """How many readings the table of grades leaves out because their grades are kept from the visitor."""
    are = "1 reading is" if readings == 1 else f"{readings:,} readings are"
    return (
        f"{are} not counted here: you note readings of the same question in a project, so its grades are kept from you for now."
    )


def right_answer(asked: SetQuestion) -> str:
    """The right answer in one line, for a list of readings."""
    if asked.answerable is False:
        return "The text does not answer it"
    letters = [f"({letter(index)}) " for index in right_choices(asked.choices, asked.answers[:1])]
    return f"{letters[0] if letters else ''}{short(asked.answers[0])}" if asked.answers else ""


def result_chip(result: CellResult) -> Chip:
    """The state of one reading of a batch: its grade, if it finished."""
    if result.grade:
        return wording.verdict_chip(result.grade)
    if result.run is None:
        return Chip("!", "could not start", "warn") if result.cell.error else Chip("□", "not read yet", "quiet")
    return wording.state(result.run)


def grade_reason(result: CellResult) -> str:
    """The reason for the grade, or for the failure of the reading."""
    return result.grade.reason if result.grade else wording.sentence(result.problem) if result.problem else ""


def matches_filter(result: CellResult, only: str) -> bool:
    """Whether a result matches the chosen filter (a key of `FILTERS`)."""
    if not only:
        return True
    failed = (result.run is None and bool(result.cell.error)) or (result.run is not None and result.run.status == "failed")
    if only in (FAILED, OPEN):
        return failed if only == FAILED else not failed and result.grade is None
    return result.grade is not None and result.grade.outcome == only


def outcome_table(results: Sequence[CellResult], names: Sequence[str]) -> values.Table:
    """The table of grades by variant. Grades that do not occur have no column."""
    counts = [Counter(one.grade.outcome for one in results if one.grade and one.cell.variant == n) for n in range(len(names))]
    occurring = [outcome for outcome in WORDS if any(one[outcome] for one in counts)]
    heads = values.columns(*(FILTERS[outcome] for outcome in occurring), "Total")
    rows = []
    for name, one in zip(names, counts, strict=True):
        total = one.total()
        cells = [
            values.Cell(f"{one[outcome]:,} ({one[outcome] / total:.0%})") if one[outcome] else values.Cell()
            for outcome in occurring
        ]
        rows.append(values.Row(name, [*cells, values.Cell(f"{total:,}")]))
    return values.Table("How the answers were judged", heads, rows)
