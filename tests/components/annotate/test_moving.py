"""Moving on from a reading at the bench: an unused reading is released, typed text is kept, and the owner releases the rest. The
known answer on the bench is the one that every other page shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from components.annotate import bench, label_panel
from components.annotate.bench import bench_finished
from components.annotate.bench_player import BenchReading, remembered
from components.session import address, flash, hidden_answers
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.store import Run, Store
from readers.engine.text.document import Document, Span
from tests.support.app_pages import html, named
from tests.support.app_pages import opened as page
from tests.support.labels import about, opened, project


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The readings that the bench goes to."""
    found: list[str] = []
    monkeypatch.setattr(address, "open_project", lambda project, *, run: found.append(run))
    return found


def open_at_bench(store: Store, where: Project, run: str, name: str = "Ann") -> BenchReading:
    """Somebody who labels a reading of which there is nothing but its run."""
    reading: Any = SimpleNamespace(run=store.runs.get(run), document=SimpleNamespace(text="The lamp was lit."))
    return BenchReading(where, name, reading, f"panel of {name}")


def send(store: Store, where: Project, run: str, **said: Any) -> dict[str, Any]:
    """What the panel sends from Ann's bench, and what is kept for its answer."""
    at_bench = open_at_bench(store, where, run)
    remembered(at_bench.panel).clear()
    label_panel.save_message(store, at_bench, {"n": 1, **said})
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
