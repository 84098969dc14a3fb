"""A recorded reading in a lesson: its named parts one by one, predictions before their steps, and the player beside them.

The parts are a fragment, so that going on redraws only them and moves the player by a message. At first the player hides
everything after the step shown; while a prediction is open, it shows no later step, and the reading is not opened whole.
"""

from __future__ import annotations

from typing import Literal

import streamlit as st

from components.html import markup
from components.html.scripts import script
from components.learn import progress
from components.learn.progress import LessonProgress, Place
from components.lessons import html, recorded, wording
from components.lessons.lesson import Lesson, LessonPart, LessonQuestion, LessonSection
from components.player import data as player_data
from components.player import mount
from components.session import address, flash, state
from components.session.drawing import fragment
from components.session.samples import open_recording
from components.widgets import method_drawings
from readers import get
from readers.engine.errors import ReadingError
from readers.engine.store import Reading
from readers.engine.text.phrases import counted

_into_view = st.components.v2.component("palimpsest.into_view", html="<div></div>", js=script("learn/into_view.js"))


def into_view(place: str, *, shows: str, key: str) -> None:
    """Scroll to the element of a CSS selector, if it is out of view when `shows` is another than before."""
    _into_view(key=key, data={"name": key, "place": place, "shows": shows})


def show_walk(lesson: Lesson, number: int) -> None:
    """Draw the parts of a section (from 0) at the visitor's part, and the player at its step."""
    section, done = lesson.sections[number], progress.progress_of(lesson)
    place = number, done.at.get(number, 0)
    part = section.parts[place[1]]
    with st.container(key="two-lesson"):
        words, picture = st.columns([2, 3], gap="medium")
    with words:
        _parts(lesson, number)
    name = _shown(part, done, place)
    frames = recorded.frames(name)
    with picture:
        mount.mount_beside(
            frames,
            key=state.key("lesson_stage", lesson.id, number, name),
            at=_step(part, done, place),
            beside=f"The reading of this lesson: {recorded.reading(name).run.question}",
            hides_end=True,
        )


def _shown(part: LessonPart, done: LessonProgress, place: Place) -> str:
    """The recording to show: that of the part, or the repair that was tried last."""
    tried = done.tried_of(place) if part.repairs else []
    return part.repairs[tried[-1]] if tried else part.recording


def _step(part: LessonPart, done: LessonProgress, place: Place) -> int:
    """The step to show (from 0): that of the part, or the step before while the part is still to be predicted or written; of a
    repair the last."""
    if (name := _shown(part, done, place)) != part.recording:
        return recorded.last_step(name) - 1
    return part.step - (2 if done.waits(part, place) else 1)


@fragment()
def _parts(lesson: Lesson, number: int) -> None:
    section, done = lesson.sections[number], progress.progress_of(lesson)
    at = done.at.get(number, 0)
    part = section.parts[at]
    shows = state.key("lesson_stage", "shows", lesson.id, number)
    before = state.value(shows)
    name = _shown(part, done, (number, at))
    state.set_value(shows, name)
    if at == 0:
        _drawings(lesson, section)
    with st.container(border=True, key="learn-walk"):
        waits = _part(section, done, (number, at))
        _ways(lesson, number, waits=waits)
        progress.keep(lesson)
        into_view(".st-key-learn-walk", shows=f"{number} {at} {waits}", key=state.key("lesson_top", lesson.id, number))
    _link(section, part, name, _step(part, done, (number, at)), waits=waits and name == part.recording)
    if before not in (None, name):
        st.rerun()  # another reading: the player is redrawn


def _drawings(lesson: Lesson, section: LessonSection) -> None:
    """The drawings of a section, in a row above its first part."""
    columns = st.columns(len(section.drawings)) if section.drawings else []
    for reader_id, column in zip(section.drawings, columns, strict=True):
        with column, st.container(border=True):
            st.html(html.drawn(get(reader_id).title))
            method_drawings.show(reader_id, key=state.key("lesson_drawing", lesson.id, reader_id))


