"""A class on a lesson: its steps are the lesson's sections, parts and questions, in order, over all its recordings.

A section comes first with its words alone; a part with its words beside the recording that it shows. A part that learners write
in the model's place is two steps: what they are to write, and what the model wrote. A question is voted on like a prediction.
Not here: votes (`readers/engine/teaching`), and what a class on a single reading is asked (`questions.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from components.class_room import questions
from components.class_room.contract import LessonPanel, LessonQuote
from components.class_room.questions import Watched
from components.lessons import minutes, recorded
from components.lessons.lesson import LessonChoice, LessonPart, LessonStep
from components.lessons.lesson_file import lesson_of
from readers import get
from readers.engine.analysis.facts.follow import right_by_rule
from readers.engine.teaching.classes import ClassQuestion, VoteOption
from readers.engine.teaching.stops import Stop

ON_PAPER = "Be the model, on paper. Your device has the text."
LETTERS = "ABCDEFGHIJ"  # marks of the choices that a lesson has
RECKONED = (
    "The minutes are reckoned: 200 words a minute to read, 2 to write, 1 for a vote, 2½ for a vote, a talk and a second vote."
)


@cache
def steps(lesson_id: str) -> tuple[LessonStep, ...]:
    """The steps of a class on a lesson. Raises NotFound."""
    return tuple(lesson_of(lesson_id).class_steps())


def name(lesson_id: str, number: int) -> str:
    """What a step (from 0) is called."""
    there = steps(lesson_id)[number]
    return there.check.ask if there.check else there.part.name if there.part else there.section.title


def watched(lesson_id: str, number: int) -> Watched:
    """The recording that a step shows; of a section without parts, the one that comes next, or came last."""
    return _watched(_recording(lesson_id, number))


def _recording(lesson_id: str, number: int) -> str:
    there = steps(lesson_id)
    return next(step.part.recording for step in (*there[number:], *reversed(there[:number])) if step.part)


def read_for(lesson_id: str, number: int) -> tuple[str, str]:
    """The question of the recording that a step shows, and the answers that were offered with it; a question of the lesson is
    about none."""
    if steps(lesson_id)[number].check:
        return "", ""
    return watched(lesson_id, number).reading.run.question, recorded.offered(_recording(lesson_id, number))


def to_write(lesson_id: str, number: int) -> list[str]:
    """What learners are to write at a step in the model's place, and then the texts that it had; empty at other steps."""
    there = steps(lesson_id)[number]
    return [there.part.write, *recorded.before_the_model(there.part)] if there.part and there.writes else []


@cache
def _watched(recording: str) -> Watched:
    reading, known = recorded.reading(recording), recorded.known_answer(recording)
    right = right_by_rule(reading, known)
    return Watched(reading, recorded.frames(recording), recorded.predictions(recording), known, right)


@cache
def asked_steps(lesson_id: str) -> tuple[int, ...]:
    """The steps at which a class can be asked: those the lesson asks about, and each other whose outcome was not shown before."""
    asked, shown = [], dict[str, int]()
    for number, (_, part, writes, check) in enumerate(steps(lesson_id)):
        if check:
            asked.append(number)
        if part is None or writes:
            continue
        is_new = shown.get(part.recording, 0) < part.step and not part.write
        if part.prediction or (is_new and _is_open(part)):
            asked.append(number)
        shown[part.recording] = max(part.step, shown.get(part.recording, 0))
    return tuple(asked)


def _is_open(part: LessonPart) -> bool:
    """Whether the outcome of a part can be asked about, and is the model's: not what a person changed."""
    there, at = _watched(part.recording), part.step - 1
    return at in questions.asked_steps(there) and there.frames["steps"][at]["by"] == "the model"


def usual(lesson_id: str) -> list[int]:
    """The steps at which a class is asked unless its teacher wants all: those the lesson asks about, and how each repair ends."""
    return [number for number in asked_steps(lesson_id) if _is_usual(steps(lesson_id)[number])]


def _is_usual(step: LessonStep) -> bool:
    part = step.part
    return step.check is not None or (part is not None and (part.prediction is not None or bool(recorded.outcomes(part))))


def question(lesson_id: str, number: int) -> ClassQuestion | None:
    """What a class is asked at a step; None for nothing."""
    if number not in asked_steps(lesson_id):
        return None
    _, part, _, check = steps(lesson_id)[number]
    if check:
        return _of_choices(number, check.ask, check.choices, verb="right")
    if part is None:
        return None
    prediction, there = part.prediction, _watched(part.recording)
    if prediction and (prediction.choices or part.repairs):
        offered, verb = recorded.options(part, prediction), "answered rightly after" if part.repairs else "did"
        reason = "" if part.repairs else recorded.stated_reason(part)
        return replace(_of_choices(number, prediction.ask, offered, verb=verb), reason=reason)
    ends = questions.how_it_ends(there, part.step - 1) if recorded.outcomes(part) and not prediction else None
    found = ends or questions.question(there, part.step - 1)
    return replace(found, step=number, words=prediction.ask if prediction else found.words) if found else None


