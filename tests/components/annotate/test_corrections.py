"""Corrections: chosen on the bench, saved with their words, described, and tested by a fork."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import corrections
from components.annotate.contract import DeskMessage
from components.annotate.corrections import describe, fork_result, forks_with, in_words, offered
from components.annotate.panel_data import Assignments, PanelState, panel_data
from components.annotate.save_labels import label_ids, save
from components.session import start_runs, state
from components.widgets import edit_form
from readers import get
from readers.engine.errors import BadOptions, Conflict
from readers.engine.forks.fork import ForkTerms, fork
from readers.engine.labels import codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.label import CODES, NOTES, Label, Turn, correction_id, correction_of, label_seed
from readers.engine.labels.project import Project, Settings, Viewer
from readers.engine.models.offline import Offline
from readers.engine.record import edits
from readers.engine.record.edits import ModelEdit, ReplyEdit, WrittenEdit
from readers.engine.record.events import Asked, Chose, Wrote
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Run, Store, open_reading
from tests.support.app_pages import html, links, named, opened, words
from tests.support.models.scripted_models import parts_of

READER = get("memwalker")
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def reading(store: Store) -> Reading:
    """A tree of six leaves, walked by the offline model."""
    options = {"segment_tokens": 64, "max_children": 4, "summary_limit_tokens": 64}
    spec = RunSpec(READER.id, READER.version, "Which word is word3x2?", options=options)
    run = execute(store, create_run(store, parts_of(6), READER, spec).id, READER, Execution(Offline()))
    return open_reading(store, run.id)


def decided(reading: Reading) -> tuple[int, ReplyEdit]:
    """The first step (from 1) at which a child was chosen, and another child as an edit."""
    trace = reading.trace
    for step in trace.steps:
        happened = trace.of(step)
        chose = next((one for one in happened if isinstance(one, Chose) and one.action == "enter"), None)
        if chose:
            seq = next(one.seq for one in happened if isinstance(one, Asked) and one.prompt != "score")
            other = next(n for n, one in enumerate(chose.among) if one != chose.picked)
            with Store() as store:
                record = next(one for one in reading.records if one.seq == seq)
                prompt = store.runs.tape(reading.run.id).prompts()[record.prompt]
            return step.number + 1, ReplyEdit(seq, record.attempt, prompt.reply.render({"reasoning": "No.", "action": other}))
    raise AssertionError("nothing was chosen")


def begun(store: Store, reading: Reading, *names: str, stage: int = CODES) -> Project:
    """A project of one reading, open for these annotators."""
    chosen = Settings(lead="Lea", start_stage=stage, share=1.0, annotators=10, seed=7)
    where = store.projects.create(
        "Lamps", chosen, runs=[reading.run.id], book=codebook.Codebook((Code("N1", "Wrong turn"),)), by="Lea"
    )
    for name in names:
        store.projects.join(where.id, name)
        store.turns.open(where.id, reading.run.id, name)
    return where


def own(store: Store, where: Project, reading: Reading, name: str = "Ann") -> list[Label]:
    return store.labels.in_project(where.id, store.projects.viewer(where.id, name), run=reading.run.id, annotator=name)


Spot = tuple[str, str, str]  # a project, a run and an annotator


def sent(store: Store, spot: Spot, said: Any) -> list[dict[str, Any]]:
    """The answers to a message that the annotator's panel sends."""
    message = DeskMessage(**said)
    with store.labels.session(*spot, ids=label_ids(message)) as session:
        return save(session, "", message)


def chosen(store: Store, spot: Spot, step: int, edit: dict[str, Any] | None, *, seen: object) -> tuple[Label, int]:
    """An edit that is kept as the correction of a step."""
    with store.labels.session(*spot) as session:
        return session.put_edit(step, edit, seen=seen)


def typed(spot: Spot, step: int, said: str, *, expected: int, n: int = 1, **more: Any) -> dict[str, Any]:
    """What the panel sends when words were typed."""
    label_id = correction_id(label_seed(*spot), step)
    label = {"id": label_id, "kind": "correction", "target": {"step": step}, "value": {"words": said, **more}}
    return {"n": n, "ops": [{"n": n, "do": "put", "expected": expected, "book": 1, "label": label}]}


