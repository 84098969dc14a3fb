"""The board: whose notes are on it, and moving, naming, merging, splitting and undoing them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers.engine.errors import BadOptions, NotFound
from readers.engine.labels.board import Board, Move, groups_by_reading
from readers.engine.labels.label import CODES, Label
from readers.engine.labels.project import Project, Viewer
from readers.engine.labels.saturation import curve
from readers.engine.store import Store
from readers.engine.store.labels.boards import MovedNotes
from tests.support.labels import HOSTILE, coded, project


@pytest.fixture
def store() -> Store:
    return Store()


def noted(store: Store, made: Project, name: str, *, first: int, own: str = "") -> list[Label]:
    """A note on each of the project's readings, in the annotator's own group."""
    store.projects.join(made.id, name)
    notes = []
    for number, run in enumerate(sorted(store.turns.upcoming(made.id, name))):
        store.turns.open(made.id, run, name)
        value = {"words": f"{name} {number}", "group": own}
        notes.append(store.labels.put(Label(f"{first + number:032x}", made.id, run, name, "note", {"step": 1}, value), 0))
        store.turns.finish(made.id, run, name)
    return notes


def viewer(store: Store, made: Project, name: str) -> Viewer:
    return store.projects.viewer(made.id, name)


def moved(store: Store, made: Project, notes: list[Label], after: str, *, before: str = "", by: str = "Lea") -> MovedNotes:
    return store.boards.move(made.id, [Move(note.id, before, after) for note in notes], viewer(store, made, by))


def shown(store: Store, made: Project, by: str = "Lea") -> dict[str, list[str]]:
    found = store.boards.load(made.id, viewer(store, made, by))
    groups = {group.name: sorted(str(note.value["words"]) for note in group.notes) for group in found.groups}
    return groups | ({"": sorted(str(note.value["words"]) for note in found.loose)} if found.loose else {})


@pytest.fixture
def made(store: Store) -> Project:
    """Lea leads; Ann and Ben have noted all three readings and are in stage 2, Cai is still noting."""
    found = project(store, 3, start_stage=1, lead="Lea")
    for name, first in (("Ann", 1), ("Ben", 100)):
        noted(store, found, name, first=first)
        store.projects.advance(found.id, name, 2)
    store.projects.join(found.id, "Cai")
    return found


def notes_of(store: Store, made: Project, name: str) -> list[Label]:
    found = store.boards.load(made.id, viewer(store, made, "Lea"))
    every = [*found.loose, *(note for group in found.groups for note in group.notes)]
    return sorted((note for note in every if note.annotator == name), key=lambda note: note.id)


def test_the_lead_and_those_whose_notes_are_in_see_every_note_and_nobody_else_does(store: Store, made: Project) -> None:
    assert len(shown(store, made)[""]) == len(shown(store, made, "Ann")[""]) == 6
    assert shown(store, made, "Cai") == shown(store, made, "Somebody") == {}
    note = notes_of(store, made, "Ann")[0]
    for name in ("Cai", "Somebody", ""):
        with pytest.raises((BadOptions, NotFound)):
            moved(store, made, [note], "Seen", by=name)
        with pytest.raises(BadOptions):
            store.boards.rename(made.id, "", "Seen", viewer(store, made, name))
        with pytest.raises(BadOptions):
            store.boards.undo(made.id, viewer(store, made, name))


def test_a_reading_that_waits_for_the_viewer_hides_its_notes(store: Store) -> None:
    """Ann noted two of three readings: the third may still come to her in stage 3, so she does not see Ben's note there."""
    made = project(store, 3, start_stage=1, lead="Lea")
    ben = noted(store, made, "Ben", first=100)
    store.projects.join(made.id, "Ann")
    for run in sorted(store.turns.upcoming(made.id, "Ann"))[:2]:
        store.turns.open(made.id, run, "Ann")
        store.turns.finish(made.id, run, "Ann")
    store.projects.advance(made.id, "Ann", 2)
    assert shown(store, made, "Ann") == {"": ["Ben 0", "Ben 1"]}
    with pytest.raises(NotFound):
        moved(store, made, [ben[2]], "Peeked", by="Ann")
    moved(store, made, ben, "Lamp")
    store.boards.rename(made.id, "Lamp", "Light", viewer(store, made, "Ann"))
    assert shown(store, made) == {"Light": ["Ben 0", "Ben 1", "Ben 2"]}  # the hidden one went with its group


def test_notes_written_with_the_codebook_at_hand_are_hidden_like_codes(store: Store, made: Project) -> None:
    for name in ("Ann", "Ben"):
        for note in notes_of(store, made, name):
            store.labels.put(replace(note, value={**note.value, "group": "Mine"}), note.revision)
        store.projects.advance(made.id, name, 3)
    run = store.projects.readings(made.id)[0]
    store.turns.open(made.id, run, "Ben")
    late = Label("f" * 32, made.id, run, "Ben", "note", {"step": 2}, {"words": "late", "group": ""}, codebook=1)
    store.labels.put(late, 0)
    assert "late" in shown(store, made)[""]
    assert "" not in shown(store, made, "Ann")
    store.turns.open(made.id, run, "Ann")
    store.labels.put(coded(made, run, "Ann", 999), 0)
    store.turns.finish(made.id, run, "Ann")
    assert shown(store, made, "Ann")[""] == ["late"]


