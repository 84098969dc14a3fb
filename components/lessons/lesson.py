"""What a lesson is: sections, named parts of recorded readings, predictions, and questions with feedback. Pure.

A lesson is data, a file in `assets/lessons` (`lesson_file.py` reads it). A named part is a step of a recorded reading with a
sentence on it. A prediction comes before its step is shown. What the model really chose is never written in a lesson: it comes
from the recording.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class LessonChoice:
    """What can be answered, predicted or tried, with its whole `text` if it has one, and the feedback to a learner who chose
    it."""

    words: str
    feedback: str
    right: bool
    text: str = ""


@dataclass(frozen=True)
class LessonQuestion:
    """A question after the reading, with feedback on every choice; or about a step before it is shown. Without `choices`, the
    choices are what the model was offered there.

    `votes`: what a class usually says, for the teacher's sheet. `once`: a class votes once, and not again after a talk.
    """

    ask: str
    choices: tuple[LessonChoice, ...] = ()
    votes: str = ""
    once: bool = False


@dataclass(frozen=True)
class LessonPart:
    """A named part of a reading: a step (from 1) of a recording (its file's name without `.json`), and what to see there.
    `quotes` are words of its text, or of what was written up to the step, that are shown next to it. `write`: what a learner
    is to write in the model's place, before they see what it wrote; `keeps` is the fact that either may have kept. `repairs`
    are recorded forks of the recording, each with one thing changed: a learner tries them, and sees how they end.

    Tests hold a part to its recording: `proof` is said or written at this step; `absent` is in the text that was read, but at
    this step not in what the model was shown (apart from the question) or wrote; `unwritten` is in the text, and in nothing that
    was written up to this step."""

    name: str
    recording: str
    step: int
    words: tuple[str, ...]
    prediction: LessonQuestion | None = None
    quotes: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    unwritten: tuple[str, ...] = ()
    write: str = ""
    keeps: str = ""
    repairs: tuple[str, ...] = ()

    @property
    def recordings(self) -> tuple[str, ...]:
        """All the recordings that it can show."""
        return self.recording, *self.repairs


@dataclass(frozen=True)
class ClassStage:
    """What a class does for some minutes of a section, for the teacher's sheet. `screen`: what the projector shows meanwhile;
    `spare`: it may be left out if time is short."""

    minutes: int
    what: str
    screen: str = ""
    spare: bool = False


@dataclass(frozen=True)
class LessonSection:
    """A section of a lesson; the minutes of its `plan`, if it has one, are those of the section. `drawings` are the readers whose
    drawings are here; `known`: the place of the known answer is marked in the text; `notes` are for the teacher."""

    title: str
    minutes: int
    words: tuple[str, ...] = ()
    parts: tuple[LessonPart, ...] = ()
    checks: tuple[LessonQuestion, ...] = ()
    drawings: tuple[str, ...] = ()
    known: bool = False
    notes: tuple[str, ...] = ()
    plan: tuple[ClassStage, ...] = ()


class LessonStep(NamedTuple):
    """Where a class on a lesson can be: at a section with its words alone; at a part of it, which learners are perhaps still to
    write; or at one of its questions."""

    section: LessonSection
    part: LessonPart | None = None
    writes: bool = False
    check: LessonQuestion | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson; `method` is the id of the reader it is about, empty for one that compares several. `alone`: the minutes for a
    single learner, if they differ from the sections' minutes, which are then for a class; else 0."""

    id: str
    title: str
    about: str
    sections: tuple[LessonSection, ...]
    method: str = ""
    goals: tuple[str, ...] = ()
    alone: int = 0

    @property
    def minutes(self) -> int:
        return sum(section.minutes for section in self.sections)

    @property
    def checks(self) -> tuple[LessonQuestion, ...]:
        return tuple(check for section in self.sections for check in section.checks)

    def parts(self) -> Iterator[LessonPart]:
        for section in self.sections:
            yield from section.parts

    def class_steps(self) -> Iterator[LessonStep]:
        """What a class goes through: each section with its words alone, then its parts; one that is written, twice. Questions
        come one by one, but where the plan hands them out on paper."""
        for section in self.sections:
            checks = () if section.plan else section.checks
            if section.words or not (section.parts or checks):
                yield LessonStep(section)
            for part in section.parts:
                if part.write:
                    yield LessonStep(section, part, writes=True)
                yield LessonStep(section, part)
            for check in checks:
                yield LessonStep(section, check=check)

    def predictions(self) -> Iterator[LessonPart]:
        """The parts that are predicted before they are shown."""
        return (part for part in self.parts() if part.prediction)
