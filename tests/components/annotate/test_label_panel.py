"""The bench and its label panel: where it opens, what a message saves and in how much SQL, how somebody moves on, the fate hint.

It opens at the step in the address, else as the project says, but not by an answer that is hidden. An unused reading is
released, typed text is kept, and the owner releases the rest. A fate is suggested only where the project allows it and the
annotator may see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from components.annotate import bench, bench_hints, bench_player, label_panel
from components.annotate.bench import bench_finished
from components.annotate.bench_player import BenchReading, remembered
from components.annotate.contract import DeskMessage
from components.annotate.panel_data import panel_data
from components.session import address, flash, hidden_answers, process_cache
from readers import get
from readers.engine.labels.label import NOTES, Label, Standing, Turn
from readers.engine.labels.project import HOST, OPENINGS, Project, Settings, Viewer, settings_json, settings_of
from readers.engine.models.offline import Offline
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.text.document import Document, Span
from tests.support.app_pages import html, named
from tests.support.app_pages import opened as page
from tests.support.labels import about, coded, opened, project

FACT = "The ferry left at noon with forty barrels."
FOG, LAMP = "Nobody saw it go, for the fog was thick. ", "Anna lit the lamp at nine"
WHEN = "When did the ferry leave?"
SAVING, DRAWING = 8, 2  # statements, with BEGIN and COMMIT: 31 and 10 when the viewer was loaded four times a message


def read(store: Store, reader_id: str, text: str, **options: Any) -> tuple[Reading, KnownAnswer]:
    """A reading of a text with the fact in it, and the known answer."""
    reader = get(reader_id)
    run = create_run(store, Document.of(text, title="T"), reader, RunSpec(reader_id, reader.version, WHEN, options=options))
    execute(store, run.id, reader, Execution(Offline()))
    start = text.index(FACT)
    return open_reading(store, run.id), KnownAnswer(WHEN, (), ("noon",), (Span(start, start + len(FACT)),))


# Opening


def test_a_reading_opens_as_the_project_says_unless_the_address_names_a_step(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fact is in neither the first chunk nor the last."""
    text = f"{FOG * 60}{FACT}{f' {LAMP}.' * 40}"
    reading, known = read(store, "memagent", text, chunk_tokens=200, memory_tokens=64)
    where = Project("p", "Ferries", "2026-01-01", Settings(start_stage=3))
    by_setting = {one: replace(where, settings=replace(where.settings, opens_at=one)) for one in OPENINGS}
    monkeypatch.setattr(address, "step", lambda: None)
    seen = {one: bench.opening(project, reading, known) for one, project in by_setting.items()}
    hidden = {one: bench.opening(project, reading, None) for one, project in by_setting.items()}
    last = len(reading.trace.steps) - 1
    assert (seen["beginning"], seen["first decision"], seen["answer"]) == (0, 0, last)
    assert 0 < seen["known place"] < last
    assert hidden == {**seen, "known place": 0, "first loss": 0}  # for who may not see the known answer yet
    monkeypatch.setattr(address, "step", lambda: 2)
    assert bench.opening(where, reading, known) == 2


# Moving on


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The readings that the bench goes to."""
    found: list[str] = []
    monkeypatch.setattr(address, "name_project", lambda project, *, run: found.append(run))
    return found


def open_at_bench(store: Store, where: Project, run: str, name: str = "Ann") -> BenchReading:
    """Somebody who labels a reading of which there is nothing but its run."""
    text, trace = SimpleNamespace(text="The lamp was lit."), SimpleNamespace(steps=[], wrote={})
    reading: Any = SimpleNamespace(run=store.runs.get(run), document=text, trace=trace, records=[])
    remembered(f"panel of {name}").clear()
    return BenchReading(where, name, reading, f"panel of {name}")


def send(store: Store, where: Project, run: str, **said: Any) -> dict[str, Any]:
    """What the panel sends from Ann's bench, and what is kept for its answer."""
    at_bench = open_at_bench(store, where, run)
    label_panel.save_message(store, at_bench, DeskMessage(n=1, **said))
    return remembered(at_bench.panel)