def test_notes_are_grouped_merged_split_and_renamed(store: Store, made: Project) -> None:
    ann, ben = notes_of(store, made, "Ann"), notes_of(store, made, "Ben")
    assert moved(store, made, ann, " Wrong  page ") == MovedNotes(3)
    assert moved(store, made, ben[:1], "wrong page") == MovedNotes(1)  # of two spellings, the first stays
    assert moved(store, made, ben[1:], "Gist") == MovedNotes(2)
    assert list(shown(store, made)) == ["Wrong page", "Gist"]
    assert store.boards.rename(made.id, "Gist", "WRONG PAGE", viewer(store, made, "Ben")) == MovedNotes(2)
    assert list(shown(store, made)) == ["Wrong page"]
    assert moved(store, made, ann[:2], "Never opened", before="Wrong page") == MovedNotes(2)
    assert {name: len(words) for name, words in shown(store, made).items()} == {"Wrong page": 4, "Never opened": 2}
    store.boards.rename(made.id, "Wrong page", "Wrong PAGE", viewer(store, made, "Lea"))
    assert list(shown(store, made)) == ["Wrong PAGE", "Never opened"]
    store.boards.rename(made.id, "wrong page", "Elsewhere", viewer(store, made, "Lea"))
    assert list(shown(store, made)) == ["Elsewhere", "Never opened"], "in its place, so that keys keep their groups"
    store.boards.undo(made.id, viewer(store, made, "Lea"))
    assert list(shown(store, made)) == ["Wrong PAGE", "Never opened"]
    for before, after in (("Never opened", "  "), ("", "All of them")):
        with pytest.raises(BadOptions, match="type one"):
            store.boards.rename(made.id, before, after, viewer(store, made, "Lea"))
    with pytest.raises(BadOptions, match="1 to 80"):
        moved(store, made, ann[:1], "x" * 81, before="Never opened")


def test_a_board_begins_with_the_annotators_own_groups(store: Store) -> None:
    made = project(store, 1, start_stage=1, lead="Lea")
    noted(store, made, "Ann", first=1, own="Lost it")
    noted(store, made, "Ben", first=9, own="lost IT")
    assert shown(store, made) == {"Lost it": ["Ann 0", "Ben 0"]}
    assert store.labels.get(f"{9:032x}", viewer(store, made, "Lea")).value["group"] == "lost IT"  # which stay as they are


def test_what_somebody_else_moved_first_stays_and_is_counted(store: Store, made: Project) -> None:
    ann = notes_of(store, made, "Ann")
    moved(store, made, ann[:1], "First", by="Ben")
    assert moved(store, made, ann, "Second") == MovedNotes(2, late=1)
    assert moved(store, made, ann[1:], "Second") == MovedNotes(0)  # the same move again changes nothing
    assert {name: len(words) for name, words in shown(store, made).items()} == {"": 3, "First": 1, "Second": 2}


def test_each_undoes_their_own_changes_the_last_first(store: Store, made: Project) -> None:
    ann, ben = notes_of(store, made, "Ann"), notes_of(store, made, "Ben")
    lea, other = viewer(store, made, "Lea"), viewer(store, made, "Ben")
    before = shown(store, made)
    moved(store, made, ann, "Lamp")
    store.boards.rename(made.id, "Lamp", "Light", lea)
    moved(store, made, ben[:1], "Other", by="Ben")
    assert store.boards.undo(made.id, lea) == MovedNotes(3)
    assert "Lamp" in shown(store, made)
    moved(store, made, ann[:1], "Other", before="Lamp", by="Ben")
    assert store.boards.undo(made.id, lea) == MovedNotes(2, late=1)  # what Ben moved since stays
    assert not store.boards.may_undo(made.id, lea)
    assert store.boards.undo(made.id, lea) == MovedNotes(0)
    assert store.boards.undo(made.id, other) == store.boards.undo(made.id, other) == MovedNotes(1)
    assert shown(store, made) == before | {"Lamp": ["Ann 0"], "": [word for word in before[""] if word != "Ann 0"]}


def test_names_made_to_do_harm_are_kept_as_words_or_refused(store: Store, made: Project) -> None:
    note = notes_of(store, made, "Ann")[:1]
    here = ""
    for words in HOSTILE:
        try:
            moved(store, made, note, words, before=here)
        except BadOptions:
            continue
        here = next((group.name for group in store.boards.load(made.id, viewer(store, made, "Lea")).groups), "")
        assert here == " ".join(words.split()) or here.casefold() == words.strip().casefold()


def test_deleting_a_project_deletes_its_board(store: Store, made: Project) -> None:
    moved(store, made, notes_of(store, made, "Ann"), "Lamp")
    store.projects.delete(made.id, viewer(store, made, "Lea"))
    for table in ("board_notes", "board_groups", "board_changes"):
        assert store.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0


def test_the_curve_counts_the_groups_that_each_reading_adds(store: Store, made: Project) -> None:
    ann = notes_of(store, made, "Ann")
    turns = store.turns.in_project(made.id, viewer(store, made, "Lea"))
    order = sorted((turn for turn in turns if turn.annotator == "Ann"), key=lambda turn: turn.closed)
    by_run = {note.run: note for note in ann}
    for turn, name in zip(order, ("Lamp", "Door", "lamp"), strict=True):
        moved(store, made, [by_run[turn.run]], name)
    found = store.boards.load(made.id, viewer(store, made, "Lea"))
    assert groups_by_reading(found, turns) == [("Lamp",), ("Door",), ("Lamp",)]
    assert curve(groups_by_reading(found, turns)) == [1, 2, 2]
    coding = [turn._replace(stage=CODES) for turn in turns]
    assert groups_by_reading(found, coding) == groups_by_reading(found, turns)
    bare = Board(found.groups[:1])  # without the note on the door
    assert groups_by_reading(bare, turns) == [("Lamp",), (), ("Lamp",)]
    assert groups_by_reading(bare, coding) == [("Lamp",), ("Lamp",)]
