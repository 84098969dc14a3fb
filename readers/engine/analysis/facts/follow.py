"""Follow the facts of a question through a reading: what became of each, and of all together; and the step at which the reading
opens for an annotator, which may be where a fact was shown or lost. Pure.

A project has one of these openings for all its readings (`labels/project.py`). If the opening is not found, the reading opens at
the first decision. The caller follows the evidence only if the annotator may see the known answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from readers.engine.analysis.facts.fate import fate
from readers.engine.analysis.facts.fates import FactFate, sentence
from readers.engine.analysis.facts.life import Life, life
from readers.engine.labels.project import OpensAt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import BUILD, Trace
from readers.engine.run.reader import Reader
from readers.engine.store import Reading
from readers.engine.text import split
from readers.engine.text.document import Document, Span

_LONGEST = 300  # characters of a fact; longer evidence is followed sentence by sentence
_SHORTEST = 20
_LONGEST_SENTENCE = 600


class Followed(NamedTuple):
    """A fact, its life, its fate (None before the reading ends) and the fate in a sentence."""

    life: Life
    fate: FactFate | None
    sentence: str

    @property
    def fact(self) -> Span:
        return self.life.fact


def follow(reading: Reading, reader: Reader, facts: Sequence[Span], *, known: KnownAnswer | None = None) -> list[Followed]:
    """What became of each fact in a reading by this reader."""
    names = reader.names(reading.trace)
    right = right_by_rule(reading, known)
    found = []
    for fact in facts:
        lived = life(reading.trace, fact, reader.narrative, answers=known.answers if known else ())
        came = fate(reading.trace, lived, reading.run.question, right=right)
        found.append(Followed(lived, came, sentence(came, reading.trace, names) if came else ""))
    return found


def to_json(followed: Sequence[Followed]) -> list[dict[str, Any]]:
    """Lives and fates as JSON data; steps are counted from 0, as everywhere in the run file."""
    return [
        {
            "fact": one.fact._asdict(),
            "fate": one.fate and one.fate.kind,
            "step": one.fate and one.fate.step,
            "sentence": one.sentence,
            "moments": [{"step": step, "state": moment.state, "ref": moment.ref} for step, moment in one.life.by_step.items()],
        }
        for one in followed
    ]


def evidence_of(known: KnownAnswer, document: Document) -> list[Span]:
    """The facts of a known answer: its evidence within the text, long passages sentence by sentence."""
    inside = [Span(*span) for span in known.evidence if 0 <= span[0] < span[1] <= len(document.text)]
    return [fact for span in inside for fact in _facts(document.text, span)]


def _facts(text: str, span: Span) -> list[Span]:
    if span.end - span.start <= _LONGEST:
        return [span]
    sentences = [trimmed(text, one) for one in split.sentences(text, span)]
    return [one for one in sentences if one.end - one.start >= _SHORTEST] or [span]


def trimmed(text: str, span: Span) -> Span:
    """A span without the white space at its ends."""
    words = text[span.start : span.end]
    return Span(span.end - len(words.lstrip()), span.start + len(words.rstrip()))


def sentence_around(document: Document, place: Span) -> Span:
    """The sentence that a place is part of; the place itself if that is too long to be a fact."""
    text = document.text
    first, last = (
        max(0, place.start - _LONGEST_SENTENCE - 1),
        min(len(text), place.end + _LONGEST_SENTENCE + 1),
    )  # a paragraph may be the whole text
    before, after = text.rfind("\n\n", first, place.start), text.find("\n\n", place.end, last)
    paragraph = Span(first if before < 0 else before + 2, last if after < 0 else after)
    parts = [one for one in split.sentences(text, paragraph) if one.start < place.end and place.start < one.end]
    whole = trimmed(text, Span(parts[0].start, parts[-1].end)) if parts else place
    return whole if whole.start < whole.end and whole.end - whole.start <= _LONGEST_SENTENCE else place


def right_by_rule(reading: Reading, known: KnownAnswer | None) -> bool | None:
    """Whether the answer of a reading is right, if a rule can tell."""
    graded = reading.run.graded(known) if known else None
    return None if graded is None or graded.outcome == "not_judgeable" else graded.outcome == "correct"


def opening(trace: Trace, opens_at: OpensAt, *, followed: Sequence[Followed] = ()) -> int:
    """The step (from 0) at which a reading opens; 0 where it has none. `followed` are the known facts, none while
    they are hidden from the annotator."""
    last = max(0, len(trace.steps) - 1)
    if opens_at == "beginning":
        return 0
    if opens_at == "answer":
        return last
    found = None
    if opens_at == "known place":
        found = first_known_place(followed)
    elif opens_at == "first loss":
        found = first_loss(followed)
    return min(last, first_decision(trace) if found is None else found)


def first_decision(trace: Trace) -> int:
    """The first step after building: of the walk, of the look-up, of the reading; the last step if it was never reached."""
    return next((step.number for step in trace.steps if step.phase != BUILD), max(0, len(trace.steps) - 1))


def first_known_place(followed: Sequence[Followed]) -> int | None:
    """The first step after building that shows the model one of the facts raw; None if there is none."""
    moments = (moment for one in followed for moment in one.life.of("raw", "answering"))
    return min((moment.step for moment in moments if not (moment.building or moment.ref)), default=None)


def first_loss(followed: Sequence[Followed]) -> int | None:
    """The first step that decided that one of the facts was lost; None if none was."""
    fates = [one.fate for one in followed if one.fate]
    return min((fate.step for fate in fates if fate.row.decides and fate.row.end == "dead"), default=None)