def put(label: Any) -> dict[str, Any]:
    data = {"id": label.id, "kind": label.kind, "target": label.target, "value": label.value}
    return {"n": 1, "do": "put", "label": data, "expected": 0, "revision": 0, "book": 1}


def test_moving_on_releases_an_unused_reading(store: Store, went: list[str]) -> None:
    where = project(store, 2, share=0.0)
    run, other = opened(store, where, "Ann"), store.projects.readings(where.id)[1]
    send(store, where, run, act={"do": "go", "with": other})
    assert went == [other]
    assert store.turns.in_project(where.id, HOST) == []
    assert set(store.turns.upcoming(where.id, "Ann")) == {run, other}


def test_moving_on_keeps_a_reading_with_a_new_label(store: Store, went: list[str]) -> None:
    where = project(store, 2, share=0.0)
    run, other = opened(store, where, "Ann"), store.projects.readings(where.id)[1]
    send(store, where, run, ops=[put(about(where, run, "Ann", "note", "It turned."))], act={"do": "go", "with": other})
    assert went == [other]
    assert [one.run for one in store.turns.in_project(where.id, HOST)] == [run]


def test_moving_on_releases_nothing_after_a_refused_change(store: Store, went: list[str]) -> None:
    where = project(store, 2, share=0.0)
    run, other = opened(store, where, "Ann"), store.projects.readings(where.id)[1]
    kept = send(store, where, run, ops=[put(about(where, run, "Ann", "note", "x" * 5_000))], act={"do": "go", "with": other})
    assert "up to 4,000 characters" in kept["answers"][0]["refused"]
    assert [one.run for one in store.turns.in_project(where.id, HOST)] == [run]