def _part(section: LessonSection, done: LessonProgress, place: Place) -> bool:
    """Draw a part: its sentence, or what is to be predicted or written before. Returns whether it still is."""
    part = section.parts[place[1]]
    prediction, waits = part.prediction, done.waits(part, place)
    if place[1] == 0:
        st.html(html.prose(section.words))
    elif not (part.write and part.step <= recorded.frames(part.recording)["building"]):  # who writes there knows no question yet
        st.html(html.question(recorded.reading(part.recording).run.question, recorded.offered(part.recording)))
    st.html(html.part(place[1] + 1, len(section.parts), part.name))
    if part.write:
        _write(part, done, place)
    if prediction and part.repairs:
        _repairs(part, prediction, done, place)
        return waits
    if prediction is None:
        if not waits:
            _told(part)
        return waits
    if waits:
        _predict(part, prediction, done, place)
    else:
        options = recorded.options(part, prediction)
        mine = options[done.predicted[place]]
        model = recorded.chosen(part, prediction)
        st.html(html.revealed(mine.right, mine.words, model, mine.feedback, recorded.stated_reason(part)))
        _told(part)
    return waits


def _told(part: LessonPart) -> None:
    """The words of a part, and at the end of a repair how the reading and its repair ended, beside each other. How repairs ended
    that were chosen among stands above."""
    st.html(html.beside(part.words, recorded.quotes(part)))
    above = {recorded.recording_of(name).changed for name in part.repairs}
    if ended := [(whose, words) for whose, words in recorded.outcomes(part) if whose not in above]:
        st.html(html.written([(whose, words, "", whose != recorded.IN_THE_TEXT) for whose, words in ended]))


def _repairs(part: LessonPart, prediction: LessonQuestion, done: LessonProgress, place: Place) -> None:
    """Let the learner try the recorded repairs one by one; when all are seen, every outcome is there with what it says."""
    tried = done.tried_of(place)
    st.html(html.asked(prediction.ask))
    with st.container(key="learn-options"):
        for n, (column, name) in enumerate(zip(st.columns(len(part.repairs)), part.repairs, strict=True)):
            with column, st.container(border=True, key=f"learn-option-{n}"):
                outcome = (recorded.answer_of(name), bool(recorded.is_right(name))) if n in tried else None
                st.html(html.repair(recorded.recording_of(name).changed, outcome, shown=tried[-1:] == [n]))
                key = state.key("lesson_repair", part.recording, part.step, n)
                label = "Show this reading" if n in tried else "Try this"
                st.button(label, key=key, disabled=tried[-1:] == [n], on_click=done.try_repair, args=(place, n))
    if not done.waits(part, place):
        _told(part)


def _predict(part: LessonPart, prediction: LessonQuestion, done: LessonProgress, place: Place) -> None:
    """Ask what the model will do; the options in full, if they are those that the model was offered."""
    options = recorded.options(part, prediction)
    st.html(html.asked(prediction.ask))

    def choose(number: int) -> None:
        done.predicted[place] = number

    if any(option.text for option in options):
        found = recorded.offer(part)
        st.caption(wording.PREDICTED[found.verb if found else "chose"])
        shortest = min(len(option.text) for option in options)  # so that all can be seen at once
        with st.container(key="learn-options"):
            columns = st.columns(len(options))
            for n, (column, option) in enumerate(zip(columns, options, strict=True)):
                with column, st.container(border=True, key=f"learn-option-{n}"):
                    st.html(html.option(option.words, option.text, long=len(option.text) > 2 * shortest))
                    label = f"I say {option.words}"
                    st.button(label, key=state.key("lesson_guess", part.recording, part.step, n), on_click=choose, args=(n,))
        return
    key = state.key("lesson_guess", part.recording, part.step)
    chosen = st.radio("What will it do?", range(len(options)), index=None, key=key, label_visibility="collapsed",
                      format_func=lambda n: markup.plain(options[n].words))  # fmt: skip
    lock = state.key("lesson_lock", part.recording, part.step)
    st.button("Lock in my prediction", type="primary", key=lock, disabled=chosen is None, on_click=choose, args=(chosen,))


