"""The table: what its panel gets of a reading, and how what it sends is saved."""

from __future__ import annotations

import json
from typing import Any

import pytest

from components.annotate.adjudication import answered, save
from components.annotate.adjudication_data import AdjudicatedReading, table_data
from components.annotate.bench import bench_player
from components.annotate.contract import DeskMessage
from components.session import address
from readers.engine.analysis import visible_labels
from readers.engine.labels.label import Decision, Label
from readers.engine.labels.project import HOST, Project
from readers.engine.record import edits
from readers.engine.store import Store
from tests.support import labelled_projects
from tests.support.app_pages import html
from tests.support.labelled_projects import code, done, field, keep, span

TEXT = "The lamp 👩‍👩‍👧 was lit at dusk."


@pytest.fixture
def lamps(store: Store) -> tuple[Store, Project, tuple[str, ...]]:
    """Two readings. Ada and Ben differ on outcome, decisive step and the codes of step 4, and agree on the path."""
    where = labelled_projects.project(store, 2, names=("Ada", "Ben", "Cai"))
    runs = store.projects.readings(where.id)
    labels: list[Label] = []
    for run in runs:
        for name, outcome, step, given in (("Ada", "wrong", 4, "N1"), ("Ben", "partly", 6, "N2")):
            labels += [
                field(where, run, name, "outcome", outcome),
                field(where, run, name, "path", "lost"),
                field(where, run, name, "decisive", {"step": step, "confidence": 2, "words": f"{name} says so"}),
                code(where, run, name, 4, code=given, note=f"note of {name}"),
            ]
    edit = edits.to_json(edits.ReplyEdit(3, 0, "<b>the other part</b>"))
    labels.append(
        Label("c" * 32, where.id, runs[0], "Ada", "correction", {"step": 4}, {"words": "Told by then.", "edit": edit}, 1)
    )
    labels += [span(where, runs[0], "Ada", 4, 20), field(where, runs[0], "Ben", "note", "all of it")]
    keep(store, where, labels, [done(where, run, name) for run in runs for name in ("Ada", "Ben")])
    return store, where, runs


def seen(store: Store, where: Project, run: str, *, name: str = "Lea", **more: Any) -> AdjudicatedReading:
    """The reading as somebody sees it who decides it now."""
    viewer = store.projects.viewer(where.id, name)
    visible = visible_labels.load(store, where, viewer, run=run)
    decisions = store.decisions.in_project(where.id, viewer, run=run, history=True)
    return AdjudicatedReading(visible, run, TEXT, 12, decisions, **more)


def data_of(store: Store, where: Project, run: str, **more: Any) -> dict[str, Any]:
    return table_data(seen(store, where, run, **more))


def put(name: str, value: Any, *, n: int = 1, expected: int = 0, **more: Any) -> dict[str, Any]:
    return {"n": n, "do": "put", "label": {"id": name, "value": value}, "expected": expected, "revision": 0, **more}


def send(
    store: Store, where: Project, run: str, *changes: dict[str, Any], n: int = 1, session: str = "", **more: Any
) -> dict[str, Any]:
    message = DeskMessage(n=n, ops=list(changes), **more)
    return answered(store, message, f"table of {run} {session}", lambda opened: seen(opened, where, run))


def current(store: Store, where: Project, run: str) -> dict[str, Any]:
    return {json.dumps(one.target): one.value for one in store.decisions.in_project(where.id, HOST, run=run)}


def test_the_panel_gets_each_answer_with_its_words_and_what_is_agreed_apart(
    lamps: tuple[Store, Project, tuple[str, ...]],
) -> None:
    store, where, runs = lamps
    data = data_of(store, where, runs[0])
    assert data["annotators"] == ["Ada", "Ben"]
    assert [(item["name"], item["title"]) for item in data["items"]] == [
        ("outcome", "Outcome"),
        ("decisive", "Decisive step"),
        ("step.4", "Codes of step 4"),
    ]
    outcome, decisive, codes = data["items"]
    assert [(side["name"], side["words"], side["step"]) for side in outcome["sides"]] == [
        ("Ada", "Wrong", None),
        ("Ben", "Partly correct", None),
    ]
    assert [(side["words"], side["step"], side["labels"][0]["words"]) for side in decisive["sides"]] == [
        ("Step 4", 4, "Ada says so"),
        ("Step 6", 6, "Ben says so"),
    ]
    assert codes["sides"][1]["labels"][0] == {
        "value": "N2 Right option hidden",
        "facts": "severity 2 of 3",
        "words": "note of Ben",
        "warning": "",
    }
    assert len(decisive["options"]) == 2 + 12
    assert [(one["title"], one["words"], one["by"]) for one in data["agreed"]] == [("Path", "Strayed, lost", "")]
    assert data["left"] == ["outcome", "decisive", "step.4"]
    assert data["takes"]["2"] == {"outcome": {"value": "partly"}, "decisive": {"value": {"step": 6}}, "step.4": {"codes": ["N2"]}}
    assert data["takes"]["b"] == {"step.4": {"codes": ["N1", "N2"]}}


