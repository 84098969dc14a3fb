"""The sample texts: their questions point at what is there."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from readers.engine.text.document import Document
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