# Two places, one label


def test_words_and_edit_share_one_label_and_neither_is_lost(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    spot = (where.id, reading.run.id, "Ann")
    step, edit = decided(reading)
    data = edits.to_json(edit)
    assert sent(store, spot, typed(spot, step, "the other one", expected=0)) == [{"n": 1, "revision": 1}]
    label, before = chosen(store, spot, step, data, seen=None)
    assert (label.revision, before, label.value) == (2, 1, {"edit": data, "words": "the other one"})
    late = typed(spot, step, f"the other one {HOSTILE}", expected=1, n=2)  # the panel has not heard of the edit yet
    assert sent(store, spot, late) == [{"n": 2, "revision": 3}]
    assert sent(store, spot, late) == [{"n": 2, "revision": 3}]
    (kept,) = own(store, where, reading)
    assert kept.value == {"edit": data, "words": f"the other one {HOSTILE}"}
    foreign = edits.to_json(ModelEdit(0, "openai/any", "http://elsewhere.example/v1"))
    assert sent(store, spot, typed(spot, step, "", expected=3, n=3, edit=foreign)) == [{"n": 3, "revision": 4}]
    assert own(store, where, reading)[0].value == {"edit": data, "words": ""}
    store.labels.restore(label.id, "Ann", expected=4, revision=1)
    assert own(store, where, reading)[0].value == {"edit": None, "words": "the other one"}


def test_words_changed_in_two_tabs_conflict_and_the_edit_survives(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    spot = (where.id, reading.run.id, "Ann")
    step, edit = decided(reading)
    chosen(store, spot, step, edits.to_json(edit), seen=None)
    assert sent(store, spot, typed(spot, step, "one", expected=0)) == [{"n": 1, "revision": 2}]
    assert sent(store, spot, typed(spot, step, "two", expected=0, n=2)) == [{"n": 2, "stands": 2}]
    assert own(store, where, reading)[0].value == {"edit": edits.to_json(edit), "words": "one"}


def test_an_edit_does_not_overwrite_one_that_was_not_shown(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    spot = (where.id, reading.run.id, "Ann")
    step, edit = decided(reading)
    first, second = edits.to_json(edit), edits.to_json(replace(edit, text="Another one."))
    label, _ = chosen(store, spot, step, first, seen=None)
    with pytest.raises(Conflict, match="elsewhere"):
        chosen(store, spot, step, second, seen=None)
    assert own(store, where, reading)[0].value["edit"] == first
    assert chosen(store, spot, step, second, seen=first)[0].revision == 2
    gone, before = chosen(store, spot, step, None, seen=second)
    assert (gone.removed, before, own(store, where, reading)) == (True, 2, [])
    again, before = chosen(store, spot, step, first, seen=None)
    assert (again.id, again.revision, before, len(own(store, where, reading))) == (label.id, 4, 3, 1)
    store.turns.skip(where.id, reading.run.id, "Ann", reason="enough")
    with pytest.raises(BadOptions, match="skipped"):
        chosen(store, spot, step, second, seen=first)


def test_an_imported_correction_is_the_one_that_is_edited(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    step, edit = decided(reading)
    brought = Label("f" * 32, where.id, reading.run.id, "Ann", "correction", {"step": step}, {"words": "left"}, 1)
    store.labels.put(brought, 0)
    label, _ = chosen(store, (where.id, reading.run.id, "Ann"), step, edits.to_json(edit), seen=None)
    assert (label.id, label.value["words"], len(own(store, where, reading))) == ("f" * 32, "left", 1)
    assert correction_of(own(store, where, reading), step + 1) is None


def test_each_step_and_annotator_has_one_id() -> None:
    ids = {correction_id(label_seed("p", "r", name), step) for name in ("Ann", "Bob") for step in (1, 2, 300, 70_000)}
    assert len(ids) == 8
    assert all(len(one) == 32 and set(one) <= set("0123456789abcdef") for one in ids)


# In words


def test_an_edit_is_described_and_a_misplaced_one_gets_its_reason(store: Store, reading: Reading) -> None:
    step, edit = decided(reading)
    found = describe(reading, edits.to_json(edit), step)
    assert found.edit == edit
    assert found.words == f"call {edit.seq + 1} got another reply: reasoning “No.”; part 2 instead of part 1"
    assert describe(reading, edits.to_json(edit), step + 1).problem == corrections.NOT_AT_THIS_STEP
    wrote = next(one for one in reading.trace.events if isinstance(one, Wrote))
    at = next(one.number for one in reading.trace.steps if wrote in reading.trace.of(one))
    left_out = describe(reading, edits.to_json(WrittenEdit(wrote.n, wrote.role, wrote.text, "")), at + 1)
    assert (left_out.words[:19], left_out.edit and left_out.edit.text) == ("without the summary", edits.LEFT_OUT)  # type: ignore[union-attr]
    old = describe(reading, edits.to_json(WrittenEdit(wrote.n, wrote.role, "It was otherwise.", HOSTILE)), at + 1)
    assert old.edit is None
    assert "not in this reading" in old.problem


@pytest.mark.parametrize(
    "given",
    [
        "left", [], {}, {"kind": "magic"}, {"kind": ["reply"]}, {"kind": "reply"}, {"kind": "reply", "seq": "1", "attempt": 0},
        {"kind": "reply", "seq": -1, "attempt": 0, "text": "x"}, {"kind": "reply", "seq": 10**9, "attempt": 0, "text": "x"},
        {"kind": "wrote", "n": 10**9, "role": HOSTILE, "before": "", "text": HOSTILE},
        edits.to_json(ModelEdit(0, "openai/any", "http://elsewhere.example/v1")), edits.to_json(edits.RerunEdit(0)),
    ],
)  # fmt: skip
def test_an_impossible_edit_gets_its_reason(reading: Reading, given: Any) -> None:
    found = describe(reading, given, 1)
    assert found.edit is None
    assert found.problem.endswith(".")
    label = Label("a" * 32, "p", reading.run.id, "Ann", "correction", {"step": 1}, {"edit": given, "words": ""}, 1, 1)
    assert in_words(reading, label).endswith(f"(it cannot be tested: {found.problem})")


def test_a_missing_attempt_and_a_malformed_reply_are_described(reading: Reading) -> None:
    step, edit = decided(reading)
    assert "there is no reply 8" in describe(reading, edits.to_json(replace(edit, attempt=7)), step).problem.lower()
    odd = describe(reading, edits.to_json(replace(edit, text=HOSTILE)), step)
    assert (odd.problem, odd.edit is not None) == ("", True)
    assert "one that cannot be read" in odd.words


def test_the_panel_gets_the_words_of_an_edit_and_never_the_edit(reading: Reading) -> None:
    step, edit = decided(reading)
    value = {"edit": edits.to_json(edit), "words": "the other"}
    mine = Label("a" * 32, "p", "r", "Ann", "correction", {"step": step}, value, 1, 2)
    of_bob = replace(mine, id="b" * 32, annotator="Bob")
    edited = {label.id: f"{label.annotator}: {HOSTILE}" for label in (mine, of_bob)}

    def given(*done: str, stage: int = CODES) -> dict[str, Any]:
        viewer = Viewer("Ann", stage, frozenset(done))
        turn, work = Turn("p", "r", "Ann", stage, "open"), Assignments(("r",), {"r": "open"})
        project = Project("p", "Lamps", "2026-01-01", Settings())
        return panel_data(
            PanelState(
                project, viewer, "r", "memwalker", "", 9, turn, work, labels=[mine, of_bob], edited=edited, corrects=True
            )
        )  # fmt: skip

    (label,) = given()["labels"]
    assert (label["value"], label["edited"]) == ({"words": "the other"}, f"Ann: {HOSTILE}")
    assert edit.text not in json.dumps(given())
    assert "Bob" not in json.dumps(given())
    assert given("r")["others"][0]["edited"] == f"Bob: {HOSTILE}"
    assert (given()["corrects"], given(stage=NOTES)["corrects"]) == (True, False)


# Its forks


def test_the_forks_that_test_a_correction_are_those_with_the_same_edit(store: Store, reading: Reading) -> None:
    step, edit = decided(reading)
    same = [fork(store, reading, READER, edit, terms=ForkTerms(name=name)) for name in ("one", "two")]
    fork(store, reading, READER, replace(edit, text="Another one."))
    fork(store, reading, READER, edit, terms=ForkTerms(experiment="x", sample_base=3))
    found = describe(reading, edits.to_json(edit), step).edit
    assert found is not None
    assert {run.id for run in forks_with(found, reading.run, store.runs.family(reading.run.id))} == {run.id for run in same}
    assert forks_with(found, same[0], store.runs.family(reading.run.id)) == []


@pytest.mark.parametrize(
    ("fork", "parent", "said"),
    [
        (("finished", "answered", "Ada"), ("finished", "answered", "Bo"), "Tested: the fork answers “Ada”, this reading “Bo”"),
        (
            ("finished", "answered", "Ada"),
            ("finished", "answered", "Ada"),
            "Tested: the fork answers “Ada”, as this reading does",
        ),
        (("finished", "answered", "Ada"), ("finished", "exhausted", None), "Tested: the fork answers “Ada”"),
        (("finished", "no_answer", None), ("finished", "answered", "Bo"), "Tested: the fork finds no answer"),
        (("finished", "exhausted", None), ("finished", "exhausted", None), "Tested: the fork gives up too"),
        (("finished", "over_budget", None), ("finished", "no_answer", None), "Tested: the fork uses up its budget"),
        (("failed", None, None), ("finished", "answered", "Bo"), "Not tested: the fork failed before its end"),
        (("cancelled", None, None), ("finished", "answered", "Bo"), "Not tested: the fork was stopped before its end"),
        (("running", None, None), ("finished", "answered", "Bo"), "The fork is running"),
    ],
)
def test_the_result_of_a_fork_in_words(fork: tuple[Any, ...], parent: tuple[Any, ...], said: str) -> None:
    made, run = (Run("x", "d", "memwalker", "Who?", {}, *given) for given in (fork, parent))
    assert fork_result(made, run) == said


# The page


def sat(where: Project, reading: Reading, at: int, name: str = "Ann") -> AppTest:
    """The bench at a step (from 1), with the place for corrections open."""
    with opened("5_Annotate") as app:
        for key, value in {"project": where.id, "view": "bench", "run": reading.run.id, "at": str(at)}.items():
            app.query_params[key] = value
        key = state.key("bench-panel", where.id, reading.run.id, state.short_hash(name))
        app.session_state[state.key("what_if", key)] = True
        named(app, name).run()
        assert not app.exception
        return app


def button(app: AppTest, label: str) -> Any:
    return next((one for one in app.button if one.label == label), None)


def test_another_option_is_saved_continued_from_and_its_result_shown(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    step, _ = decided(reading)
    app = sat(where, reading, step)
    assert "Change something above to say" in words(app)
    assert not [one for one in app.segmented_control if "otherwise" in one.label]  # there is the reply alone
    radio = next(one for one in app.radio if "new_reply" in str(one.key))
    radio.set_value(next(option for option in radio.options if option != radio.options[radio.index])).run()
    assert not app.exception
    assert "New calls" in html(app)
    assert own(store, where, reading) == []
    button(app, "Save as my correction").click().run()
    assert not app.exception
    (label,) = own(store, where, reading)
    assert (label.value["words"], label.target, label.value["edit"]["kind"]) == ("", {"step": step}, "reply")
    assert "Your correction: call " in html(app)
    assert "This is your correction." in words(app)
    assert store.runs.family(reading.run.id) == [store.runs.get(reading.run.id)]
    button(app, "Continue from it").click().run()
    assert not app.exception
    (made,) = [run for run in store.runs.family(reading.run.id) if run.parent]
    start_runs._wait_while(lambda: start_runs.is_running(store.runs.get(made.id)), 20)
    assert made.name == f"Step {step} corrected"
    app.run()
    done = store.runs.get(made.id)
    assert fork_result(done, reading.run) in html(app)
    assert button(app, "Continue from it") is None
    assert ("Open the fork", f"run={made.id}") in links(app)
    assert ("Side by side with this reading", f"runs={reading.run.id}%2C{made.id}") in links(app)
    button(app, "Remove correction").click().run()
    assert own(store, where, reading) == []
    assert "Your correction: " not in html(app)


def test_a_broken_edit_is_reported_and_can_be_replaced(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann", "Bob")
    step, edit = decided(reading)
    nowhere = edits.to_json(replace(edit, seq=9_999))
    for name, label_id in (("Ann", "a" * 32), ("Bob", "b" * 32)):
        value = {"edit": nowhere, "words": "left"}
        store.labels.put(Label(label_id, where.id, reading.run.id, name, "correction", {"step": step}, value, 1), 0)
    spoilt = json.dumps({"edit": {"kind": HOSTILE, "seq": []}, "words": "left"})  # past all checks
    store.connection.execute("UPDATE labels SET value = ? WHERE annotator = 'Ann'", [spoilt])
    app = sat(where, reading, step)
    assert "Your correction cannot be read." in html(app)
    assert "&lt;img src=x" in html(app)
    assert button(app, "Continue from it") is None
    button(app, "Remove correction").click().run()
    assert not app.exception
    assert own(store, where, reading)[0].value == {"edit": None, "words": "left"}
    assert "cannot be tested" in html(sat(where, reading, step, "Bob"))


def test_nothing_is_offered_before_stage_3_or_for_a_reading_that_cannot_continue(
    store: Store, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = begun(store, reading, "Ann", stage=NOTES)
    step, _ = decided(reading)
    app = sat(where, reading, step)
    assert not [one for one in app.expander if "would have been right" in one.label]
    coder = Viewer("Ann", CODES)
    assert [offered(viewer, reading) for viewer in (coder, Viewer("Ann", NOTES), Viewer("Lea", whole=True))] == [
        True,
        False,
        False,
    ]
    monkeypatch.setattr(type(READER), "version", READER.version + 1)
    assert not offered(coder, reading)


def test_a_reading_that_does_not_say_its_version_is_opened_and_not_corrected(reading: Reading) -> None:
    unversioned = {name: given for name, given in reading.run.spec.items() if name != "version"}
    old = reading._replace(run=replace(reading.run, spec=unversioned))
    assert not offered(Viewer("Ann", CODES), old)
    assert "made by an unknown version of MemWalker; this is version" in edit_form.refused(old)


def test_a_closed_reading_shows_its_correction_and_takes_no_other(store: Store, reading: Reading) -> None:
    where = begun(store, reading, "Ann")
    step, edit = decided(reading)
    chosen(store, (where.id, reading.run.id, "Ann"), step, edits.to_json(edit), seen=None)
    store.turns.skip(where.id, reading.run.id, "Ann", reason="enough")
    page = """
from components.annotate import corrections
from components.session import state
from components.widgets import edit_form
from components.annotate.bench_player import BenchReading
from readers.engine.store import open_reading
from readers.engine.store import Store
import streamlit as st
with Store() as store:
    seat = BenchReading(store.projects.get(%r), "Ann", open_reading(store, %r), "p")
st.session_state[state.key("what_if", "p")] = True
corrections.show(seat, %d)
"""
    app = AppTest.from_string(page % (where.id, reading.run.id, step - 1), default_timeout=60).run()
    assert not app.exception
    assert "Your correction: call " in html(app)
    assert [one.label for one in app.button] == ["Continue from it"]
    assert not app.radio
    assert "reopen it to change your labels" in words(app)
