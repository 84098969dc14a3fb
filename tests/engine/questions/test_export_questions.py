"""A question set that is written to a file and imported again is the same set."""

from __future__ import annotations

import json
from dataclasses import replace

from readers.engine.questions.export_questions import written
from readers.engine.questions.import_questions import read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion
from readers.engine.text.document import Document, Span

FERRY = Document("The ferry", "Hester Vane rows the ferry at noon.\n\nNobody swims here; the bell is rung by Cole.")
INN = Document("The inn", "The inn is shut. It was open.")
ASKED = (
    SetQuestion("a", FERRY.id, "Who rows?", ("Hester Vane", "Cole"), ("Hester Vane",), True, (Span(0, 35),), "a\u2028note"),
    SetQuestion("b", INN.id, "Is it open?", (), (), False, fields=(QuestionField("difficult", "1"),)),
    SetQuestion("c", FERRY.id, "Who is there?", (), ("Hester Vane", "Cole"), True, (), "", True, (Span(37, 43),)),
    SetQuestion("d", INN.id, "Why?"),
)


def test_it_is_the_same_set_with_each_text_once() -> None:
    file = written(ASKED, {one.id: one for one in (FERRY, INN)}.__getitem__)
    found = read_questions([("questions.jsonl", file)], TextSources())
    assert not found.problems
    assert found.set.questions == ASKED
    assert found.set.id == QuestionSet("", ASKED).id
    assert [one.title for one in found.set.documents] == ["The ferry", "The inn"]
    assert sum("text" in json.loads(line) for line in file.decode().split("\n") if line) == 2


def test_an_id_that_questions_share_does_not_keep_them_from_being_imported() -> None:
    file = written([replace(one, key="a") for one in ASKED], {one.id: one for one in (FERRY, INN)}.__getitem__)
    found = read_questions([("questions.jsonl", file)], TextSources())
    assert not found.problems
    assert [one.key for one in found.set.questions] == ["a", "2", "3", "4"]
