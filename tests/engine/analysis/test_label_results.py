"""What the labels of a project say as tables: whose codes count, broader codes, times; and whole readings by every grouping."""

from __future__ import annotations

import pytest

from components.annotate.cache import kind_title
from components.html.words.reading_words import title_of
from readers.engine.analysis import label_results, visible_labels
from readers.engine.analysis.label_results import ANNOTATORS, NOT_GIVEN, READERS, TURNING, QuestionFacts, Results, Rule
from readers.engine.analysis.visible_labels import VisibleLabels, load
from readers.engine.labels import codebook, saturation
from readers.engine.labels.codes import Code
from readers.engine.labels.counts import ALL, BEGINNING, LabelledRun
from readers.engine.labels.label import Decision
from readers.engine.labels.project import HOST, Project
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField
from readers.engine.report.values import Table
from readers.engine.store import Store
from readers.engine.text.document import Span
from tests.support import labelled_projects
from tests.support.labelled_projects import code, done, field, keep
from tests.support.labels import HOSTILE

Made = tuple[Store, Project, tuple[str, ...]]


def seen_by(store: Store, project: Project, name: str) -> VisibleLabels:
    return load(store, project, store.projects.viewer(project.id, name))


def about(store: Store, visible: VisibleLabels) -> list[LabelledRun]:
    return visible_labels.about_readings(store, visible)


# Codes of steps


def results(store: Store, project: Project, rule: Rule = "any", *, by: str = "Lea") -> Results:
    visible = seen_by(store, project, by)
    return label_results.results(visible, about(store, visible), rule, reader_title=title_of, kind_title=kind_title)


def rows(table: Table) -> dict[str, str]:
    return {row.key: row.name for row in table.rows}


@pytest.fixture
def lamps(store: Store) -> Made:
    return store, *labelled_projects.differing(store)


def test_the_rule_decides_which_codes_count(lamps: Made) -> None:
    store, where, runs = lamps
    assert set(rows(results(store, where, "any").tables["reader"])) == {"N1", "N2", "B2"}
    assert set(rows(results(store, where, "all").tables["reader"])) == {"N1", "B2"}
    store.decisions.decide(Decision(where.id, runs[0], {"step": 4}, {"codes": ["N2", "R1"]}, "So.", "Lea"), 0)
    decided = results(store, where, "decided")
    assert set(rows(decided.tables["reader"])) == {"N1", "N2", "B2", "R1"}
    assert decided.tables["reader"].at("N2", ALL).runs == (runs[0],)
    assert decided.undecided == 1
    assert set(rows(results(store, where, "any").tables["reader"])) == {"N1", "N2", "B2"}
    assert label_results.rule_of("x", any_decided=False) == "any"


def test_a_broader_code_counts_what_stands_under_it_and_says_so(lamps: Made) -> None:
    store, where, runs = lamps
    before = results(store, where).tables["reader"]
    assert before.at("N2", ALL).runs == runs[:2]
    book = codebook.from_json(1, store.codebooks.versions(where.id, HOST)[0].codes).redefine("N1", {"parent": "N2"}, why="x")
    store.codebooks.add(where.id, book, HOST)
    after = results(store, where)
    table = after.tables["reader"]
    assert rows(table)["N2"] == f"{book.get('N2').called}, with 1 under it"
    assert set(table.at("N2", ALL).runs) == set(runs)
    assert table.at("N1", ALL).runs == before.at("N1", ALL).runs
    assert label_results.first_steps(seen_by(store, where, "Lea"), ["reader", "N2", ALL])[runs[5]] == 4
    assert ("N1", "N2") in {(pair.one, pair.other) for pair in after.pairs}, "pairs are of the codes as they were given"


def test_turns_times_and_saturation(lamps: Made) -> None:
    store, where, runs = lamps
    made = results(store, where)
    assert made.tables[TURNING].at(BEGINNING, "build").runs == (runs[0],)
    assert ("walk", "Looking for the answer") in [(one.key, one.name) for one in made.tables[TURNING].columns]
    times = made.tables[ANNOTATORS]
    assert [str(times.at(name, "median").content) for name in ("Ada", "Ben")] == ["3 min 30 s", "2 min 30 s"]
    assert times.at("Ada", "total").runs == runs[::-1]
    assert list(rows(made.tables[READERS])) == ["MemAgent", "MemWalker", "ReadAgent"]
    assert made.saturation == saturation.saturation([["N1", "N2", "B2"], *[["N1", "B2"]] * 5])._replace(
        which=made.saturation.which
    )


