"""What lessons say in our words, on the page Learn and in a published site. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from components.lessons.lesson import Lesson
from readers.engine.analysis.facts.matcher import Verdict
from readers.engine.record.options import Verb
from readers.engine.text.phrases import counted

LEAD = (
    "Each short lesson takes about a quarter of an hour: a problem, an idea, a recorded reading to watch, two predictions before "
    "you see what the model did, a text to write in its place, a failure with its repair, and three questions. No model is "
    "called, and no key is needed."
)
SHEET = "One file to print on A4: goals, timing, expected votes and answers for the teacher, and leaves to vote on for learners."
CLASS = (
    "A class can vote with its own devices, on a lesson (“Teach this lesson” at its top) or on any reading (“Teach this reading” "
    "below it). Learners join with a code and need no account."
)
_TEACH = (
    "A class goes through the lesson on your screen, from its first section to its last: words and picture beside each other. It "
    "votes on each prediction, on how each repair ends and on the questions. That takes some {minutes}. Your notes have the "
    "clock and the votes to expect. Learners join on their own devices with a code: no account, no name."
)
PREDICTED: Mapping[Verb, str] = {
    "chose": "These are the full options as the model saw them.",
    "kept": "These are sentences of the memory and of the chunk, as the model saw them.",
}


_KEPT: Mapping[Verdict, str] = {
    "carried": "It has",
    "altered": "It has, with another number,",
    "unclear": "No rule can decide whether it has",
    "lost": "It does not have",
}


def kept(verdict: Verdict, fact: str) -> str:
    """Whether a text keeps a fact."""
    return f"{_KEPT[verdict]} “{fact}”."


def minutes(number: int) -> str:
    return counted(number, "minute")


def teach(number: int) -> str:
    """What a class on a lesson is, and its minutes."""
    return _TEACH.format(minutes=minutes(number))


def takes(lesson: Lesson) -> str:
    """How long a lesson takes."""
    if lesson.alone:
        return f"{minutes(lesson.minutes)} with a class, about {minutes(lesson.alone)} alone"
    return minutes(lesson.minutes)


def section(lesson: Lesson, number: int) -> str:
    """A section (from 0) to go to; with its minutes, unless these are a class's."""
    found = lesson.sections[number]
    return f"{number + 1} {found.title}" + ("" if lesson.alone else f" · {found.minutes} min")


def clock(lesson: Lesson, number: int) -> str:
    """When a class is at a section (from 0), in minutes from the start."""
    begins = sum(section.minutes for section in lesson.sections[:number])
    return f"With a class: minutes {begins} to {begins + lesson.sections[number].minutes} of {lesson.minutes}."


def text(title: str, words: int) -> str:
    """What the text of a class is."""
    return f"“{title}”, {words:,} words, to give out: one copy for two learners is enough."


def predicted(right: int, done: int, of: int) -> str:
    """How the predictions went."""
    if done == 0:
        return f"You made none of the {counted(of, 'prediction')}."
    missing = "" if done == of else f"; {of - done} not made"
    return f"You predicted {right} of {done} as it happened{missing}."


def answered(right: int, done: int, of: int) -> str:
    """How the questions went."""
    return f"You answered {right} of {of} questions rightly." if done == of else f"You answered {done} of {of} questions."


def so_far(done: int, of: int) -> str:
    """What a lesson's card says about a lesson that was started."""
    return f"begun, {done} of {of} predictions made" if done < of else f"{of} of {of} predictions made"


def inside(title: str) -> str:
    """A title that comes after another."""
    return title[:1].lower() + title[1:]


def onward(title: str) -> str:
    """The button that leads to what comes next."""
    return f"Next: {title}"
