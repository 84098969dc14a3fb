"""QuALITY is recognised, whatever its name ends in; its gold counts from 1, and its hard questions can be told. NarrativeQA's
tables and stories are read together; what is not given is counted."""

from __future__ import annotations

from typing import Any

import pytest

from readers.engine.ingest import Ingested
from readers.engine.questions.import_questions import Imported, Selection, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.text.document import Document
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


# --- NarrativeQA ---------------------------------------------------------------------------------------------------------

QAPS = b"""document_id,set,question,answer1,answer2,question_tokenized,answer1_tokenized,answer2_tokenized
a1,test,"Who lit the ""lamp""?",Mette,Mette Falk,who,mette,mette
a1,test,Where?,At Orrin,Orrin,where,at,orrin
b2,train,Why?,No oil,oil,why,no,oil
"""
DOCUMENTS = b"""document_id,set,kind,story_url,story_file_size,wiki_url,wiki_title,story_word_count,story_start,story_end
a1,test,gutenberg,http://x,1,http://w,The Lamp,9,It was dark .,She lit it .
b2,train,movie,http://x,1,http://w,The Oil,9,INT. PIER,FADE OUT
"""
SUMMARIES = b"document_id,set,summary,summary_tokenized\nb2,train,There was no oil.,there was\n"
STORIES = {"a1.content": "Header\n\nIt was dark.\nShe lit it. Mette came.\nShe lit\nit.\n\nLicence"}


def imported(*files: tuple[str, bytes], **stories: str) -> Imported:
    def beside(name: str) -> Ingested | None:
        return Ingested(Document.of(stories[name], title=name)) if name in stories else None

    return read_questions(files, TextSources(beside))


def test_questions_are_asked_of_the_story_cut_to_its_marks_or_of_the_summary() -> None:
    found = imported(("documents.csv", DOCUMENTS), ("qaps.csv", QAPS), ("summaries.csv", SUMMARIES), **STORIES)
    first, _, third = usable(found)
    assert [(one.title, one.text) for one in found.set.documents] == [
        ("The Lamp", "It was dark.\nShe lit it. Mette came.\nShe lit\nit."), ("The Oil", "There was no oil."),
    ]  # fmt: skip
    assert (first.question, first.answers) == ('Who lit the "lamp"?', ("Mette", "Mette Falk"))
    assert fields(first)["setting"] == "story"
    assert (fields(third)["setting"], fields(third)["kind"], fields(third)["set"]) == ("summary", "movie", "train")
    assert found.notes[0].startswith("NarrativeQA: 1 of 3 questions are asked of a summary, because their story (ID.content)")


@pytest.mark.slow  # HTML is read in a process of its own
def test_without_story_and_summary_a_question_is_skipped_and_a_story_without_marks_is_kept_whole() -> None:
    html = {"b2.content": "<html><body><p>Another</p><script>x</script><p>beginning</p></body></html>"}
    found = imported(("qaps.csv", QAPS), ("documents.csv", DOCUMENTS), **html)
    assert found.set.documents[0].text == "Another\n\nbeginning"
    assert (
        "NarrativeQA: 2 of 3 questions skipped: neither its story (ID.content) nor summaries.csv was given (line 2; line 3)."
        in found.notes
    )
    assert any("1 of 3 questions are asked of a whole file" in note for note in found.notes)


def test_its_tables_alone_and_damaged_tables_are_refused() -> None:
    assert "give qaps.csv as well" in str(imported(("documents.csv", DOCUMENTS)).problems[0])
    cut = imported(("qaps.csv", QAPS[:-20]), ("summaries.csv", SUMMARIES))
    assert "line 4: it has 4 cells, and the header has 8" in str(cut.problems[0])
    latin = imported(("qaps.csv", QAPS.replace(b"Orrin", b"\xd8rrin")), ("summaries.csv", SUMMARIES))
    assert "line 3: it is not in UTF-8" in str(latin.problems[0])
