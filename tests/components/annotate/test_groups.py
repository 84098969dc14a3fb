"""Stage 2: annotators group their own notes, by button and by name; changes from elsewhere; what stays hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import groups
from components.session import address
from readers.engine.labels.board import own_group
from readers.engine.labels.label import Label
from readers.engine.labels.project import Project
from readers.engine.store import Store
from tests.support.app_pages import html, links, named, opened, press, words
from tests.support.labels import project

WORDS = ("Went to the wrong page.", "The gist leaves it out.", "<img src=x onerror=alert(1)> ![x](http://example.org/x.png)")


def noted(store: Store, made: Project, annotator: str, *, first: int = 1) -> list[Label]:
    """A note on each of the project's readings, which are then done."""
    store.projects.join(made.id, annotator)
    notes = []
    for number, run in enumerate(store.turns.upcoming(made.id, annotator)):
        store.turns.open(made.id, run, annotator)
        value = {"words": WORDS[number % 3], "group": ""}
        notes.append(Label(f"{first + number:032x}", made.id, run, annotator, "note", {"step": number or None}, value))
        notes[-1] = store.labels.put(notes[-1], 0)
        store.turns.finish(made.id, run, annotator)
    return notes


@pytest.fixture
def made() -> Project:
    """Ann and Ben have noted; both are in stage 2."""
    with Store() as store:
        made = project(store, 3, start_stage=1)
        for name, first in (("Ann", 1), ("Ben", 100)):
            noted(store, made, name, first=first)
            store.projects.advance(made.id, name, 2)
    return made


def run(app: AppTest, made: Project, by: str = "Ann", view: str = "groups") -> AppTest:
    app.query_params.update({"project": made.id, "view": view})
    named(app, by).run()
    assert not app.exception
    return app


def groups_of(made: Project, by: str = "Ann") -> list[str]:
    with Store() as store:
        labels = store.labels.in_project(made.id, store.projects.viewer(made.id, by), annotator=by)
        return [own_group(note) for note in groups.notes_of(labels, by)]


def name_field(app: AppTest) -> str:
    return next(box for box in app.selectbox if box.label.startswith("Group name")).key


def type_name(app: AppTest, name: str) -> None:
    """As the browser does it: the harness itself only chooses among the options there are."""
    field = app.selectbox(name_field(app))
    field.options = [*field.options, name]
    field.set_value(name).run()
    assert not app.exception


def test_a_typed_name_groups_the_current_note_and_moves_to_the_next(app: AppTest, made: Project) -> None:
    run(app, made)
    assert html(app).count("own-note here") == 1
    assert "no group yet" in html(app)
    type_name(app, "  Wrong   page ")
    assert groups_of(made) == ["Wrong page", "", ""]
    assert app.selectbox(name_field(app)).value is None
    type_name(app, "wrong PAGE")
    assert groups_of(made) == ["Wrong page", "Wrong page", ""]


def test_a_grouped_note_is_saved_counted_and_undone(app: AppTest, made: Project) -> None:
    with Store() as store:
        viewer = store.projects.viewer(made.id, "Ann")
        first = groups.notes_of(store.labels.in_project(made.id, viewer, annotator="Ann"), "Ann")[0]
        store.labels.put(replace(first, value={**first.value, "group": "Wrong page"}), first.revision)
    run(app, made)
    assert "2 of the notes have no group yet; group them first." in html(app)
    press(app, "Wrong page")
    assert groups_of(made) == ["Wrong page", "Wrong page", ""]
    press(app, "Undo")
    assert groups_of(made) == ["Wrong page", "", ""]
    press(app, "Select all listed")
    assert "the 3 selected notes" in html(app)
    press(app, "Wrong page")
    assert groups_of(made) == ["Wrong page"] * 3
    assert "3</td><td>3</td>" in html(app)
    assert "Every note has a group." in html(app)
    press(app, "Undo")
    assert groups_of(made) == ["Wrong page", "", ""]
    press(app, "Next")
    press(app, "Previous")
    press(app, "Previous")
    press(app, "Select")
    press(app, "No group")
    assert groups_of(made) == ["", "", ""]


def test_a_note_changed_elsewhere_is_reported_and_unchanged(app: AppTest, made: Project) -> None:
    with Store() as store:
        viewer = store.projects.viewer(made.id, "Ann")
        own = groups.notes_of(store.labels.in_project(made.id, viewer, annotator="Ann"), "Ann")
        store.labels.put(replace(own[1], value={**own[1].value, "group": "Theirs"}), own[1].revision)
        store.labels.put(replace(own[0], value={**own[0].value, "group": "Mine"}), own[0].revision)
    run(app, made)
    with Store() as store:  # and once more, behind the page's back
        now = store.labels.get(own[2].id, viewer)
        store.labels.put(replace(now, value={**now.value, "group": "Late"}), now.revision)
    press(app, "Theirs")
    assert groups_of(made) == ["Mine", "Theirs", "Late"]
    assert "1 note was changed in another window" in words(app)


