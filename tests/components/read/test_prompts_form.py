"""Prompts, on the Read page: prompts in other words, for one reading or as a saved set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO

import pytest
from streamlit.testing.v1 import AppTest

from components.read import prompts_form
from components.read.prompts_form import FILE, OWN, SAVED, Shelf
from components.session import access, flash, state
from components.session.samples import samples
from readers import get
from readers.engine.errors import BadFile, BadOptions
from readers.engine.prompts.prompt_sets import prompt_set
from readers.engine.run.execute import RunSpec, create_run
from readers.engine.store import Store
from tests.components.read.test_page import only_run, start
from tests.support.app_pages import html, opened, words

READER = get("memagent")
UPDATE, ANSWER = READER.prompts
WELL = "Problem: $problem\nMemory: $memory\nSection: $section\nNow:"
HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) $y^2$ “x” :red[z]"


@pytest.fixture
def read() -> Iterator[AppTest]:
    with opened("2_Read") as app:
        app.run()
        yield choose_reader(app)


def choose_reader(app: AppTest, reader_id: str = "memagent") -> AppTest:
    field = next(field for field in app.radio if field.label == "Reader")
    return field.set_value(next(n for n in range(len(field.options)) if get(reader_id).title == field.options[n])).run()


def box(app: AppTest, label: str) -> object:
    return next(field for field in app.selectbox if field.label == label)


def choose(app: AppTest, label: str, value: str) -> AppTest:
    return next(field for field in app.selectbox if field.label == label).set_value(value).run()


def shown(app: AppTest) -> str:
    return next(area.value for area in app.text_area if area.label.startswith("Wording of"))


def word(app: AppTest, template: str) -> AppTest:
    return next(area for area in app.text_area if area.label.startswith("Wording of")).set_value(template).run()


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label.startswith(label)).click().run()


def save(app: AppTest, name: str) -> AppTest:
    next(field for field in app.text_input if field.label == "Save these prompts as").set_value(name).run()
    return press(app, "Save the set")


# Pure


def test_a_prompts_name_is_readable() -> None:
    assert [prompts_form.readable(prompt) for prompt in get("memwalker").prompts][:2] == ["Leaf summary", "Parent summary"]
    for reader in ("memwalker", "readagent", "memagent", "rememr1"):
        names = [prompts_form.readable(prompt) for prompt in get(reader).prompts]
        assert len(set(names)) == len(names)


def test_only_what_is_worded_otherwise_goes_into_a_reading() -> None:
    assert prompts_form.worded(READER, {}) == ({}, "")
    own = {prompt.id: prompt.template for prompt in READER.prompts}
    assert prompts_form.worded(READER, own) == ({}, "")
    assert prompts_form.worded(READER, {**own, UPDATE.id: WELL}) == ({UPDATE.id: WELL}, "")


def test_what_cannot_be_used_is_a_sentence_and_nothing_is_used() -> None:
    broken = {UPDATE.id: "$problem", ANSWER.id: "$problem $memory $"}
    templates, wrong = prompts_form.worded(READER, broken)
    assert templates == {}
    assert "lacks $memory, $section; it needs $problem, $memory, $section." in wrong
    assert "there is a single '$'" in wrong
    assert list(prompts_form.faults(READER, broken)) == [UPDATE.id, ANSWER.id]
    assert prompts_form.faults(READER, {UPDATE.id: WELL}) == {}


def test_prompts_over_a_megabyte_are_not_used() -> None:
    assert prompts_form.worded(READER, {UPDATE.id: WELL + "ä" * 499_000}).wrong == ""
    assert "over 1 MB" in prompts_form.worded(READER, {UPDATE.id: WELL + "ä" * 500_000}).wrong


def test_a_set_goes_into_a_file_and_comes_back() -> None:
    data = prompts_form.as_file(READER, {UPDATE.id: WELL + " „ä“"})
    back = prompt_set(data, "x.json")
    assert back == {UPDATE.id: WELL + " „ä“", ANSWER.id: ANSWER.template}
    assert prompts_form.from_file(READER, data, "x.json") == back


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff", b'{"memagent.update": 1}', b"[" * 100_000, b"{}", b'{"rememr1.update": "x"}']
)
def test_a_file_that_is_no_set_of_this_reader_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile, match=r"x\.json"):
        prompts_form.from_file(READER, data, "x.json")


def test_ids_that_the_reader_does_not_have_are_told_apart() -> None:
    assert prompts_form.fitting(READER, {"z": "1", UPDATE.id: WELL, "a": "2"}) == ({UPDATE.id: WELL}, ["a", "z"])


def test_no_saved_set_or_file_can_pose_as_another() -> None:
    shelf = Shelf(READER, {OWN: {}}, OWN, "")
    labels = [
        shelf.label(key) for key in (OWN, "before.0123", SAVED + "in this reader’s own wording", FILE + "a.json", SAVED + "a.b")
    ]
    assert labels == [
        "in this reader’s own wording",
        "from the previous reading",
        "“in this reader’s own wording”",
        "the file a.json",
        "“a.b”",
    ]


# The page


def test_the_readers_own_words_stand_there_with_their_parts_and_the_form_of_the_reply(read: AppTest) -> None:
    assert not read.exception
    assert shown(read) == UPDATE.template
    assert "<code>$section</code>" in html(read)
    assert "plain text of at most" in html(read)
    assert "reworded" not in html(read)
    choose(read, "Prompt", ANSWER.id)
    assert shown(read) == ANSWER.template
    assert "boxed{(LETTER) CHOICE" in html(read)


def test_other_words_are_marked_and_go_into_the_reading_and_its_estimate(read: AppTest) -> None:
    word(read, WELL)
    assert "Update: reworded" in html(read)
    assert "Calls to the model" in html(read)
    start(read)
    assert not read.exception
    run = only_run()
    assert run.spec["prompts"] == {UPDATE.id: WELL}
    assert run.outcome == "answered"
    with Store() as store:
        assert any(prompt.template == WELL for prompt in store.runs.tape(run.id).prompts().values())


def test_a_missing_part_is_told_beside_the_field_and_nothing_starts(read: AppTest) -> None:
    word(read, "$problem $memory")
    assert "lacks $section" in words(read)
    assert "Update: cannot be used" in html(read)
    assert "Calls to the model" not in html(read)
    assert "when every prompt can be used" in words(read)
    start(read)
    assert sum("lacks $section" in error.value.replace("\\", "") for error in read.error) == 2
    with Store() as store:
        assert store.runs.listed() == []
    word(read, WELL)
    start(read)
    assert only_run().spec["prompts"] == {UPDATE.id: WELL}


def test_what_was_typed_stays_under_other_prompts_readers_and_pages(read: AppTest) -> None:
    word(read, WELL)
    choose(read, "Prompt", ANSWER.id)
    word(read, "$problem")
    choose(read, "Prompt", UPDATE.id)
    assert shown(read) == WELL
    choose_reader(read, "rememr1")
    assert shown(read) == get("rememr1").prompts[0].template
    choose_reader(read)
    assert shown(read) == WELL
    read.switch_page("pages/8_Models.py").run()
    choose_reader(read.switch_page("pages/2_Read.py").run())
    assert shown(read) == WELL
    assert "Answer: cannot be used" in html(read)


def test_what_was_typed_stays_where_another_prompt_or_set_is_chosen_in_the_same_moment(read: AppTest, store: Store) -> None:
    store.prompt_sets.save("memagent", "mine", {UPDATE.id: WELL})
    read.run()
    area = next(area for area in read.text_area if area.label.startswith("Wording of"))
    area.set_value(WELL + " first")
    choose(read, "Prompt", ANSWER.id)
    choose(read, "Prompt", UPDATE.id)
    assert shown(read) == WELL + " first"
    next(area for area in read.text_area if area.label.startswith("Wording of")).set_value(WELL + " second")
    choose(read, "Prompt set", SAVED + "mine")
    assert shown(read) == WELL
    choose(read, "Prompt set", OWN)
    assert shown(read) == WELL + " second"


def test_the_readers_words_can_be_put_back_for_one_prompt(read: AppTest) -> None:
    word(read, WELL)
    choose(read, "Prompt", ANSWER.id)
    word(read, "Solve $problem by $memory")
    press(read, "Reset")
    assert shown(read) == ANSWER.template
    assert "Answer: worded" not in html(read)
    assert "Update: reworded" in html(read)
    assert next(button for button in read.button if button.label.startswith("Reset")).disabled


def test_a_set_is_saved_chosen_changed_and_deleted(read: AppTest, store: Store) -> None:
    word(read, WELL)
    save(read, "  My   words ")
    assert not read.exception
    assert "Saved as “My words”." in " ".join(said.value.replace("\\", "") for said in read.success)
    assert [dict(kept.templates) for kept in store.prompt_sets.of_reader("memagent")] == [{UPDATE.id: WELL}]
    assert shown(read) == WELL
    choose(read, "Prompt set", OWN)
    assert shown(read) == UPDATE.template
    with opened("2_Read") as other:
        choose_reader(other.run())
        choose(other, "Prompt set", SAVED + "My words")
        assert shown(other) == WELL
        word(other, WELL + " again")
        press(other, "Save the set")
        assert store.prompt_sets.of_reader("memagent")[0].templates == {UPDATE.id: WELL + " again"}
    choose(read, "Prompt set", SAVED + "My words")
    assert shown(read) == WELL + " again"
    press(read, "Delete")
    assert store.prompt_sets.of_reader("memagent") == []
    assert shown(read) == UPDATE.template
    assert not read.exception


def test_a_set_that_is_deleted_elsewhere_meanwhile_is_no_error(read: AppTest, store: Store) -> None:
    word(read, WELL)
    save(read, "mine")
    store.prompt_sets.delete("memagent", "mine")
    press(read, "Delete")
    assert not read.exception
    assert shown(read) == UPDATE.template


def test_what_cannot_be_saved_is_told(read: AppTest, store: Store) -> None:
    save(read, "mine")
    assert "nothing to save" in words(read)
    word(read, "$problem")
    save(read, "mine")
    assert "lacks $memory" in words(read)
    word(read, WELL)
    save(read, "  ")
    assert "1 to 80 characters" in words(read)
    assert store.prompt_sets.of_reader("memagent") == []
    assert shown(read) == WELL


def test_names_and_words_of_a_set_stay_characters(read: AppTest, store: Store) -> None:
    store.prompt_sets.save("memagent", HOSTILE, {UPDATE.id: WELL + HOSTILE.replace("$", "$$"), HOSTILE: "x"})
    choose(read.run(), "Prompt set", SAVED + HOSTILE)
    assert not read.exception
    assert "<img" not in html(read)
    assert "which MemAgent does not have" in words(read)
    assert "![x]" not in " ".join(element.value for element in [*read.warning, *read.error, *read.success])
    assert r"!\[x\]" in next(button.label for button in read.button if button.label.startswith("Delete"))
    start(read)
    assert list(only_run().spec["prompts"]) == [UPDATE.id]


class Upload(BytesIO):
    """A file as Streamlit hands it over."""

    def __init__(self, name: str, data: object) -> None:
        super().__init__(json.dumps(data).encode() if not isinstance(data, bytes) else data)
        self.name = name


def test_a_file_is_loaded_for_the_session_and_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    session: dict[str, object] = {}
    monkeypatch.setattr(state.st, "session_state", session)
    shelf = Shelf(READER, {OWN: {}}, OWN, "field")
    session["upload"] = Upload("my\nset.json", {UPDATE.id: WELL, "other.id": "x"})
    prompts_form._load(shelf, "upload")
    assert session["field"] == FILE + "my set.json"
    assert prompts_form.uploaded("memagent") == {"my set.json": {UPDATE.id: WELL, "other.id": "x"}}
    loaded = Shelf(
        READER, {FILE + "my set.json": prompts_form.uploaded("memagent")["my set.json"]}, FILE + "my set.json", "field"
    )
    assert loaded.words == {UPDATE.id: WELL}
    for data in (b"{", {"rememr1.update": WELL}):
        session["upload"] = Upload("bad.json", data)
        prompts_form._load(shelf, "upload")
        (message,) = flash.take(state.key("prompt_said", "memagent", "prompt_file"))
        assert (message.tone, "'bad.json'" in message.text) == ("error", True)
    assert session["field"] == FILE + "my set.json"
    for n in range(20):
        session["upload"] = Upload(f"{n}.json", {UPDATE.id: WELL})
        prompts_form._load(shelf, "upload")
    assert list(prompts_form.uploaded("memagent")) == [f"{n}.json" for n in range(12, 20)]


def test_an_uploaded_set_is_read_with(read: AppTest) -> None:
    data = json.dumps({UPDATE.id: WELL, "other.<b>id</b>": "x"}).encode()
    read.file_uploader[0].upload("mine.json", data, "application/json").run()
    assert not read.exception
    assert shown(read) == WELL
    assert "This set also contains other.<b>id</b>, which MemAgent does not have" in words(read)
    choose(read, "Prompt", ANSWER.id)
    assert shown(read) == ANSWER.template
    start(read)
    assert only_run().spec["prompts"] == {UPDATE.id: WELL}


def test_after_another_reading_its_prompts_are_suggested(read: AppTest, store: Store) -> None:
    sample = samples()[0]
    spec = RunSpec("memagent", READER.version, sample.questions[0].question, prompts={UPDATE.id: WELL})
    run = create_run(store, sample.document, READER, spec)
    store.runs.settle(run.id, "cancelled")
    with opened("2_Read") as app:
        app.query_params["document"], app.query_params["after"] = sample.document.id, run.id
        app.run()
        assert not app.exception
        assert shown(app) == WELL
        assert box(app, "Prompt set").value == f"before.{run.id}"  # type: ignore[attr-defined]
        choose(app, "Prompt set", OWN)
        assert shown(app) == UPDATE.template
        choose_reader(app, "rememr1")
        assert len(box(app, "Prompt set").options) == 1  # type: ignore[attr-defined]


def test_in_a_demo_prompts_are_worded_for_a_reading_and_kept_for_nobody(
    read: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.prompt_sets.save("memagent", "the host's", {UPDATE.id: WELL})
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    read.run()
    choose(read, "Prompt set", SAVED + "the host's")
    word(read, WELL + " mine")
    assert not [button for button in read.button if button.label.startswith(("Save the set", "Delete"))]
    assert "sets are not saved here" in words(read)
    with pytest.raises(BadOptions, match="public demo"):
        access.save_prompts("memagent", "mine", {UPDATE.id: WELL})
    with pytest.raises(BadOptions, match="public demo"):
        access.delete_prompts("memagent", "the host's")
    start(read)
    assert only_run().spec["prompts"] == {UPDATE.id: WELL + " mine"}
    assert [kept.templates for kept in store.prompt_sets.of_reader("memagent")] == [{UPDATE.id: WELL}]
