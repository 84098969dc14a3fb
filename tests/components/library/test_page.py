"""The library: texts are added, listed, looked into, searched and deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.library import view_text
from components.session import access
from components.session.samples import samples
from readers import get
from readers.engine.models.offline import Offline
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.support.app_pages import html, links, opened, words
from tests.support.specs import current_spec

HOSTILE = "<img src=x onerror=alert(1)> ![x](http://example.org/x.png) $y^2$ :red[z] <script>"
STORY = Document.of(
    "\n\n".join(f"Chapter {n}\n\n{'The lamp was lit. ' * 200}At {n} the KETTLE\nboiled." for n in range(1, 31)), title="Story"
)


@pytest.fixture
def library() -> Iterator[AppTest]:
    with opened("1_Library") as app:
        yield app


def at(app: AppTest, document: Document) -> AppTest:
    app.query_params["document"] = document.id
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


def find(app: AppTest, said: str) -> None:
    next(field for field in app.text_input if field.label == "Find in this text").set_value(said).run()
    assert not app.exception


def hits(app: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in app.button if "**" in button.label]


def test_an_empty_library_says_what_will_be_here_and_lists_the_samples(library: AppTest) -> None:
    library.run()
    assert not library.exception
    assert "No texts yet" in html(library)
    for sample in samples():
        assert (sample.document.title, f"document={sample.document.id}") in links(library)


def test_a_pasted_text_is_added_under_a_title_of_ones_own(library: AppTest) -> None:
    library.session_state["add_source"] = "Pasted text"
    library.run()
    library.text_area[0].set_value("The kettle was blue.").run()
    next(field for field in library.text_input if field.label == "Title").set_value(HOSTILE).run()
    press(library, "Add to the library")
    with Store() as store:
        (kept,) = store.documents.listed()
    assert kept.title == HOSTILE
    assert library.query_params["document"] == kept.id
    assert "&lt;img src=x onerror=alert(1)&gt;" in html(library)
    assert "<img" not in html(library)


def test_a_text_that_is_there_already_keeps_its_title_and_says_so(library: AppTest, store: Store) -> None:
    store.documents.add(Document.of("The kettle was blue.", title="First"))
    library.session_state["add_source"] = "Pasted text"
    library.run()
    library.text_area[0].set_value("The kettle was blue.").run()
    press(library, "Add to the library")
    assert "under the title “First”" in words(library)


def test_texts_are_listed_with_their_sizes_and_readings(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    spec = current_spec("memwalker", "Why?")
    execute(store, create_run(store, STORY, get("memwalker"), spec).id, get("memwalker"), Execution(Offline()))
    library.run()
    assert ("Story", f"document={STORY.id}") in links(library)
    assert f"{STORY.tokens:,} tokens · added just now · 1 reading" in re.sub("<[^>]*>", "", html(library))
    at(library, STORY)
    assert any(asks.startswith("run=") for _, asks in links(library))


def without_styles(words: str) -> str:
    return re.sub(r"<style>.*?</style>", "", words, flags=re.DOTALL)


def test_a_long_text_is_turned_page_by_page(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    first = html(library)
    assert "Chapter 1<" in first
    assert len(without_styles(first)) < 30_000
    press(library, "Next")
    assert "Chapter 1<" not in html(library)
    press(library, "Previous")
    assert html(library) == first
    next(n for n in library.number_input if n.label.startswith("Page")).set_value(15).run()
    assert "Chapter 1<" not in html(library)
    number = next(n for n in library.number_input if n.label.startswith("Page"))
    assert number.value == 15


def test_a_heading_is_gone_to(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    box = next(box for box in library.selectbox if box.label.startswith("Go to a heading"))
    assert box.label == "Go to a heading (30)"
    box.set_value(20).run()
    assert not library.exception
    assert "Chapter 21" in html(library)


def test_words_are_found_whatever_their_case_and_white_space(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    find(library, "kettle  BOILED")
    assert "30 places, 1 to 8 listed" in words(library)
    assert hits(library)[0].count("KETTLE boiled") == 1
    press(library, "More places")
    assert "9 to 16 listed" in words(library)
    next(button for button in library.button if "**" in button.label and "At 12" in button.label).click().run()
    assert 'class="there"' in html(library)
    assert "Chapter 12<" in html(library) or "At 12 the" in html(library)
    find(library, "no such words")
    assert "does not occur in this text" in words(library)


def test_a_text_is_deleted_with_its_readings_after_it_was_said_how_many(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    spec = current_spec("memwalker", "Why?")
    execute(store, create_run(store, STORY, get("memwalker"), spec).id, get("memwalker"), Execution(Offline()))
    at(library, STORY)
    assert "Its one reading is deleted with it" in words(library)
    press(library, "Delete")
    assert "Deleted “Story”." in words(library)
    assert store.documents.listed() == []
    assert store.runs.listed() == []
    at(library, STORY)
    assert "There is no text" in library.error[0].value
    press(library, "Undo")
    assert library.success[0].value.startswith("Brought back")
    assert [one.title for one in store.documents.listed()] == ["Story"]
    assert len(store.runs.listed()) == 1
    at(library, STORY)
    assert not library.error
    assert "Undo" not in [button.label for button in library.button]


def test_one_that_is_being_read_is_not_deleted(library: AppTest, store: Store) -> None:
    run = create_run(store, STORY, get("memwalker"), current_spec("memwalker", "Why?"))
    store.runs.claim(run.id)
    at(library, STORY)
    press(library, "Delete")
    assert "under way" in library.error[0].value
    assert len(store.documents.listed()) == 1


def test_a_sample_is_looked_at_and_not_deleted(library: AppTest) -> None:
    at(library, samples()[1].document)
    assert "cannot be deleted" in words(library)
    assert "Delete" not in [button.label for button in library.button]


def test_read_this_leads_to_the_read_page(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    press(library, "Read this")
    assert "Calls to the model" in html(library)
    assert library.query_params["document"] == STORY.id


def test_an_address_without_a_text_is_told_in_a_sentence(library: AppTest) -> None:
    library.query_params["document"] = "![x](http://example.org/x.png)"
    library.run()
    assert not library.exception
    assert "There is no text" in library.error[0].value
    assert "![" not in library.error[0].value


def test_many_texts_are_found_by_a_part_of_their_title(library: AppTest, store: Store) -> None:
    for n in range(50):
        store.documents.add(Document.of(f"Text number {n}.", title=f"Number {n}"))
    library.run()
    assert "Showing the newest 40 of 50" in words(library)
    next(field for field in library.text_input if field.label == "Title contains").set_value("number 3").run()
    assert sum(label.startswith("Number 3") for label, _ in links(library)) == 11
    assert ("Number 4", "") not in links(library)


def test_in_a_demo_the_field_takes_no_larger_file_than_it_says(library: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    library.run()
    (field,) = library.file_uploader
    assert field.label.endswith("up to 2 MB in this demo")
    assert field.proto.max_upload_size_mb == 2


def test_a_visitor_of_a_demo_does_not_see_anothers_text(library: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_DEMO", "1")
    with Store(visitor="somebody else") as theirs:
        theirs.documents.add(STORY)
    at(library, STORY)
    assert "There is no text" in library.error[0].value
    assert "boiled" not in html(library)
    assert access.demo()


def plant(app: AppTest, **fields: str) -> None:
    wanted = {"sentence": "The sentence", "question": "A question that it answers (optional)", "answer": "The right answer"}
    for name, said in fields.items():
        next(field for field in app.text_input if field.label == wanted[name]).set_value(said).run()
    assert not app.exception


def test_a_planted_sentence_is_saved_as_a_new_text_with_its_question(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    next(slider for slider in library.slider if slider.label == "How far in").set_value(30).run()
    plant(library, sentence="The key is under <b>the third</b> stone")
    assert "The key is under &lt;b&gt;the third&lt;/b&gt; stone.</mark>" in html(library)
    plant(library, question="Where is the key?")
    assert "neither" in words(library)
    plant(library, answer="Under the third stone")
    press(library, "Save as a new text")
    (planted,) = [one for one in store.documents.listed() if one.id != STORY.id]
    assert planted.title == "Story, with a planted sentence"
    span, text = store.planted.of(planted.id), store.documents.get(planted.id).text
    assert span
    assert text[slice(*span)] == "The key is under <b>the third</b> stone."
    assert span.start / len(text) == pytest.approx(0.3, abs=0.01)
    (kept,) = store.question_sets.listed()
    (asked,) = store.question_sets.questions(kept.id)
    assert (asked.question, asked.answers, asked.evidence) == ("Where is the key?", ("Under the third stone",), (span,))
    assert library.query_params["document"] == planted.id
    assert "Planted at 30% of the text" in words(library)


KETTLE = "At 12 the KETTLE"  # to the end of its line


def test_a_sentence_found_by_its_words_is_followed_through_the_readings_of_the_text(library: AppTest, store: Store) -> None:
    store.documents.add(STORY)
    at(library, STORY)
    find(library, "At 12 the kettle")
    next(button for button in library.button if "**" in button.label).click().run()
    press(library, "Follow this sentence")
    assert "No reading of this text has ended yet." in html(library)
    spec = RunSpec("whole", get("whole").version, "When did it boil?")
    run = execute(store, create_run(store, STORY, get("whole"), spec).id, get("whole"), Execution(Offline()))
    library.run()
    start = STORY.text.index(KETTLE)
    place = f"fact={start}-{start + len(KETTLE)}"
    (label,) = [label for label, asks in links(library) if f"run={run.id}" in asks and place in asks]
    assert label == "When did it boil? · Whole text"
    assert "**Cut off.** It was cut off at step 1" in words(library)
    press(library, "Follow no more")
    assert "What became of these words" not in html(library)


def test_words_marked_in_the_browser_are_found_where_they_stand() -> None:
    shown = Span(0, len(STORY.text))
    second = view_text.place_of(STORY, shown, {"words": "the lamp was lit.", "nth": 200})
    assert second
    assert STORY.text.index("The lamp", STORY.text.index("Chapter 2")) == second.start
    nowhere = {"words": "no such words", "nth": 0}
    for said in (None, "x", {"words": "", "nth": 0}, nowhere, {"words": "lamp", "nth": "1"}, {"words": 5}):
        assert view_text.place_of(STORY, shown, said) is None
