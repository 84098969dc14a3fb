"""What was found in whole readings, as tables by reader, model, length and question field, and as figures."""

from __future__ import annotations

from typing import Any

from components.annotate.results import asked, figures
from components.annotate.results.asked import DIFFER, NOT_GIVEN, QuestionFacts
from components.annotate.results.tables import ALL
from readers.engine.analysis import visible_labels
from readers.engine.analysis.visible_labels import load
from readers.engine.labels.project import Project
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField
from readers.engine.store import Store
from readers.engine.text.document import Span
from tests.support import labelled_projects
from tests.support.app_pages import html
from tests.support.labelled_projects import done, field, keep

KNOWN = KnownAnswer(answers=("Nobody",))
GRADES = [Grade("wrong", ""), *[Grade("wrong", "", certainty="likely")] * 2, *[Grade("not_judgeable", "")] * 3]


def project(store: Store) -> tuple[Project, tuple[str, ...]]:
    """Six readings; the even ones wrong, the odd ones right, each by one annotator."""
    where = labelled_projects.project(store, 6, names=("Ada",))
    runs = store.projects.readings(where.id)
    values = [(run, "wrong" if n % 2 == 0 else "correct", "unused" if n == 0 else "not_chosen") for n, run in enumerate(runs)]
    labels = [
        field(where, run, "Ada", name, value) for run, one, fate in values for name, value in (("outcome", one), ("fate", fate))
    ]
    labels += [
        field(where, run, "Ada", "decisive", {"step": 1 + 11 * (n > 2), "confidence": 2, "words": ""})
        for n, run in enumerate(runs)
    ]
    keep(store, where, labels, [done(where, run, "Ada") for run in runs])
    return where, runs


def found(store: Store, where: Project, facts: dict[str, QuestionFacts]) -> asked.Found:
    visible = load(store, where, store.projects.viewer(where.id, "Lea"))
    about = visible_labels.about_readings(
        visible.runs.values(), lambda run: visible_labels.step_kinds(store.runs.tape(run.id).events())
    )
    return asked.found(visible, about, facts)


def test_tables_by_every_grouping_with_all_readings_first(store: Store) -> None:
    where, runs = project(store)
    kinds = [(QuestionField("type", "bridge"), QuestionField("id", f"{n}")) if n < 4 else () for n in range(6)]
    facts = {run: QuestionFacts(kinds[n], 1_500 if n < 3 else 40_000, KNOWN, GRADES[n]) for n, run in enumerate(runs)}
    made = found(store, where, facts)
    assert list(made.groupings) == ["reader", "model", "length", "field type", "field id", "certainty"]
    assert [name for _, name, _ in made.grid("outcome", "certainty").columns] == ["All", "Certain", "Likely", "Cannot tell"]
    assert made.certain == {("wrong", "wrong"): (runs[0],), ("correct", "wrong"): ()}
    grid = made.grid("outcome", "field type")
    assert [name for _, name, _ in grid.columns] == ["All", "bridge", NOT_GIVEN]
    assert grid.cells["wrong", ALL].runs == runs[::2]
    assert grid.cells["correct", NOT_GIVEN].text == "1 of 2"
    assert [name for _, name, _ in made.grid("fate", "length").columns] == ["All", "up to 2K", "up to 64K"]
    assert [name for _, name in made.grid("decisive", "reader").rows] == [
        "Preparing the text",
        "Answering",
    ]
    rule = asked.rule_grid("outcome", made.beside_rule)
    assert rule.cells["wrong", "wrong"].runs == (runs[0], runs[2])
    assert rule.cells["correct", "wrong"].runs == (runs[1],)
    assert rule.cells[ALL, "wrong"].text == "3"
    assert rule.cells[ALL, DIFFER].runs == rule.cells["correct", DIFFER].runs == (runs[1],)
    assert rule.notes[runs[1]] == "people: Correct · rule: Wrong"
    assert len(made.beside_rule.silent) == 3


def test_a_field_that_differs_from_question_to_question_is_no_grouping(store: Store) -> None:
    where, runs = project(store)
    facts = {run: QuestionFacts((QuestionField("split", "dev"), QuestionField("id", run * 3)), 0) for run in runs}
    assert [key for key in found(store, where, facts).groupings if key.startswith("field")] == ["field id"]


def test_readings_of_questions_with_distractors_are_told_from_others(store: Store) -> None:
    where, runs = project(store)
    known = [KnownAnswer(answers=("Nobody",), distractors=(Span(0, 3),) if n == 0 else ()) for n in range(6)]
    facts = {run: QuestionFacts((), 0, known[n] if n < 5 else None) for n, run in enumerate(runs)}
    grid = found(store, where, facts).grid("outcome", "distractors")
    assert [(name, note) for _, name, note in grid.columns] == [("All", "6 readings"), ("no", "4 readings"), ("yes", "1 reading")]


def test_a_figure_has_its_numbers_and_takes_no_markup_from_names() -> None:
    link = '<a href="https://example.org">x</a>'
    figure: dict[str, Any] = figures.stacked(
        [link, "b"], [figures.Segments(link, "lost", (2, 0)), figures.Segments("Right", "raw", (1, 3))], "dark"
    )
    assert "<" not in str(figure["data"]).replace("<extra></extra>", "")
    assert [bar["x"] for bar in figure["data"]] == [[2, 0], [1, 3]]
    assert figure["layout"]["legend"]["traceorder"] == "normal"
    assert figure["data"][1]["text"] == ["1 Right", "3 Right"]
    assert figure["layout"]["xaxis"]["dtick"] == 1  # no halves, which would be written as the same whole number twice
    many: dict[str, Any] = figures.stacked(["b"], [figures.Segments("Right", "raw", (900,))], "dark")
    assert "dtick" not in many["layout"]["xaxis"]
    share: dict[str, Any] = figures.shares([link, "b"], ["one", link], {(0, 0): 0.25, (1, 1): 1.0}, "light")
    assert share["data"][0]["text"] == [["25%", ""], ["", "100%"]]
    assert "<" not in str(share)
    square = figures.together([link, "b", "c"], {(0, 1): 3, (1, 2): 1}, "light")
    assert square["data"][0]["z"] == [[None, None, None], [3, None, None], [0, 1, None]]
    assert "<" not in str(square)


def test_results_begin_with_what_was_found_and_name_what_is_left_out(store: Store) -> None:
    where, _ = project(store)
    drawn = labelled_projects.page(where, "Lea", "results")
    assert not drawn.exception
    shown = html(drawn)
    assert shown.index("What was found") < shown.index("Under this rule, no step")
    assert "What the rule says beside what people say" not in shown  # nobody knows the right answers
    assert [box.label for box in drawn.selectbox][1:3] == ["What was found", "By"]