def _write(part: LessonPart, done: LessonProgress, place: Place) -> None:
    """Let the learner write in the model's place; afterwards both texts are beside each other."""
    mine = done.written.get(place)
    if mine is None:
        st.html(html.to_write(part.write, recorded.before_the_model(part)))
        key = state.key("lesson_write", part.recording, part.step)
        st.text_area("What you write in the model’s place", key=key, max_chars=2_000)

        def take() -> None:
            done.written[place] = str(state.value(key) or "").strip()

        st.button(
            "Show what the model wrote", type="primary", key=state.key("lesson_wrote", part.recording, part.step), on_click=take
        )
        return
    columns = []
    for whose, words, by_model in (("You", mine, False), ("The model", recorded.written_by_model(part), True)):
        kept = wording.kept(recorded.keeps(part, words), part.keeps)
        columns.append((f"{whose}: {counted(len(words.split()), 'word')}", words, kept, by_model))
    st.html(html.written(columns))


def _ways(lesson: Lesson, number: int, *, waits: bool) -> None:
    """Back and onward between the parts. A part with a prediction can be passed only by predicting it."""
    section, done = lesson.sections[number], progress.progress_of(lesson)
    at = done.at.get(number, 0)
    last = at + 1 >= len(section.parts)

    def go(part: int) -> None:
        done.at[number] = part

    ahead = None
    with st.container(horizontal=True, vertical_alignment="center", key="learn-ways"):
        st.button("Back", key=state.key("lesson_back", lesson.id, number), disabled=at == 0, on_click=go, args=(at - 1,))
        kind: Literal["primary", "secondary"] = "secondary" if waits else "primary"
        if not last:
            key, label = state.key("lesson_onward", lesson.id, number), wording.onward(section.parts[at + 1].name)
            st.button(label, type=kind, key=key, disabled=waits, on_click=go, args=(at + 1,))
        elif number + 1 < len(lesson.sections):
            key, label = state.key("lesson_next", lesson.id, number + 1), wording.onward(lesson.sections[number + 1].title)
            ahead = st.button(label, type=kind, key=key, disabled=waits, on_click=progress.go_to, args=(done, number + 1))
        shown = _shown(section.parts[at], done, (number, at))
        _open(shown, waits=waits and shown == section.parts[at].recording)
    if ahead:
        st.rerun()  # the whole page shows the next section


def _open(name: str, *, waits: bool) -> None:
    """The way to the whole reading, to look further and to change it."""
    if not st.button("Open this reading whole", key=state.key("lesson_open", name), disabled=waits):
        return
    try:
        run_id = open_recording(recorded.recording_of(name))
    except ReadingError as error:
        flash.error(error)
        return
    st.switch_page("pages/3_Trace.py", query_params=address.to_trace(run_id))


def _link(section: LessonSection, part: LessonPart, name: str, at: int, *, waits: bool) -> None:
    """Move the player of a recording, hold it there while something is to be predicted, mark the known place, and answer its
    requests."""
    reading = recorded.reading(name)
    run = reading.run.id
    said: dict[str, object] = {"run": run, "goto": {"at": at, "turn": f"{part.name} {at}"}, "until": at if waits else None}
    if section.known:
        said["known"] = recorded.evidence(name)
    mount.link(said, key=state.key("lesson_goto", run))
    mount.link(_requested(reading), key=state.key("lesson_reports", run))


def _requested(reading: Reading) -> dict[str, object]:
    """Folded parts of a picture that the player asked for. Its text is short enough to be there whole."""
    run = reading.run.id
    wanted = mount.reported(state.key("lesson_reports", run))
    opened = {"picture": player_data.opened(reading, wanted.opened)} if wanted.opened else {}
    return {"run": run, "hears": True, "number": wanted.number, **opened}
