"""The board on its page: who gets it, what the browser gets, and what the browser may send."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import board, figures
from components.annotate.board import board_data, do_acts, read_acts
from components.annotate.codebook_changes import as_codebook
from readers.engine.labels.board import Move
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project
from readers.engine.labels.saturation import saturation
from readers.engine.store import Store
from tests.support.app_pages import html, named
from tests.support.labels import HOSTILE, project


@pytest.fixture
def made() -> Project:
    """Lea leads; Ann has noted two readings and is in stage 2, Ben is still noting."""
    with Store() as store:
        made = project(store, 2, start_stage=1, lead="Lea")
        store.projects.join(made.id, "Ann")
        for number, run in enumerate(store.projects.readings(made.id)):
            store.turns.open(made.id, run, "Ann")
            value = {"words": f"<b>note</b> {number}", "group": ""}
            store.labels.put(Label(f"{number:032x}", made.id, run, "Ann", "note", {"step": number or None}, value), 0)
            store.turns.finish(made.id, run, "Ann")
        store.projects.advance(made.id, "Ann", 2)
        store.projects.join(made.id, "Ben")
    return made


def run(app: AppTest, made: Project, by: str) -> str:
    app.query_params.update({"project": made.id, "view": "board"})
    named(app, by).run()
    assert not app.exception
    return html(app)


def test_the_lead_gets_the_board_and_whoever_still_notes_is_told_why_not(app: AppTest, made: Project) -> None:
    page = run(app, made, "Lea")
    assert board.NOT_YET not in page
    assert [box.label for box in app.expander] == [
        "Saturation: 0 of the last 2 readings brought a new group; there are 0 in all."
    ]
    page = run(app, made, "Ben")
    assert board.NOT_YET in page
    assert not app.expander
    assert board.NOT_IN_IT in run(app, made, "Somebody")


def test_the_browser_gets_notes_whose_they_are_and_groups(made: Project) -> None:
    with Store() as store:
        lea = store.projects.viewer(made.id, "Lea")
        readings = store.projects.readings(made.id)
        store.boards.move(made.id, [Move(f"{1:032x}", "", "Lamp")], lea)
        questions = {readings[0]: "Who put it out?", readings[1]: "Who lit the lamp " + "again " * 20}
        data = board_data(store.boards.load(made.id, lea), readings, questions=questions)
        ben = board_data(store.boards.load(made.id, store.projects.viewer(made.id, "Ben")), readings, questions={})
    assert data["people"] == ["Ann"]
    assert data["groups"] == [{"name": "Lamp", "notes": [f"{1:032x}"], "code": ""}]
    assert [(note["words"], note["place"], note["step"]) for note in data["notes"]] == [
        ("<b>note</b> 0", "1. Who put it out? · the whole reading", 0),
        ("<b>note</b> 1", "2. Who lit the lamp again again again again again … · step 1", 1),
    ]
    assert (ben["notes"], ben["people"], ben["groups"], ben["codes"]) == ([], [], [], False)


def test_acts_are_done_once_and_in_order_and_what_is_refused_is_said(made: Project) -> None:
    note, other = f"{0:032x}", f"{1:032x}"
    message = [
        {"n": 3, "do": "rename", "from": "Lamp", "to": "Light"},
        {"n": 2, "do": "move", "notes": [[note, ""], [other, ""]], "to": "Lamp"},
        {"n": 1, "do": "move", "notes": [[note, ""]], "to": "Earlier"},
        {"n": 4, "do": "move", "notes": [["f" * 32, ""]], "to": "Lamp"},
        {"n": 5, "do": "undo"},
    ]
    with Store() as store:
        lea = store.projects.viewer(made.id, "Lea")
        assert "no note" in do_acts(store, made.id, lea, read_acts(message, 1)[:3])
        assert [group.name for group in store.boards.load(made.id, lea).groups] == ["Light"]
        assert do_acts(store, made.id, lea, read_acts(message, 4)) == ""
        assert [group.name for group in store.boards.load(made.id, lea).groups] == ["Lamp"]
        late = do_acts(store, made.id, lea, read_acts([{"n": 6, "do": "move", "notes": [[note, "Elsewhere"]], "to": "Lost"}], 0))
        assert late == "1 note was moved by somebody else meanwhile and stayed there."
        assert "finish your notes first" in do_acts(
            store, made.id, store.projects.viewer(made.id, "Ben"), read_acts([{"n": 7, "do": "undo"}], 0)
        )


ONE = {"n": 1, "to": "x"}
SHAPELESS: list[object] = [
    None, 1, "move", {}, {"n": True, "do": "undo"}, {"n": 0, "do": "undo"}, {**ONE, "do": "drop"}, {**ONE, "do": "move"},
    {**ONE, "do": "move", "notes": [["a"]]}, {**ONE, "do": "move", "notes": [], "to": 1}, {**ONE, "do": "rename", "from": 2},
]  # fmt: skip


def test_a_group_becomes_a_code_with_its_notes_as_examples_for_whoever_may_see_codes(made: Project) -> None:
    with Store() as store:
        lea, ann = (store.projects.viewer(made.id, name) for name in ("Lea", "Ann"))
        store.boards.move(made.id, [Move(f"{n:032x}", "", "Lamp") for n in range(2)], ann)
        make = read_acts([{"n": 1, "do": "code", "from": "lamp"}], 0)
        assert "only the project lead" in do_acts(store, made.id, ann, make).lower()
        assert do_acts(store, made.id, lea, make).startswith("F1 Lamp is now a code")
        assert do_acts(store, made.id, lea, make) == "There is a code of this name: F1 Lamp."
        book = as_codebook(store.codebooks.latest(made.id, lea))
        assert book.get("F1").example == "“<b>note</b> 0”\n“<b>note</b> 1”"
        shown = store.boards.load(made.id, ann)
        assert board_data(shown, (), questions={}, book=book)["groups"][0]["code"] == "F1"
        assert "no group" in do_acts(store, made.id, lea, read_acts([{"n": 2, "do": "code", "from": "Gone"}], 0))


@pytest.mark.parametrize("sent", [None, [], {}, SHAPELESS])
def test_what_has_no_valid_shape_is_no_act(sent: object) -> None:
    assert read_acts(sent, 0) == []


def test_hostile_names_are_refused_in_a_sentence_or_stored_as_words(made: Project) -> None:
    with Store() as store:
        lea = store.projects.viewer(made.id, "Lea")
        for number, words in enumerate(HOSTILE, 1):
            sent = [{"n": number, "do": "move", "notes": [[f"{0:032x}", ""]], "to": words}]
            do_acts(store, made.id, lea, read_acts(sent, 0))
            json.dumps(board_data(store.boards.load(made.id, lea), (), questions={}), allow_nan=False)
            store.boards.undo(made.id, lea)


def test_the_curve_is_told_in_a_sentence_and_drawn_as_steps() -> None:
    readings = [("a",), ("a", "b"), (), ("c",)]
    assert saturation(readings, last=2).sentence("group") == "1 of the last 2 readings brought a new group; there are 3 in all."
    drawn = figures.saturation([1, 2, 2, 3], "groups", "dark")
    assert (drawn["data"][0]["x"], drawn["data"][0]["y"]) == ([1, 2, 3, 4], [1, 2, 2, 3])
