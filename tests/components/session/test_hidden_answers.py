"""The right answer is kept from who notes readings before the codes are open to them, on every page that knows it."""

from __future__ import annotations

import json

import pytest

from components.html.words import wording, work_words
from components.questions import batch as told
from components.session import hidden_answers
from readers import get
from readers.engine.files.runs import export_training
from readers.engine.labels.project import Settings
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchPlan
from readers.engine.run.execute import Execution, RunSpec
from readers.engine.run.jobs import Jobs
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Span
from tests.support.app_pages import html, opened, words
from tests.support.models.scripted_models import parts_of

RIGHT = "Zanzibar"  # nothing says it but what is known
ASKED = "What begins in part 1?"


@pytest.fixture
def made(store: Store) -> tuple[str, str, list[str]]:
    """A question set, a batch of it, and its two readings, which belong to a project that Ann is in at stage 1 and Bob at 3."""
    document = Document.of(parts_of(4).text, title="Parts")
    asked = SetQuestion("q", document.id, ASKED, answers=(RIGHT,), answerable=True, evidence=(Span(0, 9),))
    other = SetQuestion("p", document.id, "And in part 2?", answers=("Part 2 begins here.",), answerable=True)
    kept = store.question_sets.add(QuestionSet("Lamps", (asked, other), (document,)))
    variants = tuple(RunSpec(reader, get(reader).version, "") for reader in ("whole", "memagent"))
    batch = batches.add(store, kept.id, BatchPlan(variants), numbers=[0], readers=get)
    jobs = Jobs()
    batches.start(jobs, batch.id, batches.BatchExecution(get, lambda run: Execution(Offline(), concurrency=1)))
    assert jobs.wait(20)
    runs = [run.id for run in store.batches.runs_of(batch.id)]
    for name, stage in (("Ann", 1), ("Bob", 3)):
        project = store.projects.create(name, Settings(start_stage=stage), runs=runs)
        store.projects.join(project.id, name)
    return kept.id, batch.id, runs


def on_page(page: str, by: str, **asks: str) -> str:
    """A page in a new session of a browser that knows who labels here, and whose address does not say it."""
    with opened(page, cookies={hidden_answers.COOKIE: by}) as app:
        for name, value in asks.items():
            app.query_params[name] = value
        app.run()
        for toggle in app.toggle:
            if toggle.label == "Known answer":
                toggle.set_value(True).run()
        assert not app.exception
        return html(app) + words(app)


@pytest.mark.parametrize(("by", "hidden"), [("Ann", True), ("Bob", False)])
def test_no_page_gives_it_away(by: str, hidden: bool, made: tuple[str, str, list[str]]) -> None:
    kept, batch, runs = made
    trace, batched = on_page("3_Trace", by, run=runs[0]), on_page("5_Questions", by, batch=batch)
    pages = [trace, batched, on_page("5_Questions", by, set=kept), on_page("4_Compare", by, runs=",".join(runs))]
    assert [RIGHT in page for page in pages] == [not hidden] * 4
    assert (wording.KEPT_BACK in trace, wording.KEPT_BACK in batched) == (hidden, hidden)
    assert "Part 2 begins here." in pages[2]  # of this question they have no reading to note


def test_hidden_questions_count_as_nothing_among_grades(made: tuple[str, str, list[str]], store: Store) -> None:
    kept, _, _ = made
    plan = BatchPlan((RunSpec("whole", get("whole").version, ""),))
    batch = batches.add(store, kept, plan, numbers=[0, 1], readers=get)
    jobs = Jobs()
    batches.start(jobs, batch.id, batches.BatchExecution(get, lambda run: Execution(Offline(), concurrency=1)))
    assert jobs.wait(20)
    for by, total, caption in (("Ann", 1, True), ("Bob", 2, False)):
        page = on_page("5_Questions", by, batch=batch.id)
        assert f">{total}</td></tr>" in page
        assert ("1 reading is not counted here" in page) is caption


@pytest.mark.parametrize(("by", "hidden"), [("Ann", True), ("Bob", False)])
def test_no_exported_reading_gives_it_away(
    by: str, hidden: bool, made: tuple[str, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden_answers, "current_name", lambda: by)
    data = hidden_answers.exporter()(made[2][0])
    assert (RIGHT in json.dumps(data)) == (not hidden)
    assert ("known_answer" in data["run"]) == (not hidden)


@pytest.mark.parametrize(("by", "hidden"), [("Ann", True), ("Bob", False)])
def test_no_reading_of_a_hidden_question_is_exported_for_training(
    by: str, hidden: bool, made: tuple[str, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr(export_training, "groups_of", lambda _, found: given.append([one.question.question for one in found]))
    on_page("5_Questions", by, batch=made[1])
    assert given == [[] if hidden else [ASKED, ASKED]]


def test_what_is_kept_from_whom(made: tuple[str, str, list[str]], store: Store) -> None:
    run = store.runs.get(made[2][0])
    assert store.projects.hidden_questions("ANN") == {(run.document, ASKED)}
    assert store.projects.hidden_questions("Bob") == store.projects.hidden_questions("") == frozenset()
    (project,) = (one for one in store.projects.listed() if one.name == "Ann")
    opens = store.turns.upcoming(project.id, "Ann")
    for run_id in opens:
        store.turns.open(project.id, run_id, "Ann")
        store.turns.skip(project.id, run_id, "Ann", reason="too long")
    hidden = store.projects.hidden_questions("Ann")
    assert hidden == {(run.document, ASKED)}  # what was skipped is still a question of the project


def test_a_reading_of_which_nothing_may_be_known_is_not_judged() -> None:
    asked = SetQuestion("q", "d", "Who?", ("a", "b"), ("a",), True, (Span(0, 1),), "from page 3")
    hidden = told.without_answer(asked)
    assert (hidden.answers, hidden.answerable, hidden.evidence, hidden.note) == ((), None, (), "")
    assert (told.right_answer(hidden), work_words.known_answer(hidden)) == ("", "")
    assert work_words.marked_choices(hidden) == [("a", False), ("b", False)]
    run = Run("1", "d", "whole", " Who? ", {}, "finished")
    assert hidden_answers.is_hidden(run, frozenset([("d", "Who?")]))
    assert not hidden_answers.is_hidden(run, frozenset([("e", "Who?")]))
