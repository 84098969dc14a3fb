"""The codebook's page: hidden before stage 3, changed version by version, with conflicts and labels to review."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.annotate import codebook_changes as wording
from readers.engine.errors import BadOptions, Conflict
from readers.engine.files.labels import codebook_file
from readers.engine.labels import codebook
from readers.engine.labels.board import BoardGroup, examples
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label
from readers.engine.labels.project import HOST, Project, Viewer
from readers.engine.store import Store
from tests.support.app_pages import html, links, named, words
from tests.support.labels import coded, project

WHY = "Two of us read it differently"
BAD = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) :red[z]"


def open_codebook(app: AppTest, made: Project, by: str = "Ann") -> AppTest:
    app.query_params.update({"project": made.id, "view": "codebook"})
    named(app, by).run()
    assert not app.exception
    return app


def choose_part(app: AppTest, part: str) -> None:
    app.segmented_control(key="book.shown").set_value(part).run()
    assert not app.exception


def act(app: AppTest, made: Project, name: str) -> None:
    app.segmented_control(key=f"book.{made.id}.act").set_value(name).run()
    assert not app.exception


def field(app: AppTest, label: str) -> Any:
    return next(
        one for kind in (app.text_input, app.text_area, app.selectbox, app.multiselect) for one in kind if one.label == label
    )


def save(app: AppTest) -> None:
    next(button for button in app.button if button.label.startswith("Save as version")).click().run()
    assert not app.exception


def book_of(made: Project) -> Codebook:
    with Store() as store:
        return wording.as_codebook(store.codebooks.latest(made.id, HOST))


@pytest.fixture
def made() -> Project:
    with Store() as store:
        made = project(store)
        store.projects.join(made.id, "Ann")
    return made


def put(made: Project, new: Codebook, by: str = "Ben") -> None:
    with Store() as store:
        store.codebooks.add(made.id, new, Viewer(by, 3))


# Blindness


@pytest.mark.parametrize("stage", [1, 2])
def test_before_stage_3_no_code_is_shown(app: AppTest, stage: int) -> None:
    with Store() as store:
        made = project(store, 1, start_stage=1)
        store.projects.join(made.id, "Ann")
        if stage == 2:
            run = store.projects.readings(made.id)[0]
            store.turns.open(made.id, run, "Ann")
            store.turns.finish(made.id, run, "Ann")
            store.projects.advance(made.id, "Ann", 2)
    for by in ("Ann", "Nobody"):
        open_codebook(app, made, by=by)
        assert "Wrong turn" not in html(app) + words(app)
        assert "Lossy" not in html(app)
        assert "hidden until stage 3" in html(app)
        assert not list(app.segmented_control)
    assert "version" not in html(app).split("</style>")[-1]


def test_the_owner_sees_the_codes_until_they_label(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 1, start_stage=1, lead="Lea")
    open_codebook(app, made, by="Lea")
    assert "Wrong turn" in html(app)
    with Store() as store:
        store.projects.join(made.id, "Lea")
    open_codebook(app, made, by="Lea")
    assert "Wrong turn" not in html(app)


# Changing it


def test_a_code_is_added_with_a_reason_and_its_words_are_escaped(app: AppTest, made: Project) -> None:
    open_codebook(app, made)
    assert "&lt;b&gt;Lossy&lt;/b&gt;" in html(app)
    assert "<b>Lossy" not in html(app)
    choose_part(app, "change")
    act(app, made, "add")
    field(app, "Name").set_value(BAD[:80])
    field(app, "Definition").set_value(BAD)
    save(app)
    assert "A change of the codebook needs a reason" in words(app)
    assert book_of(made).version == 1
    assert field(app, "Definition").value == BAD, "what was typed is still there"
    field(app, "Why").set_value(WHY)
    save(app)
    now = book_of(made)
    assert now.version == 2
    assert now.codes[-1].definition == BAD
    assert now.change.why == WHY
    assert field(app, "Definition").value == ""
    assert field(app, "Why").value == ""
    choose_part(app, "codes")
    assert "&lt;img src=x" in html(app)
    assert "<img" not in html(app)
    choose_part(app, "versions")
    assert WHY in html(app)
    assert "by Ann" in html(app)


def test_a_conflict_is_reported_and_typed_values_stay(app: AppTest, made: Project) -> None:
    open_codebook(app, made)
    choose_part(app, "change")
    field(app, "Definition").set_value("Mine").run()
    field(app, "Why").set_value(WHY).run()
    theirs = book_of(made).redefine("N1", {"definition": "Theirs", "example": "Their example"}, why="Ben's reason")
    put(made, theirs)
    # The page still stands on version 1: its button carries that.
    save(app)
    assert "has changed the codebook meanwhile" in words(app)
    assert "still in the fields" in words(app)
    assert book_of(made) == theirs
    assert field(app, "Definition").value == "Mine"
    assert field(app, "Example").value == "Their example"
    assert field(app, "Why").value == WHY
    save(app)
    now = book_of(made)
    assert now.version == 3
    assert (now.get("N1").definition, now.get("N1").example) == ("Mine", "Their example")


def test_one_click_makes_a_group_a_code(app: AppTest) -> None:
    with Store() as store:
        made = project(store, 1, start_stage=1)
        run = store.projects.readings(made.id)[0]
        for name, group in (("Ann", f"Stops early {BAD}"), ("Ben", "Ben's group")):
            store.projects.join(made.id, name)
            store.turns.open(made.id, run, name)
            note = Label(f"{len(group):032x}", made.id, run, name, "note", {"step": 2}, {"words": BAD, "group": group[:80]})
            store.labels.put(note, 0)
            store.turns.finish(made.id, run, name)
            store.projects.advance(made.id, name, 2)
            store.projects.advance(made.id, name, 3)
    open_codebook(app, made)
    assert "Ben&#39;s group" in html(app), "Ann's notes on this reading are in, so she sees Ben's"
    made_of = [button for button in app.button if button.label == "Make it a code"]
    assert len(made_of) == 2
    made_of[1].click().run()
    assert not app.exception
    code = book_of(made).codes[-1]
    assert code.name.startswith("Stops early")
    assert code.example == f"“{BAD}”"
    assert code.group == wording.FROM_NOTES
    assert len([button for button in app.button if button.label == "Make it a code"]) == 1


def test_the_examples_of_a_group_are_its_notes_one_of_each_reading_first() -> None:
    notes = [
        Label(f"{n:032x}", "p", f"r{n // 2}", "Ann", "note", {"step": n}, {"words": f"note\n{n}", "group": ""}) for n in range(8)
    ]
    group = BoardGroup("Lamp", tuple(notes))
    assert examples(group, 2_000) == "“note 0”\n“note 2”\n“note 4”\n“note 6”\n“note 1”"
    assert examples(group, 20) == "“note 0”\n“note 2”"
    assert wording.add_group(Codebook((), 0), group).codes[0].called == "F1 Lamp"


def test_ones_own_last_change_is_undone_unless_a_label_depends_on_it(app: AppTest, made: Project) -> None:
    put(made, book_of(made).add(Code("N9", "Lamp"), why="x"))
    open_codebook(app, made)
    assert not [button for button in app.button if button.label.startswith("Undo")], "it was Ben's"
    put(made, book_of(made).redefine("N9", {"definition": BAD}, why="x"), by="Ann")
    app.run()
    next(button for button in app.button if button.label.startswith("Undo: Changed the meaning of N9 Lamp")).click().run()
    now = book_of(made)
    assert (now.version, now.get("N9").definition, now.get("N9").changed) == (4, "", 2)
    choose_part(app, "versions")
    assert "Undid the change of version 3." in html(app)
    next(button for button in app.button if button.label.startswith("Undo: Undid")).click().run()
    assert book_of(made).get("N9").definition == BAD
    with Store() as store:
        run = store.projects.readings(made.id)[0]
        store.turns.open(made.id, run, "Ann")
        ann = store.projects.viewer(made.id, "Ann")
        store.labels.put(replace(coded(made, run, "Ann", 4), codebook=5), 0)
        assert store.codebooks.may_undo(made.id, ann), "a label with another code does not depend on it"
        store.labels.put(replace(coded(made, run, "Ann", 5, code="N9"), codebook=5), 0)
        assert not store.codebooks.may_undo(made.id, ann)
        with pytest.raises(BadOptions, match="labels were given under it"):
            store.codebooks.undo(made.id, viewer=ann, expected=5)
        with pytest.raises(Conflict):
            store.codebooks.undo(made.id, viewer=ann, expected=4)
        with pytest.raises(BadOptions, match="stage 3"):
            store.codebooks.undo(made.id, viewer=Viewer("Ben", 2), expected=5)


def test_labels_with_an_older_meaning_are_listed_for_review_unchanged(app: AppTest, made: Project) -> None:
    with Store() as store:
        run = store.projects.readings(made.id)[0]
        store.projects.join(made.id, "Ben")
        for name in ("Ann", "Ben"):
            store.turns.open(made.id, run, name)
            store.labels.put(coded(made, run, name, 4 if name == "Ann" else 5), 0)
    put(made, book_of(made).redefine("N1", {"definition": "Something else"}, why="x"))
    open_codebook(app, made)
    assert app.segmented_control(key="book.shown").options[2] == "Review (1)", "others' labels are not to be seen yet"
    choose_part(app, "review")
    assert "The meaning of N1 Wrong turn was changed in version 2" in html(app)
    asks = next(asks for label, asks in links(app) if label == "Question 0?")
    assert f"run={run}" in asks
    assert "at=5" in asks
    assert "view=bench" in asks
    with Store() as store:
        kept = store.labels.in_project(made.id, store.projects.viewer(made.id, "Ann"), annotator="Ann")
    assert [(label.code, label.codebook, label.revision) for label in kept] == [("N1", 1, 1)]


# Pure


def filled() -> Codebook:
    return codebook.preset()


def test_every_change_makes_the_next_version_and_needs_a_reason() -> None:
    book = filled()
    parts = [{"name": "One"}, {"name": "Two", "id": "N99"}, {"name": "", "id": " "}]
    typed: dict[str, dict[str, Any]] = {
        "add": {"name": " New  one ", "group": "Reading", "hints": {"memwalker": "Look", "qrmem": " "}},
        "rename": {"code": "N1", "name": "Worse turn"},
        "redefine": {"code": "N1", "definition": "Other", "meaning": True},
        "merge": {"codes": ("B4", "B5"), "into": "B4"},
        "split": {"code": "N1", "parts": parts},
        "retire": {"code": "N1"},
    }
    for name, given in typed.items():
        new = wording.apply_change(book, name, {**given, "why": WHY})
        assert (new.version, new.change.why) == (2, WHY), name
        sentence = wording.change_sentence(new.change, new, book)
        assert sentence.endswith(".")
        assert any(code.called in sentence for code in new.codes)
        with pytest.raises(BadOptions, match="needs a reason"):
            wording.apply_change(book, name, {**given, "why": "  "})
        assert codebook.from_json(2, codebook.to_json(new)[0], change=codebook.to_json(new)[1]) == new
    added = wording.apply_change(book, "add", {**typed["add"], "why": WHY})
    assert added.codes[-1].id == "R4"
    assert added.codes[-1].name == "New one"
    assert added.codes[-1].hints == {"memwalker": "Look"}
    split = wording.apply_change(book, "split", {**typed["split"], "why": WHY})
    assert [(code.id, code.group) for code in split.codes[-2:]] == [("N9", "Navigation"), ("N99", "Navigation")]
    gone = wording.apply_change(book, "retire", {"code": "N1", "why": WHY})
    assert [code.id for code in wording.retired(gone)] == ["N1"]
    assert not wording.retired(wording.apply_change(gone, "restore", {"code": "N1", "why": WHY}))
    fresh = wording.apply_change(book, "merge", {"codes": ("B4", "B5"), "into": "", "name": "Both", "why": WHY})
    assert fresh.get("B4").into == (fresh.codes[-1].id,)


def test_a_change_of_wording_alone_needs_no_review() -> None:
    book = filled()
    words_only = wording.apply_change(book, "redefine", {"code": "N1", "definition": "Plainer", "meaning": False, "why": WHY})
    meant = wording.apply_change(book, "redefine", {"code": "N1", "definition": "Other", "meaning": True, "why": WHY})
    assert not words_only.review_reason("N1", 1)
    assert meant.review_reason("N1", 1)
    assert "wording" in wording.change_sentence(words_only.change, words_only, book)
    assert "meaning" in wording.change_sentence(meant.change, meant, book)
    [row] = wording.differences(book, meant).rows
    assert (row.name, str(row.cells[1].content)) == (f"{meant.get('N1').called}: definition", "Other")
    assert wording.meaning_since(meant.get("N1")) == "has meant this since version 2"
    same = {name: getattr(book.get("N1"), name) for name in wording.WORDS}
    with pytest.raises(BadOptions, match="nothing about"):
        wording.apply_change(book, "redefine", {"code": "N1", **same, "hints": dict(book.get("N1").hints), "why": WHY})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("merge", {"codes": ("B4",), "into": "B4"}), ("split", {"code": "N1", "parts": [{"name": "One"}]}),
        ("rename", {"code": "N1", "name": " "}), ("rename", {"code": "N1", "name": "bad cut"}), ("retire", {"code": "nothing"}),
        ("restore", {"code": "N1"}), ("add", {"name": "bad CUT"}), ("burn", {"code": "N1"}),
    ],
)  # fmt: skip
def test_impossible_changes_are_refused(name: str, given: dict[str, Any]) -> None:
    with pytest.raises(BadOptions):
        wording.apply_change(filled(), name, {**given, "why": WHY})


def test_an_empty_codebook_starts_with_its_first_code() -> None:
    book = wording.as_codebook(None)
    assert book.version == 0
    assert wording.next_id(book, "") == "C1"
    assert wording.next_id(book, "reading") == "R1"
    first = wording.apply_change(book, "add", {"name": "First", "why": WHY})
    assert first.version == 1
    assert first.codes[0].since == 1


# Two levels


def test_a_code_is_put_under_a_broader_one_and_listed_below_it(app: AppTest, made: Project) -> None:
    put(made, book_of(made).add(Code("Z1", "Narrow", group="Elsewhere"), why="x"))
    open_codebook(app, made)
    choose_part(app, "change")
    field(app, "Code").set_value("Z1").run()
    parent = field(app, "Belongs to a broader code")
    assert parent.options == ["None", "N1 Wrong turn", "=B2 <b>Lossy</b>"]
    parent.set_value("N1")
    field(app, "Why").set_value(WHY)
    save(app)
    now = book_of(made)
    assert (now.get("Z1").parent, now.get("Z1").changed) == ("N1", 2)
    assert [(name, [code.id for code in codes]) for name, codes in wording.families(now.in_use)] == [
        (wording.NO_FAMILY, ["N1", "Z1", "=B2"])
    ]
    assert wording.possible_parents(now, now.get("N1")) == {}
    assert list(wording.possible_parents(now, now.get("=B2"))) == ["N1"]
    choose_part(app, "codes")
    assert 'class="code under"' in html(app)
    parts = wording.apply_change(now, "split", {"code": "Z1", "parts": [{"name": "a"}, {"name": "b"}], "why": WHY})
    assert [code.parent for code in parts.codes[-2:]] == ["N1", "N1"]


# As a file


def test_a_codebook_is_imported_into_another_project_and_changes_no_code_there(app: AppTest, made: Project) -> None:
    with Store() as store:
        book = Codebook((Code("N1", "Wrong turn"), Code("=B2", "Not lossy"), Code("Z1", BAD[:80], definition=BAD)), 1)
        other = store.projects.create("Other", made.settings, runs=store.projects.readings(made.id), book=book, by="Ben")
        data = codebook_file.as_json(other, store.codebooks.versions(other.id, HOST)[0])
    open_codebook(app, made)
    choose_part(app, "files")
    upload(app, b'{"schema": 3}')
    assert "is not a codebook" in words(app)
    upload(app, data)
    assert "3 codes in use, of “Other”, version 1" in html(app)
    assert all(words in html(app) for words in ("1 new here", "1 the same", "1 different", "=B2 Not lossy"))
    next(button for button in app.button if button.label == "Import 1 code as version 2").click().run()
    assert not app.exception
    now = book_of(made)
    assert ([code.id for code in now.codes], now.get("=B2").name) == (["N1", "=B2", "Z1"], "<b>Lossy</b>")
    assert now.change.source is not None
    assert now.change.source.project == "Other"
    choose_part(app, "versions")
    assert "of “Other”, version 1" in html(app)
    assert "<img" not in html(app)


def upload(app: AppTest, data: bytes) -> None:
    app.file_uploader[0].set_value(("book.json", data, "application/json")).run()
    assert not app.exception
