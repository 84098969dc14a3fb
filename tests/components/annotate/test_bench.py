"""The bench: what the label panel gets at each stage, which reading is next, and how its messages are saved."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from components.annotate.contract import DeskMessage
from components.annotate.panel_data import (
    Assignments,
    PanelState,
    Suggested,
    assignments,
    in_characters,
    label_data,
    missing,
    panel_data,
)
from components.annotate.save_labels import action, label_ids, save
from components.session.islands import checked
from readers.engine.labels.codebook import preset
from readers.engine.labels.codes import Code
from readers.engine.labels.label import CODES, FIELDS, NOTES, Label, Turn, label_seed, reading_id
from readers.engine.labels.project import HOST, Annotator, Project, Settings, Viewer, order
from readers.engine.record.hint import Hint
from readers.engine.store import Store
from tests.support import labels as annotating
from tests.support.labels import about, coded, opened, project

RUNS = ("r1", "r2", "r3", "r4")
TEXT = "The keeper 👩‍👩‍👧 slept. <b>Nobody</b> saw the lamp go out."
HINT = Hint("revert", (2,), "It went back up once.")


def made(**settings: Any) -> Project:
    chosen = {"share": 1.0, "annotators": 10, "seed": 7, "start_stage": 3} | settings
    return Project("p", "Lamps", "2026-01-01", Settings(**chosen))


def at(viewer: Viewer, *labels: Label, **given: Any) -> PanelState:
    """The bench of a viewer at reading r1, whatever is handed to it."""
    fields: dict[str, Any] = {
        "text": TEXT, "steps": 9, "turn": Turn("p", "r1", viewer.name, viewer.stage, "open"),
        "assignments": Assignments(RUNS, {"r1": "open"}),
        "labels": labels, "book": preset(), "hints": [HINT],
    }  # fmt: skip
    return PanelState(made(), viewer, "r1", "memwalker", **{**fields, **given})


def step_label(annotator: str, **changes: Any) -> Label:
    label = Label("a" * 32, "p", "r1", annotator, "step", {"step": 2}, {"code": "N1", "severity": 2, "note": "secret"}, 1, 1)
    return replace(label, **changes)


# Blindness


def test_before_stage_3_nothing_of_codes_outcomes_hints_or_others_is_in_the_data() -> None:
    mine = Label("b" * 32, "p", "r1", "Ann", "note", {"step": 2}, {"words": "it turned left", "group": ""}, 0, 1)
    outcome = about(made(), "r1", "Ann", "outcome", "wrong")
    data = panel_data(at(Viewer("Ann", NOTES), mine, outcome, step_label("Bob")))
    assert (data["codes"], data["fields"], data["hints"], data["others"], data["ids"], data["book"]) == ([], [], [], [], {}, 0)
    assert [label["id"] for label in data["labels"]] == [mine.id]
    words = json.dumps(data)
    for hidden in ("Wrong turn", "secret", "went back up", "outcome", "Bob"):
        assert hidden not in words


def test_others_labels_are_shown_after_finishing_the_reading_in_stage_3() -> None:
    of_bob = step_label("Bob")
    assert panel_data(at(Viewer("Ann", CODES), of_bob))["others"] == []
    assert panel_data(at(Viewer("Ann", CODES, done=frozenset({"r2"})), of_bob))["others"] == []
    removed = step_label("Bob", id="c" * 32, removed=True)
    seen = panel_data(at(Viewer("Ann", CODES, done=frozenset({"r1"})), of_bob, removed))["others"]
    assert [(label["by"], label["value"]["note"]) for label in seen] == [("Bob", "secret")]
    assert len(panel_data(at(Viewer("Ann", CODES, blind=False), of_bob))["others"]) == 1


def test_in_stage_3_there_is_everything_with_the_hint_for_this_reader_alone() -> None:
    data = panel_data(at(Viewer("Ann", CODES), hints=None))
    assert [field["name"] for field in data["fields"]] == ["outcome", "support", "path", "fate"]
    code = next(code for code in data["codes"] if code["id"] == "B2")
    of_book = preset().get("B2")
    assert code["hint"] == of_book.hints["memwalker"]
    assert of_book.hints["readagent"] not in json.dumps(data["codes"])
    assert (code["definition"], code["example"], code["near"]) == (of_book.definition, of_book.example, of_book.near_miss)
    assert not data["hinted"]
    assert data["hints"] == []
    assert panel_data(at(Viewer("Ann", CODES)))["hints"] == [{"sentence": HINT.sentence, "steps": [2], "known": False}]
    assert data["ids"] == {name: reading_id("p", "r1", "Ann", name) for name in FIELDS}


def test_a_suggested_fate_is_told_in_stage_3_alone_and_fills_in_nothing() -> None:
    lost = Suggested("later_lost", 7, decides=True, why="It stood in the memory.")
    assert panel_data(at(Viewer("Ann", NOTES), suggested=lost))["suggested"] is None
    data = panel_data(at(Viewer("Ann", CODES), suggested=lost))
    assert data["suggested"] == {**lost._asdict(), "title": "Extracted, then lost"}
    assert data["labels"] == []


@pytest.mark.parametrize(("blind", "done", "seen"), [(True, False, 0), (True, True, 1), (False, False, 1)])
def test_what_a_model_proposes_is_told_where_others_labels_are_and_apart_from_them(blind: bool, done: bool, seen: int) -> None:
    viewer = Viewer("Ann", CODES, frozenset({"r1"}) if done else frozenset(), blind)
    data = panel_data(at(viewer, step_label("model: openai/coder")))
    assert [(one["by"], one["value"]["code"]) for one in data["proposed"]] == [("model: openai/coder", "N1")] * seen
    assert (data["others"], data["labels"]) == ([], [])


def test_codes_are_sent_below_the_code_they_stand_under() -> None:
    book = preset().add(Code("B2a", "Narrow", parent="B2"))
    sent = panel_data(at(Viewer("Ann", CODES), book=book))["codes"]
    place = [code["id"] for code in sent].index("B2")
    assert (sent[place + 1]["id"], sent[place + 1]["under"], sent[place]["under"]) == ("B2a", book.get("B2").called, "")


def test_a_label_made_under_an_older_definition_says_why_to_review_it() -> None:
    book = preset().redefine("N1", {"definition": "Another meaning."})
    assert "version 2" in panel_data(at(Viewer("Ann", CODES), step_label("Ann"), book=book))["labels"][0]["again"]
    assert panel_data(at(Viewer("Ann", CODES), step_label("Ann", codebook=2), book=book))["labels"][0]["again"] == ""


def test_offsets_are_converted_to_the_browsers_units_and_back() -> None:
    start, end = TEXT.index("slept"), TEXT.index(" saw")
    span = Label("d" * 32, "p", "r1", "Ann", "span", {"on": "text", "start": start, "end": end}, {"code": None, "note": ""}, 0, 1)
    there = label_data(span, at(Viewer("Ann", CODES), span), None)
    units = TEXT.encode("utf-16-le")
    assert units[2 * there["target"]["start"] : 2 * there["target"]["end"]].decode("utf-16-le") == TEXT[start:end]
    assert there["quote"] == "slept. <b>Nobody</b>"
    assert in_characters(TEXT, there["target"]) == span.target
    assert in_characters("no emoji", {"on": "text", "start": 1, "end": 4}) == {"on": "text", "start": 1, "end": 4}
    assert in_characters(TEXT, {"on": "reply", "number": 1, "start": 40, "end": 41})["start"] == 40


def test_missing_labels_are_listed_and_a_decisive_step_only_if_the_outcome_is_wrong() -> None:
    def said(field: str, value: Any) -> Label:
        return about(made(), "r1", "Ann", field, value)

    assert missing(NOTES, []) == ["any note"]
    assert missing(CODES, []) == ["the outcome", "the support", "the path"]
    whole = [said("outcome", "correct"), said("support", "proves"), said("path", "direct")]
    assert missing(CODES, whole) == []
    wrong = [said("outcome", "wrong"), *whole[1:]]
    assert missing(CODES, wrong) == ["the decisive step"]
    assert missing(CODES, [*wrong, said("decisive", {"step": 3, "confidence": 2, "words": ""})]) == []
    assert missing(CODES, [replace(label, removed=True) for label in whole]) == missing(CODES, [])


# Whose turn is next


def test_assignments_are_in_the_annotators_order_without_those_of_others() -> None:
    ann = Annotator("Ann", "2026-01-01", 3)
    alone = made(share=0.0)
    mine = order(alone.settings, "Ann", RUNS)
    taken = [Turn("p", mine[1], "Bob", 3, "done"), Turn("p", mine[0], "Ann", 3, "done"), Turn("p", mine[2], "Ann", 3, "skipped")]
    now = assignments(alone, RUNS, ann, taken)
    assert now.runs == (mine[0], mine[2], mine[3])
    assert (now.done, now.skipped, now.left) == (1, 1, 1)
    assert now.next_after(mine[0]) == mine[3]
    assert now.next_after(mine[3]) is None
    assert now.previous_before(mine[3]) == mine[2]
    assert now.previous_before(mine[0]) is None
    assert (
        Assignments(("a", "b", "c"), {"c": "open"}).previous_before("c") == "b"
    )  # also where it was never opened, or was released
    assert now.next_after("not mine") == mine[3]


def test_the_next_reading_wraps_round_to_open_ones() -> None:
    now = Assignments(("a", "b", "c"), {"a": "open", "b": "done", "c": "open"})
    assert now.next_after("c") == "a"
    assert now.next_after("a") == "c"


# What the panel sends


def change(label: Label, n: int, *, expected: int = 0, do: str = "put", revision: int = 0) -> dict[str, Any]:
    data = {"id": label.id, "kind": label.kind, "target": label.target, "value": label.value}
    return {"n": n, "do": do, "expected": expected, "revision": revision, "book": 1, "label": data}


def sent(store: Store, where: Project, run: str, name: str, said: Any) -> list[dict[str, Any]]:
    """The answers to a message that an annotator's panel sends."""
    message = checked(DeskMessage, said) or DeskMessage()
    with store.labels.session(where.id, run, name, ids=label_ids(message)) as session:
        return save(session, "The lamp was lit.", message)


