"""A planted fact is the same at every depth and size, stands where it is said to, and changes no word of the text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.errors import BadOptions
from readers.engine.questions.import_questions import complete_set, read_questions
from readers.engine.questions.made.planted import FACT_KINDS, WHOLE, FactKind, Places, change, planted_texts, prepared, written
from readers.engine.questions.question_importer import TextSources
from readers.engine.text.document import Document, PrintedPage

PARAGRAPHS = [" ".join(f"Sentence {p}.{n} says little." for n in range(8)) for p in range(12)]
TEXT = Document("A text", "\n\n".join(PARAGRAPHS))


@pytest.mark.parametrize("kind", FACT_KINDS)
@pytest.mark.parametrize("depth", [0, 37, 100])
def test_a_fact_stands_where_it_is_said_to_and_no_word_is_changed(kind: FactKind, depth: float) -> None:
    fact = prepared(kind, TEXT.text, seed=3)
    pages = tuple(PrintedPage(TEXT.text.index(paragraph), str(n)) for n, paragraph in enumerate(PARAGRAPHS))
    document, evidence, outdated = change(replace(TEXT, pages=pages), fact, depth)
    text = document.text
    assert all(text.startswith(PARAGRAPHS[int(label)][:8], start) for start, label in document.pages)
    assert len(document.pages) == len(pages)
    told = [text[span.start : span.end] for span in evidence]
    assert told == [each.tells for each in fact.told if each.tells and not each.outdated]
    assert fact.answer in told[-1]
    assert [text[span.start : span.end] for span in outdated] == [each.tells for each in fact.told if each.outdated]
    left = text
    for each in fact.told:
        assert left.count(each.words) == 1
        left = left.replace(each.words, "")
    assert left.split() == TEXT.text.split()
    assert abs(evidence[-1].start - depth / 100 * len(TEXT.text)) < 400
    assert f"at {depth:g}%" in document.title


def test_the_order_in_the_text_is_the_order_of_the_fact() -> None:
    for kind in ("two", "contradicted"):
        _, evidence, outdated = change(TEXT, prepared(kind, TEXT.text), 80)
        first, last = sorted([*evidence, *outdated])
        assert first.start < 0.5 * len(TEXT.text) < last.start
        assert evidence[-1] == last


def test_a_table_and_a_footnote_are_paragraphs_of_their_own() -> None:
    table, note = (change(TEXT, prepared(kind, TEXT.text), 50)[0].text.split("\n\n") for kind in ("table", "footnote"))
    assert sum(part.startswith("Place | Number\n") and part.count("\n") == 3 for part in table) == 1
    at = next(n for n, part in enumerate(note) if part.startswith("[*]"))
    assert "has a number of its own.[*]" in note[at - 1]


def test_the_same_fact_is_planted_at_every_depth_of_every_size() -> None:
    fact = prepared("one", TEXT.text)
    made = list(planted_texts(TEXT, fact, Places((0, 50, 100), (200, WHOLE))))
    assert len(made) == 6
    assert {(one.question, one.answers) for one in made} == {(fact.question, (fact.answer,))}
    assert [one.fields["depth"] for one in made] == ["0", "50", "100"] * 2
    short, long = {one.fields["text_tokens"] for one in made}
    assert sorted([short, long])[0] <= 200
    assert len({one.key for one in made}) == 6
    again = list(planted_texts(TEXT, prepared("one", TEXT.text), Places((0, 50, 100), (200, WHOLE))))
    assert again == made


def test_a_fact_of_ones_own_needs_its_question_and_answer() -> None:
    fact = written("The cat is  grey", "What colour is the cat?", " Grey ")
    assert (fact.told[0].words, fact.answer) == ("The cat is grey.", "Grey")
    with pytest.raises(BadOptions, match="question that it answers"):
        written("The cat is grey", "", "Grey")


@pytest.mark.parametrize(("depths", "sizes"), [((), (WHOLE,)), ((101,), (WHOLE,)), ((50,), ()), ((50,), (10**9,))])
def test_places_that_cannot_be_are_refused(depths: tuple[float, ...], sizes: tuple[int, ...]) -> None:
    with pytest.raises(BadOptions):
        list(planted_texts(TEXT, prepared("one", TEXT.text), Places(depths, sizes)))


def test_the_command_writes_a_file_that_is_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, out = tmp_path / "parts.txt", tmp_path / "planted.jsonl"
    given.write_text(TEXT.text)
    own = ["--sentence", "The cat is grey", "--question", "What colour is the cat?", "--answer", "grey"]
    for more, told in ((["--kind", "table"], " | "), (own, "The cat is grey.")):
        command = ["questions", "make-planted", str(given), *more, "--depth", "10", "--depth", "90", "-o", str(out)]
        assert main(command) == 0
        assert "2 questions" in capsys.readouterr().out
        found = complete_set(read_questions([(out.name, out)], TextSources()))
        texts = {text.id: text.text for text in found.documents}
        for one in found.questions:
            (span,) = one.evidence
            assert told in texts[one.document][span.start : span.end]
        assert [dict(one.fields)["depth"] for one in found.questions] == ["10", "90"]
