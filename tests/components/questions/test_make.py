"""Questions made on the Questions page: priced in tokens before anything is made, saved as a set, or left to the shell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.questions import make
from readers.engine.questions.made import Made
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.app_pages import html, opened, run, words
from tests.support.models.scripted_models import parts_of


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("5_Questions") as app:
        app.session_state["make"] = True
        yield app


def labelled(boxes: Any, label: str) -> Any:
    return next(box for box in boxes if box.label == label)


def test_needles_are_priced_made_and_saved_as_a_set(app: AppTest, store: Store) -> None:
    kept = store.documents.add(Document("Parts", parts_of(6).text))
    app.session_state["make_what"] = make.NEEDLES
    run(app)
    assert not any(one.label.startswith("Make and save") for one in app.button)
    labelled(app.multiselect, "Texts to put needles into").set_value([kept.id]).run()
    assert f"about {6 * kept.tokens:,} tokens of text in all" in html(app)
    assert store.question_sets.listed() == []
    labelled(app.button, "Make and save 6 questions").click().run()
    assert not app.exception
    (made,) = store.question_sets.listed()
    assert (made.name, made.questions, made.documents) == ("Needles", 6, 6)
    assert {dict(one.fields)["depth"] for one in store.question_sets.questions(made.id)} == {"0", "20", "40", "60", "80", "100"}


def asked_about(thing: str) -> dict[str, Any]:
    """A question with 30 paragraphs, one of which is marked."""
    lines = [f"Hale {n} kept the {thing} of the harbour number {n} for nine long years. " * 8 for n in range(30)]
    paragraphs = [{"title": f"{thing} {n}", "text": line, "is_supporting": n == 3} for n, line in enumerate(lines)]
    return {"id": thing, "question": f"Who kept {thing} 3?", "answer": "Hale 3", "paragraphs": paragraphs}


@pytest.mark.slow
def test_a_sweep_is_made_of_questions_with_marked_paragraphs_or_says_what_is_missing(
    app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [asked_about("lamp"), asked_about("bell")]
    monkeypatch.setattr(make.st, "file_uploader", lambda label, **_: uploads if "marked paragraphs" in label else [])
    uploads = [SimpleNamespace(name="lamps.jsonl", getvalue=lambda: "\n".join(map(json.dumps, rows)).encode())]
    run(app)
    assert "6 questions · about 98,000 tokens of text in all" in html(app)
    labelled(app.button, "Make and save 6 questions").click().run()
    assert "give more distractors, or use them again" in " ".join(one.value for one in app.error).replace("\\", "")
    assert store.question_sets.listed() == []
    labelled(app.checkbox, "Reuse distractors if they run out").check().run()
    labelled(app.multiselect, "Lengths in tokens").set_value([7_000]).run()
    labelled(app.button, "Make and save 2 questions").click().run()
    (made,) = store.question_sets.listed()
    assert made.name == "Length sweep"
    uploads[0] = SimpleNamespace(name="lamps.jsonl", getvalue=lambda: b'{"question": "?", "text": "It."}')
    app.run()
    assert "None of these files has questions with paragraphs" in words(app)


def test_what_is_too_much_for_a_page_is_left_to_the_shell(app: AppTest, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = store.documents.add(Document("Parts", parts_of(6).text))
    monkeypatch.setattr(make, "MOST_TOKENS", 10)
    app.session_state["make_what"] = make.NEEDLES
    run(app)
    labelled(app.multiselect, "Texts to put needles into").set_value([kept.id]).run()
    assert not any(one.label.startswith("Make and save") for one in app.button)
    assert "A page makes up to 10 tokens" in words(app)
    assert any("questions make-needles TEXTS --kind one --depth 0" in one.value for one in app.code)


def test_a_price_in_words() -> None:
    nothing: list[Made] = []
    found = make.price(make.Making("x", 40, 2_000_000, "", lambda: nothing))
    assert found == ["40 questions", "about 2,000,000 tokens of text in all", "some 9 MB"]
