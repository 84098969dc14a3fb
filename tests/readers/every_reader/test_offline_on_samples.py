"""The offline model on the three samples: it declines, strays and answers about as a weak model does, with every reader."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from components.session.samples import SampleText, samples
from readers import get
from readers.engine.questions.grading import Grade, grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Answered
from readers.engine.run.execute import RunSpec, rehearse
from tests.bench.yardstick import Remembering
from tests.support.readings.every_reading import PAPERS

ABSTAINED = ("abstained_right", "abstained_wrong")


class Reading(NamedTuple):
    grade: Grade
    reverts: int


@cache
def model(reader: str) -> Remembering:
    return Remembering()


@cache
def read(reader_id: str, number: int, asked: int) -> Reading:
    """A reading of one question of a sample, with segments so short that there is much to choose from."""
    sample: SampleText = samples()[number]
    known: KnownAnswer = sample.questions[asked]
    reader = get(reader_id)
    options = {"segment_tokens": 400} if reader.part_size and reader.part_size.option == "segment_tokens" else {}
    spec = RunSpec(reader.id, reader.version, known.question, choices=known.choices, options=options)
    trace = rehearse(sample.document, reader, spec, model(reader_id))
    end = trace.end
    answer = end.text if isinstance(end, Answered) else None
    graded = grade("answered" if isinstance(end, Answered) else "exhausted", answer, known.choices, known)
    assert graded is not None
    return Reading(graded, len(trace.decisions("revert")))


def numbers(*, answerable: bool) -> list[tuple[int, int]]:
    return [
        (number, asked)
        for number, sample in enumerate(samples())
        for asked, known in enumerate(sample.questions)
        if known.answerable is answerable
    ]


def declined(reader: str, places: list[tuple[int, int]]) -> int:
    return sum(read(reader, number, asked).grade.outcome in ABSTAINED for number, asked in places)


def answered_rightly(number: int, asked: int) -> list[str]:
    return [reader for reader in PAPERS if read(reader, number, asked).grade.outcome == "correct"]


@pytest.mark.scale  # up to five seconds a reader
@pytest.mark.parametrize("reader", PAPERS)
def test_questions_that_the_text_does_not_answer_are_often_declined(reader: str) -> None:
    assert len(numbers(answerable=False)) == 9
    assert declined(reader, numbers(answerable=False)) >= 4


@pytest.mark.scale
# The readers that come to all parts of a text, but for QRMeM, whose graph takes half a minute.
@pytest.mark.parametrize("reader", ["memwalker", "readagent", "memagent", "rememr1", "chain_of_agents", "recursive"])
def test_questions_that_the_text_answers_are_hardly_ever_declined(reader: str) -> None:
    assert len(numbers(answerable=True)) == 36
    assert declined(reader, numbers(answerable=True)) <= 2


@pytest.mark.scale
def test_a_walk_turns_back_in_a_tenth_to_a_quarter_of_the_questions() -> None:
    every = [*numbers(answerable=True), *numbers(answerable=False)]
    strays = sum(read("memwalker", number, asked).reverts > 0 for number, asked in every)
    assert 0.1 <= strays / len(every) <= 0.25


@pytest.mark.scale
@pytest.mark.parametrize("number", range(3))
def test_the_question_of_home_is_answered_rightly_by_at_least_four_readers(number: int) -> None:
    sample = samples()[number]
    assert len(answered_rightly(number, sample.questions.index(sample.offered[0]))) >= 4


@pytest.mark.scale
@pytest.mark.parametrize("number", [0, 2])
def test_the_first_question_is_answered_rightly_by_at_least_four_readers(number: int) -> None:
    assert len(answered_rightly(number, 0)) >= 4


@pytest.mark.scale
def test_the_corrected_figure_of_the_report_is_found_where_the_correction_was_read() -> None:
    assert {"readagent", "memagent", "rememr1"} <= set(answered_rightly(1, 0))
