"""QuALITY is recognised, whatever its name ends in; its gold counts from 1, and its hard questions can be told."""

from __future__ import annotations

from typing import Any

from readers.engine.questions.import_questions import Selection
from tests.engine.questions.benchmarks.reading import fields, lines, read, usable

ASKED: dict[str, Any] = {
    "question": "Why is the lamp out?", "question_unique_id": "9_X_1", "options": ["Rain", "Wind", "No oil", "A joke"],
    "writer_label": 3, "gold_label": 3, "validation": [{"untimed_answer": "3"}], "speed_validation": [], "difficult": 1,
}  # fmt: skip
ARTICLE: dict[str, Any] = {
    "article_id": "9", "set_unique_id": "9_X", "batch_num": "23", "writer_id": "1005", "source": "Gutenberg", "title": "The Lamp",
    "year": 1953, "author": "A. Writer", "topic": "Short stories", "article": "The lamp was out.\n\nThere was no oil.",
    "url": "http://example.org", "license": "x" * 500,
    "questions": [ASKED, {**ASKED, "question_unique_id": "9_X_2", "difficult": 0}],
}  # fmt: skip


def test_a_row_is_an_article_with_its_questions() -> None:
    other = {**ARTICLE, "set_unique_id": "9_Y", "questions": [{**ASKED, "question_unique_id": "9_Y_1", "gold_label": 1}]}
    found = read(lines(ARTICLE, other), "QuALITY.v1.0.1.htmlstripped.dev")
    first, _, third = usable(found)
    assert (first.key, first.choices, first.answers) == ("9_X_1", ("Rain", "Wind", "No oil", "A joke"), ("No oil",))
    assert third.answers == ("Rain",)
    assert fields(first) == {
        "benchmark": "QuALITY", "scores": "accuracy", "article_id": "9", "set_unique_id": "9_X", "batch_num": "23",
        "writer_id": "1005", "source": "Gutenberg", "year": "1953", "author": "A. Writer", "topic": "Short stories",
        "writer_label": "3", "difficult": "1",
    }  # fmt: skip
    assert [document.title for document in found.set.documents] == ["The Lamp"]
    assert found.recognised == (("QuALITY", ("accuracy",), 3, 1),)


def test_gold_outside_the_choices_is_skipped_and_named_by_place() -> None:
    row = {**ARTICLE, "questions": [ASKED, {**ASKED, "gold_label": 5}, {**ASKED, "gold_label": 0}, {**ASKED, "gold_label": "x"}]}
    found = read(lines(ARTICLE, row), "QuALITY.v1.0.1.htmlstripped.train")
    assert len(usable(found)) == 2
    assert found.notes[:2] == (
        "QuALITY: 1 of 6 questions skipped: the same question with the same id came before (line 2, question 1).",
        "QuALITY: 3 of 6 questions skipped: gold is not among the choices (line 2, question 2; line 2, question 3; line 2, "
        "question 4).",
    )


def test_only_some_questions_are_imported_when_asked_for() -> None:
    found = read(lines(ARTICLE), "q.dev", selection=Selection(only=(("Difficult", "1"),)))
    assert [one.key for one in usable(found)] == ["9_X_1"]
    found = read(lines(ARTICLE, ARTICLE), "q.dev", selection=Selection(first=1))
    assert [one.key for one in usable(found)] == ["9_X_1"]
    found = read(lines(ARTICLE), "q.dev", selection=Selection(only=(("difficult", "7"),)))
    assert "none has the wanted values" in str(found.problems[0])


def test_the_file_with_tags_is_imported_and_its_tags_are_told() -> None:
    found = read(lines({**ARTICLE, "article": "<html><p>The lamp was out.</p></html>"}), "QuALITY.v1.0.1.dev")
    assert len(usable(found)) == 2
    assert found.notes[0].startswith("QuALITY: 2 of 2 questions are asked of a text with HTML tags; the file with htmlstripped")


def test_where_all_is_skipped_nothing_is_imported() -> None:
    found = read(lines({**ARTICLE, "questions": [{**ASKED, "gold_label": 7}]}), "q.dev")
    assert "none of its 1 questions is usable: gold is not among the choices (line 1, question 1)" in str(found.problems[0])
