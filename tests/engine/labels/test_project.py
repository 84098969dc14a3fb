"""Projects: who reads what in which order, who may see what on every road, stages, codebooks and decisions."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from readers.engine.errors import BadOptions, Conflict, NotFound
from readers.engine.labels.check_label import checked_decision
from readers.engine.labels.codebook import Codebook, to_json
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Decision, Label, Turn
from readers.engine.labels.project import (
    HOST,
    Annotator,
    Project,
    Settings,
    Viewer,
    for_several,
    leads,
    order,
    progress,
    protocol,
    quotas,
    sees_codes,
    sees_others,
    sees_outcome,
    settings_json,
    settings_of,
    upcoming,
)
from readers.engine.store import Store
from tests.support.labels import BOOK, about, at_once, coded, opened, project, readings

RUNS = [f"{n:010x}" for n in range(200)]
LEA, ADA = Viewer("Lea", whole=True), Viewer("Ada", 3)


# Settings


def test_settings_come_back_as_they_went_in() -> None:
    whole = Settings("Lea", 3, False, 12, 0.5, 3, "b1", "12 of 90 readings", suggest_fates=True, opens_at="first loss")
    assert settings_of(settings_json(whole)) == whole
    assert "opens_at" not in settings_json(Settings())  # as files from before have it
    assert settings_of({}) == Settings()
    assert settings_of({"share": 1}).share == 1.0


@pytest.mark.parametrize(
    "given",
    [
        {"start_stage": 2}, {"start_stage": True}, {"blind": 1}, {"seed": -1}, {"seed": 1.0}, {"share": 1.1}, {"share": True},
        {"annotators": 1}, {"annotators": 51}, {"lead": 3}, {"lead": "x" * 81}, {"batch": None}, {"mood": 1},
        {"sample": 3}, {"sample": "x" * 401}, {"opens_at": "the end"}, {"opens_at": ["answer"]},
    ],
)  # fmt: skip
def test_settings_that_do_not_hold_are_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises(BadOptions, match="annotator has a name" if len(str(given.get("lead"))) > 80 else next(iter(given))):
        settings_of(given)


def test_the_protocol_is_told_in_words() -> None:
    told = protocol(Settings(share=0.25, annotators=3, seed=9), 40)
    assert all(words in told for words in ("open notes first", "10 of 40 readings are for 3 annotators", "seed 9", "blind"))
    assert "; readings drawn: 4 of 9 readings, under seed 1;" in protocol(Settings(sample="4 of 9 readings, under seed 1"), 4)
    assert "; readings open at the first loss;" in protocol(Settings(opens_at="first loss"), 4)
    assert "not blind" in protocol(Settings(blind=False, start_stage=3), 40)
    assert "; each reading is for 2 annotators;" in protocol(Settings(share=1.0), 4)
    assert "; each reading is for one annotator;" in protocol(Settings(share=0.0), 4)


# Who reads what


def test_an_annotators_order_depends_on_seed_and_name_alone() -> None:
    settings = Settings(seed=5)
    mine = order(settings, "Ada", RUNS)
    assert sorted(mine) == sorted(RUNS)
    assert mine == order(settings, "Ada", reversed(RUNS))
    assert mine == order(replace(settings, share=1.0, annotators=9), "Ada", RUNS)
    assert mine not in (order(settings, "Ben", RUNS), order(replace(settings, seed=6), "Ada", RUNS), tuple(RUNS))
    assert [run for run in order(settings, "Ada", [*RUNS, "added", "later"]) if run in RUNS] == list(mine)


def test_who_joins_later_changes_nobodys_order(store: Store) -> None:
    where = project(store, 12)
    store.projects.join(where.id, "Ada")
    before = store.turns.upcoming(where.id, "Ada")
    for name in ("Ben", "Cy", "Di"):
        store.projects.join(where.id, name)
        store.turns.open(where.id, store.turns.upcoming(where.id, name)[0], name)
    assert store.turns.upcoming(where.id, "Ada") == before


@pytest.mark.parametrize("share", [0.0, 0.1, 0.2, 1 / 3, 0.5, 0.77, 1.0])
@pytest.mark.parametrize("count", [1, 2, 7, 50, 199])
def test_the_share_for_several_is_what_was_asked_for(share: float, count: int) -> None:
    settings = Settings(share=share, annotators=3)
    several = for_several(settings, RUNS[:count])
    assert abs(len(several) - share * count) <= 1
    assert quotas(settings, RUNS[:count]) == {run: 3 if run in several else 1 for run in RUNS[:count]}


@pytest.mark.parametrize(("share", "people"), [(0.2, 2), (0.5, 3), (1.0, 2), (0.0, 2)])
def test_when_all_is_done_the_share_was_read_by_as_many_as_asked(share: float, people: int) -> None:
    """Five annotators take the next one in turn until nobody has any left."""
    whole = Project("p", "P", "", Settings(start_stage=3, share=share, annotators=people, seed=3))
    runs, turns = RUNS[:40], []
    everybody = [Annotator(f"Annotator {n}", "", 3) for n in range(5)]
    while True:
        taken = [(who, left[0]) for who in everybody if (left := upcoming(whole, runs, who, turns))]
        if not taken:
            break
        who, run = taken[len(turns) % len(taken)]
        turns.append(Turn("p", run, who.name, 3, "done"))
    read = Counter(turn.run for turn in turns)
    assert set(read) == set(runs)
    assert abs(sum(1 for times in read.values() if times == people) - share * 40) <= 1
    assert max(read.values()) <= people
    assert len(turns) == len({(turn.run, turn.annotator) for turn in turns})


def test_what_is_skipped_goes_to_others_and_never_back() -> None:
    whole = Project("p", "P", "", Settings(start_stage=3, share=0.0))
    ada, ben = Annotator("Ada", "", 3), Annotator("Ben", "", 3)
    first = order(whole.settings, "Ada", RUNS[:4])[0]
    turns = [Turn("p", first, "Ada", 3, "skipped", "too long")]
    assert first not in upcoming(whole, RUNS[:4], ada, turns)
    assert first in upcoming(whole, RUNS[:4], ben, turns)
    assert progress(whole, RUNS[:4], ada, turns) == (0, 1, 0, 3)


def test_later_stages_are_of_the_readings_one_has_done() -> None:
    whole = Project("p", "P", "", Settings(start_stage=1, share=1.0))
    turns = [Turn("p", "a", "Ada", 1, "done"), Turn("p", "b", "Ada", 1, "skipped", "x"), Turn("p", "c", "Ada", 3, "done")]
    assert upcoming(whole, ["a", "b", "c"], Annotator("Ada", "", 3), turns) == ("a",)


def test_two_who_open_the_last_place_at_once_do_not_both_get_it(store: Store) -> None:
    where = project(store, 1, share=0.0)
    run, names = store.projects.readings(where.id)[0], [f"Annotator {n}" for n in range(6)]
    for name in names:
        store.projects.join(where.id, name)
    got: list[str] = []
    start = threading.Barrier(6)

    def take(name: str) -> None:
        with Store(store.path) as own:
            start.wait()
            try:
                own.turns.open(where.id, run, name)
                got.append(name)
            except BadOptions:
                pass

    at_once(take, names)
    assert len(got) == 1
    assert [turn.annotator for turn in store.turns.in_project(where.id, HOST)] == got


def test_a_turn_is_opened_timed_skipped_and_taken_up_again(store: Store) -> None:
    where = project(store, 2, share=0.0)
    run = opened(store, where, "Ada")
    assert store.turns.open(where.id, run, "Ada") == store.turns.in_project(where.id, HOST)[0]
    for ms in (1_500, -4, 10**9):
        store.turns.add_time(where.id, run, "Ada", ms=ms)
    assert store.turns.in_project(where.id, HOST)[0].ms == 601_500
    with pytest.raises(BadOptions, match="needs a reason"):
        store.turns.skip(where.id, run, "Ada", reason="  ")
    with pytest.raises(BadOptions, match="no label on this reading"):
        store.turns.finish(where.id, run, "Ada")
    assert store.turns.skip(where.id, run, "Ada", reason="too <long>").reason == "too <long>"
    with pytest.raises(BadOptions, match="skipped already"):
        store.turns.finish(where.id, run, "Ada")
    assert store.turns.reopen(where.id, run, "Ada").standing == "open"
    store.turns.skip(where.id, run, "Ada", reason="again")
    store.projects.join(where.id, "Ben")
    store.turns.open(where.id, run, "Ben")
    with pytest.raises(BadOptions, match="others have taken this reading"):
        store.turns.reopen(where.id, run, "Ada")
    assert store.turns.progress(where.id) == {"Ada": (0, 1, 0, 1), "Ben": (0, 0, 1, 1)}
    with pytest.raises(NotFound, match="has not opened"):
        store.turns.finish(where.id, store.projects.readings(where.id)[1], "Ben")


def test_a_done_turn_that_is_opened_again_is_marked_for_good(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    store.labels.put(about(where, run, "Ada", "outcome", "wrong"), 0)
    assert store.turns.finish(where.id, run, "Ada") == store.turns.finish(where.id, run, "Ada")
    assert run not in store.turns.upcoming(where.id, "Ada")
    assert store.turns.reopen(where.id, run, "Ada").again
    assert store.turns.upcoming(where.id, "Ada").count(run) == 1
    assert store.turns.finish(where.id, run, "Ada").again


# Projects and annotators


def test_a_project_has_readings_that_are_there_and_a_name(store: Store) -> None:
    ids = readings(store, 3)
    made = store.projects.create("  The   lamps ", Settings(), runs=[*ids, ids[0]])
    assert (made.name, store.projects.readings(made.id)) == ("The lamps", tuple(ids))
    assert store.projects.get(made.id) == made
    assert [one.id for one in store.projects.listed()] == [made.id]
    assert [one.id for one in store.projects.of_run(ids[1])] == [made.id]
    assert store.projects.add_readings(made.id, [*ids, *readings(store, 2)], HOST) == 2
    store.projects.rename(made.id, "<b>Lamps</b>", HOST)
    assert store.projects.get(made.id).name == "<b>Lamps</b>"
    for name, runs, error in (
        ("", ids, BadOptions),
        ("x", [], BadOptions),
        ("x", ["nothing"], NotFound),
        ("x" * 81, ids, BadOptions),
    ):
        with pytest.raises(error):
            store.projects.create(name, Settings(), runs=runs)
    with pytest.raises(NotFound, match="no project"):
        store.projects.rename("nothing", "x", HOST)
    assert len(store.projects.listed()) == 1


def test_a_deleted_project_takes_its_labels_and_leaves_its_readings(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    store.labels.put(coded(where, run, "Ada", 1), 0)
    store.turns.finish(where.id, run, "Ada")
    store.decisions.decide(Decision(where.id, run, {"field": "outcome"}, {}, "so", "Ada"), 0)
    store.projects.delete(where.id, HOST)
    tables = ("projects", "project_runs", "annotators", "turns", "labels", "label_history", "codebooks", "decisions")
    with sqlite3.connect(store.path) as other:
        assert [other.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [0] * len(tables)
    store.runs.delete(run)
    with pytest.raises(NotFound):
        store.projects.delete(where.id, HOST)


def test_names_that_differ_in_capitals_are_one_annotator(store: Store) -> None:
    where = project(store)
    first = store.projects.join(where.id, " Ada  L. ")
    assert store.projects.join(where.id, "ADA l.") == first == store.projects.annotator(where.id, "Ada L.")
    for name in ("", "x" * 81, "a\u202eb"):
        with pytest.raises(BadOptions):
            store.projects.join(where.id, name)
    with pytest.raises(NotFound, match="join it first"):
        store.projects.annotator(where.id, "Ben")


def test_no_more_annotators_than_a_project_has_room_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.store.labels.projects.MOST_ANNOTATORS", 2)
    where = project(store)
    for name in ("Ada", "Ben", "Ada"):
        store.projects.join(where.id, name)
    with pytest.raises(BadOptions, match="up to 2"):
        store.projects.join(where.id, "Cy")


# Stages


def noted(where: Project, run: str, number: int, group: str = "") -> Label:
    return Label(f"{number:032x}", where.id, run, "Ada", "note", {"step": 1}, {"words": "It slept.", "group": group})


def test_stages_go_one_by_one_and_never_back(store: Store) -> None:
    where = project(store, start_stage=1)
    run = opened(store, where, "Ada")
    with pytest.raises(BadOptions, match="still open"):
        store.projects.advance(where.id, "Ada", 2)
    with pytest.raises(BadOptions, match="comes stage 2"):
        store.projects.advance(where.id, "Ada", 3)
    note = store.labels.put(noted(where, run, 1), 0)
    with pytest.raises(BadOptions, match="cannot be made in stage 1"):
        store.labels.put(coded(where, run, "Ada", 2), 0)
    store.turns.finish(where.id, run, "Ada")
    assert store.projects.advance(where.id, "Ada", 2).stage == store.projects.advance(where.id, "Ada", 2).stage == 2
    with pytest.raises(BadOptions, match="1 of the notes has no group"):
        store.projects.advance(where.id, "Ada", 3)
    store.labels.put(replace(note, value={"words": "It slept.", "group": "asleep"}), 1)
    assert store.projects.advance(where.id, "Ada", 3).stage == 3
    for stage in (1, 2, 4):
        with pytest.raises(BadOptions):
            store.projects.advance(where.id, "Ada", stage)
    assert run in store.turns.upcoming(where.id, "Ada")
    store.turns.open(where.id, run, "Ada")
    assert store.labels.put(coded(where, run, "Ada", 2), 0).revision == 1


def test_nothing_noted_is_nothing_to_group(store: Store) -> None:
    where = project(store, start_stage=1)
    opened(store, where, "Ada")
    store.turns.skip(where.id, store.projects.readings(where.id)[0], "Ada", reason="too long")
    with pytest.raises(BadOptions, match="there are no notes on any reading"):
        store.projects.advance(where.id, "Ada", 2)


# Blindness


@pytest.mark.parametrize(
    ("viewer", "codes", "others"),
    [
        (Viewer("Ada", 1, frozenset({"r"})), False, False),
        (Viewer("Ada", 2, frozenset({"r"})), False, False),
        (Viewer("Ada", 1, blind=False), False, False),
        (Viewer("Ada", 3), True, False),
        (Viewer("Ada", 3, frozenset({"q"})), True, False),
        (Viewer("Ada", 3, frozenset({"r"})), True, True),
        (Viewer("Ada", 3, blind=False), True, True),
        (Viewer("Ada"), False, False),
        (Viewer("", blind=False), False, False),
        (Viewer("Lea", whole=True), True, True),
        (HOST, True, True),
    ],
)
def test_what_is_seen_in_each_stage(viewer: Viewer, codes: bool, others: bool) -> None:
    assert (sees_codes(viewer), sees_outcome(viewer), sees_others(viewer, "r")) == (codes, codes, others)


def everything(store: Store, where: Project, run: str, name: str) -> dict[str, Any]:
    """What each road gives to one person who is not Ben, of what Ben said."""
    viewer = store.projects.viewer(where.id, name)
    his = coded(where, run, "Ben", 1)
    roads: dict[str, Any] = {
        "labels": [one for one in store.labels.in_project(where.id, viewer) if one.annotator == "Ben"],
        "of the reading": [one for one in store.labels.in_project(where.id, viewer, run=run) if one.annotator == "Ben"],
        "of Ben": store.labels.in_project(where.id, viewer, annotator="Ben", removed=True),
        "decisions": store.decisions.in_project(where.id, viewer, history=True),
        "reasons": [one for one in store.turns.in_project(where.id, viewer, annotator="Ben") if one.reason or one.again],
    }
    for road, ask in (("label", store.labels.get), ("history", store.labels.history)):
        try:
            roads[road] = ask(his.id, viewer)
        except NotFound:
            roads[road] = []
    return roads


def blind_project(store: Store, **settings: Any) -> tuple[Project, str]:
    """Ben is through with the first reading, has decided something on it and taken it up again."""
    where = project(store, 2, lead="Lea", **settings)
    run = opened(store, where, "Ada", "Ben")
    store.labels.put(coded(where, run, "Ben", 1), 0)
    store.turns.finish(where.id, run, "Ben")
    store.decisions.decide(Decision(where.id, run, {"field": "outcome"}, {"value": "wrong"}, "because", "Ben"), 0)
    store.turns.reopen(where.id, run, "Ben")
    store.turns.finish(where.id, run, "Ben")
    return where, run


def test_nobody_sees_anothers_labels_before_their_own_are_in(store: Store) -> None:
    where, run = blind_project(store)
    for name in ("Ada", "a stranger", ""):
        assert not any(everything(store, where, run, name).values()), name
    store.labels.put(coded(where, run, "Ada", 2), 0)
    assert not any(everything(store, where, run, "Ada").values())
    store.turns.finish(where.id, run, "Ada")
    assert all(everything(store, where, run, "Ada").values())
    store.turns.reopen(where.id, run, "Ada")
    assert not any(everything(store, where, run, "Ada").values())
    own = store.labels.in_project(where.id, store.projects.viewer(where.id, "Ada"))
    assert [one.annotator for one in own] == ["Ada"]


def test_done_on_one_reading_shows_nothing_of_another(store: Store) -> None:
    where, run = blind_project(store)
    other = store.projects.readings(where.id)[1]
    store.turns.open(where.id, other, "Ada")
    store.labels.put(about(where, other, "Ada", "outcome", "wrong"), 0)
    store.turns.finish(where.id, other, "Ada")
    assert not any(everything(store, where, run, "Ada").values())


def test_who_leads_sees_all_until_they_label(store: Store) -> None:
    where, run = blind_project(store)
    assert all(everything(store, where, run, "Lea").values())
    store.projects.join(where.id, "Lea")
    assert not any(everything(store, where, run, "Lea").values())


def test_where_nobody_is_blind_others_are_seen_in_stage_3_and_not_before(store: Store) -> None:
    where, run = blind_project(store, blind=False)
    assert all(everything(store, where, run, "Ada").values())
    assert not any(everything(store, where, run, "a stranger").values())
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE annotators SET stage = 1 WHERE name = 'Ada'")
    assert not any(everything(store, where, run, "Ada").values())


def test_the_codebook_is_not_shown_before_stage_3(store: Store) -> None:
    where = project(store, start_stage=1, lead="Lea")
    store.projects.join(where.id, "Ada")
    early, lead = store.projects.viewer(where.id, "Ada"), store.projects.viewer(where.id, "Lea")
    assert (store.codebooks.latest(where.id, early), store.codebooks.versions(where.id, early)) == (None, [])
    shown = store.codebooks.latest(where.id, lead)
    assert shown is not None
    assert (shown.version, shown.codes, shown.by) == (1, to_json(BOOK)[0], "Lea")


# The codebook and decisions


def test_a_codebook_has_versions_and_the_later_of_two_changes_is_told(store: Store) -> None:
    where = project(store)
    more = BOOK.add(Code("N9", "'; DROP TABLE codebooks; --"))
    assert store.codebooks.add(where.id, more, LEA).version == 2
    with pytest.raises(Conflict, match="at version 2") as told:
        store.codebooks.add(where.id, BOOK.retire("N1"), ADA)
    assert told.value.current == store.codebooks.latest(where.id, HOST)
    assert [(one.by, one.book) for one in store.codebooks.versions(where.id, HOST)] == [("Lea", BOOK), ("Lea", more)]
    long = Codebook(
        tuple(Code(f"C{n}", f"{n}", definition="x" * 2_000, example="x" * 2_000, near_miss="x" * 2_000) for n in range(400)), 3
    )
    with pytest.raises(BadOptions, match="up to 2,000,000 characters"):
        store.codebooks.add(where.id, long, LEA)
    with pytest.raises(NotFound):
        store.codebooks.add("nowhere", BOOK, LEA)


def test_decisions_keep_what_was_decided_before(store: Store) -> None:
    where, run = blind_project(store)
    first = store.decisions.in_project(where.id, HOST)[0]
    other = first._replace(value={"value": "partly"}, reason="<b>on second thoughts</b>")
    with pytest.raises(Conflict, match="in the meantime") as told:
        store.decisions.decide(other, 0)
    assert told.value.current == first
    assert store.decisions.decide(other, 1).revision == store.decisions.decide(other, 1).revision == 2
    assert [one.value["value"] for one in store.decisions.in_project(where.id, HOST)] == ["partly"]
    assert [one.value["value"] for one in store.decisions.in_project(where.id, HOST, run=run, history=True)] == [
        "wrong",
        "partly",
    ]
    with pytest.raises(NotFound, match="finish them first"):
        store.decisions.decide(first._replace(by="Ada"), 2)
    with pytest.raises(NotFound, match="does not belong"):
        store.decisions.decide(first._replace(run="elsewhere"), 0)
    for wrong in (first._replace(value={"x": "x" * 5_000}), first._replace(target=[])):  # type: ignore[arg-type]
        with pytest.raises(BadOptions):
            checked_decision(wrong)


def test_who_leads_a_project() -> None:
    made = Project("p", "P", "2026-01-01", Settings(lead="Lea"))
    assert leads(made, Viewer("lea"))
    assert not leads(made, Viewer("Ann"))
    assert leads(made, HOST)
    assert leads(replace(made, settings=Settings()), Viewer("Ann"))
