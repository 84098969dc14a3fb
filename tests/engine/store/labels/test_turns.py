"""Turns: their mark for work that is not blind, readings given back, what is to be had in the third stage, and who leads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.label import Label, Turn
from readers.engine.labels.project import HOST, Annotator, Project, Settings, Viewer, leads, protocol, upcoming
from readers.engine.store import Store
from tests.support.labels import BOOK, about, coded, opened, project, readings


def turn(store: Store, where: Project, run: str, name: str) -> Turn:
    (found,) = (one for one in store.turns.in_project(where.id, HOST, run=run, annotator=name) if one.stage == 3)
    return found


def noted(where: Project, run: str, name: str, number: int) -> Label:
    return Label(f"{number:032x}", where.id, run, name, "note", {"step": 1}, {"words": "It slept.", "group": "asleep"})


# The mark


def test_the_mark_outlives_skipping_and_a_reason_is_kept_beside_it(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    store.labels.put(about(where, run, "Ada", "outcome", "wrong"), 0)
    store.turns.finish(where.id, run, "Ada")
    store.turns.reopen(where.id, run, "Ada")
    skipped = store.turns.skip(where.id, run, "Ada", reason="not sure any more")
    assert (skipped.reason, skipped.again) == ("not sure any more", True)
    store.turns.reopen(where.id, run, "Ada")
    done = store.turns.finish(where.id, run, "Ada")
    assert (done.reason, done.again) == ("", True)
    assert turn(store, where, run, "Ada") == done


def test_what_was_only_skipped_is_not_marked(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ada")
    store.turns.skip(where.id, run, "Ada", reason="reopened")  # whatever words stand there
    assert not store.turns.reopen(where.id, run, "Ada").again
    store.labels.put(about(where, run, "Ada", "outcome", "wrong"), 0)
    assert not store.turns.finish(where.id, run, "Ada").again


def test_the_lead_labels_blind_but_for_the_readings_whose_labels_they_have_seen(store: Store) -> None:
    where = project(store, lead="Lea")
    first, second, third = store.projects.readings(where.id)
    store.projects.join(where.id, "Ada")
    for run in (first, second):
        store.turns.open(where.id, run, "Ada")
        store.labels.put(about(where, run, "Ada", "outcome", "wrong"), 0)
    lead = store.projects.viewer(where.id, "lea")
    store.turns.in_project(where.id, lead)  # who works on what is not what they say
    assert [one.run for one in store.labels.in_project(where.id, lead, run=first)] == [first]
    store.labels.in_project(where.id, HOST)  # the command line is nobody
    store.projects.join(where.id, "lea")
    for run in (first, second, third):
        store.turns.open(where.id, run, "Lea")
    assert [turn(store, where, run, "Lea").again for run in (first, second, third)] == [True, False, False]


def test_notes_on_the_board_are_seen_too(store: Store) -> None:
    where = project(store, 1, lead="Lea", start_stage=1)
    run = opened(store, where, "Ada")
    store.labels.put(Label("1" * 32, where.id, run, "Ada", "note", {"step": 1}, {"words": "lost", "group": ""}), 0)
    assert store.boards.load(where.id, store.projects.viewer(where.id, "Lea")).notes
    store.projects.join(where.id, "Lea")
    assert store.turns.open(where.id, run, "Lea").again


def test_who_leads_and_joins_is_one_annotator_among_others(store: Store) -> None:
    where = project(store, lead="Lea")
    assert store.projects.viewer(where.id, "lea").whole
    store.projects.join(where.id, "lea")
    run = opened(store, where, "Lea", "Ada")
    assert [one.name for one in store.projects.annotators(where.id)] == ["Lea", "Ada"]
    assert (turn(store, where, run, "Lea").again, turn(store, where, run, "Ada").again) == (False, False)
    viewer = store.projects.viewer(where.id, "LEA")
    assert (viewer.name, viewer.whole, viewer.stage) == ("Lea", False, 3)


# Given back


def test_a_reading_that_was_only_looked_at_is_given_back_and_others_get_it(store: Store) -> None:
    where = project(store, 1, share=0.0)
    run = opened(store, where, "Ada")
    store.projects.join(where.id, "Ben")
    ada, ben = store.projects.viewer(where.id, "Ada"), store.projects.viewer(where.id, "Ben")
    assert store.turns.upcoming(where.id, "Ben") == ()
    with pytest.raises(BadOptions, match="others have it already"):
        store.turns.open(where.id, run, "Ben")
    assert store.turns.unused(where.id) == {"Ada": 1}
    assert store.turns.release(where.id, "Ada", ada, run="another") == 0
    assert store.turns.release(where.id, "Ada", ada, run=run) == 1
    assert (store.turns.unused(where.id), store.turns.in_project(where.id, HOST)) == ({}, [])
    assert store.turns.upcoming(where.id, "Ada") == store.turns.upcoming(where.id, "Ben") == (run,)
    store.turns.open(where.id, run, "Ben")
    with pytest.raises(BadOptions, match="others have it already"):
        store.turns.open(where.id, run, "Ada")
    assert store.turns.release(where.id, "Ben", ben) == 1
    with pytest.raises(NotFound, match="join it first"):
        store.turns.release(where.id, "Cy", HOST)


def test_what_holds_a_label_or_is_not_open_is_not_given_back(store: Store) -> None:
    where = project(store, 4)
    labelled, removed, skipped, again = store.projects.readings(where.id)
    store.projects.join(where.id, "Ada")
    ada = store.projects.viewer(where.id, "Ada")
    for run in (labelled, removed, skipped, again):
        store.turns.open(where.id, run, "Ada")
    store.labels.put(noted(where, labelled, "Ada", 1), 0)
    store.labels.put(noted(where, removed, "Ada", 2), 0)
    store.labels.remove(f"{2:032x}", "Ada", expected=1)
    store.turns.skip(where.id, skipped, "Ada", reason="too long")
    store.labels.put(about(where, again, "Ada", "outcome", "wrong"), 0)
    store.turns.finish(where.id, again, "Ada")
    store.turns.reopen(where.id, again, "Ada")
    store.labels.remove(about(where, again, "Ada", "outcome", "wrong").id, "Ada", expected=1)
    assert store.turns.unused(where.id) == {"Ada": 1}
    assert store.turns.release(where.id, "Ada", ada) == 1
    assert {one.run for one in store.turns.in_project(where.id, HOST)} == {labelled, skipped, again}
    assert turn(store, where, again, "Ada").again  # with the turn the mark would go


def test_the_lead_frees_what_others_hold_and_nobody_else_does(store: Store) -> None:
    where = project(store, 2, lead="Lea")
    opened(store, where, "Ada", "Ben")
    with pytest.raises(BadOptions, match="only the project lead"):
        store.turns.release(where.id, "Ada", store.projects.viewer(where.id, "Ben"))
    assert store.turns.unused(where.id) == {"Ada": 1, "Ben": 1}
    assert store.turns.release(where.id, "Ada", store.projects.viewer(where.id, "Lea")) == 1
    assert store.turns.unused(where.id) == {"Ben": 1}
    opened(store, where, "Lea")  # who labels now, and leads on
    assert store.turns.release(where.id, "Ben", store.projects.viewer(where.id, "Lea")) == 1
    assert store.turns.release(where.id, "Lea", store.projects.viewer(where.id, "Lea")) == 1


# The third stage of a project that begins with notes


def through_notes(store: Store, where: Project, name: str, *, notes: int) -> tuple[str, ...]:
    """Somebody notes so many readings and goes on to the codes; the readings they noted."""
    store.projects.join(where.id, name)
    mine = store.turns.upcoming(where.id, name)[:notes]
    for run in mine:
        store.turns.open(where.id, run, name)
        store.turns.finish(where.id, run, name)
    store.projects.advance(where.id, name, 2)
    store.projects.advance(where.id, name, 3)
    return mine


def test_in_stage_3_also_readings_come_that_nobody_noted(store: Store) -> None:
    where = project(store, 6, start_stage=1, share=0.0)
    every = set(store.projects.readings(where.id))
    hers = through_notes(store, where, "Ada", notes=2)
    assert set(store.turns.upcoming(where.id, "Ada")) == every
    his = through_notes(store, where, "Ben", notes=2)
    assert not set(hers) & set(his)
    assert set(store.turns.upcoming(where.id, "Ada")) == every - set(his)
    assert set(store.turns.upcoming(where.id, "Ben")) == every - set(hers)
    free = next(run for run in store.turns.upcoming(where.id, "Ada") if run not in hers)
    store.turns.open(where.id, free, "Ada")
    assert store.labels.put(coded(where, free, "Ada", 1), 0).revision == 1
    assert free not in store.turns.upcoming(where.id, "Ben")
    store.projects.join(where.id, "Cy")  # in stage 1: what somebody has in stage 3 is not to be noted by another
    assert set(store.turns.upcoming(where.id, "Cy")) == every - set(hers) - set(his) - {free}
    assert store.turns.progress(where.id)["Ada"].left == 3


def test_all_of_a_project_that_begins_with_notes_can_be_coded(store: Store) -> None:
    where = project(store, 8, start_stage=1, share=0.5, annotators=2)
    for name in ("Ada", "Ben"):
        through_notes(store, where, name, notes=2)
    number = 0
    while left := [(name, runs[0]) for name in ("Ada", "Ben") if (runs := store.turns.upcoming(where.id, name))]:
        for name, run in left:
            if run in store.turns.upcoming(where.id, name):
                number += 1
                store.turns.open(where.id, run, name)
                store.labels.put(coded(where, run, name, number), 0)
                store.turns.finish(where.id, run, name)
    done = [one.run for one in store.turns.in_project(where.id, HOST) if one.stage == 3 and one.standing == "done"]
    assert sorted(done.count(run) for run in store.projects.readings(where.id)) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_what_was_skipped_in_stage_3_goes_to_others_and_comes_back_as_long_as_nobody_has_it(store: Store) -> None:
    where = project(store, 2, start_stage=1, share=0.0)
    (hers,) = through_notes(store, where, "Ada", notes=1)
    through_notes(store, where, "Ben", notes=1)
    store.turns.open(where.id, hers, "Ada")
    store.turns.skip(where.id, hers, "Ada", reason="too long")
    assert hers in store.turns.upcoming(where.id, "Ben")
    store.turns.reopen(where.id, hers, "Ada")
    assert hers not in store.turns.upcoming(where.id, "Ben")
    store.turns.skip(where.id, hers, "Ada", reason="too long")
    store.turns.open(where.id, hers, "Ben")
    with pytest.raises(BadOptions, match="others have taken this reading"):
        store.turns.reopen(where.id, hers, "Ada")


def test_the_refusal_says_why_a_reading_does_not_come(store: Store) -> None:
    where = project(store, 2, start_stage=1, share=0.0)
    store.projects.join(where.id, "Ada")
    passed, noted_one = store.turns.upcoming(where.id, "Ada")
    store.turns.open(where.id, passed, "Ada")
    store.turns.skip(where.id, passed, "Ada", reason="too long")
    store.turns.open(where.id, noted_one, "Ada")
    store.turns.finish(where.id, noted_one, "Ada")
    store.projects.advance(where.id, "Ada", 2)
    store.projects.advance(where.id, "Ada", 3)
    with pytest.raises(BadOptions, match="you skipped it in an earlier stage"):
        store.turns.open(where.id, passed, "Ada")
    store.projects.join(where.id, "Ben")
    with pytest.raises(BadOptions, match="others have it already"):
        store.turns.open(where.id, noted_one, "Ben")


def test_nothing_new_comes_while_notes_are_grouped() -> None:
    whole = Project("p", "P", "", Settings(start_stage=1, share=1.0))
    turns = [Turn("p", "a", "Ada", 1, "done"), Turn("p", "b", "Ada", 1, "skipped", "x")]
    assert upcoming(whole, ["a", "b", "c"], Annotator("Ada", "", 2), turns) == ("a",)
    assert set(upcoming(whole, ["a", "b", "c"], Annotator("Ada", "", 3), turns)) == {"a", "c"}


def test_the_protocol_says_how_many_are_noted_first() -> None:
    told = protocol(Settings(), 100)
    assert "open notes first, of about 30 readings, then groups, then the codebook for these and the others" in told
    assert "open notes first, then groups, then the codebook;" in protocol(Settings(), 30)


# Who leads


@pytest.mark.parametrize(
    ("viewer", "may"),
    [
        (Viewer("Lea"), True),
        (Viewer("lea", 3), True),
        (Viewer("Ada", 3), False),
        (Viewer("a stranger"), False),
        (Viewer(""), False),
        (HOST, True),
    ],
)
def test_only_who_leads_changes_what_a_project_is(store: Store, viewer: Viewer, may: bool) -> None:
    where, more = project(store, 1, lead="Lea"), readings(store, 1)
    acts: list[Callable[[], object]] = [
        lambda: store.projects.rename(where.id, "Other lamps", viewer),
        lambda: store.projects.add_readings(where.id, more, viewer),
        lambda: store.projects.delete(where.id, viewer),
    ]
    assert leads(where, viewer) is may
    for act in acts:
        if may:
            act()
        else:
            with pytest.raises(BadOptions, match="only the project lead, 'Lea', can do this"):
                act()
    left = [(one.name, len(store.projects.readings(one.id))) for one in store.projects.listed()]
    assert left == ([] if may else [("Lamps", 1)])


def test_where_nobody_leads_everybody_may(store: Store) -> None:
    where = project(store, 1)
    store.projects.rename(where.id, "Other lamps", Viewer("a stranger"))
    assert store.projects.get(where.id).name == "Other lamps"


@pytest.mark.parametrize(
    ("viewer", "may"), [(Viewer("Ada", 2), False), (Viewer("a stranger"), False), (Viewer("Ada", 3), True), (HOST, True)]
)
def test_who_does_not_see_the_codes_does_not_change_them(store: Store, viewer: Viewer, may: bool) -> None:
    where = project(store, 1, start_stage=1, lead="Lea")

    def put() -> str:
        return store.codebooks.add(where.id, BOOK.retire("N1"), viewer).by

    if may:
        assert put() == viewer.name
    else:
        with pytest.raises(BadOptions, match="only the project lead and annotators in stage 3"):
            put()
    assert store.codebooks.latest_number(where.id) == 1 + may
