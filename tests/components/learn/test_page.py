"""The page Learn opens every lesson, asks before it shows, counts, and keeps all of that in the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from components.learn import progress
from components.lessons import recorded
from components.lessons.lesson import Lesson, LessonPart
from components.lessons.lesson_file import lessons
from readers.engine.store import Store
from tests.support import app_pages
from tests.support.app_pages import html, links, opened, words


@pytest.fixture
def app() -> Iterator[AppTest]:
    with opened("7_Learn") as app:
        yield app


def labels(app: AppTest) -> list[str]:
    return [app_pages.shown(button.label) for button in app.button]


def press(app: AppTest, beginning: str) -> None:
    next(button for button in app.button if button.label.startswith(beginning)).click().run()
    assert not app.exception


def test_it_offers_every_lesson(app: AppTest) -> None:
    app_pages.run(app)
    for lesson in lessons():
        assert lesson.title[1:] in html(app)
        assert ("Start this lesson", f"lesson={lesson.id}") in links(app)


@pytest.mark.slow  # some twenty drawings of a page each
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_lesson_can_be_taken_to_its_end(app: AppTest, lesson: Lesson) -> None:
    """Each prediction by its first option, each question by its last choice."""
    app_pages.run(app, lesson=lesson.id)
    for section in lesson.sections:
        for number, part in enumerate(section.parts):
            assert part.name in html(app)
            if part.write:
                assert part.words[0][:40] not in html(app)
                app.text_area[0].set_value(f"A <b>, and {part.keeps}.").run()
                press(app, "Show what the model wrote")
                assert "A &lt;b&gt;, and" in html(app)
                assert f"It has “{part.keeps}”." in html(app)
            if part.prediction:
                assert part.words[0][:40] not in html(app)
                assert any(label.startswith("Next") for label in labels(app)) or number + 1 == len(section.parts)
                if part.repairs:
                    _try_every_repair(app, part)
                else:
                    _predict(app)
                    assert "As you predicted" in html(app) or "Not as you predicted" in html(app)
            if number + 1 < len(section.parts):
                press(app, f"Next: {section.parts[number + 1].name}")
        for check, radio in zip(section.checks, app.radio, strict=False):
            radio.set_value(len(check.choices) - 1).run()
            assert not app.exception
            assert check.choices[-1].feedback[:40] in html(app)
        if section is not lesson.sections[-1]:
            press(app, f"Next: {lesson.sections[lesson.sections.index(section) + 1].title}")
    assert "You predicted" in html(app) or not list(lesson.predictions())
    # The lesson for a class ends with what its readings failed at.
    assert ("Found, not right" in html(app)) == (not lesson.method)
    with Store() as store:
        assert store.runs.listed() == []


def _try_every_repair(app: AppTest, part: LessonPart) -> None:
    told = part.words[0][:14]  # before its first term, which is marked
    for number, name in enumerate(part.repairs):
        assert told not in html(app)
        next(button for button in app.button if button.label == "Try this").click().run()
        assert not app.exception
        assert html(app).count('class="answer"') == number + 1
        assert f'class="answer">{recorded.answer_of(name)}' in html(app)
    assert told in html(app)
    assert recorded.IN_THE_TEXT in html(app)


def _predict(app: AppTest) -> None:
    if app.radio:
        app.radio[0].set_value(0).run()
        press(app, "Lock in my prediction")
    else:
        press(app, "I say ")


def test_the_next_part_waits_for_the_prediction_and_what_was_right_is_counted(app: AppTest) -> None:
    lesson = next(lesson for lesson in lessons() if lesson.method == "memwalker")
    worked = next(n for n, section in enumerate(lesson.sections) if any(part.prediction for part in section.parts))
    app.session_state[f"_lesson.{lesson.id}"] = progress.LessonProgress(section=worked, at={worked: 4})
    app_pages.run(app, lesson=lesson.id)
    part = lesson.sections[worked].parts[4]
    assert part.prediction
    onward = next(button for button in app.button if button.label.startswith("Next: Choose again"))
    assert onward.disabled
    options = recorded.options(part, part.prediction)
    assert all(option.text[:60] in html(app).replace("&#x27;", "'") for option in options)
    press(app, f"I say {next(option.words for option in options if option.right)}")
    assert "As you predicted" in html(app)
    assert not next(button for button in app.button if button.label.startswith("Next: Choose again")).disabled


def test_place_and_choices_outlast_a_reload_by_the_address(app: AppTest) -> None:
    lesson = next(lesson for lesson in lessons() if lesson.method == "memwalker")
    app_pages.run(app, lesson=lesson.id, part="3.5")
    assert next(button for button in app.button if button.label == "Open this reading whole").disabled
    press(app, "I say part 3")
    press(app, "Next: Choose again")
    assert (app.query_params["part"], app.query_params["chosen"]) == ("3.6", "2-.---")
    with opened("7_Learn") as again:
        app_pages.run(again, lesson=lesson.id, part="3.6", chosen="2-.--1")
        done = again.session_state[f"_lesson.{lesson.id}"]
        assert (done.section, done.at, done.predicted, done.answered) == (2, {2: 5}, {(2, 4): 2}, {(4, 2): 1})
        press(again, "Back")
        assert "Not as you predicted" in html(again)
    with opened("7_Learn") as hostile:
        app_pages.run(hostile, lesson=lesson.id, part="99.99", chosen="zz<b>é.9.9")
        done = hostile.session_state[f"_lesson.{lesson.id}"]
        assert (done.section, done.predicted, done.answered) == (len(lesson.sections) - 1, {}, {})


def test_the_recording_opens_whole(app: AppTest) -> None:
    lesson = next(lesson for lesson in lessons() if lesson.method == "memagent")
    app_pages.run(app, lesson=lesson.id, part="3")
    press(app, "Open this reading whole")
    assert app.query_params["run"] == recorded.recording_of(lesson.sections[2].parts[0].recording).id


def test_a_lesson_that_is_not_there_is_named_and_the_others_are_offered(app: AppTest) -> None:
    app_pages.run(app, lesson="none-such")
    assert "There is no lesson 'none-such'" in words(app)
    assert ("Start this lesson", f"lesson={lessons()[0].id}") in links(app)
