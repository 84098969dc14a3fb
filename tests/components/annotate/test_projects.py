"""The list of projects, creating one, and its people and settings."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import choose_readings, new_project, project_words
from components.session import process_cache, state
from components.session.model_choice import ModelChoice
from readers import get
from readers.engine.files.labels.project_file import export_project
from readers.engine.files.runs.run_file import run_file
from readers.engine.labels import codebook
from readers.engine.labels.codebook import preset
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Turn
from readers.engine.labels.project import HOST, Annotator, Progress, Project, Settings
from readers.engine.labels.sampling import Candidate, Sample, choose
from readers.engine.models import catalogue
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, create_run, execute
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support import labelled_projects
from tests.support.app_pages import html, links, named, press, words
from tests.support.labels import SPECS, about, project, readings
from tests.support.labels import opened as opened_turn
from tests.support.models.scripted_models import Scripted, parts_of
from tests.support.specs import current_spec

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
PROJECT_FILE = "A whole project, as exported under Labels as files (up to 200 MB)"
BAD = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) :red[z]"


def listed(app: AppTest, by: str = "Lea", **asks: str) -> AppTest:
    app.query_params.update(asks)
    named(app, by).run()
    assert not app.exception
    return app


def people(app: AppTest, made: Project, by: str = "Lea") -> AppTest:
    return listed(app, by, project=made.id, view="people")


def field(app: AppTest, label: str) -> Any:
    return next(one for kind in (app.text_input, app.number_input, app.radio, app.checkbox) for one in kind if one.label == label)


def only_project() -> Project:
    with Store() as store:
        [made] = store.projects.listed()
    return made


# The list, and a new project


def test_without_projects_the_page_says_what_to_do(app: AppTest) -> None:
    listed(app)
    assert "Nothing here yet. A project is a set of readings that a few people label" in html(app)
    assert {"Read a text", "Read a batch of questions"} <= {label for label, _ in links(app)}
    assert [one.label for one in app.file_uploader] == [PROJECT_FILE, "Run files (JSON), up to 200 MB each"]
    assert html(app).count(">New project<") == 1


def test_a_project_gets_the_filtered_readings_without_those_under_way(app: AppTest) -> None:
    with Store() as store:
        ids = readings(store, 5)
        document = store.runs.get(ids[0]).document
        other = store.documents.add(Document.of("The ferry leaves at noon.", title=BAD))
        store.runs.add(Run("", other.id, "readagent", BAD, dict(SPECS), "finished", "answered"))
        store.runs.add(Run("", document, "memwalker", "Question 9?", dict(SPECS), "queued"))
        store.runs.add(Run("", document, "memwalker", "A sample", dict(SPECS), "finished", parent=ids[0], experiment="e"))
    listed(app)
    assert "6 readings chosen" in html(app)
    assert "1 reading is under way and is left out" in html(app)
    assert "&lt;img src=x" in html(app)
    assert "A sample" not in html(app)
    app.selectbox(key="project_from.new.reader").set_value("memwalker").run()
    assert "5 readings chosen" in html(app)
    assert "1 for 2 people each, 4 for one" in html(app)
    field(app, "Name").set_value(BAD[:80])
    field(app, "The codebook starts with").set_value(new_project.NO_CODES)
    field(app, "Start with").set_value(3)
    next(one for one in app.selectbox if one.label == "A reading opens at").set_value("answer").run()
    press(app, "Create project with 5 readings")
    made = only_project()
    chosen = Settings(lead="Lea", start_stage=3, share=0.2, annotators=2, opens_at="answer")
    assert (made.name, made.settings) == (BAD[:80], chosen)
    assert ("Opens at", "The answer") in project_words.protocol(made, 5, NOW)
    with Store() as store:
        assert set(store.projects.readings(made.id)) == set(ids)
        book = store.codebooks.latest(made.id, HOST)
    assert book is not None
    assert (book.codes, book.by) == ([], "Lea")
    assert "was created with 5 readings" in " ".join(one.value for one in app.success).replace("\\", "")
    assert app.query_params["project"] == made.id
    assert ("Label the first yourself", f"project={made.id}&view=bench") in links(app)
    assert "<img" not in html(app)


def test_a_project_takes_a_seeded_sample_of_the_readings_and_keeps_how_it_was_drawn(app: AppTest) -> None:
    with Store() as store:
        ids = readings(store, 8)
    listed(app)
    field(app, "How many (empty: all)").set_value(3)
    field(app, "Seed of the draw").set_value(4).run()
    drawn = "3 of 8 readings: any readings; drawn at random, all together, under seed 4"
    assert drawn in html(app)
    field(app, "Name").set_value("Some").run()
    press(app, "Create project with 3 readings")
    made = only_project()
    assert made.settings.sample == drawn
    assert ("Readings", drawn) in project_words.protocol(made, 3, NOW)
    with Store() as store:
        taken = store.projects.readings(made.id)
        asked = {run.id: Candidate(run.id, run.document, run.question, run.reader, "", None) for run in store.run_list.runs(ids)}
    assert set(taken) == set(choose([asked[run] for run in ids], Sample(size=3, seed=4)))


def test_a_project_starts_with_the_codebook_of_another_whose_codes_one_may_see(app: AppTest) -> None:
    with Store() as store:
        chosen = Settings(lead="Lea", start_stage=3)
        known = store.projects.create(
            "Lamps", chosen, runs=readings(store, 1), book=codebook.Codebook((Code("N1", "Turn"),)), by="Lea"
        )
        hidden, runs = Settings(lead="Ben", start_stage=3), store.projects.readings(known.id)
        store.projects.create("Hidden", hidden, runs=runs, book=codebook.Codebook((Code("N2", "x"),)), by="Ben")
        source = store.codebooks.versions(known.id, HOST)[0]
    listed(app)
    field(app, "Name").set_value("Next")
    field(app, "The codebook starts with").set_value(new_project.OF_FILE).run()
    press(app, "Create project with 1 reading")
    assert "Choose the codebook first" in app.error[0].value
    field(app, "The codebook starts with").set_value(new_project.OF_PROJECT).run()
    offered = next(one for one in app.selectbox if one.label == "Project")
    assert offered.options == ["Lamps, version 1"]
    press(app, "Create project with 1 reading")
    with Store() as store:
        made = next(one for one in store.projects.listed() if one.name == "Next")
        book = store.codebooks.versions(made.id, HOST)[0]
    assert [code["id"] for code in book.codes] == ["N1"]
    assert (book.change["source"]["project"], book.change["source"]["at"]) == ("Lamps", source.at)


def test_the_list_says_what_is_left_for_oneself(app: AppTest) -> None:
    with Store() as store:
        made = store.projects.create("Lamps", Settings(lead="Lea", start_stage=3), runs=readings(store, 3))
        store.projects.join(made.id, "Lea")
    listed(app)
    assert "you: 3 readings left" in html(app)


def test_a_batch_that_the_address_names_becomes_a_project_with_the_taxonomy(app: AppTest) -> None:
    with Store() as store:
        document = Document.of("The lamp was lit at dusk.", title="Lamp")
        asked = [SetQuestion(str(n), document.id, f"Asked {n}?", answers=("dusk",), answerable=True) for n in range(3)]
        made = store.question_sets.add(QuestionSet("Set", tuple(asked), (document,)))
        batch = store.batches.add("My batch", made.id, {"variants": []}, variants=1, numbers=[0, 1, 2])
        for n, cell in enumerate(store.batches.cells(batch.id)[:2]):
            status = "finished" if n else "queued"
            store.batches.begin(batch.id, cell, Run("", document.id, "memwalker", f"Asked {n}?", dict(SPECS), status))
        readings(store, 2)
    listed(app, batch=batch.id)
    assert "1 reading chosen" in html(app)
    assert "1 reading is under way and is left out" in html(app)
    field(app, "Name").set_value("From a batch").run()
    press(app, "Create project with 1 reading")
    found = only_project()
    assert found.settings.batch == batch.id
    with Store() as store:
        assert [run.question for run in store.run_list.runs(store.projects.readings(found.id))] == ["Asked 1?"]
        book = store.codebooks.latest(found.id, HOST)
    assert book is not None
    assert len(book.codes) == len(preset().codes)


def test_the_batch_of_the_address_replaces_an_earlier_choice(app: AppTest) -> None:
    with Store() as store:
        document = Document.of("The lamp was lit at dusk.", title="Lamp")
        made = store.question_sets.add(QuestionSet("Set", (SetQuestion("1", document.id, "Asked?"),), (document,)))
        batches = [
            store.batches.add("Alike", made.id, {"variants": [{"reader": reader}]}, variants=1, numbers=[0])
            for reader in ("memwalker", "readagent")
        ]
        for batch in batches:
            [cell] = store.batches.cells(batch.id)
            store.batches.begin(batch.id, cell, Run("", document.id, "memwalker", "Asked?", dict(SPECS), "finished"))
    for batch in batches:
        listed(app, batch=batch.id)
        chosen = next(one for one in app.selectbox if one.label == "Batch")
        assert chosen.value == batch.id
        assert {option.split(" · ")[1] for option in chosen.options} == {"MemWalker", "ReadAgent"}


@pytest.mark.parametrize("same", [True, False])
def test_a_project_of_a_selection_that_was_named_elsewhere_has_its_name(app: AppTest, same: bool) -> None:
    with Store() as store:
        ids = readings(store, 3)
    app.session_state["_ticked"] = dict.fromkeys(ids[:2] if same else ids)
    app.session_state["labelled_as"] = ("Wrong answers", tuple(ids[:2]))
    assert field(listed(app), "Name").value == ("Wrong answers" if same else "")
    if same:
        press(app, "Create project with 2 readings")
        assert only_project().name == "Wrong answers"


def test_a_project_without_a_name_is_asked_for_one_when_the_button_is_pressed(app: AppTest) -> None:
    with Store() as store:
        readings(store, 1)
    listed(app)
    press(app, "Create project with 1 reading")
    assert [one.value for one in app.error] == ["Name the project first, at the top."]
    field(app, "Name").set_value("Named").run()
    press(app, "Create project with 1 reading")
    assert only_project().name == "Named"


@pytest.mark.parametrize("there", [0, 1])
def test_imported_run_files_become_the_readings_and_a_broken_one_is_reported(app: AppTest, tmp_path: Path, there: int) -> None:
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3})
        made = create_run(elsewhere, parts_of(9), get("memwalker"), spec)
        execute(elsewhere, made.id, get("memwalker"), Execution(Offline()))
        good = json.dumps(run_file(elsewhere, made.id, get("memwalker"))).encode()
    with Store() as store:
        readings(store, there)
    listed(app)
    if there:  # with nothing to choose from, files are asked for at once
        app.segmented_control(key="project_from.new.from").set_value(choose_readings.FROM_FILES).run()
    assert "0 readings chosen" in html(app)
    files = [("good.json", good, "application/json"), ("bad.json", b"{}", "application/json")]
    app.file_uploader[1].set_value(files)
    press(app, "Import")
    assert "bad.json" in words(app)
    assert "1 reading chosen" in html(app)
    field(app, "Name").set_value("From files").run()
    press(app, "Create project with 1 reading")
    with Store() as store:
        [run] = store.run_list.runs(store.projects.readings(only_project().id))
    assert run.question == "Where is it?"


def test_a_project_that_was_exported_elsewhere_is_imported_and_opened(app: AppTest, tmp_path: Path) -> None:
    with Store(tmp_path / "elsewhere.db") as elsewhere:
        spec = current_spec("memwalker", "Where is it?", options={"segment_tokens": 64, "max_children": 3})
        made = create_run(elsewhere, parts_of(9), get("memwalker"), spec)
        execute(elsewhere, made.id, get("memwalker"), Execution(Offline()))
        there = elsewhere.projects.create(BAD, Settings(lead="Lea"), runs=[made.id], book=preset(), by="Lea")
        data = export_project(elsewhere, there.id, readers=get)
    listed(app)
    for given, said in ((b"PK\x03\x04 no zip", "The project was not imported."), (data, "1 reading imported")):
        app.file_uploader[0].set_value(("lamps.zip", given, "application/zip")).run()
        press(app, "Import project")
        assert said in " ".join([words(app), *(one.value for one in (*app.error, *app.success))])
    assert only_project().id == there.id
    assert there.id in app.query_params["project"]


# One project


def test_people_are_listed_with_their_progress_but_not_their_labels(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 3, lead="Lea", share=0.0)
        run = opened_turn(store, made, "Ann")
        store.labels.put(about(made, run, "Ann", "note", "Ann's secret"), 0)
        store.turns.finish(made.id, run, "Ann")
        store.projects.join(made.id, BAD[:80])
    for by in ("Lea", "Ann", BAD[:80], "Nobody"):
        people(app, made, by=by)
        assert "Ann's secret" not in html(app) + words(app)
        assert "1 of 3" in html(app)
        assert "&lt;img src=x" in html(app)
        assert "<img" not in html(app)
        assert [b.label for b in app.button if "Delete" in b.label] == (["Delete"] if by == "Lea" else [])
    assert not any(asks.startswith("run=") for _, asks in links(app)), "the trace tells the known answer"
    listed(app, project="", view="")
    assert "3 readings · 2 annotators · 1 of 3 labelled" in html(app)


def test_an_annotator_in_stage_1_gets_no_link_to_a_trace(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 1, start_stage=1)
        store.projects.join(made.id, "Ann")
    people(app, made, by="Ann")
    assert "Question 0?" in html(app)
    assert "Question 0?" not in [label for label, _ in links(app)]


def test_renaming_can_be_undone_and_deleting_warns_of_what_is_lost(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 2, lead="Lea")
        run = opened_turn(store, made, "Ann")
        store.labels.put(about(made, run, "Ann", "note", "x"), 0)
        store.turns.finish(made.id, run, "Ann")
    people(app, made)
    field(app, "Name").set_value(BAD[:80])
    press(app, "Rename")
    assert only_project().name == BAD[:80]
    press(app, "Change back to “Lamps”")
    assert only_project().name == "Lamps"
    assert "This deletes the labels of 1 reading by 1 annotator (1 finished assignment)" in words(app)
    assert next(b for b in app.button if b.label == "Delete").disabled
    field(app, "Delete these labels").check().run()
    press(app, "Delete")
    with Store() as store:
        assert not store.projects.listed()
        assert len(store.run_list.runs([run])) == 1


def test_the_owner_has_a_model_propose_codes_and_it_is_nobody_of_the_project(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store() as store:
        made = labelled_projects.project(store, 2, names=(), proposals=True)
    model = Scripted([json.dumps({"codes": [{"step": "1", "code": "N1", "words": "", "why": "So."}]}), "Sorry.", "Sorry."])
    people(app, made)
    assert "codes are proposed by a language model" in html(app).casefold()
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice("openai/coder"))
    monkeypatch.setattr(catalogue, "open_model", lambda *_, **__: model)
    monkeypatch.setattr(process_cache, "window_of_choice", lambda _: 8_000)
    monkeypatch.setattr(process_cache, "room_factor_of", lambda _: 1)
    people(app, made, by="Ann")
    assert "Proposals of a model" not in html(app)
    people(app, made)
    press(app, "Have openai/coder propose codes for 2 readings")
    assert "1 code proposed before that" in " ".join(one.value for one in app.error)
    assert "model: openai/coder: 1 reading" in html(app)
    assert "Nobody has joined yet" in html(app)
    assert [one.label.replace("\\", "") for one in app.button if "propose" in one.label] == [
        "Have openai/coder propose codes for 1 reading"
    ]


def test_readings_are_added_and_those_already_there_are_counted(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 2, lead="Lea")
        document = store.runs.get(store.projects.readings(made.id)[0]).document
        new = store.runs.add(Run("", document, "memwalker", "New one?", dict(SPECS), "finished", "answered")).id
    people(app, made)
    assert "2 readings are already in the project." in html(app)
    press(app, "Add 1 reading")
    with Store() as store:
        assert store.projects.readings(made.id)[-1] == new
    assert "1 reading was added." in " ".join(one.value for one in app.success).replace("\\", "")


# Pure


def test_the_workload_of_each_person() -> None:
    settings = Settings(share=0.2, annotators=3)
    assert project_words.assignments(settings, 30) == 42
    assert project_words.workload(settings, 30, 4)[2] == ("For each of 4 people", "10 or 11", "if all work at the same speed")
    assert project_words.workload(settings, 30, 1)[2] == ("For one person", "30", "")
    assert not project_words.warnings(settings, 30, 3)
    [waits] = project_words.warnings(settings, 30, 2)
    assert waits.startswith("6 readings are for 3 people and 2 are expected: 6 assignments would wait")
    [few] = project_words.warnings(Settings(share=0.1), 30, 2)
    assert few.startswith("Agreement is computed")
    assert project_words.workload(Settings(share=0.0), 5, 2)[0] == ("Readings", "5", "each for one person")
    assert project_words.workload(Settings(share=1.0), 5, 2)[0] == ("Readings", "5", "5 for 2 people each")


def test_progress_as_sentences() -> None:
    def turn(stage: int, standing: Any) -> Turn:
        return Turn("p", "r", "Ann", stage, standing)

    turns = [turn(1, "done"), turn(1, "open"), turn(3, "done"), turn(3, "skipped")]
    ann = Annotator("Ann", NOW.isoformat(), 1)
    assert project_words.project_facts(10, [ann], turns, Settings()) == [
        "10 readings",
        "1 annotator",
        "1 of 12 noted",
        "1 of 12 labelled",
    ]
    assert project_words.own_work(Progress(2, 1, 1, 4), 1) == "you: 5 readings left, 1 of them open"
    assert project_words.own_work(Progress(2, 1, 0, 0), 3) == "you: all done"
    assert project_words.own_work(Progress(0, 0, 0, 0), 2) == "you: notes to group"
    people = [ann, ann._replace(name="Ben", stage=2)]
    table = project_words.people(people, {"Ann": Progress(2, 1, 1, 4), "Ben": Progress(0, 0, 0, 4)}, NOW)
    assert [(row.name, *(str(cell.content) for cell in row.cells[:3])) for row in table.rows] == [
        ("Ann", "1, notes", "2 of 7", "1 open, 1 skipped, 4 available"), ("Ben", "2, groups", "", "grouping their notes"),
    ]  # fmt: skip
    assert project_words.deletion_warning(1, [], 1) == "Delete this project? Nobody has labelled in it yet. The reading stays."


def test_a_fork_is_told_from_its_parent_in_a_project() -> None:
    parent = Run("1", "d", "memwalker", "Who?", {"model": "a/b"}, "finished")
    told = [choose_readings.reading_facts(run, {"d": "A text"}) for run in (parent, replace(parent, parent="1"))]
    assert told == [["MemWalker", "a/b", "A text"], ["fork", "MemWalker", "a/b", "A text"]]