def _of_choices(number: int, ask: str, choices: Sequence[LessonChoice], *, verb: str) -> ClassQuestion:
    options = tuple(VoteOption(mark, choice.words) for mark, choice in zip(LETTERS, choices, strict=False))
    return ClassQuestion(number, ask, options, tuple(n for n, choice in enumerate(choices) if choice.right), verb=verb)


@cache
def notes(lesson_id: str) -> tuple[Stop, ...]:
    """The teacher's note on each step: the minutes of its section, what the plan does there, and the votes to expect. The minutes
    of a lesson without a plan are reckoned, and it says so once."""
    lesson, found = lesson_of(lesson_id), list[Stop]()
    clock = dict(zip(lesson.sections, minutes.of_class(lesson), strict=True))
    whole = max(ends for _, ends in clock.values())
    for number, (section, part, _, _) in enumerate(steps(lesson_id)):
        there = part.name if part else section.title
        stages = [stage for stage in section.plan if there in stage.screen or (part is None and not section.parts)]
        plan = [f"{stage.minutes} min: {stage.what}{' (May be left out.)' if stage.spare else ''}" for stage in stages]
        votes = [part.prediction.votes] if part and part.prediction and part.prediction.votes else []
        first = RECKONED if number == 0 and not any(each.plan for each in lesson.sections) else ""
        begins, ends = clock[section]
        told = [f"Minutes {begins} to {ends} of {whole}.", *([first] if first else []), *plan, *votes]
        found.append(Stop(number, " ".join([*told, *(section.notes if part is None else ())])))
    return tuple(found)


def panel(lesson_id: str, number: int, *, is_open: bool) -> LessonPanel:
    """What is said beside the picture at a step. `is_open`: its answer was not shown yet, so it is not said, and the recording
    stands at the step before."""
    section, part, writes, check = steps(lesson_id)[number]
    run = watched(lesson_id, number).reading.run.id
    told = section.title if is_open else name(lesson_id, number)
    found: LessonPanel = {
        "name": told, "section": section.title, "run": run, "at": 0, "held": part is None, "place": None, "words": [],
        "quotes": [], "marks": {}, "alone": part is None,
        "once": bool(check or (part and part.prediction and part.prediction.once)),
    }  # fmt: skip
    if check:
        said = [f"{choice.words}: {choice.feedback}" for choice in check.choices]
        return {**found, "words": [] if is_open else said}
    if part is None:
        return {**found, "words": [*section.words, *(check.ask for check in section.checks)]}
    found["held"] = is_open or writes
    found["at"] = part.step - (2 if found["held"] else 1)
    found["marks"] = marks = _marks(part.recording)
    if writes:
        return {**found, "place": recorded.place_to_write_from(part).start, "words": [ON_PAPER, part.write]}
    if is_open:
        return found
    quoted = [(*one, None) for one in ((recorded.written_by_model(part), "What the model wrote", True),)] if part.write else []
    quotes = [_quote(one, marks) for one in [*quoted, *recorded.quotes(part)]]
    ended = [
        LessonQuote(words=words, where=whose, byModel=whose != recorded.IN_THE_TEXT, at=None, mark=None)
        for whose, words in recorded.outcomes(part)
    ]
    return {**found, "words": list(part.words), "quotes": [*quotes, *ended]}


def known(lesson_id: str, number: int) -> dict[str, Any] | None:
    """What the player marks of the known answer at a step; None where the lesson does not show it."""
    section, part, *_ = steps(lesson_id)[number]
    return recorded.evidence(part.recording) if part and section.known else None


def _quote(quoted: recorded.Quoted, marks: Mapping[str, Sequence[int]]) -> LessonQuote:
    words, where, by_model, place = quoted
    inside = [mark for mark in marks.values() if place and mark[0] <= place.start < mark[1]]
    mark = min(inside, key=lambda one: one[1] - one[0], default=None)
    return {"words": words, "where": where, "byModel": by_model, "at": place.start if place else None, "mark": mark}


@cache
def _marks(recording: str) -> dict[str, Sequence[int]]:
    """The places of the text for which the picture of a recording has a mark, by what the recording's names call them."""
    picture: Mapping[str, Any] = recorded.frames(recording)["picture"]
    reading = recorded.reading(recording)
    names = get(reading.run.reader).names(reading.trace)
    pages = [(page["name"], (page["start"], page["end"])) for page in picture.get("pages", ())]
    others = [(one["name"], one.get("span")) for kind in ("segments", "nodes") for one in picture.get(kind, ())]
    chunks = [(names.get(one["chunk"], ""), one["span"]) for one in picture.get("snapshots", ())]
    return {called: [*span] for called, span in (*pages, *others, *chunks) if span and called[-1:].isdecimal()}