def test_continuing_requires_all_notes_grouped_and_opens_the_codebook(app: AppTest, made: Project) -> None:
    with Store() as store:
        viewer = store.projects.viewer(made.id, "Ann")
        for note in store.labels.in_project(made.id, viewer, annotator="Ann"):
            store.labels.put(replace(note, value={**note.value, "group": "One"}), note.revision)
    run(app, made)
    press(app, "Continue")
    with Store() as store:
        assert store.projects.annotator(made.id, "Ann").stage == 3
        assert store.projects.annotator(made.id, "Ben").stage == 2
    run(app, made)
    assert not [button for button in app.button if button.label == "Continue"]
    assert "To the codebook" in [label for label, _ in links(app)]


def test_only_own_notes_are_shown_and_no_codes(app: AppTest, made: Project) -> None:
    with Store() as store:
        viewer = store.projects.viewer(made.id, "Ben")
        note = store.labels.in_project(made.id, viewer, annotator="Ben")[0]
        store.labels.put(replace(note, value={"words": "Ben's secret", "group": "Ben's group"}), note.revision)
    run(app, made)
    assert "Ben's" not in html(app)
    assert "Wrong turn" not in html(app) + words(app)
    assert not any("Ben" in button.label for button in app.button)
    stranger = run(app, made, by="Cem")
    assert 'class="own-note' not in html(stranger)
    assert "Join the project at the bench first" in html(stranger)


def test_who_uses_the_codes_without_notes_is_led_to_the_bench(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 1, start_stage=3)
        store.projects.join(made.id, "Ann")
    run(app, made)
    assert "You have no notes to group" in html(app)
    assert "Your groups stay unchanged" not in html(app)
    assert any(label == "To the bench" for label, _ in links(app))


def test_digit_keys_keep_their_groups_when_the_page_is_loaded_again(made: Project) -> None:
    with Store() as store:
        notes = store.labels.in_project(made.id, store.projects.viewer(made.id, "Ann"), annotator="Ann")
        for note, name in zip(notes, ("Small", "Large", "Large"), strict=True):
            store.labels.put(replace(note, value={**note.value, "group": name}), note.revision)
        moved = store.labels.get(notes[0].id, store.projects.viewer(made.id, "Ann"))
        store.labels.put(replace(moved, value={**moved.value, "words": "Said otherwise."}), moved.revision)
        assert store.labels.group_names(made.id, "Ann") == ["Small", "Large"]
        assert store.labels.group_names(made.id, "Ben") == []
    with opened("5_Annotate") as fresh:
        into = [button.label for button in run(fresh, made).button if button.label in ("Small", "Large")]
        assert into == ["Small", "Large"]  # not the largest first


def test_keys_keep_their_groups_and_names_ignore_capitals() -> None:
    def note(number: int, group: str) -> Label:
        return Label(f"{number:032x}", "p", f"r{number}", "Ann", "note", {"step": None}, {"words": "w", "group": group})

    notes = [note(1, "B"), note(2, "A"), note(3, "A"), note(4, "")]
    found = groups.groups_of(notes)
    assert [(one.name, len(one.notes), one.readings) for one in found] == [("A", 2, 2), ("B", 1, 1)]
    counts = groups.group_counts(found, 1)
    assert [(row.name, *(str(cell.content) for cell in row.cells)) for row in counts.rows] == [
        ("A", "2", "2"), ("B", "1", "1"), ("No group yet", "1", ""),
    ]  # fmt: skip
    assert [one.name for one in groups.in_stable_order(["B"], found)] == ["B", "A"]
    assert [one.name for one in groups.in_stable_order(["gone", "A"], found)] == ["A", "B"]
    assert groups.tidy_group("  a ", ["A", "B"]) == "A"
    assert groups.tidy_group(" new  name ", ["A"]) == "new name"
    assert groups.next_ungrouped(notes, notes[0].id, ()) == notes[3].id
    assert groups.next_ungrouped(notes, notes[2].id, [notes[3].id]) == notes[2].id
    assert groups.next_ungrouped([], "", ()) == ""


def test_the_address_of_a_view_names_who_looks() -> None:
    assert address.at_step(4) == {"at": "4"}
    assert address.at_step(None) == {}