def test_changes_are_saved_once_and_each_is_answered(store: Store) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann")
    label = coded(lamps, run, "Ann", 1, note="<script>alert(1)</script>")
    message = {"n": 5, "ops": [change(label, 11)], "ms": 1500}
    assert sent(store, lamps, run, "Ann", message) == [{"n": 11, "revision": 1}]
    assert sent(store, lamps, run, "Ann", {**message, "ms": 0}) == [
        {"n": 11, "revision": 1}
    ]  # the answer was lost, and it came again
    viewer = store.projects.viewer(lamps.id, "Ann")
    (kept,) = store.labels.in_project(lamps.id, viewer)
    assert (kept.value["note"], kept.codebook) == ("<script>alert(1)</script>", 1)
    assert store.turns.in_project(lamps.id, viewer)[0].ms == 1500
    assert sent(store, lamps, run, "Ann", {"n": 6, "ops": [change(label, 12, expected=1, do="remove")]}) == [
        {"n": 12, "revision": 2}
    ]
    undone = [change(label, 13, expected=2, do="restore", revision=1)]
    assert sent(store, lamps, run, "Ann", {"n": 7, "ops": undone}) == [{"n": 13, "revision": 3}]
    assert sent(store, lamps, run, "Ann", {"n": 8, "ops": undone}) == [{"n": 13, "revision": 3}]
    assert len(store.labels.in_project(lamps.id, viewer)) == 1


