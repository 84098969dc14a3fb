"""A lesson: its sections one at a time, with a recorded reading in the player where a section has named parts."""

from __future__ import annotations

import streamlit as st

from components.html import markup
from components.learn import progress, sheet_html, walk
from components.learn.progress import LessonProgress
from components.lessons import html, minutes, recorded, wording
from components.lessons.lesson import Lesson, LessonQuestion, LessonSection
from components.session import address, state
from components.session.samples import open_recording
from components.widgets import method_drawings, report, teach
from readers import get


def show_lesson(lesson: Lesson) -> None:
    """Draw a lesson at the section where the visitor is."""
    done = progress.progress_of(lesson)
    _head(lesson)
    _sections(lesson, done)
    walk.into_view(".st-key-learn-sections", shows=str(done.section), key=state.key("lesson_top", lesson.id))
    section = lesson.sections[done.section]
    if not section.parts:
        _words(lesson, section)
    else:
        walk.show_walk(lesson, done.section)
    if section.checks:
        _checks(section, done)
    _onward(lesson, done)
    progress.keep(lesson)


def _head(lesson: Lesson) -> None:
    title = f"{get(lesson.method).title}: {wording.inside(lesson.title)}" if lesson.method else lesson.title

    def sheet() -> bytes:
        offered = {part: recorded.options(part, part.prediction) for part in lesson.predictions() if part.prediction}
        return sheet_html.sheet(lesson, title, offered).encode()

    with st.container(horizontal=True, vertical_alignment="center", key="learn-head"):
        st.page_link("pages/7_Learn.py", label="All lessons", icon=":material/arrow_back:")
        st.download_button(
            "Sheet to print", sheet, file_name=f"palimpsest-lesson-{lesson.id}.html", mime="text/html",
            key=state.key("lesson_sheet", lesson.id), on_click="ignore", help=wording.SHEET,
        )  # fmt: skip
        if not lesson.method:
            _text_to_print(lesson)
        first = recorded.recording_of(next(lesson.parts()).recording)
        steps = len(list(lesson.class_steps()))
        about = wording.teach(minutes.of_class(lesson)[-1][1])
        teach.offer("Teach this lesson", about, lambda: open_recording(first), title=title, steps=steps, lesson=lesson.id)
    st.html(markup.page_title(title, hint=wording.takes(lesson)))


def _text_to_print(lesson: Lesson) -> None:
    """The text that a class searches before it watches a model do so."""
    document = recorded.reading(next(lesson.parts()).recording).document

    def page() -> bytes:
        return sheet_html.text_to_print(document.title, document.text).encode()

    st.download_button(
        "Text to print", page, file_name=f"palimpsest-lesson-{lesson.id}-text.html", mime="text/html",
        key=state.key("lesson_text", lesson.id), on_click="ignore", help=wording.text(document.title, len(document.text.split())),
    )  # fmt: skip


def _sections(lesson: Lesson, done: LessonProgress) -> None:
    """The sections, each a press away."""
    key = state.key("lesson_section", lesson.id)
    if state.value(key) != done.section:
        state.set_value(key, done.section)

    def chosen() -> None:
        progress.go_to(done, int(state.value(key) or 0))

    with st.container(key="learn-sections"):
        st.segmented_control(
            "Sections of this lesson",
            range(len(lesson.sections)),
            format_func=lambda n: wording.section(lesson, n),
            required=True,
            key=key,
            on_change=chosen,
            label_visibility="collapsed",
        )
        if lesson.alone:
            st.caption(wording.clock(lesson, done.section))


def _words(lesson: Lesson, section: LessonSection) -> None:
    if not section.drawings:
        st.html(html.prose(section.words))
        if section is lesson.sections[0] and lesson.goals:
            st.html(html.goals(lesson.goals))
        return
    with st.container(key="two-learn"):
        left, right = st.columns([1.6, 1], gap="large")
    with left:
        st.html(html.prose(section.words))
    with right, st.container(border=True, key="learn-drawing"):
        for reader_id in section.drawings:
            if len(section.drawings) > 1:
                st.html(html.drawn(get(reader_id).title))
            method_drawings.show(reader_id, key=state.key("lesson_drawing", lesson.id, reader_id))


def _checks(section: LessonSection, done: LessonProgress) -> None:
    for number, check in enumerate(section.checks):
        with st.container(border=True, key=f"learn-check-{number}"):
            _check(check, done, (done.section, number))


def _check(check: LessonQuestion, done: LessonProgress, place: progress.Place) -> None:
    """A question with its choices, and after an answer what there is to say of it and of the others."""
    key = state.key("lesson_answer", id(done), *place)
    before = done.answered.get(place)
    answer = st.radio(markup.plain(check.ask), range(len(check.choices)), index=before, key=key,
                      format_func=lambda n: markup.plain(check.choices[n].words))  # fmt: skip
    if answer is None:
        return
    if before is None:  # the first answer counts
        done.answered[place] = answer
    chosen = check.choices[answer]
    st.html(html.feedback(chosen.right, chosen.feedback))
    st.html(html.others([(choice.words, choice.feedback) for choice in check.choices if choice is not chosen]))


def _onward(lesson: Lesson, done: LessonProgress) -> None:
    """The way to the next section, or at the end how it went and where to go."""
    following = done.section + 1
    if following < len(lesson.sections):
        if not lesson.sections[done.section].parts:  # if there are parts, the way is next to them
            key = state.key("lesson_next", lesson.id, following)
            label = wording.onward(lesson.sections[following].title)
            st.button(label, type="primary", key=key, on_click=progress.go_to, args=(done, following))
        return
    if not lesson.method:
        table = recorded.found_and_used(dict.fromkeys(name for part in lesson.parts() for name in part.recordings))
        st.html(markup.section("", table.title))
        report.draw(table)
    st.html(html.result([wording.predicted(*progress.predictions(lesson)), wording.answered(*progress.answers(lesson))]))
    with st.container(horizontal=True, vertical_alignment="center", key="trace-next"):
        if lesson.method:
            label = f"Read your own text with {get(lesson.method).title}"
            st.page_link("pages/2_Read.py", label=label, query_params=address.to_reader(lesson.method))
        st.page_link("pages/7_Learn.py", label="All lessons")
        st.button("Take it again", key=state.key("lesson_again", lesson.id), on_click=progress.start_again, args=(lesson,))
