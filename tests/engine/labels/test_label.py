"""Labels: what one may hold, two hands on one label, ten people at once, and a large project."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from readers.engine.errors import BadOptions, Conflict, NotFound
from readers.engine.labels.check_label import checked
from readers.engine.labels.label import FIELDS, Label, allowed, reading_id
from readers.engine.labels.project import HOST
from readers.engine.record import edits
from readers.engine.store import Store
from tests.support.labels import BOOK, HOSTILE, about, at_once, coded, opened, project

ID = "0" * 32
EDIT = edits.to_json(edits.ReplyEdit(3, 0, "<b>left</b>"))
WRITTEN = edits.to_json(edits.WrittenEdit(2, "summary", "It slept.", "<b>It woke.</b>"))
MODEL = edits.to_json(edits.ModelEdit(3, "openai/any", "http://elsewhere.example/v1"))


def label(kind: str, target: dict[str, Any], value: dict[str, Any], **others: Any) -> Label:
    return Label(
        **{"id": ID, "project": "p", "run": "r", "annotator": "Ada", "kind": kind, "target": target, "value": value} | others
    )


WHOLE = [
    label("reading", {"field": "outcome"}, {"value": "wrong"}, id=""),
    label("reading", {"field": "support"}, {"value": "none"}, id=""),
    label("reading", {"field": "path"}, {"value": "recovered"}, id=""),
    label("reading", {"field": "fate"}, {"value": "later_lost"}, id=""),
    label("reading", {"field": "fate"}, {"value": "later_lost", "suggested": "rule"}, id=""),
    label("reading", {"field": "decisive"}, {"value": {"step": 4, "confidence": 2, "words": ""}, "suggested": "rule"}, id=""),
    label("reading", {"field": "note"}, {"value": "It went left."}, id=""),
    label("reading", {"field": "decisive"}, {"value": {"step": 4, "confidence": 3, "words": "It turned."}}, id=""),
    label("reading", {"field": "decisive"}, {"value": {"step": "building", "confidence": 1, "words": ""}}, id=""),
    label("step", {"step": 1}, {"code": "N1", "severity": 3, "note": "No."}),
    label("span", {"on": "text", "start": 0, "end": 4}, {"code": None, "note": ""}),
    label("span", {"on": "wrote", "number": 0, "start": 2, "end": 3}, {"code": "B2", "note": "gone"}),
    label("note", {"step": None}, {"words": "It slept.", "group": ""}),
    label("note", {"step": 9}, {"words": "It slept.", "group": "asleep"}),
    label("correction", {"step": 2}, {"edit": EDIT, "words": "left"}),
    label("correction", {"step": 2}, {"edit": None, "words": "left"}),
    label("correction", {"step": 2}, {"edit": WRITTEN, "words": ""}),
]


@pytest.mark.parametrize("given", WHOLE, ids=lambda one: f"{one.kind} {one.target}")
def test_a_whole_label_is_kept_as_it_is(given: Label) -> None:
    kept = checked(given)
    assert (kept.target, kept.value) == (given.target, given.value)
    assert checked(kept) == kept
    assert kept.id


BAD = [
    (label("praise", {}, {}), "'praise'"),
    (label("reading", {"field": "mood"}, {"value": "x"}), "'mood'"),
    (label("reading", {"field": "outcome"}, {"value": "good"}), "'good'"),
    (label("reading", {"field": "outcome"}, {"value": ["wrong"]}), "'outcome'"),
    (label("reading", {"field": "outcome"}, {}), "lacks 'value'"),
    (
        label("reading", {"field": "outcome"}, {"value": "wrong", "suggested": "rule"}),
        "'suggested' is 'rule', on decisive or fate",
    ),
    (label("reading", {"field": "fate"}, {"value": "used", "suggested": True}), "not True on fate"),
    (label("reading", {"field": "note"}, {"value": "x" * 4_001}), "4,001"),
    (label("reading", {"field": "decisive"}, {"value": {"step": 0, "confidence": 1}}), "'step'"),
    (label("reading", {"field": "decisive"}, {"value": {"step": True, "confidence": 1}}), "'step'"),
    (label("reading", {"field": "decisive"}, {"value": {"step": 1, "confidence": 4}}), "'confidence'"),
    (label("reading", {"field": "decisive"}, {"value": "none"}), "mapping"),
    (label("step", {"step": 0}, {"code": "N1", "severity": 1}), "'step'"),
    (label("step", {"step": 1}, {"code": "", "severity": 1}), "'code'"),
    (label("step", {"step": 1}, {"code": "x" * 41, "severity": 1}), "41"),
    (label("step", {"step": 1}, {"code": "N1", "severity": 1.5}), "'severity'"),
    (label("step", {"step": 1}, {"code": "N1", "severity": 1, "mood": "x"}), "'mood'"),
    (label("span", {"on": "moon", "start": 0, "end": 1}, {}), "'moon'"),
    (label("span", {"on": "text", "start": 3, "end": 3}, {}), "ends after it starts"),
    (label("span", {"on": "text", "number": 1, "start": 0, "end": 1}, {}), "number"),
    (label("span", {"on": "reply", "start": 0, "end": 1}, {}), "number"),
    (label("note", {"step": None}, {"words": "x", "group": "g" * 81}), "'group'"),
    (label("note", {"step": None}, {"words": None}), "'words'"),
    (label("correction", {"step": 1}, {"edit": {"kind": "magic"}}), "'magic'"),
    (label("correction", {"step": 1}, {"edit": {"kind": "reply", "seq": 1}}), "incomplete or invalid"),
    (label("correction", {"step": 1}, {"edit": {"kind": ["reply"], "seq": 1}}), "no edit of the kind"),
    (label("correction", {"step": 1}, {"edit": EDIT | {"seq": "3"}}), "seq"),
    (label("correction", {"step": 1}, {"edit": EDIT | {"seq": 2**70}}), "not JSON"),
    (label("correction", {"step": 1}, {"edit": EDIT | {"text": "\ud800"}}), "not JSON"),
    (label("correction", {"step": 1}, {"edit": EDIT | {"by": "Ada"}}), "by"),
    (label("correction", {"step": 1}, {"edit": "left"}), "an edit"),
    (label("correction", {"step": 1}, {"edit": MODEL}), "'model' is neither"),
    (label("correction", {"step": 1}, {"edit": {"kind": "again", "seq": 1}}), "'again' is neither"),
    (label("correction", {"step": 1}, {"edit": EDIT | {"text": "x" * 200_001}}), "200,000"),
    (label("step", {"step": 1}, {"code": "N1", "severity": 1}, id="x"), "32 hexadecimal"),
    (label("reading", {"field": "outcome"}, {"value": "wrong"}, id=ID), "has the id"),
    (label("step", {"step": 1}, {"code": "N1", "severity": 1}, codebook=-1), "'codebook'"),
]


@pytest.mark.parametrize(("given", "named"), BAD, ids=lambda one: one if isinstance(one, str) else "")
def test_what_no_label_holds_is_refused_by_name(given: Label, named: str) -> None:
    with pytest.raises(BadOptions, match=named):
        checked(given)


def test_a_label_on_a_reading_has_one_id_an_annotator_and_field() -> None:
    ids = {reading_id("p", "r", name, field) for name in ("Ada", "ada", "A.da") for field in FIELDS}
    assert len(ids) == 3 * len(FIELDS)
    assert checked(WHOLE[0]).id == reading_id("p", "r", "Ada", "outcome")


def test_codes_are_not_written_before_the_codebook_is_seen() -> None:
    spans = [{"code": None}, {"code": "N1"}]
    assert [[allowed("span", value, stage) for value in spans] for stage in (1, 2, 3)] == [
        [True, False],
        [False, False],
        [True, True],
    ]
    assert [allowed("step", {"code": "N1"}, stage) for stage in (0, 1, 2, 3)] == [False, False, False, True]
    assert [allowed("note", {"words": ""}, stage) for stage in (0, 1, 2, 3)] == [False, True, True, True]
    assert [allowed("reading", {"value": "wrong"}, stage) for stage in (1, 2, 3)] == [False, False, True]


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_come_back_unchanged(store: Store, words: str) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    first = store.labels.put(about(where, run, "Ada", "note", words), 0)
    store.labels.put(coded(where, run, "Ada", 1, note=words, code=words[:40] if words[:40].strip() else "X"), 0)
    kept = store.labels.in_project(where.id, HOST)
    assert {one.kind: one.value.get("value", one.value.get("note")) for one in kept} == {"reading": words, "step": words}
    assert store.labels.history(first.id, HOST)[0].value == {"value": words}


def test_what_utf8_cannot_hold_becomes_a_question_mark(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    assert store.labels.put(about(where, run, "Ada", "note", "a\ud800b"), 0).value == {"value": "a?b"}


# One label, two hands


def test_the_later_of_two_edits_is_told_and_both_are_in_the_history(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    first = store.labels.put(about(where, run, "Ada", "note", "as it was"), 0)
    mine, theirs = (replace(first, value={"value": words}) for words in ("the one tab", "the other tab"))
    assert store.labels.put(mine, 1).revision == 2
    for _ in range(2):  # the same refused edit is kept once
        with pytest.raises(Conflict, match="changed meanwhile") as told:
            store.labels.put(theirs, 1)
    assert isinstance(told.value.current, Label)
    assert (told.value.current.value, told.value.current.revision) == ({"value": "the one tab"}, 2)
    history = [(one.revision, one.value["value"], one.refused) for one in store.labels.history(first.id, HOST)]
    assert history == [(1, "as it was", False), (2, "the one tab", False), (2, "the other tab", True)]
    assert store.labels.put(theirs, 2).revision == 3
    assert store.labels.get(first.id, HOST).value == {"value": "the other tab"}


def test_two_tabs_that_begin_the_same_label_are_told(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    store.labels.put(about(where, run, "Ada", "outcome", "wrong"), 0)
    with pytest.raises(Conflict):
        store.labels.put(about(where, run, "Ada", "outcome", "partly"), 0)
    assert [one.value["value"] for one in store.labels.in_project(where.id, HOST)] == ["wrong"]


def test_the_same_change_twice_is_once(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    given = coded(where, run, "Ada", 1)
    assert store.labels.put(given, 0) == store.labels.put(given, 0)
    changed = replace(given, value={**given.value, "note": "more"})
    assert store.labels.put(changed, 1) == store.labels.put(changed, 1)
    gone = store.labels.remove(given.id, "Ada", expected=2)
    assert store.labels.remove(given.id, "Ada", expected=2) == gone
    assert [one.revision for one in store.labels.history(given.id, HOST)] == [1, 2, 3]


def test_a_label_said_again_under_a_newer_codebook_is_a_change(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    first = store.labels.put(coded(where, run, "Ada", 1), 0)
    with pytest.raises(BadOptions, match="no version 2"):
        store.labels.put(replace(first, codebook=2), 1)
    store.codebooks.add(where.id, BOOK.retire("N1"), HOST)
    assert store.labels.put(replace(first, codebook=2), 1).revision == 2
    assert [one.codebook for one in store.labels.history(first.id, HOST)] == [1, 2]


def test_undo_puts_the_former_value_back_as_a_revision_of_its_own(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    first = store.labels.put(coded(where, run, "Ada", 1, note="one"), 0)
    store.labels.put(replace(first, value={**first.value, "note": "two"}), 1)
    assert store.labels.undo(first.id, "Ada", expected=2).value["note"] == "one"
    assert store.labels.undo(first.id, "Ada", expected=3).value["note"] == "two"
    store.labels.remove(first.id, "Ada", expected=4)
    assert store.labels.in_project(where.id, HOST) == []
    assert [one.removed for one in store.labels.in_project(where.id, HOST, removed=True)] == [True]
    back = store.labels.undo(first.id, "Ada", expected=5)
    assert (back.removed, back.value["note"], back.revision) == (False, "two", 6)
    assert store.labels.restore(first.id, "Ada", expected=6, revision=1).value["note"] == "one"
    assert store.labels.restore(first.id, "Ada", expected=7, revision=0).removed
    with pytest.raises(NotFound, match="no revision 40"):
        store.labels.restore(first.id, "Ada", expected=8, revision=40)
    with pytest.raises(Conflict):
        store.labels.undo(first.id, "Ada", expected=7)
    new = store.labels.put(coded(where, run, "Ada", 2), 0)
    assert store.labels.undo(new.id, "Ada", expected=1).removed


def test_nobody_writes_over_anothers_label(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada", "Ben")
    hers = store.labels.put(coded(where, run, "Ada", 1), 0)
    for theirs in (replace(hers, annotator="Ben"), replace(hers, target={"step": 40})):
        with pytest.raises(BadOptions, match="something else"):
            store.labels.put(theirs, 1)
    for change in (store.labels.remove, store.labels.undo):
        with pytest.raises(NotFound, match="you have no such label"):
            change(hers.id, "Ben", expected=1)
    assert store.labels.get(hers.id, HOST) == hers


def test_a_label_needs_a_project_a_reading_and_an_open_turn(store: Store) -> None:
    where = project(store, 2)
    first, second = store.projects.readings(where.id)
    given = about(where, first, "Ada", "outcome", "wrong")
    with pytest.raises(NotFound, match="join"):
        store.labels.put(given, 0)
    store.projects.join(where.id, "Ada")
    with pytest.raises(NotFound, match="open it first"):
        store.labels.put(given, 0)
    store.turns.open(where.id, first, "Ada")
    kept = store.labels.put(given, 0)
    with pytest.raises(NotFound, match="open it first"):
        store.labels.put(about(where, second, "Ada", "outcome", "wrong"), 0)
    with pytest.raises(NotFound):
        store.labels.put(replace(given, project="nowhere", id=""), 0)
    with pytest.raises(NotFound, match="not there any more"):
        store.labels.put(coded(where, first, "Ada", 3), 2)
    store.turns.finish(where.id, first, "Ada")
    with pytest.raises(BadOptions, match="open it again"):
        store.labels.put(replace(kept, value={"value": "partly"}), 1)
    store.turns.reopen(where.id, first, "Ada")
    assert store.labels.put(replace(kept, value={"value": "partly"}), 1).revision == 2


def test_a_reading_holds_a_bounded_number_of_labels(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.store.labels.label_session.MOST_LABELS", 3)
    where = project(store)
    run = opened(store, where, "Ada")
    kept = [store.labels.put(coded(where, run, "Ada", n), 0) for n in range(3)]
    with pytest.raises(BadOptions, match="up to 3 labels"):
        store.labels.put(coded(where, run, "Ada", 9), 0)
    assert store.labels.put(replace(kept[0], value={**kept[0].value, "note": "still"}), 1).revision == 2


# Many hands, and many labels


@pytest.mark.slow
def test_ten_annotators_write_labels_at_once(store: Store) -> None:
    where = project(store, 1)
    names = [f"Annotator {n}" for n in range(10)]
    run = opened(store, where, *names)
    failures: list[BaseException] = []

    def annotate(who: int) -> None:
        try:
            with Store(store.path) as own:
                for number in range(30):
                    given = coded(where, run, names[who], who * 1000 + number, note=f"{who} {number}")
                    own.labels.put(given, 0)
                    if number % 10 == 0:  # as a page does that never heard the answer
                        own.labels.put(given, 0)
        except BaseException as error:
            failures.append(error)

    at_once(annotate, range(10))
    assert failures == []
    kept = store.labels.in_project(where.id, HOST)
    assert sorted(one.value["note"] for one in kept) == sorted(f"{who} {n}" for who in range(10) for n in range(30))
    assert {one.revision for one in kept} == {1}
    assert all(len([one for one in kept if one.annotator == name]) == 30 for name in names)
    assert store.check() == "ok"


def test_ten_tabs_change_one_label_at_once_and_every_word_is_kept(store: Store) -> None:
    where = project(store, 1)
    run = opened(store, where, "Ada")
    first = store.labels.put(about(where, run, "Ada", "note", "first"), 0)
    told, start = [], threading.Barrier(10)

    def change(tab: int) -> None:
        with Store(store.path) as own:
            start.wait()
            try:
                own.labels.put(replace(first, value={"value": f"tab {tab}"}), 1)
            except Conflict:
                told.append(tab)

    at_once(change, range(10))
    history = store.labels.history(first.id, HOST)
    assert len(told) == 9
    assert {one.value["value"] for one in history} == {"first", *(f"tab {tab}" for tab in range(10))}
    assert [one.refused for one in history].count(True) == 9
