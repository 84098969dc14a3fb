"""The lessons that come along: what they name exists, and what they say that a model did is what it did."""

from __future__ import annotations

import pytest

from components.learn import recorded
from components.learn.lesson import Lesson, Part
from components.learn.lessons import lessons
from components.widgets import drawings
from readers.engine.record.events import Answered, Wrote
from tests.components.session.test_recordings import PAPERS

PARTS = [pytest.param(part, id=f"{lesson.id}-{part.recording}-{part.step}") for lesson in lessons() for part in lesson.parts()]
PREDICTED = [
    pytest.param(part, id=f"{lesson.id}-{part.recording}-{part.step}") for lesson in lessons() for part in lesson.predictions()
]


def test_there_is_a_lesson_of_ten_minutes_on_every_method() -> None:
    short = [lesson for lesson in lessons() if lesson.method]
    assert {lesson.method for lesson in short} == PAPERS
    for lesson in short:
        assert lesson.minutes == 10
        assert len(list(lesson.predictions())) == 2
        assert len(lesson.checks) == 3
        assert [section.drawing for section in lesson.sections if section.drawing] == [lesson.method]
        assert drawings.has(lesson.method)
        _, _, worked, failed, _ = lesson.sections
        assert len(worked.parts) >= 4
        assert failed.known
        assert {recorded.reading(part.recording).run.reader for part in lesson.parts()} == {lesson.method}


@pytest.mark.parametrize("part", PARTS)
def test_every_named_part_is_a_step_of_a_recording(part: Part) -> None:
    assert part.step <= len(recorded.frames(part.recording)["steps"])


@pytest.mark.parametrize("part", PREDICTED)
def test_what_is_right_to_predict_is_what_the_model_did(part: Part) -> None:
    prediction = part.prediction
    assert prediction
    options = recorded.options(part, prediction)
    assert len(options) >= 2
    assert sum(option.right for option in options) == 1
    if prediction.choices:
        assert prediction.proof in _said_at(part)
    else:
        assert {option.name for option in options if option.right} == {
            option["name"] for option in recorded.card(part)["options"] if option["picked"]
        }
        assert recorded.card(part)["by_model"]


def _said_at(part: Part) -> str:
    """What the recording says at a step: the sentence, what was written, and the answer."""
    trace = recorded.reading(part.recording).trace
    step = trace.steps[part.step - 1]
    told = [str(recorded.frames(part.recording)["steps"][part.step - 1]["say"])]
    told += [event.text for event in trace.events[step.start : step.end] if isinstance(event, (Wrote, Answered))]
    return "\n".join(told)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_the_quotations_of_a_failure_have_their_place_in_the_text(lesson: Lesson) -> None:
    for section in lesson.sections:
        for name in {part.recording for part in section.parts if section.known}:
            found = recorded.evidence(name)
            assert found
            assert found["evidence"]
            assert found["lives"]


def test_an_option_that_was_offered_is_there_whole() -> None:
    part = next(part for lesson in lessons() if lesson.method == "memwalker" for part in lesson.predictions())
    assert part.prediction
    texts = [option.text for option in recorded.options(part, part.prediction)]
    trace = recorded.reading(part.recording).trace
    assert len(texts) == 3
    assert set(texts) <= {wrote.text for wrote in trace.wrote.values()}
    assert max(len(text) for text in texts) > 800
