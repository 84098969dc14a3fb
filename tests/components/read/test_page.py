"""Read: a text, a question, a reader, what it will take, and Start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from components.read.settings import AUTO, DEFAULTS, WATCHED
from components.session import process_cache, start_runs, state
from components.session.model_choice import ModelChoice
from components.session.samples import samples
from readers import READERS
from readers.engine.models.profiles import Profile
from readers.engine.run.execute import RunSpec
from readers.engine.run.part_sizes import TextLength, in_words, suited
from readers.engine.store import Run, Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, opened, shown, words
from tests.support.texts_and_files import tiny_tokenizer

HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) $y^2$ :red[z] <script>"
OWN = Document.of("The ferryman kept a blue kettle.\n\nHe had it from his aunt, who sold eels.", title=HOSTILE)


@pytest.fixture
def read() -> Iterator[AppTest]:
    with opened("2_Read") as app:
        yield app


def field(app: AppTest, label: str) -> int:
    return next(n for n, field in enumerate(app.text_input) if field.label == label)


def ask(app: AppTest, question: str) -> AppTest:
    return app.text_input[field(app, "Your question, in any words")].set_value(question).run()


def start(app: AppTest) -> None:
    next(button for button in app.button if button.label == "Start reading").click().run()


def only_run() -> Run:
    assert process_cache.jobs().wait(20)
    with Store() as store:
        (run,) = store.runs.listed()
    return run


def test_what_it_will_take_and_where_it_is_cut_stand_there_before_it_is_spent(read: AppTest) -> None:
    read.run()
    assert not read.exception
    assert "Calls to the model" in html(read)
    assert 'class="stripes"' in html(read)
    assert "Part 1" in html(read)
    with Store() as store:
        assert store.runs.listed() == []


def test_a_reader_of_ones_own_says_where_it_is_from(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.read.page.origin", lambda reader: "/home/ada/readers/margin_notes")
    assert "A reader of your own, from /home/ada" in " ".join(shown(caption.value) for caption in read.run().caption)


def test_a_question_is_read_in_as_many_calls_as_told_and_leads_to_its_page(read: AppTest) -> None:
    read.run()
    ask(read, "Who kept the high light?")
    told = html(read).partition("Calls to the model</dt><dd>")[2].partition("<")[0]
    start(read)
    assert not read.exception
    run = only_run()
    assert run.question == "Who kept the high light?"
    assert run.spec["choices"] == []
    watched = samples()[0].watched[run.reader]
    assert {name: run.spec["options"][name] for name in watched} == watched
    assert read.query_params["run"] == run.id
    with Store() as store:
        assert int(told) == len(store.runs.tape(run.id).records())


def test_a_samples_answers_go_to_the_model_if_they_are_offered(read: AppTest) -> None:
    read.run()
    known = next(known for known in samples()[0].questions if known.choices)
    next(box for box in read.selectbox if box.label == "Questions that come with this text").set_value(known.question).run()
    next(box for box in read.checkbox if box.label.startswith("Give the model")).check().run()
    assert "no better than chance" in words(read)
    start(read)
    assert only_run().spec["choices"] == list(known.choices)


@pytest.mark.parametrize(("lines", "count"), [("One", 1), ("\n".join(map(str, range(27))), 27)])
def test_too_few_or_too_many_answers_are_told_beside_their_field(read: AppTest, lines: str, count: int) -> None:
    read.run()
    ask(read, "Who kept the high light?")
    next(area for area in read.text_area if area.label == "Choices, one a line").set_value(lines).run()
    assert str(count) in read.error[0].value
    assert "2 to 26" in read.error[0].value
    start(read)
    with Store() as store:
        assert store.runs.listed() == []


def test_own_answers_are_taken_one_a_line(read: AppTest) -> None:
    read.run()
    ask(read, "Who kept the high light?")
    next(area for area in read.text_area if area.label == "Choices, one a line").set_value(" Amos \n\nRhoda\n").run()
    start(read)
    assert only_run().spec["choices"] == ["Amos", "Rhoda"]


def test_a_text_is_chosen_by_the_address(read: AppTest, store: Store) -> None:
    store.documents.add(OWN)
    read.query_params["document"] = OWN.id
    read.run()
    assert not read.exception
    assert "&lt;img src=x onerror=alert(1)&gt;" in html(read)
    assert "<img" not in html(read)
    ask(read, HOSTILE)
    start(read)
    assert only_run().document == OWN.id


def test_an_address_without_a_text_is_told_in_a_sentence(read: AppTest) -> None:
    read.query_params["document"] = "![x](http://example.org/x.png)"
    read.run()
    assert not read.exception
    assert "There is no text" in read.error[0].value
    assert "![" not in read.error[0].value
    assert "A sample" in str(read.segmented_control if hasattr(read, "segmented_control") else html(read)) or "Calls" in html(
        read
    )


def test_another_question_has_the_same_terms_and_takes_nothing_for_the_tree(read: AppTest, store: Store) -> None:
    sample = samples()[0]
    first = sample.offered[0].question
    with opened("2_Read") as before:
        before.run()
        next(n for n in before.number_input if n.label == "Longest segment, in tokens").set_value(500).run()
        start(before)
        run = only_run()
    read.query_params["document"], read.query_params["after"] = sample.document.id, run.id
    read.run()
    assert not read.exception
    assert run.question == first
    assert read.text_input[field(read, "Your question, in any words")].value == sample.offered[1].question
    assert next(n for n in read.number_input if n.label == "Longest segment, in tokens").value == 500
    assert "more reused from earlier" in html(read)


@pytest.mark.parametrize("after", ["nothing", "<script>", "0123456789"])
def test_a_reading_that_is_gone_is_no_error_for_the_next_question(read: AppTest, after: str) -> None:
    read.query_params["document"], read.query_params["after"] = samples()[0].document.id, after
    read.run()
    assert not read.exception
    assert not read.error


def test_an_empty_question_is_refused_in_a_sentence(read: AppTest) -> None:
    read.run()
    ask(read, "  ")
    start(read)
    assert "There is no question yet" in read.error[0].value.replace("\\", "")


@pytest.mark.slow  # loads litellm
def test_a_setting_that_cannot_be_is_told_in_a_sentence(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_MODEL", "offline/none-such")
    read.run()
    ask(read, "Who?")
    start(read)
    assert not read.exception
    assert any("there is no model" in error.value.replace("\\", "").lower() for error in read.error)


def test_the_terms_of_the_model_are_the_readings(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[RunSpec] = []
    monkeypatch.setattr(start_runs, "start", lambda document, spec: taken.append(spec) or ["0123456789"])
    choice = ModelChoice("offline/extractive", temperature=0.5, max_calls=40)
    monkeypatch.setattr(state, "model_choice", lambda: choice)
    read.run()
    start(read)
    assert (taken[0].temperature, taken[0].caps) == (0.5, {"max_calls": 40})


def settings(app: AppTest) -> Selectbox:
    return next(box for box in app.selectbox if box.label == "Settings to start from")


def longest_segment(app: AppTest) -> int:
    return int(next(box for box in app.number_input if box.label == "Longest segment, in tokens").value or 0)


def test_a_sample_is_watched_with_its_own_settings_and_auto_and_the_papers_are_one_click_away(read: AppTest) -> None:
    read.run()
    box = settings(read)
    assert box.options == [WATCHED, AUTO, DEFAULTS, *READERS[0].presets]
    assert longest_segment(read) == samples()[0].watched[READERS[0].id]["segment_tokens"]
    length = TextLength.of(samples()[0].document)
    for name, options in ((AUTO, suited(READERS[0], length).options), *((n, p.options) for n, p in READERS[0].presets.items())):
        settings(read).set_value(name).run()
        assert not read.exception
        assert longest_segment(read) == options["segment_tokens"]
        assert in_words(READERS[0], options, length) in words(read)
    settings(read).set_value(DEFAULTS).run()
    assert longest_segment(read) == READERS[0].Options().segment_tokens


def test_for_any_other_text_auto_is_first_and_says_how_many_parts(read: AppTest, store: Store) -> None:
    long = Document.of("\n\n".join(sample.document.text for sample in samples()), title="Three in one")
    store.documents.add(long)
    read.query_params["document"] = long.id
    read.run()
    assert not read.exception
    assert settings(read).value == AUTO
    assert in_words(READERS[0], suited(READERS[0], TextLength.of(long)).options, TextLength.of(long)) in words(read)


def test_what_a_window_forbids_is_said(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice("offline/extractive", window=512))
    read.run()
    settings(read).set_value(AUTO).run()
    assert "window of 512 tokens is too small for larger ones" in words(read)


def test_the_address_names_the_reader(read: AppTest) -> None:
    read.query_params["reader"] = "memagent"
    read.run()
    assert not read.exception
    (reader,) = (box for box in read.radio if box.label == "Reader")
    assert READERS[reader.value].id == "memagent"


def test_a_presets_options_and_sampling_are_the_readings(read: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taken: list[RunSpec] = []
    monkeypatch.setattr(start_runs, "start", lambda document, spec: taken.append(spec) or ["0123456789"])
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice("offline/extractive", temperature=0.5))
    read.run()
    (reader,) = (box for box in read.radio if box.label == "Reader")
    reader.set_value(next(n for n, one in enumerate(READERS) if one.id == "rememr1")).run()
    next(box for box in read.selectbox if box.label == "Settings to start from").set_value("as_published").run()
    assert "temperature 0.7, top p 0.95" in words(read)
    assert "rememr1.update and rememr1.answer would be sent in Palimpsest's own wording" in words(read)
    path = tiny_tokenizer.save(tmp_path / "tokenizer.json")
    next(box for box in read.text_input if box.label == "Tokenizer file").set_value(path).run()
    start(read)
    (spec,) = taken
    assert (spec.temperature, spec.top_p) == (0.7, 0.95)
    wanted = {"as_published": True, "recall": "token_tfidf", "memory_tokens": 2048, "tokenizer": path}
    assert wanted.items() <= spec.options.items()


@pytest.mark.slow  # loads litellm
@pytest.mark.parametrize(("preset", "form"), [(None, "schema"), ("QuALITY", "words")])
def test_replies_are_asked_for_as_the_model_has_it_and_in_words_with_a_papers_preset(
    read: AppTest, monkeypatch: pytest.MonkeyPatch, preset: str | None, form: str
) -> None:
    taken: list[RunSpec] = []
    monkeypatch.setattr(start_runs, "start", lambda document, spec: taken.append(spec) or ["0123456789"])
    monkeypatch.setattr(state, "model_choice", lambda: ModelChoice("openai/x", "http://127.0.0.1:9/v1", reply_form="schema"))
    read.run()
    if preset:
        next(box for box in read.selectbox if box.label == "Settings to start from").set_value(preset).run()
    assert next(box for box in read.selectbox if box.label == "Reply form").value == form
    start(read)
    (spec,) = taken
    assert spec.reply_form == form


def test_a_saved_profile_is_chosen_and_its_terms_go_into_the_reading(
    read: AppTest, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    taken: list[RunSpec] = []
    monkeypatch.setattr(start_runs, "start", lambda document, spec: taken.append(spec) or ["0123456789"])
    store.profiles.add(Profile("offline/extractive", temperature=0.5, max_calls=40, price_in=1.0, price_out=2.0, name="Mine"))
    read.run()
    next(box for box in read.selectbox if box.label == "Profile").set_value("Mine").run()
    start(read)
    (spec,) = taken
    assert (spec.profile, spec.temperature, spec.caps, spec.price) == ("Mine", 0.5, {"max_calls": 40}, (1.0, 2.0))


def test_a_demo_says_its_limits(read: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    read.run()
    assert not read.exception
    assert "This is a public demo" in words(read)
