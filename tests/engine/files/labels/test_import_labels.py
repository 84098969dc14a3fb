"""Labels from a file: under which names, on which readings and with which turns they come in, and what is said of the rest."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from readers.engine.errors import BadFile, BadOptions
from readers.engine.files.labels.export_labels import COLUMNS, WHERE_USED, as_csv, as_jsonl, gathered
from readers.engine.files.labels.import_labels import Skipped, import_labels
from readers.engine.files.labels.read_labels import LabelFile, read_label_file
from readers.engine.labels.label import Decision, Label, Turn, correction_id, label_seed
from readers.engine.labels.project import HOST, Project
from readers.engine.store import Store
from tests.support.labels import BOOK, about, coded, opened, project

AT = "2026-01-01T12:00:00.000+00:00"


def people(store: Store, where: Project) -> list[str]:
    return [one.name for one in store.projects.annotators(where.id)]


def copied(store: Store, where: Project) -> Project:
    """Another project of the same readings, without labels."""
    return store.projects.create("Again", where.settings, runs=store.projects.readings(where.id), book=BOOK)


def done(where: Project, run: str, name: str, **more: object) -> Turn:
    return Turn(where.id, run, name, 3, "done", opened=AT, closed=AT, ms=5)._replace(**more)  # type: ignore[arg-type]


def test_names_that_differ_in_capitals_are_one_person_in_a_file_too(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ann")
    second = store.projects.readings(where.id)[1]
    labels = (about(where, run, "ann", "outcome", "wrong"), coded(where, second, "aNN", 1), coded(where, run, "Ben", 2))
    offered = LabelFile((*labels, coded(where, second, "BEN", 3)), (done(where, second, "ANN"),))
    assert import_labels(store, where.id, offered, viewer=HOST)[:4] == (4, 0, (), 1)
    assert people(store, where) == ["Ann", "Ben"]
    assert {one.annotator for one in store.labels.in_project(where.id, HOST)} == {"Ann", "Ben"}
    assert store.labels.get(about(where, run, "Ann", "outcome", "wrong").id, HOST).value == {"value": "wrong"}
    assert store.projects.viewer(where.id, "Ann").done == {second}
    again = import_labels(store, where.id, offered, viewer=HOST)
    assert (again[:4], again.skipped) == ((0, 4, (), 0), Skipped())


def test_two_spellings_of_one_label_in_a_file_do_not_write_over_each_other(store: Store) -> None:
    where = project(store)
    run = store.projects.readings(where.id)[0]
    offered = LabelFile(tuple(about(where, run, name, "outcome", said) for name, said in (("Ann", "wrong"), ("ann", "correct"))))
    taken = import_labels(store, where.id, offered, viewer=HOST)
    assert (taken.added, [clash.imported.value for clash in taken.clashes]) == (1, [{"value": "correct"}])


@pytest.mark.parametrize("named", ["Lea", "lea"])
def test_the_lead_stays_who_sees_the_whole(store: Store, named: str) -> None:
    where = project(store, lead="Lea")
    run = store.projects.readings(where.id)[0]
    offered = LabelFile((coded(where, run, named, 1), coded(where, run, "Ann", 2)), (done(where, run, named),))
    for dry in (True, False):
        taken = import_labels(store, where.id, offered, viewer=store.projects.viewer(where.id, "Lea"), dry=dry)
        assert (taken.added, taken.turns, taken.skipped) == (1, 0, Skipped(lead=1))
    assert (people(store, where), store.projects.viewer(where.id, "Lea").whole) == (["Ann"], True)
    store.projects.join(where.id, "Lea")
    assert import_labels(store, where.id, offered, viewer=HOST)[:4] == (1, 1, (), 1)
    (hers,) = store.turns.in_project(where.id, HOST, annotator="Lea")
    assert not hers.again  # they have not seen Ann's label


def test_work_of_the_lead_on_a_reading_whose_labels_they_have_seen_is_marked_whatever_the_file_says(store: Store) -> None:
    where = project(store, lead="Lea")
    run = store.projects.readings(where.id)[0]
    import_labels(store, where.id, LabelFile((coded(where, run, "Ann", 2),)), viewer=HOST)
    store.labels.in_project(where.id, store.projects.viewer(where.id, "Lea"))
    store.projects.join(where.id, "Lea")
    import_labels(store, where.id, LabelFile((coded(where, run, "Lea", 1),), (done(where, run, "Lea"),)), viewer=HOST)
    (hers,) = store.turns.in_project(where.id, HOST, annotator="Lea")
    assert hers.again


def test_a_file_is_no_way_around_who_reads_what(store: Store) -> None:
    where = project(store, 3, share=0.0)
    for name in ("Ann", "Ben"):
        store.projects.join(where.id, name)
    theirs = store.turns.upcoming(where.id, "Ben")[0]
    store.turns.open(where.id, theirs, "Ben")
    free, passed = store.turns.upcoming(where.id, "Ann")
    store.turns.open(where.id, passed, "Ann")
    store.turns.skip(where.id, passed, "Ann", reason="too long")
    offered = LabelFile(tuple(coded(where, run, "ann", number) for number, run in enumerate((theirs, free, passed), 1)))
    ann = store.projects.viewer(where.id, "Ann")
    for dry in (True, False):
        taken = import_labels(store, where.id, offered, viewer=ann, dry=dry)
        assert (taken.added, taken.skipped) == (1, Skipped(elsewhere=2))
    assert [(one.run, one.annotator) for one in store.labels.in_project(where.id, HOST)] == [(free, "Ann")]
    assert set(store.turns.upcoming(where.id, "Ben")) == {theirs, passed}
    assert {one.run: one.standing for one in store.turns.in_project(where.id, HOST, annotator="Ann")} == {
        free: "open",
        passed: "skipped",
    }


def test_a_file_that_an_annotator_saved_is_here_already_and_a_changed_one_is_refused(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ann", "Ben")
    for name, number in (("Ann", 1), ("Ben", 2)):
        store.labels.put(coded(where, run, name, number), 0)
        store.turns.finish(where.id, run, name)
    ann = store.projects.viewer(where.id, "Ann")
    offered = read_label_file("mine.jsonl", as_jsonl(gathered(store, where.id, ann)).encode())
    assert {label.annotator for label in offered.labels} == {"Ann", "Ben"}  # she is done with it, and sees both
    assert import_labels(store, where.id, offered, viewer=ann)[:3] == (0, 2, ())
    for label in offered.labels:
        changed = replace(label, value={**label.value, "note": "otherwise"})
        with pytest.raises(BadOptions, match=r"done|not yours"):
            import_labels(store, where.id, LabelFile((changed,)), viewer=ann)
    store.turns.reopen(where.id, run, "Ann")  # and then Ben's is hidden from her again
    with pytest.raises(BadOptions, match="not yours"):
        import_labels(store, where.id, offered, viewer=store.projects.viewer(where.id, "Ann"))


def test_turns_with_another_state_here_are_reported_and_unchanged(store: Store) -> None:
    where = project(store)
    run = opened(store, where, "Ann")
    taken = import_labels(store, where.id, LabelFile((), (done(where, run, "Ann"),)), viewer=HOST)
    assert (taken.turns, taken.skipped) == (0, Skipped(standing=1))
    assert [one.standing for one in store.turns.in_project(where.id, HOST)] == ["open"]
    ann = store.projects.viewer(where.id, "Ann")
    assert import_labels(store, where.id, LabelFile((), (done(where, run, "Ann"),)), viewer=ann).skipped == Skipped(turns=1)


def finished(store: Store) -> tuple[Project, str]:
    """Ann is done with the first reading, for the second time; Ben is not, and has decided on it before."""
    where = project(store, 2, lead="Lea")
    run = opened(store, where, "Ann", "Ben")
    for number, name in enumerate(("Ann", "Ben"), 1):
        store.labels.put(coded(where, run, name, number), 0)
        store.turns.finish(where.id, run, name)
    store.decisions.decide(Decision(where.id, run, {"step": 2}, {"codes": ["N1"]}, "because", "Ben"), 0)
    store.turns.reopen(where.id, run, "Ann")
    store.labels.put(coded(where, run, "Ann", 3), 0)
    store.turns.finish(where.id, run, "Ann")
    store.turns.reopen(where.id, run, "Ben")
    return where, run


def test_a_table_brings_its_turns_so_that_its_labels_count(store: Store) -> None:
    where, run = finished(store)
    target = copied(store, where)
    offered = read_label_file("x.csv", as_csv(gathered(store, where.id, HOST)).encode())
    assert import_labels(store, target.id, offered, viewer=HOST)[:4] == (3, 0, (), 2)
    turns = {one.annotator: one for one in store.turns.in_project(target.id, HOST)}
    assert {name: (one.stage, one.standing, one.again) for name, one in turns.items()} == {
        "Ann": (3, "done", True),
        "Ben": (3, "open", True),
    }
    first, last = sorted(one.at for one in store.labels.in_project(target.id, HOST, annotator="Ann"))
    assert (turns["Ann"].opened, turns["Ann"].closed, turns["Ben"].closed) == (first, last, "")
    assert store.projects.viewer(target.id, "Ann").done == {run}


def test_a_table_of_notes_brings_turns_of_the_first_stage(store: Store) -> None:
    where = project(store, 1, start_stage=1)
    run = opened(store, where, "Ann")
    store.labels.put(Label("d" * 32, where.id, run, "Ann", "note", {"step": 1}, {"words": "It slept."}), 0)
    store.turns.finish(where.id, run, "Ann")
    offered = read_label_file("x.csv", as_csv(gathered(store, where.id, HOST)).encode())
    assert [(one.stage, one.standing, one.again) for one in offered.turns] == [(1, "done", False)]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_what_a_rule_suggested_and_an_annotator_confirmed_stays_marked_until_it_is_changed_by_hand(
    store: Store, ending: str
) -> None:
    where = project(store)
    run = opened(store, where, "Ann", "Ben")
    for name in ("Ann", "Ben"):
        label = about(where, run, name, "fate", "later_lost")
        store.labels.put(replace(label, value={"value": "later_lost", "suggested": "rule"}), 0)
    store.labels.put(about(where, run, "Ben", "fate", "unused"), 1)
    exported = gathered(store, where.id, HOST)
    words = as_csv(exported) if ending == "csv" else as_jsonl(exported)
    there = copied(store, where)
    assert import_labels(store, there.id, read_label_file(f"x.{ending}", words.encode()), viewer=HOST).added == 2
    found = {one.annotator: (one.suggested, one.value["value"]) for one in store.labels.in_project(there.id, HOST)}
    assert found == {"Ann": (True, "later_lost"), "Ben": (False, "unused")}
    rows = {row["annotator"]: row["suggested"] for row in csv.DictReader(io.StringIO(as_csv(exported)))}
    assert rows == {"Ann": "rule", "Ben": ""}


def test_rows_that_disagree_about_a_turn_are_refused_by_line(store: Store) -> None:
    where, _ = finished(store)
    rows = as_csv(gathered(store, where.id, HOST)).splitlines()
    mine = [number for number, row in enumerate(rows) if ",Ann,done,3,yes," in row]
    rows[mine[1]] = rows[mine[1]].replace(",Ann,done,3,yes,", ",Ann,open,3,yes,")
    with pytest.raises(BadFile, match=f"line {mine[1] + 1}: this turn differs from the one in line {mine[0] + 1}"):
        read_label_file("x.csv", "\n".join(rows).encode())


def test_a_table_without_turns_is_read_as_before(store: Store) -> None:
    where, _ = finished(store)
    rows = [row.split(",") for row in as_csv(gathered(store, where.id, HOST)).splitlines()]
    assert rows[0] == [*(column for column in COLUMNS if column not in WHERE_USED), "content_id"]
    text = as_csv(gathered(store, where.id, HOST)).replace(",done,3,yes,", ",,,,").replace(",open,3,yes,", ",,,,")
    offered = read_label_file("x.csv", text.encode())
    assert (len(offered.labels), offered.turns) == (3, ())


def test_codebooks_and_decisions_are_counted_and_codes_that_are_not_here_named(store: Store) -> None:
    where, _ = finished(store)
    offered = read_label_file("x.jsonl", as_jsonl(gathered(store, where.id, HOST)).encode())
    assert (offered.codebooks, offered.decisions) == (1, 1)
    strange = tuple(replace(one, value={**one.value, "code": "Q9"}) for one in offered.labels)
    taken = import_labels(store, copied(store, where).id, replace(offered, labels=strange), viewer=HOST)
    assert (taken.skipped, taken.unknown) == (Skipped(codebooks=1, decisions=1), ("Q9",))
    assert import_labels(store, where.id, offered, viewer=HOST).unknown == ()


@pytest.mark.parametrize("viewer", ["Eve", "the lead"])
def test_a_file_takes_no_id_that_another_persons_label_will_have(store: Store, viewer: str) -> None:
    """Ann's correction of a step has an id that anybody can compute."""
    where = project(store)
    run = opened(store, where, "Ann", "Eve")
    taken_id = correction_id(label_seed(where.id, run, "Ann"), 1)
    squat = replace(coded(where, run, "Eve" if viewer == "Eve" else "Ann", 1), id=taken_id)
    seen_by = store.projects.viewer(where.id, "Eve") if viewer == "Eve" else HOST
    assert import_labels(store, where.id, LabelFile((squat,)), viewer=seen_by).added == 1
    again = import_labels(store, where.id, LabelFile((squat,)), viewer=seen_by)
    assert (again.added, again.same) == (0, 1)
    mine = Label(taken_id, where.id, run, "Ann", "correction", {"step": 1}, {"edit": None, "words": "It was the lamp."})
    assert store.labels.put(mine, 0).revision == 1
