"""Length sweeps: as long as asked for, seeded, with every supporting sentence where its span says, and nothing left to chance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readers.cli import main
from readers.engine.errors import BadOptions
from readers.engine.questions.benchmarks.recognise import QuestionFile
from readers.engine.questions.import_questions import read_questions
from readers.engine.questions.made.sweep import (
    LENGTHS,
    Paragraph,
    ParagraphQuestion,
    fitting,
    lengthened,
    paragraph_questions,
    pool_of,
    text_paragraphs,
)
from readers.engine.questions.question_importer import TextSources
from readers.engine.text import tokens
from readers.engine.text.document import Document
from tests.engine.questions.benchmarks.reading import listed
from tests.engine.questions.benchmarks.test_paragraphs import HOTPOT

POOL = pool_of(Paragraph(f"Place {n}\nThe {n}th place lies by the sea, and has {n} houses.") for n in range(400))


def asked() -> ParagraphQuestion:
    (found,) = paragraph_questions([QuestionFile("hotpot.json", listed(HOTPOT))])
    return found


def test_a_question_of_a_benchmark_has_its_paragraphs_and_marks() -> None:
    one = asked()
    marked = [paragraph.words[span.start : span.end] for paragraph in one.paragraphs for span in paragraph.evidence]
    assert marked == ["The Long Pier has one lamp, kept by Mette Falk.", "Its only pier is the Long Pier."]
    assert (one.key, one.answers, dict(one.fields)["type"]) == ("5a01", ("Mette Falk",), "bridge")


def test_texts_have_the_lengths_asked_for_and_the_spans_hold() -> None:
    made = list(lengthened(asked(), POOL, (2_000, 500, 4_000)))
    assert [one.fields["length"] for one in made] == [500, 2_000, 4_000]
    for one in made:
        size = tokens.count(one.text)
        assert 0.85 * one.fields["length"] < size <= one.fields["tokens"] <= one.fields["length"]
        quoted = {one.text[span.start : span.end] for span in one.evidence}
        assert quoted == {"The Long Pier has one lamp, kept by Mette Falk.", "Its only pier is the Long Pier."}
        assert one.text.count("Document ") == one.fields["documents"]
        numbers = [int(number) for number in one.fields["evidence_documents"].split(", ")]
        assert all(f"Document {number}:\n{title}\n" in one.text for number, title in zip(numbers, _titles(one.text), strict=True))
    shorter, longer = ({part.split(":\n", 1)[1] for part in one.text.split("\n\n")} for one in made[1:])
    assert shorter < longer  # a longer text has the same distractors, and more


def _titles(text: str) -> list[str]:
    return sorted(("Orrin", "Long Pier"), key=lambda title: text.index(f":\n{title}\n"))


def test_the_seed_decides_everything() -> None:
    first, again, other = (next(lengthened(asked(), POOL, (2_000,), seed=seed)).row for seed in (1, 1, 2))
    assert first == again
    assert first["text"] != other["text"]
    assert LENGTHS == (7_000, 14_000, 28_000, 56_000, 112_000, 224_000, 448_000, 896_000, 1_792_000, 3_584_000)


def test_a_pool_that_is_too_small_is_refused_or_used_again_and_own_paragraphs_never_distract() -> None:
    one = asked()
    small = pool_of([*one.paragraphs, *POOL[:3], Paragraph("Echo\nMETTE FALK was seen."), POOL[0]])
    with pytest.raises(BadOptions, match="give more distractors, or use them again"):
        list(lengthened(one, small, (1_000,)))
    (made,) = lengthened(one, small, (1_000,), repeat=True)
    assert made.text.count("kept by Mette Falk") == 1
    assert made.fields["answer_in_distractors"] == made.text.count("METTE FALK") > 1
    with pytest.raises(BadOptions):
        list(lengthened(one, pool_of(one.paragraphs), (1_000,), repeat=True))
    assert fitting(one, (20, 1_000)) == [1_000]
    assert list(lengthened(one, POOL, (20,))) == []


def test_paragraphs_of_a_text_distract_if_they_are_long_enough() -> None:
    text = f"Title\n\n{'The sea was calm. ' * 20}\n\nShort.\n\n{'The wind rose. ' * 20}"
    assert [one.words[:7] for one in text_paragraphs([Document.of(text)])] == ["The sea", "The win"]


def test_the_command_writes_a_file_that_is_imported_with_its_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, Any]] = [{**HOTPOT, "_id": str(n), "context": [*HOTPOT["context"], [f"T{n}", [f"Text {n}. " * 90]]]}
                                  for n in range(9)]  # fmt: skip
    given, out = tmp_path / "hotpot.json", tmp_path / "sweep.jsonl"
    given.write_bytes(listed(*rows))
    command = ["questions", "make-sweep", str(given), "--length", "1500", "--length", "10", "--questions", "2", "-o", str(out)]
    assert main(command) == 0
    assert "0: its own paragraphs have more than 10 tokens" in capsys.readouterr().err
    assert [json.loads(line)["made"] for line in out.read_text().splitlines()] == ["sweep", "sweep"]
    found = read_questions([(out.name, out)], TextSources())
    assert found.recognised[0][:1] + found.recognised[0][2:] == ("Length sweep", 2, 2)
    first = found.set.questions[0]
    text = found.set.documents[0].text
    assert {"Its only pier is the Long Pier."} < {text[span.start : span.end] for span in first.evidence}
    assert main([*command[:3], "--length", "90000", "-o", str(tmp_path / "none.jsonl")]) == 2
    assert not list(tmp_path.glob("none*"))
