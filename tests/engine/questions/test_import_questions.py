"""Question files are imported as meant, or refused with file, line and field."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from readers.engine.canonical import canonical
from readers.engine.errors import BadFile
from readers.engine.ingest import Ingested, from_path
from readers.engine.questions.files import SCHEMA, is_questions
from readers.engine.questions.import_questions import Imported, complete_set, read_questions
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_fields import LONGEST_QUESTION
from readers.engine.questions.question_importer import MOST_PROBLEMS, OWN_FILES, TextSources
from readers.engine.questions.question_set import SetQuestion
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from readers.engine.text.search import find_quote
from tests.support.paths import SAMPLES

TEXT = "The lamp was lit at five.\n\nDoris the parrot said nothing, and the ferry left at noon."
ROW = {"text": TEXT, "title": "Lamp", "question": "When was the lamp lit?"}


def jsonl(*rows: Any) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def one(row: Any, sources: TextSources | None = None, *, name: str = "q.jsonl") -> Imported:
    return read_questions([(name, row if isinstance(row, bytes) else jsonl(row))], sources or TextSources())


def only(found: Imported) -> SetQuestion:
    assert not found.problems
    (question,) = found.set.questions
    return question


def beside(**files: str) -> TextSources:
    texts = {name.replace("_", "."): words for name, words in files.items()}

    def find(name: str) -> Ingested | None:
        return Ingested(Document.of(texts[name], title=name)) if name in texts else None

    return TextSources(find)


# --- what is understood ---------------------------------------------------------------------------------------------------


def test_a_question_with_all_that_can_be_known_of_it() -> None:
    row = {
        **ROW, "id": "q1", "choices": ["At five", "At noon"], "answer": "at  FIVE",
        "evidence": [{"start": 17, "end": 24}, "said nothing", {"start": 0, "end": 3, "text": "ferry left"}], "note": "Plain.",
    }  # fmt: skip
    found = one(row)
    made = only(found)
    (document,) = found.set.documents
    assert (document.title, document.text) == ("Lamp", TEXT)
    assert (made.key, made.document, made.question) == ("q1", document.id, "When was the lamp lit?")
    assert (made.choices, made.answers, made.answerable) == (("At five", "At noon"), ("At five",), True)
    assert [TEXT[start:end] for start, end in made.evidence] == ["at five", "said nothing", "ferry left"]
    assert SetQuestion.of(made.key, made.document, made.question, json.loads(json.dumps(made.known()))) == made


def test_names_that_other_collections_use_are_understood() -> None:
    made = only(one({"text": TEXT, "query": "When?", "options": ["At noon", "At five"], "gold": 1}))
    assert (made.choices, made.answers) == (("At noon", "At five"), ("At five",))
    assert only(one({**ROW, "answers": ["At five", "five"]})).answers == ("At five", "five")
    assert only(one({**ROW, "answer": None, "answerable": False})).answerable is False
    assert only(one(ROW)).answerable is None
    assert only(one({**ROW, "answer": ["five", "six"], "all_required": True})).all_required


def test_paragraphs_are_one_text_and_those_that_support_the_answer_are_evidence() -> None:
    paragraphs = [
        {
            "title": "Lamp",
            "text": "It was lit at five. It smoked.",
            "is_supporting": True,
            "supporting_sentences": ["It smoked."],
        },
        {"title": "Ferry", "text": "It left at noon.", "is_supporting": False, "supporting_sentences": []},
        {"title": "Parrot", "text": "It said nothing.", "is_supporting": True, "supporting_sentences": []},
    ]
    found = one({"id": "x", "paragraphs": paragraphs, "question": "Who smoked?", "answers": ["the lamp"]})
    text = found.set.documents[0].text
    assert found.set.documents[0].title == "Lamp, Ferry and Parrot"  # neither the question nor an id
    assert text.startswith("Lamp\n\nIt was lit at five. It smoked.\n\nFerry\n\nIt left")
    assert [text[start:end] for start, end in only(found).evidence] == ["It smoked.", "It said nothing."]


def test_a_text_is_beside_the_file_in_the_library_or_came_earlier(store: Store) -> None:
    kept = store.documents.add(Document.of("In the library.", title="Shelved"))

    def library(named: str) -> list[Document]:
        return [store.documents.get(shelved.id) for shelved in store.documents.listed() if named in (shelved.id, shelved.title)]

    sources = TextSources(beside(lamp_txt=TEXT).beside, library)
    rows = [
        {"file": "lamp.txt", "title": "The lamp", "question": "1"},
        {"file": "lamp.txt", "question": "2"},
        {"title": "The lamp", "question": "3"},
        {"title": "Shelved", "question": "4"},
        {"document": kept.id, "question": "5"},
    ]
    found = read_questions([("q.jsonl", jsonl(*rows))], sources)
    assert not found.problems
    assert [document.title for document in found.set.documents] == ["The lamp"]
    lamp = found.set.documents[0].id
    assert [made.document for made in found.set.questions] == [lamp, lamp, lamp, kept.id, kept.id]


def test_two_texts_with_one_title_are_ambiguous(store: Store) -> None:
    twins = [Document.of(words, title="Twin") for words in ("One.", "Two.")]
    found = one({"title": "Twin", "question": "Which?"}, TextSources(library=lambda named: twins))
    assert "2 texts of the library are called 'Twin'" in str(found.problems[0])


def test_a_csv_file_with_lists_in_its_cells() -> None:
    table = (
        'question;text;choices;gold;evidence;answerable\n"When; ever?";"a ""b"" c\nat five";At five | At noon;0;at five;true\n'
    )
    made = only(one(table.encode("utf-8-sig"), name="q.csv"))
    assert (made.question, made.choices, made.answers) == ("When; ever?", ("At five", "At noon"), ("At five",))
    assert made.evidence == (Span(8, 15),)
    listed = 'question,text,answers\nWhen?,at five,"[""five | 5"", ""17:00""]"\n'
    assert only(one(listed.encode(), name="q.csv")).answers == ("five | 5", "17:00")


def test_a_cell_that_begins_like_a_list_and_is_none_is_words() -> None:
    table = 'question,text,answer\nWho?,He left.,[sic] he said\nWho?,He left.,"[""he"", ""him""]"\n'
    found = one(table.encode(), name="q.csv")
    assert not found.problems
    assert [made.answers for made in found.set.questions] == [("[sic] he said",), ("he", "him")]


def test_a_cell_with_the_sign_between_quotations_is_one_where_the_text_has_it_so() -> None:
    table = "question,text,evidence\nWho?,It says: a | b  |  c. And d.,a | b | c\nWho?,It says: a | b  |  c. And d.,a | d\n"
    found = one(table.encode(), name="q.csv")
    assert not found.problems
    text = found.set.documents[0].text
    quoted = [[text[start:end] for start, end in made.evidence] for made in found.set.questions]
    assert quoted == [["a | b  |  c"], ["a", "d"]]


@pytest.mark.parametrize(
    ("given", "answers"),
    [
        ({"answer": 12}, ("12",)),
        ({"answer": 12.5}, ("12.5",)),
        ({"answer": -1}, ("-1",)),
        ({"answers": [12, "twelve"]}, ("12", "twelve")),
        ({"gold": 0}, ("0",)),
        ({"answer": "five", "gold": "Five"}, ("five",)),
        ({"answer": "five", "references": ["At five", "Five"]}, ("At five", "Five")),
        ({"answer": "b", "choices": ["a", "b"], "gold": 1}, ("b",)),
    ],
)
def test_answers_that_are_numbers_and_answers_in_several_fields(given: dict[str, Any], answers: tuple[str, ...]) -> None:
    assert only(one({**ROW, **given})).answers == answers


def test_a_long_quotation_is_found_in_one_pass_whatever_white_space_it_has() -> None:
    """The longer texts take minutes where every beginning is tried."""
    words = [f"w{n % 7}" for n in range(20_000)]
    text = "  ".join([*words, "end"])
    quote = " \n".join([*words[-2_000:], "end"])
    found = find_quote(quote, text)
    assert found == Span(len(text) - len("  ".join([*words[-2_000:], "end"])), len(text))
    assert find_quote("a" * 18_000 + "b", "a" * 400_000) is None
    assert find_quote("a " * 9_000 + "b", "a  " * 140_000) is None
    assert find_quote("a", "a" * 400_000, near=399_999) == Span(399_999, 400_000)


@pytest.mark.parametrize(("near", "place"), [(0, Span(2, 8)), (9, Span(10, 14)), (5, Span(2, 8)), (99, Span(25, 29))])
def test_a_quotation_is_found_nearest_to_a_place(near: int, place: Span) -> None:
    assert find_quote(" ab\tc ", "  ab \n c, ab c, and then ab c", near=near) == place
    assert find_quote("ab d", "ab c") is None
    assert find_quote(" ", "ab c") is None


def test_the_files_of_the_samples_are_imported_unchanged() -> None:
    files = [(path.name, path.read_bytes()) for path in sorted(SAMPLES.glob("*.json"))]
    sources = TextSources(lambda name: from_path(SAMPLES / name) if (SAMPLES / name).exists() else None)
    found = read_questions(files, sources, name="Samples")
    assert not found.problems
    made = found.set
    assert (made.name, len(made.documents), len(made.questions)) == ("Samples", 3, 45)
    texts = {document.id: document.text for document in made.documents}
    told = [row for _, data in files for row in json.loads(data)["questions"]]
    for question, row in zip(made.questions, told, strict=True):
        assert (question.question, question.answerable) == (row["question"], row["answerable"])
        quotes = sorted((place["start"], place["text"]) for place in row["evidence"])
        assert [(span.start, texts[question.document][span.start : span.end]) for span in question.evidence] == quotes


def test_a_text_that_comes_many_times_is_one_and_evidence_in_a_changed_one_is_found_by_its_words() -> None:
    raw = TEXT.replace("\n", "\r\n")
    at = raw.index("Doris")
    rows = [{"text": raw, "question": f"{n}?", "evidence": [{"start": at, "end": at + 5, "text": "Doris"}]} for n in range(3)]
    found = read_questions([("q.jsonl", jsonl(*rows))], TextSources())
    assert len(found.set.documents) == 1
    assert [TEXT[start:end] for made in found.set.questions for start, end in made.evidence] == ["Doris"] * 3
    assert "In 1 of the texts" in found.notes[0]


def test_other_fields_stay_with_their_question_and_are_reported() -> None:
    found = one(
        {**ROW, "anwser": "At five", "difficult": True, "hops": 2, "ratio": 0.5, "split": None, "turns": [1, 2], "x": "y" * 201}
    )
    made = only(found)
    assert made.answers == ()
    assert made.fields == (("anwser", "At five"), ("difficult", "true"), ("hops", "2"), ("ratio", "0.5"))
    assert SetQuestion.of(made.key, made.document, made.question, json.loads(canonical(made.known()))) == made
    assert found.notes == (
        "Other fields are kept, to filter and count by: anwser, difficult, hops, ratio.",
        "Fields that are not a single short value were ignored: split, turns, x.",
    )


def test_fields_of_a_text_are_those_of_its_questions_and_a_question_may_say_otherwise() -> None:
    queries = [{"query": "Who?", "type": "general"}, {"query": "When?", "domain": "Academic"}]
    found = one({"text": TEXT, "domain": "Product", "queries": queries})
    assert [dict(made.fields) for made in found.set.questions] == [
        {"domain": "Product", "type": "general"},
        {"domain": "Academic"},
    ]


def test_an_instruction_is_a_question_and_counter_evidence_a_distractor() -> None:
    at = TEXT.index("Doris")
    made = only(one({"text": TEXT, "instruction": "Sum it up.", "counter_evidence": [{"start": at, "end": at + 5}]}))
    assert made.question == "Sum it up."
    assert (made.evidence, made.distractors) == ((), (Span(at, at + 5),))
    assert KnownAnswer.of(replace(made, answerable=True)).distractors == made.distractors


def test_a_long_title_is_shortened_with_a_note() -> None:
    found = one({**ROW, "title": "A voyage " * 40})
    assert len(found.set.documents[0].title) <= 200
    assert found.notes == ("1 title was shortened to 200 characters.",)


# --- what is refused ------------------------------------------------------------------------------------------------------

LONG = "x" * (LONGEST_QUESTION + 1)


@pytest.mark.parametrize(
    ("row", "field", "says"),
    [
        ({"text": TEXT}, "question", "missing"),
        ({**ROW, "question": "  "}, "question", "blanks"),
        ({**ROW, "question": 7}, "question", "not words"),
        ({**ROW, "question": LONG}, "question", "2,001 characters"),
        ({**ROW, "question": "Wh\ud800o?"}, "question", "a character that no text has"),
        ({**ROW, "question": "Wh\0o?"}, "question", "a character that no text has"),
        ({"question": "Who?"}, "text", "no text"),
        ({**ROW, "text": "   "}, "text", "white space"),
        ({**ROW, "text": 5}, "text", "not words"),
        ({**ROW, "file": "a.txt"}, "file", "given twice"),
        ({"file": "../../etc/passwd", "question": "Who?"}, "file", "is a path"),
        ({"file": "C:\\secret.txt", "question": "Who?"}, "file", "is a path"),
        ({"file": "missing.txt", "question": "Who?"}, "file", "no file 'missing.txt' next to this one"),
        ({"title": "Nowhere", "question": "Who?"}, "title", "no text in these files or the library"),
        ({"document": "ffff", "question": "Who?"}, "document", "no text in these files or the library"),
        ({"paragraphs": "x", "question": "Who?"}, "paragraphs", "a list"),
        ({"paragraphs": [{"title": "x"}], "question": "Who?"}, "paragraphs", "each of them"),
        ({**ROW, "choices": ["one"]}, "choices", "2 to 26"),
        ({**ROW, "choices": ["One", "one "]}, "choices", "the same"),
        ({**ROW, "choices": [str(n) for n in range(27)]}, "choices", "the maximum is 26"),
        ({**ROW, "choices": ["a", {"b": 1}]}, "choices", "not words"),
        ({**ROW, "choices": ["a", "b"], "answer": "c"}, "answer", "not one of the choices"),
        ({**ROW, "choices": ["a", "b"], "gold": 2}, "gold", "counted from 0"),
        ({**ROW, "choices": ["a", "b"], "gold": -1}, "gold", "counted from 0"),
        ({**ROW, "answer": "five", "gold": "at six"}, "gold", "it says 'at six', and the field 'answer' says 'five'"),
        ({**ROW, "choices": ["a", "b"], "answer": "a", "gold": 1}, "gold", "says 'b', and the field 'answer' says 'a'"),
        ({**ROW, "gold": True}, "gold", "not words"),
        ({**ROW, "answerable": "maybe"}, "answerable", "true or false"),
        ({**ROW, "all_required": "maybe"}, "all_required", "true or false"),
        ({**ROW, "choices": ["a", "b"], "answer": "a", "all_required": True}, "all_required", "leave out the choices"),
        ({**ROW, "answerable": 1}, "answerable", "true or false"),
        ({**ROW, "answer": "five", "answerable": False}, "answerable", "an answer is given"),
        ({**ROW, "evidence": "at five"}, "evidence", "a list"),
        ({**ROW, "evidence": [5]}, "evidence", "each place"),
        ({**ROW, "evidence": ["at six"]}, "evidence", "does not say “at six”"),
        ({**ROW, "evidence": [{"start": 0}]}, "evidence", "whole numbers"),
        ({**ROW, "evidence": [{"start": 5, "end": 5}]}, "evidence", "outside a text"),
        ({**ROW, "evidence": [{"start": -3, "end": 5}]}, "evidence", "outside a text"),
        ({**ROW, "evidence": [{"start": 0, "end": 10**18}]}, "evidence", "outside a text"),
        ({**ROW, "evidence": [{"start": 0, "end": 4, "text": "at six"}]}, "evidence", "does not say"),
        ({**ROW, "id": ["x"]}, "id", "not words"),
        ({**ROW, "note": 7}, "note", "not words"),
        ({"text": TEXT, "questions": "x"}, "questions", "a list of questions"),
    ],
)
def test_a_refusal_names_file_line_and_field(row: Any, field: str, says: str) -> None:
    good = {**ROW, "question": "Good?"}
    found = read_questions([("my questions.jsonl", jsonl(good, "", row, good))], TextSources())
    (problem,) = found.problems
    assert (problem.file, problem.where, problem.field) == ("my questions.jsonl", "line 3", field)
    assert says in problem.why
    assert str(problem) == f"'my questions.jsonl', line 3, field {field!r}: {problem.why}"
    assert [made.question for made in found.set.questions] == ["Good?", "Good?"]
    with pytest.raises(BadFile, match="line 3, field"):
        complete_set(found)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("q.jsonl", b"", "is empty"),
        ("q.jsonl", b"\xff\xfe", "line 1: it is not in UTF-8"),
        ("q.jsonl", jsonl(ROW, "{oops"), "line 2, column 2: this is not JSON"),
        ("q.jsonl", jsonl(ROW, "[1]"), "line 2: it is a list"),
        ("q.jsonl", jsonl('{"question": "a", "question": "b"}'), "'question' occurs twice"),
        ("q.jsonl", jsonl('{"gold": NaN}'), "NaN is not a number"),
        ("q.jsonl", jsonl('{"gold": ' + "9" * 5_000 + "}"), "line 1: it cannot be read"),
        ("q.jsonl", b"[" * 200_000, "line 1: it is nested too deep"),
        ("q.json", b'{"schema": "other/2"}', "field 'schema'"),
        ("q.json", b"{\n\n]", "line 3, column 1"),
        ("q.csv", b"answer,text\na,b\n", "line 1: the first line names the fields"),
        ("q.csv", b"question,text,text\na,b,c\n", "line 1: the first line names the fields"),
        ("q.csv", b'question,text\n"a\nb",c\nd\n', "line 4: it has 1 cells, and the header has 2"),
        ("q.csv", b'question,text\n"a"b,c\n', "line 2: this is not CSV"),
        ("q.csv", b'question,text,evidence\na,b,[x\n', "line 2, field 'evidence'"),
        ("q.pdf", b"%PDF", "its name must end in .jsonl"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_reported_with_the_line(name: str, data: bytes, says: str) -> None:
    found = read_questions([(name, data)], TextSources())
    assert says in str(found.problems[-1])
    assert name in str(found.problems[-1])
    with pytest.raises(BadFile, match="Nothing was imported"):
        complete_set(found)


def test_a_file_that_is_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.questions.files.MAX_BYTES", 1_000)
    assert "split it into several files" in str(one(b"x" * 1_001).problems[0])


def test_the_id_of_a_set_is_computed_once_however_many_questions_are_stored_under_it() -> None:
    made = one(ROW).set
    assert made.id is made.id


def test_a_file_of_too_many_values_is_refused_before_they_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.questions.files.MOST_VALUES", 1_000)
    assert "over 1,000 values" in str(one(b'{"text": "x", "note": [' + b"[]," * 1_000 + b"[]]}").problems[0])


def test_too_many_questions_texts_and_problems() -> None:
    many = one({"text": TEXT, "questions": [{"question": f"{n}?"} for n in range(OWN_FILES.questions + 5)]})
    assert "up to 5,000 questions" in str(many.problems[-1])
    wrong = read_questions([("q.jsonl", jsonl(*[{"question": "?"}] * 500))], TextSources())
    assert len(wrong.problems) == MOST_PROBLEMS
    texts = read_questions([("q.jsonl", jsonl(*[{"text": f"Text {n}.", "question": "?"} for n in range(1_001)]))], TextSources())
    assert "up to 1,000 texts" in str(texts.problems[0])


def test_hostile_names_are_shown_short_and_on_one_line() -> None:
    found = read_questions([("../../" + "a\n" * 90 + "<b>.jsonl", b"{")], TextSources())
    assert "\n" not in str(found.problems[0])
    assert "…" in str(found.problems[0])
    assert not is_questions("a.txt")
    assert is_questions("A.JSONL")


def test_the_single_object_says_its_schema_and_names_questions_by_number() -> None:
    data = {"schema": SCHEMA, "text": "lamp.txt", "title": "Lamp", "questions": [{"question": "a?"}, {"question": ""}, 7]}
    found = one(json.dumps(data).encode(), beside(lamp_txt=TEXT), name="q.json")
    assert [(problem.where, problem.field) for problem in found.problems] == [
        ("question 2", "question"),
        ("question 3", "question"),
    ]