def test_what_is_said_in_leaving_a_reading_is_done_once(store: Store, went: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    where = project(store, 2, share=0.0)
    run, other = opened(store, where, "Ann"), store.projects.readings(where.id)[1]
    reading = open_at_bench(store, where, run).reading
    remembered(bench_player.panel_key(where, "Ann", run)).clear()
    monkeypatch.setattr(process_cache, "ended_reading", lambda run: reading)
    said = [None, DeskMessage(n=7, act={"do": "go", "with": other})]
    monkeypatch.setattr(bench_player, "left", lambda panel: said[-1])
    assert label_panel.leave(store, where, "Ann", run)
    assert not label_panel.leave(store, where, "Ann", run)  # the browser says it until it has an answer
    assert went == [other]
    said.append(DeskMessage(n=8, act={"do": "skip", "with": "too long"}))
    store.turns.open(where.id, run, "Ann")
    assert label_panel.leave(store, where, "Ann", run)
    assert went == [other, ""]  # the next one to do
    assert [(one.run, one.standing) for one in store.turns.in_project(where.id, HOST)] == [(run, "skipped")]


def test_an_open_tab_reclaims_its_reading_unless_others_have_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    where = project(store, 1, share=0.0)
    run = opened(store, where, "Ann")
    said: list[str] = []
    monkeypatch.setattr(flash, "error", lambda error: said.append(str(error)))
    store.turns.release(where.id, "Ann", HOST)
    at_bench = open_at_bench(store, where, run)
    assert label_panel.save_message(store, at_bench, None)
    assert [one.annotator for one in store.turns.in_project(where.id, HOST)] == ["Ann"]
    store.turns.release(where.id, "Ann", HOST)
    opened(store, where, "Ben")
    assert not label_panel.save_message(store, at_bench, None)
    assert "others have it already" in said[0]


def test_the_owner_releases_readings_of_others(store: Store) -> None:
    where = project(store, 2, lead="Lea")
    opened(store, where, "<b>Ann", "Ben")
    for name, offered in (("Ben", False), ("Lea", True)):
        with page("5_Annotate") as app:
            app.query_params.update({"project": where.id, "view": "people"})
            named(app, name).run()
            buttons = [one for one in app.button if one.label.startswith("Release")]
            if not offered:
                assert buttons == []
                continue
            assert [one.label.replace("\\", "") for one in buttons] == [
                "Release 1 reading of <b>Ann", "Release 1 reading of Ben",
            ]  # fmt: skip
            buttons[0].click().run()
            assert "1 reading of <b>Ann is available again." in app.success[0].value.replace("\\", "")
            assert store.turns.unused(where.id) == {"Ben": 1}
            assert not app.exception
            assert "<b>Ann" not in html(app)


@pytest.mark.parametrize(
    ("ends", "tone", "said"),
    [
        ((2, 1, 0), "good", "You have been through all your readings: 2 done, 1 skipped. There is no further reading for you"),
        ((2, 0, 1), "good", "The project has one more reading, and others have it: as many as should label it."),
        ((0, 1, 3), "good", "0 done, 1 skipped. The project has 3 more readings, and others have them"),
        ((0, 0, 3), "", "There is no reading for you in this stage. The project has 3 readings, and others have them"),
    ],
)
def test_what_is_told_at_the_end(ends: tuple[int, int, int], tone: str, said: str) -> None:
    told_tone, sentence = bench_finished(*ends)
    assert (told_tone, said in sentence) == (tone, True)


def test_the_bench_shows_no_answer_that_another_page_would_hide(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody codes a question in one project and still notes it in another."""
    document = Document.of("The lamp was lit at dusk.", title="The lamp")
    asked = SetQuestion("q", document.id, "When?", answers=("at dusk",), answerable=True, evidence=(Span(0, 9),))
    store.question_sets.add(QuestionSet("Lamps", (asked,), (document,)))
    spec = {"model": "offline/extractive"}
    run = store.runs.add(Run("", store.documents.add(document).id, "memwalker", "When?", spec, "finished", "answered", "at dusk"))
    monkeypatch.setattr(hidden_answers, "current_name", lambda: "Ann")
    for stage in (3, 1):
        where = store.projects.create(f"At {stage}", Settings(start_stage=stage), runs=[run.id])
        store.projects.join(where.id, "Ann")
        known = hidden_answers.known_answer(store, store.runs.get(run.id), hidden_answers.hidden_questions(store))
        assert (known is None) == (stage == 1)
    assert not hasattr(bench, "known_of")


# Statements


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """Every SQL statement that the store's connection executes meanwhile."""
    seen: list[str] = []
    connection = store.connection.db
    connection.set_trace_callback(seen.append)
    try:
        yield seen
    finally:
        connection.set_trace_callback(None)


def message(n: int, *labels: Label, expected: int = 0) -> DeskMessage:
    changes = [
        {
            "n": number, "do": "put", "expected": expected, "revision": 0, "book": 1,
            "label": {"id": label.id, "kind": label.kind, "target": label.target, "value": label.value},
        }
        for number, label in enumerate(labels)
    ]  # fmt: skip
    return DeskMessage(n=n, ops=changes, ms=1_500)


def test_saving_a_label_takes_at_most_eight_statements_and_its_answer_two_more(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ann", "Ben")
    at_bench = open_at_bench(store, where, run)
    new = coded(at_bench.project, run, "Ann", 1)
    changed = coded(at_bench.project, run, "Ann", 1, note="It turned.")
    for said in (message(1, new), message(2, changed, expected=1)):
        with statements(store) as saving:
            session = label_panel.save_message(store, at_bench, said)
        assert session is not None
        assert len(saving) <= SAVING, saving
        assert (saving[0], saving[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
        with statements(store) as drawing:
            panel = label_panel.panel_state(store, session, at_bench.reading, stays={})
        assert len(drawing) <= DRAWING, drawing
        assert panel.labels == store.labels.in_project(at_bench.project.id, HOST, run=run, removed=True)
        assert panel.viewer == store.projects.viewer(at_bench.project.id, "Ann")
        assert panel.assignments == label_panel.assignments(store, at_bench.project, panel.viewer)
    assert [(one.revision, one.value["note"]) for one in panel.labels] == [(2, "It turned.")]
    assert store.turns.in_project(at_bench.project.id, HOST, annotator="Ann")[0].ms == 3_000


def test_ten_labels_in_one_message_take_two_statements_each(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ann", "Ben")
    at_bench = open_at_bench(store, where, run)
    labels = [coded(at_bench.project, run, "Ann", number) for number in range(10)]
    with statements(store) as saving:
        session = label_panel.save_message(store, at_bench, message(1, *labels))
    assert session is not None
    assert len(session.own) == 10
    assert len(saving) <= SAVING + 2 * 9, saving


def test_hints_that_are_shown_stay_so_at_the_next_reading(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    where = project(store)
    at_bench = open_at_bench(store, where, opened(store, where, "Ann", "Ben"))
    session: dict[str, dict[str, Any]] = {}
    monkeypatch.setattr(bench_player.state, "remembered", lambda key, make: session.setdefault(key, make()))
    for number, shown in ((1, True), (2, False), (3, True), (4, True)):  # the last one again, because its answer was late
        assert label_panel.save_message(
            store, at_bench, DeskMessage(n=number, act={"do": "hints", "with": "on" if shown else "off"})
        )
        assert bench_player.kept(at_bench.project.id, "Ann").get("hints") is shown  # whatever the reading
        assert not bench_player.kept(at_bench.project.id, "Ben").get("hints")


def test_drawing_the_panel_without_a_message_takes_no_lock(store: Store) -> None:
    where = project(store)
    at_bench = open_at_bench(store, where, opened(store, where, "Ann", "Ben"))
    with statements(store) as reading:
        session = label_panel.save_message(store, at_bench, None)
        assert session is not None
        label_panel.panel_state(store, session, at_bench.reading, stays={})
    assert len(reading) <= 5, reading
    assert not [one for one in reading if one.startswith("BEGIN")]


def test_the_next_wrong_reading_is_offered_while_the_known_answer_is_shown(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    where = project(store, 3, share=1.0)
    at_bench = open_at_bench(store, where, opened(store, where, "Ann", "Ben"))
    session = label_panel.save_message(store, at_bench, None)
    assert session is not None
    runs = label_panel.assignments(store, at_bench.project, session.viewer).runs
    by_rule = {run: Grade("correct" if run == runs[1] else "partly", "") for run in runs}
    monkeypatch.setattr(hidden_answers, "grade_by_rule", lambda store, run, hidden: by_rule[run.id])
    wrong = bench_hints.wrong_by_rule(store, session)
    assert wrong == set(runs) - {runs[1]}
    after = next(run for run in (*runs[runs.index(session.run) + 1 :], *runs) if run in wrong and run != session.run)
    for known, expected in ((True, after), (False, None)):
        panel = label_panel.panel_state(store, session, at_bench.reading, stays={"known": known, "wrong": wrong})
        assert panel_data(panel)["progress"]["wrong"] == expected
    noting: Any = SimpleNamespace(viewer=Viewer("Ann", NOTES))
    assert bench_hints.wrong_by_rule(store, noting) == frozenset()


# The suggested fate


@pytest.mark.parametrize(
    ("asked", "blind", "standing", "may"),
    [
        (False, False, "done", False),
        (True, False, "open", True),
        (True, True, "open", False),
        (True, True, "skipped", False),
        (True, True, "done", True),
    ],
)
def test_who_may_see_a_suggestion(asked: bool, blind: bool, standing: Standing, may: bool) -> None:
    settings = Settings(suggest_fates=asked, blind=blind)
    assert bench_hints.may_suggest(settings, Turn("p", "r", "Ann", 3, standing, "", "", "")) is may
    assert bench_hints.may_suggest(settings, None) is (asked and not blind)


def test_the_setting_is_off_by_default_and_comes_back_from_json() -> None:
    assert "suggest_fates" not in settings_json(Settings())
    assert settings_of(settings_json(Settings(suggest_fates=True))).suggest_fates


def test_a_suggestion_names_the_value_the_reason_and_the_step_and_whether_it_is_decisive(store: Store) -> None:
    text = f"{LAMP} and went home. {FACT} {FOG * 40}"
    found = bench_hints.suggested_fate(*read(store, "whole", text, window_tokens=128, keep="right"))
    assert found is not None
    assert (found.fate, found.step, found.decides) == ("never_indexed", 1, True)
    hint = bench_hints._fate_hint(found)
    assert (hint.kind, hint.steps, hint.known) == ("fate", (1,), True)
    assert hint.sentence.startswith("Suggested fate of the fact, by matching words: Never indexed. It was cut off at step 1")