def test_a_note_keeps_a_labels_codebook_version_until_it_is_confirmed(store: Store) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann")
    label = coded(lamps, run, "Ann", 1)
    sent(store, lamps, run, "Ann", {"n": 1, "ops": [change(label, 1)]})
    store.codebooks.add(lamps.id, annotating.BOOK.redefine("N1", {"definition": "x"}), HOST)
    viewer = store.projects.viewer(lamps.id, "Ann")
    noted = {**change(replace(label, value={**label.value, "note": "sure"}), 2, expected=1), "book": 2}
    sent(store, lamps, run, "Ann", {"n": 2, "ops": [noted]})
    assert store.labels.get(label.id, viewer).codebook == 1
    holds = {**noted, "n": 3, "expected": 2, "confirmed": True}
    assert sent(store, lamps, run, "Ann", {"n": 3, "ops": [holds]}) == [{"n": 3, "revision": 3}]
    assert store.labels.get(label.id, viewer).codebook == 2
    other = {**change(replace(label, value={**label.value, "code": "=B2"}), 4, expected=3), "book": 2}
    sent(store, lamps, run, "Ann", {"n": 4, "ops": [other]})
    assert store.labels.get(label.id, viewer).codebook == 2


def test_a_late_change_gets_the_current_revision_and_is_not_lost(store: Store) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann")
    first = about(lamps, run, "Ann", "note", "first")
    sent(store, lamps, run, "Ann", {"n": 1, "ops": [change(first, 1)]})
    second = replace(first, value={"value": "second"})
    assert sent(store, lamps, run, "Ann", {"n": 2, "ops": [change(second, 2)]}) == [{"n": 2, "stands": 1}]
    history = store.labels.history(first.id, store.projects.viewer(lamps.id, "Ann"))
    assert [(one.value["value"], one.refused) for one in history] == [("first", False), ("second", True)]


