"""NarrativeQA's tables and stories are read together; what is not given is counted."""

from __future__ import annotations

import pytest

from readers.engine.ingest import Ingested
from readers.engine.questions.import_questions import Imported, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.text.document import Document
from tests.engine.questions.benchmarks.reading import fields, usable

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
    assert "line 4: it has 4 cells, and the first line 8" in str(cut.problems[0])
    latin = imported(("qaps.csv", QAPS.replace(b"Orrin", b"\xd8rrin")), ("summaries.csv", SUMMARIES))
    assert "line 3: it is not in UTF-8" in str(latin.problems[0])
