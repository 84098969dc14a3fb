"""The page Learn: the lessons to choose from, or the lesson in the address.

`?lesson=ID` opens a lesson, `&part=3` its third section; `?view=lab` the planted-fact lab, `&batch=ID` its results.
"""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.learn import glossary, lab_page, lab_wording, lesson_page, progress
from components.lessons import html, wording
from components.lessons.lesson import Lesson
from components.lessons.lesson_file import lesson_of, lessons
from components.session import address, state
from components.widgets import method_drawings
from readers import get
from readers.engine.errors import NotFound


def show_learn() -> None:
    """Draw the page."""
    if address.lesson_id():
        try:
            lesson = lesson_of(address.lesson_id())
        except NotFound as error:
            st.error(markup.plain(str(error)))
        else:
            lesson_page.show_lesson(lesson)
            return
    if address.learn_view() == address.LAB:
        lab_page.show_lab()
        return
    st.html(markup.page_title("Learn how a model reads"))
    st.html(html.prose([wording.LEAD]))
    _lessons([lesson for lesson in lessons() if lesson.method])
    for lesson in (lesson for lesson in lessons() if not lesson.method):
        _long(lesson)
    st.caption(wording.CLASS)
    _lab()
    glossary.show_glossary()


def _lab() -> None:
    st.html(markup.section("", "Try it yourself"))
    with st.container(border=True, key="learn-card-lab"):
        st.html(html.card("The planted-fact lab", lab_wording.ABOUT, ""))
        st.page_link("pages/7_Learn.py", label="Plant a fact", query_params=address.to_lab())


def _lessons(found: list[Lesson]) -> None:
    st.html(markup.section("", "Lessons of a quarter of an hour"))
    with st.container(key="learn-cards"):
        for row in range(0, len(found), 3):
            for column, lesson in zip(st.columns(3), found[row : row + 3], strict=False):
                with column, st.container(border=True, key=f"learn-card-{lesson.id}"):
                    method_drawings.show(lesson.method, key=state.key("lesson_card", lesson.id))
                    st.html(
                        html.card(f"{get(lesson.method).title}: {wording.inside(lesson.title)}", lesson.about, _facts(lesson))
                    )
                    _link(lesson)


def _long(lesson: Lesson) -> None:
    """A lesson for a class."""
    st.html(markup.section("", f"A lesson of {wording.minutes(lesson.minutes)} for a class"))
    with st.container(border=True, key=f"learn-card-{lesson.id}"):
        about = f"{lesson.about} With a sheet to print for teacher and learners."
        st.html(html.card(lesson.title, about, _facts(lesson)))
        _link(lesson)


def _facts(lesson: Lesson) -> str:
    told = [wording.takes(lesson)]
    if progress.is_begun(lesson):
        _, done, of = progress.predictions(lesson)
        told.append(wording.so_far(done, of))
    return " · ".join(told)


def _link(lesson: Lesson) -> None:
    label = "Continue" if progress.is_begun(lesson) else "Start"
    st.page_link("pages/7_Learn.py", label=f"{label} this lesson", query_params=address.to_lesson(lesson.id))
