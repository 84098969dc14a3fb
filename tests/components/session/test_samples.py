"""The sample texts: their questions point at what is there."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from components.session.samples import samples
from readers import READERS
from readers.engine.prompts.options import read_options
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import found_by
from readers.engine.record.events import Answered
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.part_sizes import FEWEST, MOST, TextLength, parts
from readers.engine.text.document import Document
from tests.bench.yardstick import Remembering
from tests.support.paths import SAMPLES

FILES = sorted(SAMPLES.glob("*.json"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def sample(request: pytest.FixtureRequest) -> tuple[dict[str, Any], str]:
    data = json.loads(request.param.read_text(encoding="utf-8"))
    return data, (request.param.parent / data["text"]).read_text(encoding="utf-8")


def test_there_are_three_of_different_kinds() -> None:
    assert sorted(json.loads(path.read_text(encoding="utf-8"))["kind"] for path in FILES) == ["articles", "report", "story"]


def test_the_text_is_canonical_and_of_a_length_to_read(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    assert Document.of(text).text == text
    assert 3000 <= len(text.split()) <= 8000
    assert text.startswith(data["title"])


def test_every_piece_of_evidence_stands_where_it_says_and_nowhere_else(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    for question in data["questions"]:
        for evidence in question["evidence"]:
            assert text[evidence["start"] : evidence["end"]] == evidence["text"]
            assert text.count(evidence["text"]) == 1


def test_questions_are_whole_and_of_every_kind(sample: tuple[dict[str, Any], str]) -> None:
    data, _ = sample
    questions = data["questions"]
    assert len(questions) >= 10
    assert len({question["id"] for question in questions}) == len(questions)
    places = Counter(question["places"] for question in questions)
    assert all(places[count] >= 1 for count in (1, 2, 3))
    assert places[0] >= 2
    for question in questions:
        assert len(question["evidence"]) == question["places"]
        assert question["answerable"] is (question["answer"] is not None) is (question["places"] > 0)
        assert not question["choices"] or question["answer"] in (None, *question["choices"])


def test_every_reader_that_cuts_has_options_with_which_the_sample_is_watched(sample: tuple[dict[str, Any], str]) -> None:
    data, text = sample
    length = TextLength.of(Document.of(text))
    for reader in READERS:
        if reader.part_size:
            options = data["watched"][reader.id]
            read_options(reader.Options, options)
            assert FEWEST <= (parts(reader, options, length) or 0) <= MOST, reader.id


@pytest.mark.parametrize("number", range(3))
def test_the_first_reader_answers_the_first_question_rightly_and_goes_wrong_on_the_next(number: int) -> None:
    """With the offline model. If it has changed, name two other questions in the sample's file, under `first`."""
    sample, reader = samples()[number], READERS[0]
    model = Remembering()
    graded = []
    for known in sample.offered[:2]:
        spec = RunSpec(reader.id, reader.version, known.question, options=sample.watched[reader.id])
        end = rehearse(sample.document, reader, spec, model).end
        answer = end.text if isinstance(end, Answered) else None
        found = grade("answered" if answer else "exhausted", answer, (), known)
        graded.append(
            (found.outcome if found else "", found_by(end.evidence, known.evidence) if isinstance(end, Answered) else 0)
        )
    (first, places), (second, _) = graded
    assert (first, places, second) == ("correct", len(sample.offered[0].evidence), "wrong")
    assert sorted(sample.offered, key=sample.questions.index) == list(sample.questions)