def test_notes_corrections_and_marked_words_come_with_their_place(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    notes = {(one["name"], label["value"]): label for one in data_of(store, where, runs[0])["notes"] for label in one["labels"]}
    assert notes["Ada", "Correction"]["step"] == 4
    assert "call 4 got another reply: “<b>the other part</b>”" in notes["Ada", "Correction"]["facts"]
    assert notes["Ben", "Note"]["words"] == "all of it"
    (marked,) = [label for label in notes.values() if label["place"]]
    units = len(TEXT[:20].encode("utf-16-le")) // 2  # as the browser counts
    assert marked["place"] == [4, units]


def test_the_lanes_have_the_codes_and_the_decisive_step_of_each_annotator(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    lanes = data_of(store, where, runs[0])["lanes"]
    assert [lane["name"] for lane in lanes] == ["Ada", "Ben"]
    assert [(mark["step"], mark["codes"], mark["decisive"]) for lane in lanes for mark in lane["marks"]] == [
        (3, ["N1"], True),
        (3, ["N2"], False),
        (5, [], True),
    ]


def test_what_is_decided_is_saved_at_once_with_who_and_when(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    taken = data_of(store, where, runs[0])["takes"]["1"]
    changes = [put(name, value, n=n) for n, (name, value) in enumerate(taken.items(), 1)]
    data = send(store, where, runs[0], *changes, put("reason", {"words": "Ada read on."}, n=9))
    assert [answer["revision"] for answer in data["answers"]] == [1, 1, 1, 1]
    assert data["left"] == []
    assert {label["id"]: label["value"] for label in data["labels"]} == {**taken, "reason": {"words": "Ada read on."}}
    made = store.decisions.in_project(where.id, HOST, run=runs[0])
    assert {one.by for one in made} == {"Lea"}
    assert all(one.at for one in made)
    assert data["items"][0]["history"] == [["Wrong", "Lea", made[0].at[:16].replace("T", " ") + " UTC", ""]]


def test_a_message_that_arrives_twice_or_in_another_session_is_saved_once(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    change = put("outcome", {"value": "wrong"})
    for session in ("one", "one", "other"):
        assert send(store, where, runs[0], change, session=session)["answers"] == [{"n": 1, "revision": 1}]
    assert len(store.decisions.in_project(where.id, HOST, history=True)) == 1


def test_of_two_who_decide_at_once_the_later_is_told_and_may_supersede(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    store.decisions.decide(Decision(where.id, runs[0], {"field": "outcome"}, {"value": "wrong"}, "One.", "Ada"), 0)
    assert send(store, where, runs[0], put("outcome", {"value": "partly"}))["answers"] == [{"n": 1, "stands": 1}]
    data = send(store, where, runs[0], put("outcome", {"value": "partly"}, expected=1), n=2)
    assert data["answers"] == [{"n": 1, "revision": 2}]
    assert [row[:2] + row[3:] for row in data["items"][0]["history"]] == [["Partly correct", "Lea", ""], ["Wrong", "Ada", "One."]]


def test_a_decision_is_withdrawn_and_restored_as_revisions(lamps: tuple[Store, Project, tuple[str, ...]]) -> None:
    store, where, runs = lamps
    send(store, where, runs[0], put("step.4", {"codes": ["N1"]}), put("reason", {"words": "first"}, n=2))
    data = send(
        store,
        where,
        runs[0],
        put("step.4", None, expected=1, do="remove"),
        put("reason", None, n=2, expected=1, do="remove"),
        n=2,
    )
    assert [label["removed"] for label in data["labels"]] == [True, True]
    assert "step.4" in data["left"]
    assert visible_labels.load(store, where, HOST, run=runs[0]).decisions == ()  # nothing counts as decided
    back = {"do": "restore", "expected": 2} | {"revision": 1}
    data = send(store, where, runs[0], {**put("step.4", None), **back}, {**put("reason", None, n=2), **back}, n=3)
    assert [(label["value"], label["revision"]) for label in data["labels"]] == [({"codes": ["N1"]}, 3), ({"words": "first"}, 3)]
    undone = {"do": "restore", "expected": 3, "revision": 0}
    assert send(store, where, runs[0], {**put("step.4", None), **undone}, n=4)["labels"][0]["removed"]


@pytest.mark.parametrize(
    ("name", "value", "more"),
    [
        ("outcome", {"value": "<b>"}, {}),
        ("step.4", {"codes": ["N1", "not a code"]}, {}),
        ("decisive", {"value": {"step": 13}}, {}),
        ("path", {"value": "lost"}, {}),  # all agree on it
        ("nothing", {"value": "wrong"}, {}),
        ("reason", {"words": 3}, {}),
        ("outcome", "wrong", {}),
        ("outcome", None, {"do": "restore", "revision": 7}),
        ("outcome", {"value": "wrong"}, {"do": "erase"}),
        ("outcome", {"value": "wrong"}, {"expected": -1}),
        ("reason", {"words": "x" * 4_001}, {}),
    ],
)
def test_what_is_no_decision_is_refused_with_a_sentence(
    lamps: tuple[Store, Project, tuple[str, ...]], name: str, value: Any, more: dict[str, Any]
) -> None:
    store, where, runs = lamps
    (answer,) = send(store, where, runs[0], {**put(name, value), **more})["answers"]
    assert answer["refused"].endswith(".")
    assert current(store, where, runs[0]) == {}


def test_a_key_leads_to_the_next_reading_that_has_something_to_decide(
    lamps: tuple[Store, Project, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, where, runs = lamps
    went: list[str] = []
    monkeypatch.setattr(address, "open_project", lambda project, view, *, run: went.append(f"{view} {run}"))
    progress = data_of(store, where, runs[0], queue=runs, open_runs=runs)["progress"]
    assert progress == {"at": 1, "of": 2, "others": 1, "next": runs[1], "previous": None, "following": runs[1]}
    last = data_of(store, where, runs[1], queue=runs, open_runs=runs)["progress"]
    assert (last["next"], last["previous"], last["following"]) == (runs[0], runs[0], None)
    assert data_of(store, where, runs[1], queue=runs, open_runs=runs[1:])["progress"]["next"] is None
    send(store, where, runs[0], act={"do": "go", "with": runs[1]})
    send(store, where, runs[0], put("outcome", {"value": "no such"}), n=2, act={"do": "go", "with": runs[1]})
    assert went == [f"agreement {runs[1]}"]  # what was refused is shown before anything moves


def test_whoever_has_not_finished_a_reading_gets_nothing_of_it_and_decides_nothing(
    lamps: tuple[Store, Project, tuple[str, ...]],
) -> None:
    store, where, runs = lamps
    table = seen(store, where, runs[0], name="Cai")
    assert (table.visible.labels, table.visible.turns, table.visible.runs, table.decisions) == ((), (), {}, [])
    (answer,) = save(store, table, DeskMessage(n=1, ops=[put("reason", {"words": "I guess."})]))
    assert "finish them first" in answer["refused"]
    assert current(store, where, runs[0]) == {}


def test_the_table_stands_on_the_bench_at_the_first_step_in_dispute(
    lamps: tuple[Store, Project, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, where, runs = lamps
    mounted: list[int | None] = []
    monkeypatch.setattr(bench_player.stage, "mount_beside", lambda frames, *, key, at: mounted.append(at))
    for asks in ({"run": runs[1]}, {"dispute": f"{runs[1]}.outcome"}, {"run": runs[1], "at": "7"}):
        app = labelled_projects.page(where, "Lea", "agreement", **asks)
        assert "Who put the lamp out on night 2?" in html(app)
        assert "to be decided" not in html(app)
    assert mounted == [3, 3, 6]
