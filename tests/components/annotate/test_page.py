"""The Annotate page by its address: the annotator, the project, the view and the reading."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import page
from components.session import hidden_answers
from readers.engine.labels.project import HOST
from readers.engine.store import Store
from tests.support.app_pages import html, links, named, opened, run, words
from tests.support.labels import about, project

PAGE = "5_Annotate"


def at(app: AppTest, by: str = "", **asks: str) -> AppTest:
    """The page at an address, in a session in which a name was chosen, if one is given."""
    return run(named(app, by) if by else app, **asks)


def panels(app: AppTest) -> int:
    """How many label panels are on the page."""
    return sum("palimpsest.annotate" in str(element.proto) for element in app.get("bidi_component"))


def test_a_visitor_without_a_name_is_asked_for_one() -> None:
    with opened(PAGE) as app:
        at(app)
        assert "there is no password" in html(app)
        app.text_input[0].input("  Ann  Lee ")
        app.button[0].click().run()
        assert "You are Ann Lee" in html(app)
        assert app.session_state[hidden_answers.CHOSEN] == "Ann Lee"
        assert not app.query_params


def cookie(app: AppTest) -> list[dict[str, str]]:
    """What the browser is told to remember."""
    found = [element.proto for element in app.get("bidi_component") if "palimpsest.annotator" in str(element.proto)]
    return [json.loads(proto.json) for proto in found]


def test_the_browser_remembers_the_name_until_it_is_changed() -> None:
    with opened(PAGE, cookies={hidden_answers.COOKIE: "%C3%84nn%20%3Cb%3E"}) as app:
        at(app)
        assert "You are Änn &lt;b&gt;" in html(app)
        assert cookie(app) == []  # the browser has it already
        next(button for button in app.button if button.label == "Change").click().run()
        assert "there is no password" in html(app)
        assert cookie(app) == [{"name": ""}]
        app.text_input[0].input("Bob")
        app.button[0].click().run()
        assert "You are Bob" in html(app)  # the session is believed over the cookie
        assert cookie(app) == [{"name": "Bob"}]


@pytest.mark.parametrize("value", ["", "   ", "%20", "x" * 81, "a%E2%80%AEb", "%00", "%ff%fe" * 60])
def test_a_cookie_without_a_valid_name_is_ignored(value: str) -> None:
    with opened(PAGE, cookies={hidden_answers.COOKIE: value}) as app:
        at(app)
        assert "there is no password" in html(app)


def test_a_link_signs_nobody_in() -> None:
    with Store() as store:
        lamps = project(store, lead="Lea")
    with opened(PAGE) as app:
        at(app, by="Lea", project=lamps.id, view="results")
        assert "You are Lea" in html(app)
        asks = [query for _, query in links(app)]
        assert not any("Lea" in query for query in asks)
        assert "Lea" not in str(app.query_params)
    with opened(PAGE) as app:
        app.query_params["by"] = "Lea"  # as addresses had it once
        at(app, project=lamps.id, view="results")
        assert "there is no password" in html(app)
        assert not any("project=" in query for _, query in links(app))  # nothing of the project but its name


def test_a_visitor_without_a_name_sees_which_project_the_link_leads_to(store: Store) -> None:
    lamps = project(store)
    store.projects.rename(lamps.id, "Lamps <b>", HOST)
    with opened(PAGE) as app:
        at(app, project=lamps.id)
        assert "leads to the project “Lamps &lt;b&gt;”" in html(app)
        assert "Question 0?" not in html(app)
    with opened(PAGE) as app:
        assert "This link" not in html(at(app, project="nothing"))


def test_an_invalid_name_is_refused_with_help() -> None:
    with opened(PAGE) as app:
        at(app)
        app.text_input[0].input("   ")
        app.button[0].click().run()
        assert "1 to 80 characters" in words(app)


@pytest.mark.parametrize(("user", "said"), [({"is_logged_in": True, "email": "ann@example.org"}, "You are ann@example.org")])
def test_a_signed_in_visitor_labels_under_their_login(user: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.st, "user", user)
    with opened(PAGE) as app:
        at(app, by="Bob")
        assert said in html(app)
        assert "Bob" not in html(app)


def test_where_login_is_configured_nobody_labels_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page.st, "user", {"is_logged_in": False})
    with Store() as store:
        lamps = project(store)
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Bob")
        assert [button.label for button in app.button] == ["Sign in"]
        assert "Lamps" not in html(app)


def test_a_missing_project_is_reported() -> None:
    with opened(PAGE) as app:
        at(app, project="nothing", by="Ann")
        assert "There is no project 'nothing'" in words(app)
        assert ">Projects<" in html(app)


def test_joining_opens_the_next_reading() -> None:
    with Store() as store:
        lamps = project(store)
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Ann")
        assert "Each annotator gets the readings in a different order" in html(app)
        assert panels(app) == 0
        next(button for button in app.button if button.label == "Start labelling").click().run()
        with Store() as store:
            first = store.turns.upcoming(lamps.id, "Ann")[0]
            viewer = store.projects.viewer(lamps.id, "Ann")
            assert [(turn.run, turn.standing) for turn in store.turns.in_project(lamps.id, viewer)] == [(first, "open")]
        assert app.query_params["run"] == first
        assert ("Results", f"project={lamps.id}&view=results") in links(app)


def test_names_that_differ_in_capitals_are_one_person() -> None:
    with Store() as store:
        lamps = project(store)
        store.projects.join(lamps.id, "Ann")
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="aNN")
        assert "You are Ann" in html(app)
        with Store() as store:
            assert [one.name for one in store.projects.annotators(lamps.id)] == ["Ann"]


def test_a_link_to_a_reading_that_others_have_opens_the_next_own_one() -> None:
    with Store() as store:
        lamps = project(store, share=0.0)
        store.projects.join(lamps.id, "Bob")
        theirs = store.turns.upcoming(lamps.id, "Bob")[0]
        store.turns.open(lamps.id, theirs, "Bob")
        store.projects.join(lamps.id, "Ann")
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Ann", run=theirs)
        assert "not yours to label" in words(app)
        assert app.query_params["run"] != theirs


@pytest.mark.parametrize("stage", [1, 3])
def test_the_choices_stand_on_the_bench_and_the_known_answer_is_offered_in_stage_3_alone(stage: int) -> None:
    from components.session.samples import samples
    from readers.engine.labels.project import Settings
    from readers.engine.models.offline import Offline
    from readers.engine.run.execute import Execution, RunSpec, create_run, execute
    from readers.memagent import MemAgent

    sample, reader = samples()[0], MemAgent()
    with Store() as store:
        asked = sample.questions[0]
        run = create_run(store, sample.document, reader, RunSpec(reader.id, reader.version, asked.question, asked.choices))
        other = create_run(store, sample.document, reader, RunSpec(reader.id, reader.version, asked.question, asked.choices))
        for each in (run, other):
            execute(store, each.id, reader, Execution(Offline(), concurrency=1))
        lamps = store.projects.create("Lamps", Settings(start_stage=stage), runs=[run.id, other.id])
        store.projects.join(lamps.id, "Ann")
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Ann", run=run.id)
        assert [toggle.label for toggle in app.toggle] == (["Known answer"] if stage == 3 else [])
        assert html(app).count("<li") == len(asked.choices) > 1
        assert "✓ right" not in html(app)
        if stage == 3:
            app.toggle[0].set_value(True).run()
            assert html(app).count("✓ right") == 1
            app.query_params.clear()
            at(app, project=lamps.id, run=other.id)
            assert app.query_params["run"] == other.id
            assert html(app).count("✓ right") == 1  # the switch stays as it was


def test_when_all_is_done_the_bench_says_so_and_links_back() -> None:
    with Store() as store:
        lamps = project(store, 1)
        store.projects.join(lamps.id, "Ann")
        run = store.turns.upcoming(lamps.id, "Ann")[0]
        store.turns.open(lamps.id, run, "Ann")
        store.labels.put(about(lamps, run, "Ann", "outcome", "wrong"), 0)
        store.turns.finish(lamps.id, run, "Ann")
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Ann")
        assert "You have been through all your readings: 1 done, 0 skipped" in html(app)
        assert any(f"run={run}" in query for _, query in links(app))


def test_continuing_from_notes_asks_and_releases_the_unused_reading() -> None:
    with Store() as store:
        lamps = project(store, start_stage=1)
        store.projects.join(lamps.id, "Ann")
        first = store.turns.upcoming(lamps.id, "Ann")[0]
        store.turns.open(lamps.id, first, "Ann")
        store.turns.finish(lamps.id, first, "Ann")
    with opened(PAGE) as app:
        at(app, project=lamps.id, by="Ann")
        next(button for button in app.button if button.label == "Continue").click().run()
        with Store() as store:
            viewer = store.projects.viewer(lamps.id, "Ann")
            turns = {turn.run: turn.standing for turn in store.turns.in_project(lamps.id, viewer)}
            assert (viewer.stage, turns) == (2, {first: "done"})
        assert app.query_params["view"] == "groups"


def test_readings_that_others_have_are_reported_apart() -> None:
    with Store() as store:
        lamps = project(store, 3, share=0.0)
        for name, count in (("Bob", 1), ("Ann", 2)):
            store.projects.join(lamps.id, name)
            for run in store.turns.upcoming(lamps.id, name)[:count]:
                store.turns.open(lamps.id, run, name)
                store.labels.put(about(lamps, run, name, "outcome", "wrong"), 0)
                store.turns.finish(lamps.id, run, name)
        store.projects.join(lamps.id, "Cy")
    for name, said in (
        (
            "Ann",
            "You have been through all your readings: 2 done, 0 skipped. The project has one more reading, and others have it",
        ),
        ("Cy", "There is no reading for you in this stage. The project has 3 readings, and others have them"),
    ):
        with opened(PAGE) as app:
            assert said in html(at(app, by=name, project=lamps.id))


def test_the_link_to_the_bench_leads_back_to_the_last_reading() -> None:
    with Store() as store:
        lamps = project(store)
        store.projects.join(lamps.id, "Ann")
        here = store.turns.upcoming(lamps.id, "Ann")[1]
    with opened(PAGE) as app:
        at(app, by="Ann", project=lamps.id, run=here)
        app.query_params.clear()
        at(app, project=lamps.id, view="codebook")
        assert ("Bench", f"project={lamps.id}&view=bench&run={here}") in links(app)
        assert "run" not in app.query_params
