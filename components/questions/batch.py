"""One batch on the Questions page: its progress, the grades of its answers, and its readings.

A viewer who may not see a known answer yet does not see its grades either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st
from markupsafe import Markup

from components.html import markup
from components.html.evidence_flow import FlowChoice
from components.html.words import wording
from components.html.words.reading_words import title_of
from components.html.words.wording import Chip
from components.html.words.work_words import short
from components.questions import fates
from components.session import access, address, database, flash, hidden_answers, start_runs, state
from components.widgets import reading_links, report
from components.widgets.progress import show_batch
from readers.engine.files.runs import export_training
from readers.engine.questions.answers import letter, right_choices
from readers.engine.questions.grading import WORDS, Grade
from readers.engine.questions.question_set import SetQuestion
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan, CellResult
from readers.engine.store.batches import Batch, BatchCell
from readers.engine.text.phrases import percent

PAGE = "pages/5_Questions.py"
A_PAGE = 20
FAILED, OPEN = "failed", "open"
FILTERS: dict[str, str] = {
    "": "All",
    **{outcome: wording.sentence(words).removesuffix(".") for outcome, words in WORDS.items()},
    FAILED: "Failed or could not start",
    OPEN: "Not finished",
}
BY_RULE = (
    "Rules suggest these grades: a choice is recognised by its letter or words, a free answer by whether it states a known "
    "answer. “Likely” means that the rule had to interpret a sentence. Annotators make the final decision."
)


def show(batch_id: str, make_project: Callable[[str], None] | None) -> None:
    """Draw the batch. Raises NotFound."""
    with access.opened() as store:
        batch = store.batches.get(batch_id)
        progress = batches.progress(store, batch.id)
        name = next((one.name for one in store.question_sets.listed() if one.id == batch.question_set), "")
    running = start_runs.is_batch_running(batch.id, progress)
    with st.container(key="batch-head", horizontal=True, vertical_alignment="center"):
        st.html(markup.section("", batch.name, hint=wording.ago(batch.created, datetime.now(UTC))))
        if name:
            st.page_link(
                PAGE, label=markup.plain(f"Question set: {name}"), query_params=address.to_question_set(batch.question_set)
            )
        _delete(batch, running=running)
    show_batch(batch, progress)
    with access.opened() as store:
        found = batches.results(store, batch)
        titles = store.question_sets.documents(batch.question_set)
        hidden = hidden_answers.hidden_questions(store)
    seen = [one for one in found if not hidden_answers.is_hidden(one.question, hidden)]
    found = [without_grade(one) if hidden_answers.is_hidden(one.question, hidden) else one for one in found]
    names = batches.variant_names(BatchPlan.of(batch.plan), title_of)
    if any(one.grade for one in found):
        _grades(found, seen, names)
    with st.container(key="batch-acts", horizontal=True, gap="small"):
        if progress.done:
            st.page_link(
                "pages/6_Evaluate.py", label="Evaluate", query_params=address.to_batch(batch.id),
                help="Scores with intervals, readers compared in pairs, and their cost.",
            )  # fmt: skip
        label = make_project and progress.done and st.button(
            "Label these readings", key=state.key("batch_project", batch.id),
            help="Create a project in which people label where each of these readings went wrong.",
        )  # fmt: skip
        _training(batch, seen)
        if progress.done:
            reading_links.offer_site(batch.id, batch=batch.id)
    if make_project and label:
        make_project(batch.id)
    chosen = fates.show(batch, found, names)
    if chosen and make_project:
        reading_links.label_button(chosen.runs, chosen.name, key=state.key("batch_project", "chosen"), make_project=make_project)
    _readings(batch, found, names, titles=titles, chosen=chosen)


def _grades(found: Sequence[CellResult], seen: Sequence[CellResult], names: Sequence[str]) -> None:
    """The grades by variant, of the readings whose grades the visitor may see (`seen`); the others are not counted."""
    st.html(markup.section("", "Grades"))
    if any(one.grade for one in seen):
        report.draw(outcome_table(seen, names))
        st.caption(BY_RULE)
    if kept := sum(one.grade is not None for one in found) - sum(one.grade is not None for one in seen):
        st.caption(_kept_back(kept))


def _kept_back(readings: int) -> str:
    """How many readings the table of grades leaves out because their grades are kept from the visitor."""
    are = "1 reading is" if readings == 1 else f"{readings:,} readings are"
    return (
        f"{are} not counted here: you note readings of the same question in a project, so its grades are kept from you for now."
    )


def _training(batch: Batch, results: Sequence[CellResult]) -> None:
    """The download of the readings that have a reward, as rows for training, written on request."""
    groups = export_training.groups_of(batch.id, results)
    if not groups:
        return
    visitor = access.visitor()

    def made() -> str:
        with database.opened(visitor) as store:
            return "".join(export_training.lines(store, groups, shape="training"))

    st.download_button(
        "Download for training", made, file_name=f"training-{batch.id}.jsonl", mime="application/jsonl", on_click="ignore",
        key=state.key("batch_training", batch.id), help=_training_help(export_training.left_out(results)),
    )  # fmt: skip


def _training_help(left_out: export_training.LeftOut) -> str:
    """What the rows for training are, and how many readings they leave out."""
    what = (
        "A line for each prompt and reply, as JSON: with the reward of its reading, its advantage among the readings of the same "
        "question, and what the step gained."
    )
    return f"{what} {wording.sentence(str(left_out))}".strip() if any(left_out) else what


def _delete(batch: Batch, *, running: bool) -> None:
    if not access.may_change(batch.id):
        return
    with st.popover("Delete …"):
        st.markdown("Delete this batch? Its readings stay on the page Readings.")
        if running:
            st.caption("The batch is running. Cancel it first.")
        st.button(
            "Delete",
            disabled=running,
            key=state.key("batch_delete", batch.id),
            on_click=_delete_now,
            args=(batch,),
        )


def _delete_now(batch: Batch) -> None:
    flash.act(lambda: access.delete_batch(batch.id), f"Deleted “{batch.name}”; its readings stay.")


# Its readings


def _readings(
    batch: Batch, found: Sequence[CellResult], names: Sequence[str], *, titles: dict[str, str], chosen: FlowChoice | None
) -> None:
    """The readings of the batch, or those chosen by what became of their evidence."""
    if chosen:
        found = [one for one in found if one.cell.run in set(chosen.runs)]
    hint = f"{wording.count(len(found))}: {chosen.name}" if chosen else wording.count(len(found))
    st.html(markup.section("", "Readings", hint=hint))
    counts = {only: sum(matches_filter(one, only) for one in found) for only in FILTERS}
    options = [only for only in FILTERS if counts[only] or not only]
    only = st.selectbox(
        "Show", options, format_func=lambda only: f"{FILTERS[only]} ({counts[only]:,})", width=340,
        key=state.key("batch_only", batch.id, *([state.short_hash(chosen.key)] if chosen else [])),
    )  # fmt: skip
    rows = [one for one in found if matches_filter(one, only or "")]
    box = st.container(key="batch-readings", gap=None)
    here = report.part(rows, A_PAGE, "batch_page", batch.id, only)
    with box:
        for one in here:
            _row(one, _reading_name(batch, names, one.cell), titles)


def _reading_name(batch: Batch, names: Sequence[str], cell: BatchCell) -> str:
    """The variant of a reading and, where it reads each question several times, which of these it is."""
    samples = batch.plan.get("samples", 1)
    return f"{names[cell.variant]} · sample {cell.sample + 1} of {samples}" if samples > 1 else names[cell.variant]


def _row(one: CellResult, name: str, titles: dict[str, str]) -> None:
    asked, run, at = one.question, one.run, f"{one.cell.number}-{one.cell.variant}-{one.cell.sample}"
    answer = short(run.answer or "") if run else ""
    facts = [name, titles.get(asked.document, "its text was deleted")]
    why = grade_reason(one)
    with st.container(key=f"reading-{at}", horizontal=True, gap="small"):
        with st.container(key=f"listed-{at}", gap=None):
            if run:
                st.page_link("pages/3_Trace.py", label=markup.plain(asked.question), query_params=address.to_trace(run.id))
            st.html(markup.listed_reading("" if run else asked.question, answer, facts, ()))
            st.html(_graded(right_answer(asked), why))
        st.html(markup.standing(result_chip(one)), width="content")


def _graded(right: str, why: str) -> Markup:
    """The known answer of a question, and the rule's grade of a reading's answer."""
    known = Markup('<p class="known-words"><span aria-hidden="true">◆</span> <b>Known answer:</b> {}</p>').format(right)
    return Markup('<div class="graded">{}{}</div>').format(known if right else "", Markup("<p>{}</p>").format(why) if why else "")


# The words about a reading


def without_answer(asked: SetQuestion) -> SetQuestion:
    """The question without its known answer, for a viewer who must not see it."""
    return replace(asked, answers=(), answerable=None, evidence=(), note="", all_required=False)


def without_grade(result: CellResult) -> CellResult:
    """A result without its grade and known answer, for a viewer who must not see them yet."""
    grade = Grade("not_judgeable", wording.KEPT_BACK) if result.grade else None
    return result._replace(question=without_answer(result.question), grade=grade)


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


def outcome_table(results: Sequence[CellResult], names: Sequence[str]) -> Table:
    """The table of grades by variant. Grades that do not occur have no column."""
    counts = [Counter(one.grade.outcome for one in results if one.grade and one.cell.variant == n) for n in range(len(names))]
    occurring = [outcome for outcome in WORDS if any(one[outcome] for one in counts)]
    heads = columns(*(FILTERS[outcome] for outcome in occurring), "Total")
    rows = []
    for name, one in zip(names, counts, strict=True):
        total = one.total()
        cells = [Cell(f"{one[outcome]:,} ({percent(one[outcome] / total)})") if one[outcome] else Cell() for outcome in occurring]
        rows.append(Row(name, [*cells, Cell(f"{total:,}")]))
    return Table("How the answers were judged", heads, rows)
