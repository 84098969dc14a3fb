"""The recorded readings that lessons show: read from their files, without a database, and a model's options and choice.

Not here: the same recordings on the page Trace, where they are imported, and can be changed and continued.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from string import ascii_uppercase
from typing import Any

from components.lessons.lesson import LessonChoice, LessonPart, LessonQuestion
from components.player import data, lifeline, stops
from components.session.samples import Recording, recordings, sample_of
from readers import get
from readers.engine.analysis.evaluate import post_mortem
from readers.engine.analysis.facts.evidence import together
from readers.engine.analysis.facts.follow import evidence_of, follow, right_by_rule
from readers.engine.analysis.facts.matcher import ComparableFact, Verdict, match
from readers.engine.errors import NotFound
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.events import Cut, Looked, Wrote
from readers.engine.record.options import StepOptions
from readers.engine.record.trace import Trace
from readers.engine.report.values import Table
from readers.engine.store import Reading
from readers.engine.text import refs
from readers.engine.text.document import Span

AS_IT_WAS, IN_THE_TEXT, NO_ANSWER = "As the model did it", "What the text says", "No answer."
# Words of a recording, their place in words, whether a model wrote them, and their place in the text, or that of what they were
# made from
Quoted = tuple[str, str, bool, Span | None]


def recording_of(name: str) -> Recording:
    """The recording whose file has this name, without its ending. Raises NotFound."""
    found = next((recording for recording in recordings() if recording.path.stem == name), None)
    if found is None:
        raise NotFound(f"There is no recorded reading {name!r}; assets/readings/index.json lists those there are.")
    return found


@cache
def reading(name: str) -> Reading:
    """A recorded reading."""
    return read_run_file(recording_of(name).path)


@cache
def frames(name: str) -> dict[str, Any]:
    """What the player shows of a recorded reading."""
    return data.of(reading(name))


def known_answer(name: str) -> KnownAnswer | None:
    """What is known about the question of a recorded reading."""
    sample = sample_of(reading(name).document.id)
    return sample.known(reading(name).run.question) if sample else None


def offered(name: str) -> str:
    """The answers that were offered with the question of a recorded reading, with their letters; empty for none."""
    choices = reading(name).run.spec.get("choices") or ()
    return " · ".join(f"({letter}) {choice}" for letter, choice in zip(ascii_uppercase, choices, strict=False))


@cache
def evidence(name: str) -> dict[str, Any] | None:
    """What the player marks of the known answer of a recorded reading, and what became of it."""
    found, known = reading(name), known_answer(name)
    if known is None:
        return None
    facts = evidence_of(known, found.document)[: lifeline.MOST_FACTS]
    followed = follow(found, get(found.run.reader), facts, known=known)
    return {**lifeline.known_places(found.document.text, known), "lives": lifeline.lines(found, followed)}


def found_and_used(names: Iterable[str]) -> Table:
    """Whether recorded readings found the evidence of their question and answered rightly, one row each."""
    found = []
    for name in names:
        one, known = reading(name), known_answer(name)
        facts = evidence_of(known, one.document) if known else []
        fate = together(follow(one, get(one.run.reader), facts, known=known), one, known)
        if fate:
            changed = recording_of(name).changed
            title = get(one.run.reader).title
            found.append((f"{title}, {changed[:1].lower()}{changed[1:]}" if changed else title, fate))
    return post_mortem.of_readings(found)


@cache
def predictions(name: str) -> stops.Predictions:
    """What can be predicted at each step of a recorded reading."""
    return stops.predictions(reading(name))


def offer(part: LessonPart) -> StepOptions | None:
    """What can be predicted at a part's step; None for nothing."""
    return predictions(part.recording)(part.step - 1)


def options(part: LessonPart, prediction: LessonQuestion) -> list[LessonChoice]:
    """What can be predicted of a part: the choices of the lesson, its repairs (those are right whose answer is), or else what
    could be chosen there."""
    if prediction.choices:
        return list(prediction.choices)
    if part.repairs:
        return [LessonChoice(recording_of(name).changed, "", bool(is_right(name))) for name in part.repairs]
    found = offer(part)
    return [LessonChoice(one.name, "", one.taken, one.text) for one in found.options] if found else []


def chosen(part: LessonPart, prediction: LessonQuestion) -> str:
    """What the model chose, in a word or two."""
    return " and ".join(option.words for option in options(part, prediction) if option.right)


def quotes(part: LessonPart) -> list[Quoted]:
    """What a part quotes of its recording. Raises NotFound for words that do not occur."""
    return [_quoted(part, words) for words in part.quotes]


