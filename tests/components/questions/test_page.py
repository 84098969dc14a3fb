"""The Questions page: sets taken in or refused, read as a batch at a price, stopped and gone on with; and what a demo allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from html import escape
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.html.words import work_words
from components.session import access, demos, process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.widgets import evidence_fates
from components.widgets.start import import_questions
from readers import get
from readers.engine.analysis.facts import evidence
from readers.engine.errors import BadFile, BadOptions, LimitReached, NotFound
from readers.engine.models import catalogue
from readers.engine.models.call import ServedModel
from readers.engine.questions.question_importer import Problem
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan
from readers.engine.run.execute import RunSpec
from readers.engine.run.part_sizes import TextLength, suited
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Span
from tests.support.app_pages import html, links, opened, run, words
from tests.support.models.scripted_models import parts_of
from tests.support.readings.batches import read

HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) $y^2$ :red[z] <script>"
WHOLE = RunSpec("whole", get("whole").version, "")


def put(store: Store, count: int = 3, *, title: str = "Parts", **known: Any) -> str:
    document = Document(title, parts_of(4).text)
    asked = [SetQuestion(f"q{n}", document.id, f"What begins in part {n}?", **known) for n in range(count)]
    return store.question_sets.add(QuestionSet("Lamps", tuple(asked), (document,))).id


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("5_Questions") as app:
        yield app


def button(app: AppTest, label: str) -> Any:
    return next(button for button in app.button if button.label.startswith(label))


def press(app: AppTest, label: str) -> None:
    button(app, label).click().run()
    assert not app.exception


def all_told(app: AppTest) -> str:
    return words(app) + " ".join(element.value for element in app.success).replace("\\", "")


# --- the page -------------------------------------------------------------------------------------------------------------


def test_an_empty_page_offers_the_samples_and_they_can_be_read_at_once(app: AppTest, store: Store) -> None:
    run(app)
    assert "No question sets yet." in html(app)
    press(app, "Add the samples’ questions")
    (kept,) = store.question_sets.listed()
    assert (kept.name, kept.questions, kept.documents) == ("Samples", 45, 3)
    assert ("Samples", f"set={kept.id}") in links(app)
    assert "Saved “Samples” with 45 questions." in all_told(app)
    assert not any(one.label.startswith("Add the samples") for one in app.button)


def test_a_set_is_read_as_a_batch_whose_answers_are_graded(app: AppTest, store: Store) -> None:
    set_id = put(store, 3, answers=("Part 1 begins here.",), answerable=True)
    run(app, set=set_id)
    assert "Part 1 begins here." in html(app)
    app.multiselect(key=state.key("variant_readers", set_id)).set_value(["whole", "memwalker"]).run()
    app.number_input(key=state.key("first_ones", set_id)).set_value(2).run()
    assert "<dt>Cost</dt><dd>free</dd>" in html(app)
    press(app, "Start 4 readings")
    (batch,) = store.batches.listed()
    assert app.query_params["batch"] in (batch.id, [batch.id])
    assert process_cache.jobs().wait(30)
    app.run()
    assert not app.exception
    assert "4 of 4 finished" in html(app)
    assert "Grades" in html(app)
    runs = store.batches.runs_of(batch.id)
    assert {query for _, query in links(app) if query.startswith("run=")} == {f"run={run.id}" for run in runs}
    assert "Known answer:</b> Part 1 begins here." in html(app)
    assert not any(one.label == "Resume" for one in app.button)
    assert "What became of the evidence" not in html(app)  # nobody knows where it stands


def test_texts_of_different_length_are_each_read_in_parts_that_suit_them(app: AppTest, store: Store) -> None:
    texts = [Document(f"Text {parts}", parts_of(parts).text) for parts in (4, 40)]
    asked = [SetQuestion(text.title, text.id, "What begins in part 2?") for text in texts]
    set_id = store.question_sets.add(QuestionSet("Long and short", tuple(asked), tuple(texts))).id
    run(app, set=set_id)
    suits = app.checkbox(key=state.key("variant_sizes", "memwalker"))
    for checked in (False, True):
        suits.set_value(checked).run()
        assert any(one.label.startswith("Longest segment") for one in app.number_input) is not checked
    press(app, "Start 2 readings")
    assert process_cache.jobs().wait(30)
    (batch,) = store.batches.listed()
    made = {one.document: one.spec["options"] for one in store.batches.runs_of(batch.id)}
    for text in texts:
        sizes = suited(get("memwalker"), TextLength.of(text)).options
        assert {name: made[text.id][name] for name in sizes} == sizes
    assert made[texts[0].id] != made[texts[1].id]


def test_each_question_is_read_several_times_and_every_sample_is_listed(app: AppTest, store: Store) -> None:
    set_id = put(store, 2, answers=("Part 1 begins here.",), answerable=True)
    run(app, set=set_id)
    app.multiselect(key=state.key("variant_readers", set_id)).set_value(["whole"]).run()
    app.number_input(key=state.key("samples_each", set_id)).set_value(3).run()
    assert "At temperature 0 most models" in words(app)
    press(app, "Start 6 readings")
    assert process_cache.jobs().wait(30)
    app.run()
    assert "6 of 6 finished" in html(app)
    assert [html(app).count(f"sample {n} of 3") for n in (1, 2, 3)] == [2, 2, 2]
    assert [one.label for one in app.get("download_button")] == ["Download for training"]
    assert "1 variant, 3 readings of each" in html(app)


def test_a_batch_asks_as_it_was_begun_when_it_is_resumed(app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    open_model = catalogue.open_model

    def opened_with(model_id: str, *, log_probs: bool = False, **how: Any) -> Any:
        asked.append(log_probs)
        return open_model(model_id, log_probs=log_probs, **how)

    set_id = put(store, 1)
    run(app, set=set_id)
    app.number_input(key=state.key("calls_at_once", set_id, ModelChoice.default().at_once)).set_value(9).run()
    app.checkbox(key=state.key("log_probs", set_id)).check().run()
    executed: list[BatchExecution] = []
    monkeypatch.setattr(batches, "start", lambda jobs, batch, how: executed.append(how))
    press(app, "Start 1 reading")
    (batch,) = store.batches.listed()
    start_runs.resume_batch(batch.id)
    monkeypatch.setattr(catalogue, "open_model", opened_with)
    (cell,) = store.batches.cells(batch.id)
    made = store.batches.begin(batch.id, cell, Run("", cell.document, "whole", "?", asdict(WHOLE), "queued"))
    assert made
    assert [how.execution(made).concurrency for how in executed] == [9, 9]
    assert asked == [True, True]


def test_the_evidence_of_a_batch_is_followed_and_its_readings_are_listed_by_what_became_of_it(app: AppTest, store: Store) -> None:
    start = parts_of(4).text.index("Part 3")
    set_id = put(store, 2, answers=("Part 3 begins here.",), answerable=True, evidence=(Span(start, start + 19),))
    variants = (WHOLE, replace(WHOLE, options={"window_tokens": 64, "keep": "left"}))
    batch = batches.add(store, set_id, BatchPlan(variants), readers=get)
    read(batch.id)
    run(app, batch=batch.id)
    press(app, "Follow the evidence")
    assert "Never reached</th>" in html(app)
    assert "<td>2 · 100% (34% to 100%)</td>" in html(app)
    assert [one.label for one in app.button if ": " in one.label] == [
        "Lucky: 0", "Not right, never opened: 2", "Not right, summarised away: 0", "Not right, had it: 1",
    ]  # fmt: skip
    listed = next(one for one in app.selectbox if one.label == "Readings to list")
    assert "Not right, never opened (2)" in listed.options
    press(app, "Not right, never opened")
    assert app.query_params["evidence"] == "never opened"
    unreached = {f"run={cell.run}" for cell in store.batches.cells(batch.id) if cell.variant == 1}
    assert {query for _, query in links(app) if query.startswith("run=")} == unreached
    run(app, evidence="variant1:in the text>never reached")  # a link to a band
    assert {query for _, query in links(app) if query.startswith("run=")} == unreached
    listed = next(one for one in app.selectbox if one.label == "Readings to list")
    listed.set_value("variant0:in the answering call").run()
    assert app.query_params["evidence"] == "variant0:in the answering call"
    assert len({query for _, query in links(app) if query.startswith("run=")} - unreached) == 2
    press(app, "Label these 2")
    assert app.session_state["_ticked"].keys() == {cell.run for cell in store.batches.cells(batch.id) if cell.variant == 0}
    assert any(one.label == "Your name" for one in app.text_input)  # the page Annotate


def test_following_the_evidence_shows_progress_and_can_be_cancelled_and_continued(
    app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_id = put(store, 3, answers=("Part 3 begins here.",), answerable=True, evidence=(Span(0, 19),))
    batch = batches.add(store, set_id, BatchPlan((WHOLE,)), readers=get)
    read(batch.id)
    may_go_on, make = Event(), evidence.make_fates

    def held(*given: Any) -> Iterator[Any]:
        for one in make(*given):
            yield one
            assert may_go_on.wait(30)

    monkeypatch.setattr(evidence_fates, "make_fates", held)
    monkeypatch.setattr(evidence_fates, "AT_ONCE", 0.01)
    run(app, batch=batch.id, evidence="")
    assert "of 3 readings" in html(app)
    press(app, "Cancel")
    may_go_on.set()
    work = evidence_fates.fate_work().of(batch.id)
    assert work
    assert work.over.wait(30)
    run(app)
    assert "followed through 2 of 3 readings" in words(app)
    press(app, "Continue")
    assert evidence_fates.fate_work().of(batch.id) is not work
    again = evidence_fates.fate_work().of(batch.id)
    assert again
    assert again.over.wait(30)
    run(app)
    assert "Not right, had it" in " ".join(one.label for one in app.button)


def test_a_saved_prompt_set_is_chosen_for_a_batch(app: AppTest, store: Store) -> None:
    set_id = put(store, 1, answers=("Part 1 begins here.",), answerable=True)
    template = next(prompt.template for prompt in get("whole").prompts if prompt.id == "whole.answer") + " Be brief."
    store.prompt_sets.save("whole", "Briefly", {"whole.answer": template})
    run(app, set=set_id)
    app.multiselect(key=state.key("variant_readers", set_id)).set_value(["whole", "memwalker"]).run()
    (chosen,) = (box for box in app.selectbox if box.label == "Prompts")
    chosen.set_value("Briefly").run()
    press(app, "Start 2 readings")
    (batch,) = store.batches.listed()
    assert process_cache.jobs().wait(30)
    prompts = {made.reader: made.spec["prompts"] for made in store.batches.runs_of(batch.id)}
    assert prompts == {"whole": {"whole.answer": template}, "memwalker": {}}


def test_why_a_stuck_reading_cannot_be_gone_on_with_stands_under_it(app: AppTest, store: Store) -> None:
    batch = batches.add(store, put(store, 1), BatchPlan((WHOLE,)), readers=get)
    (cell,) = store.batches.cells(batch.id)
    made = store.batches.begin(
        batch.id, cell, Run("", cell.document, "whole", "What?", {"model": "offline/extractive"}, "queued")
    )
    assert made is not None
    store.runs.settle(made.id, "failed", error="no reply")
    store.batches.note_error(batch.id, store.batches.cells(batch.id)[0], HOSTILE)
    run(app, batch=batch.id)
    assert f"No reply. It could not be resumed: {escape(HOSTILE)}" in html(app)
    assert HOSTILE not in html(app)


def test_a_project_is_offered_only_where_somebody_takes_it(app: AppTest, store: Store) -> None:
    run(app, batch=batches.add(store, put(store), BatchPlan((WHOLE,)), readers=get).id)
    assert not any("project" in one.label for one in app.button)


def test_sets_and_batches_are_deleted_in_order(app: AppTest, store: Store) -> None:
    set_id = put(store)
    batch = batches.add(store, set_id, BatchPlan((WHOLE,)), readers=get)
    run(app, set=set_id)
    assert button(app, "Delete").disabled
    assert "A batch was made from this set" in words(app)
    with opened("5_Questions") as other:
        run(other, batch=batch.id)
        press(other, "Delete")
        assert store.batches.listed() == []
        assert "its readings stay" in all_told(other)
    app.run()
    press(app, "Delete")
    assert store.question_sets.listed() == []


def test_an_address_that_names_nothing_says_so(app: AppTest) -> None:
    run(app, set="ffff")
    assert "There is no question set 'ffff' here" in words(app)
    with opened("5_Questions") as other:
        run(other, batch=HOSTILE)
        assert "There is no batch" in words(other)


def test_what_is_wrong_in_a_file_is_a_table() -> None:
    found = work_words.problem_table([Problem("q.csv", "line 3", "evidence", "it is not there")] * 30)
    assert [str(cell.content) for cell in found.rows[-1].cells] == ["line 3", "evidence", "It is not there."]
    assert (found.rows[-1].name, len(found.rows), found.notes) == ("q.csv", work_words.MOST_PROBLEMS, ["And 10 more."])
    (whole,) = work_words.problem_table([Problem("", "", "", "'q.csv' is empty")]).rows
    assert [str(cell.content) for cell in whole.cells] == ["", "", "'q.csv' is empty."]


def test_files_are_sorted_into_questions_and_texts(store: Store) -> None:
    rows = [{"file": "lamp.txt", "question": "Who?"}, {"title": "Shelved", "question": "What?"}]
    store.documents.add(Document("Shelved", "On the shelf."))
    files = [("lamp.txt", b"The lamp."), ("q.jsonl", "\n".join(map(json.dumps, rows)).encode())]
    found = import_questions.read_files(files)
    assert not found.problems
    assert [document.text for document in found.set.documents] == ["The lamp."]
    with pytest.raises(BadFile, match="none of these is a question file"):
        import_questions.read_files(files[:1])


def test_a_benchmarks_own_file_is_recognised_whatever_it_is_called(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [{"question": f"{n}?", "options": ["a", "b"], "gold_label": n} for n in (1, 2, 3)]
    row = {"article": "The lamp.", "title": "Lamp", "set_unique_id": "9", "questions": asked}
    file = ("QuALITY.v1.0.1.htmlstripped.dev", json.dumps(row).encode())
    uploads = [SimpleNamespace(name=file[0], getvalue=lambda: file[1])]
    monkeypatch.setattr(import_questions.st, "file_uploader", lambda *_, **__: uploads)
    run(app)
    assert "QuALITY, 2 questions on 1 text" in html(app)
    assert "1 of 3 questions skipped: gold is not among the choices (line 1, question 3)." in all_told(app)
    app.number_input(key="first_imported").set_value(1).run()
    assert "QuALITY, 1 question on 1 text" in html(app)


# --- a public demo --------------------------------------------------------------------------------------------------------


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    visitors = {"now": "ann"}
    monkeypatch.setattr(access, "visitor", lambda: visitors["now"])
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice("offline/extractive"))
    return visitors


def mine(count: int) -> str:
    document = Document("Mine", parts_of(3).text)
    asked = [SetQuestion(f"q{n}", document.id, f"What begins in part {n}?") for n in range(count)]
    return access.add_questions(QuestionSet("Mine", tuple(asked), (document,))).id


def test_a_visitor_reads_no_more_than_a_visit_may(store: Store, demo: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "5")
    set_id = mine(8)
    with pytest.raises(LimitReached, match="a visit may begin 5 readings"):
        start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=range(6))
    assert store.batches.listed() == []
    first = start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=range(4))
    assert process_cache.jobs().wait(30)
    assert {run.spec["caps"]["max_calls"] for run in store.runs.listed()} == {demos.MOST_CALLS}
    with pytest.raises(LimitReached, match="public demo"):
        start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=range(4, 6))
    # Nor by a batch that was planned while there was room, and goes on when there is none.
    made = batches.add(store, set_id, BatchPlan((WHOLE,)), readers=get, numbers=range(8))
    batches.start(
        process_cache.jobs(),
        made.id,
        batches.BatchExecution(
            get,
            lambda run: start_runs.execution(run, (ServedModel(catalogue.OFFLINE),), ModelChoice(catalogue.OFFLINE)),
            access.start_limit(),
            visitor="ann",
        ),
    )
    assert process_cache.jobs().wait(30)
    stands = batches.progress(store, made.id)
    assert (stands.done, stands.refused) == (1, 7)
    assert len(store.runs.listed()) == 5
    demo["now"] = "ben"
    for act in (
        lambda: start_runs.resume_batch(first),
        lambda: start_runs.cancel_batch(first),
        lambda: access.delete_batch(first),
    ):
        with pytest.raises(NotFound):
            act()
    with pytest.raises(NotFound):
        access.delete_questions(set_id)
    with access.opened() as bens:
        assert (bens.question_sets.listed(), [one.id for one in bens.batches.listed()]) == ([], [made.id])  # which nobody owns


def test_planned_readings_count_before_they_begin(store: Store, demo: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO_READINGS", "5")
    set_id = mine(8)
    monkeypatch.setattr(start_runs, "_work_on", lambda set_id: None)
    start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=range(4))
    with pytest.raises(LimitReached, match="it would have begun 8"):
        start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=range(4))


def test_a_visitor_reads_with_the_demos_models_and_sizes_alone(demo: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    set_id = mine(1)
    for variant in (
        RunSpec("whole", WHOLE.version, "", model="gpt-4o"),
        RunSpec("whole", WHOLE.version, "", api_base="http://x/v1"),
    ):
        with pytest.raises(BadOptions, match="public demo"):
            start_runs.start_batch(set_id, BatchPlan((variant,)), numbers=[0])
    monkeypatch.setattr(demos, "MOST_TOKENS", 3)
    with pytest.raises(BadFile, match="public demo"):
        start_runs.start_batch(set_id, BatchPlan((WHOLE,)), numbers=[0])
    with pytest.raises(BadFile, match="public demo"):
        mine(2)
    found = import_questions.read_files([("q.jsonl", json.dumps({"text": "One two three four five.", "question": "?"}).encode())])
    assert "public demo" in found.problems[0].why
    monkeypatch.setattr(demos, "MOST_BYTES", 10)
    with pytest.raises(BadFile, match="files given at once"):
        import_questions.read_files([("q.jsonl", b"{}" * 9)])


def test_what_a_visitor_took_in_goes_with_them_and_a_batch_under_way_stops(store: Store, demo: dict[str, str]) -> None:
    start_runs.start_batch(mine(8), BatchPlan((WHOLE,)), numbers=range(8))
    while not store.visits.end("ann"):
        pass
    assert process_cache.jobs().wait(30)
    assert (store.question_sets.listed(), store.batches.listed(), store.runs.listed(), store.documents.listed()) == (
        [],
        [],
        [],
        [],
    )


def test_the_person_is_no_model_of_a_batch(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice(catalogue.HUMAN))
    with opened("5_Questions") as page:
        set_id = put(store)
        run(page, set=set_id)
        (models,) = [box for box in page.multiselect if box.label == "Models"]
        assert catalogue.HUMAN not in models.options