def test_nobody_labels_for_another_or_without_an_open_turn(store: Store) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann", "Bob")
    of_ann = coded(lamps, run, "Ann", 1)
    sent(store, lamps, run, "Ann", {"n": 1, "ops": [change(of_ann, 1)]})
    (refused,) = sent(store, lamps, run, "Bob", {"n": 2, "ops": [change(of_ann, 2, expected=1, do="remove")]})
    assert "You have no such label" in refused["refused"]
    store.turns.finish(lamps.id, run, "Ann")
    (closed,) = sent(store, lamps, run, "Ann", {"n": 3, "ops": [change(coded(lamps, run, "Ann", 2), 3)]})
    assert "open it again" in closed["refused"]


@pytest.mark.parametrize(
    "said",
    [
        None, 7, "x", [], {}, {"n": True}, {"ops": 3}, {"ops": [None, 1, {}, {"n": "1"}]}, {"ms": -1}, {"ms": "1", "act": []},
        {"act": {"do": "delete"}},
    ],
)  # fmt: skip
def test_a_malformed_message_is_ignored(store: Store, said: Any) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann")
    assert sent(store, lamps, run, "Ann", said) == []
    message = checked(DeskMessage, said) or DeskMessage()
    assert (message.n, action(message)) == (0, ("", ""))


@pytest.mark.parametrize(
    "broken",
    [
        {"do": "drop"}, {"label": None}, {"label": {"target": 3}}, {"label": {"kind": "step", "target": {}, "value": 5}},
        {"expected": "1"}, {"expected": -1}, {"revision": True}, {"book": 1.5}, {"label": {"id": "x", "kind": "step"}},
    ],
)  # fmt: skip
def test_an_invalid_change_is_refused_in_a_sentence(store: Store, broken: dict[str, Any]) -> None:
    lamps = project(store)
    run = opened(store, lamps, "Ann")
    given = {**change(coded(lamps, run, "Ann", 1), 4), **broken}
    (answer,) = sent(store, lamps, run, "Ann", {"n": 1, "ops": [given]})
    assert answer["n"] == 4
    assert answer["refused"].endswith(".")


def test_annotators_and_readings_have_different_seeds() -> None:
    seeds = {label_seed(*given) for given in (("p", "r", "Ann"), ("p", "r", "Bob"), ("p", "s", "Ann"), ("q", "r", "Ann"))}
    assert len(seeds) == 4
    assert action(DeskMessage(act={"do": "skip", "with": "x" * 5000})) == ("skip", "x" * 2000)