def _quoted(part: LessonPart, words: str) -> Quoted:
    found = reading(part.recording)
    trace, names = found.trace, get(found.run.reader).names(found.trace)
    at = found.document.text.find(words)
    if at >= 0:
        return words, f"the text, from word {len(found.document.text[:at].split()) + 1:,}", False, Span(at, at + len(words))
    until = trace.steps[part.step - 1].end
    wrote = [event for event in trace.events[:until] if isinstance(event, Wrote) and words in event.text]
    if not wrote:
        raise NotFound(
            f"{words[:60]!r} stands neither in the text of {part.recording} nor in what was written by step {part.step}."
        )
    last = wrote[-1]
    name = names.get(refs.wrote(last.n), "the text")
    what = name if name.startswith(last.role) else f"{last.role} of {name}"  # "the memory after chunk 6", "the gist of page 3"
    made_from = next(iter(trace.sources(last.pieces)), None)
    return words, f"the {what}, written by the model", True, made_from


def before_the_model(part: LessonPart) -> list[str]:
    """What the model had before it when it wrote what a learner is to write: its memory so far, if it has one, and the text."""
    found = reading(part.recording)
    step = found.trace.steps[part.step - 1]
    before = [event.text for event in found.trace.events[: step.start] if isinstance(event, Wrote)]
    memory = before[-1:] if _writes_once(part) and _looked_at(part) else []
    return [*memory, *(found.document.text[slice(*span)] for span in _written_from(part))]


def _looked_at(part: LessonPart) -> list[Span]:
    trace = reading(part.recording).trace
    return [span for event in trace.of(trace.steps[part.step - 1]) if isinstance(event, Looked) for span in event.spans]


def _written_from(part: LessonPart) -> list[Span]:
    return _looked_at(part) if _writes_once(part) else [_piece_with(part.keeps, reading(part.recording).trace)]


def place_to_write_from(part: LessonPart) -> Span:
    """The piece of the text that a learner writes from, or the first of several."""
    return _written_from(part)[0]


def written_by_model(part: LessonPart) -> str:
    """What the model wrote there: at this step, or of the piece of the text that has the fact."""
    trace = reading(part.recording).trace
    if _writes_once(part):
        return _written_at(part)[0]
    piece = _piece_with(part.keeps, trace)
    return next(wrote.text for wrote in trace.wrote.values() if [*trace.sources(wrote.pieces)] == [piece])


def outcomes(part: LessonPart) -> list[tuple[str, str]]:
    """Of a part with repairs, or at the last step of a repaired reading: how it ended as the model did it, how with each of its
    repairs, and what the text says, each with its name; else nothing."""
    repairs = part.repairs or ((part.recording,) if _ends_repaired(part) else ())
    if not repairs:
        return []
    parent = recording_of(repairs[0]).parent
    unchanged = next(one.path.stem for one in recordings() if one.id == parent)
    known = known_answer(part.recording)
    ended = [(AS_IT_WAS, answer_of(unchanged)), *((recording_of(name).changed, answer_of(name)) for name in repairs)]
    return [*ended, (IN_THE_TEXT, known.answer)] if known and known.answer else ended


def _ends_repaired(part: LessonPart) -> bool:
    return recording_of(part.recording).parent is not None and part.step == last_step(part.recording)


def last_step(name: str) -> int:
    """The number of the last step of a recorded reading, from 1."""
    return len(frames(name)["steps"])


def answer_of(name: str) -> str:
    """What a recorded reading answered, or that it did not."""
    return reading(name).run.answer or NO_ANSWER


def is_right(name: str) -> bool | None:
    """Whether a recorded reading answered rightly, by rule; None if no rule can decide it."""
    return right_by_rule(reading(name), known_answer(name))


def keeps(part: LessonPart, words: str) -> Verdict:
    """Whether words keep the fact of a part, decided by rule."""
    return match(ComparableFact.of(part.keeps, reading(part.recording).document.text), words).verdict


def _writes_once(part: LessonPart) -> bool:
    return len(_written_at(part)) == 1


def _written_at(part: LessonPart) -> list[str]:
    trace = reading(part.recording).trace
    return [event.text for event in trace.of(trace.steps[part.step - 1]) if isinstance(event, Wrote)]


def _piece_with(words: str, trace: Trace) -> Span:
    """The piece into which the text was cut that has these words."""
    at = trace.document.text.index(words)
    spans = [span for event in trace.events if isinstance(event, Cut) for span in event.spans]
    return next(span for span in spans if span.start <= at < span.end)


def stated_reason(part: LessonPart) -> str:
    """The reason that the model gave for its decision at a part's step; empty if there is none."""
    found = offer(part)
    narrative = get(reading(part.recording).run.reader).narrative
    if not found or not found.decision or not narrative.decision(found.decision.action).reasoned:
        return ""
    return found.decision.because.strip()