def test_an_annotator_counts_only_what_they_may_see(lamps: Made) -> None:
    store, where, runs = lamps
    keep(store, where, [field(where, runs[1], "Cai", "outcome", "wrong")], [done(where, runs[1], "Cai")])
    made = results(store, where, by="Cai")
    assert made.readings == 1
    cells = [cell for table in made.tables.values() for row in table.rows for cell in row.cells]
    assert {run for cell in cells for run in cell.runs} == {runs[1]}


def test_hostile_codes_and_names_stay_as_they_are(store: Store) -> None:
    evil = "<img src=x onerror=alert(1)>"
    book = codebook.Codebook((Code("=1", evil), Code("<b>2", HOSTILE[0])))
    where = labelled_projects.project(store, 1, names=(evil,), book=book)
    (run,) = store.projects.readings(where.id)
    keep(store, where, [code(where, run, evil, 2, code=one) for one in ("=1", "<b>2", "gone")], [done(where, run, evil)])
    tables = results(store, where).tables
    assert rows(tables["reader"]) == {"=1": f"=1 {evil}", "<b>2": f"<b>2 {HOSTILE[0]}", "gone": "gone"}
    assert rows(tables[ANNOTATORS]) == {evil: evil}


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("walk: root", "Looking for the answer: the whole text"),
        ("build: level", "Preparing the text: summaries"),
        ("look-up: request", "Looking pages up: the pages it asks for"),
        ("unknown step", "Unknown step"),
    ],
)
def test_a_kind_of_step_is_named_in_words(kind: str, title: str) -> None:
    assert kind_title(kind) == title


# Whole readings


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


def found(store: Store, where: Project, facts: dict[str, QuestionFacts]) -> label_results.LabelResults:
    visible = seen_by(store, where, "Lea")
    return label_results.found(visible, about(store, visible), facts, reader_title=title_of)


def names(made: label_results.LabelResults, subject: str, by: str) -> list[str]:
    return [one.name for one in made.table(subject, by, kind_title=kind_title).columns]


def test_tables_by_every_grouping_with_all_readings_first(store: Store) -> None:
    where, runs = project(store)
    kinds = [(QuestionField("type", "bridge"), QuestionField("id", f"{n}")) if n < 4 else () for n in range(6)]
    facts = {run: QuestionFacts(kinds[n], 1_500 if n < 3 else 40_000, KNOWN, GRADES[n]) for n, run in enumerate(runs)}
    made = found(store, where, facts)
    assert list(made.groupings) == ["reader", "model", "both", "length", "field type", "field id", "certainty"]
    assert names(made, "outcome", "certainty") == ["All", "Certain", "Likely", "Cannot tell"]
    assert made.certain == {("wrong", "wrong"): (runs[0],), ("correct", "wrong"): ()}
    table = made.table("outcome", "field type", kind_title=kind_title)
    assert names(made, "outcome", "field type") == ["All", "bridge", NOT_GIVEN]
    assert table.at("wrong", ALL).runs == runs[::2]
    assert str(table.at("correct", NOT_GIVEN).content) == "1 of 2"
    assert names(made, "fate", "length") == ["All", "up to 2K", "up to 64K"]
    decisive = made.table("decisive", "reader", kind_title=kind_title)
    assert [row.name for row in decisive.rows] == ["Preparing the text", "Answering"]
    assert made.beside_rule.pairs == {("wrong", "wrong"): (runs[0], runs[2]), ("correct", "wrong"): (runs[1],)}
    assert len(made.beside_rule.silent) == 3


def test_a_field_that_differs_from_question_to_question_is_no_grouping(store: Store) -> None:
    where, runs = project(store)
    facts = {run: QuestionFacts((QuestionField("split", "dev"), QuestionField("id", run * 3)), 0) for run in runs}
    assert [key for key in found(store, where, facts).groupings if key.startswith("field")] == ["field id"]


def test_readings_of_questions_with_distractors_are_told_from_others(store: Store) -> None:
    where, runs = project(store)
    known = [KnownAnswer(answers=("Nobody",), distractors=(Span(0, 3),) if n == 0 else ()) for n in range(6)]
    facts = {run: QuestionFacts((), 0, known[n] if n < 5 else None) for n, run in enumerate(runs)}
    table = found(store, where, facts).table("outcome", "distractors", kind_title=kind_title)
    assert [(one.name, one.note) for one in table.columns] == [("All", "6 readings"), ("no", "4 readings"), ("yes", "1 reading")]
