"""How a reading ended, in words: its answer with its author and source, or why there is none, and a verdict. Pure.

Not here: how that is drawn, on a page's head (`html/markup.py`) or on Stage (`assets/js/player/stage.js`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.html.markup import AnswerSource
from components.html.words import wording
from components.player import evidence
from components.player.pictures import kind, memory
from readers import get
from readers.engine.analysis.facts.attribution import Index, attributions
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Reading


@dataclass(frozen=True)
class Ending:
    """What Stage shows at the last step: the answer and its author, or why there is none, and a verdict (mark, word, tone).
    `known` is the right answer where the verdict is not that it is right."""

    words: str
    by: str
    mark: str
    verdict: str
    tone: str
    known: str = ""


def of(reading: Reading, known: KnownAnswer | None) -> Ending:
    """The ending of a reading. The verdict is a rule's; where nothing is known, it is how the reading ended."""
    run = reading.run
    given = run.outcome == "answered" and run.answer is not None
    words = run.answer if given and run.answer else " ".join(wording.ending(run))
    chip = (wording.compared(run, known).chip if known else None) or wording.state(run)
    right = "" if known is None or chip.tone == "good" else known.answer or wording.NOT_IN_TEXT
    by = f"answer, written by {wording.answered_by(reading)}" if given else ""
    return Ending(words, by, chip.mark, chip.word, chip.tone, right)


class SourceInWords(NamedTuple):
    """Where an answer comes from, in words."""

    words: str = ""
    kind: AnswerSource = "memory"


def source_of(reading: Reading, frames: Mapping[str, Any]) -> SourceInWords:
    """The evidence of an answer: places in the text or, for an answer from memory, the steps that wrote it. Empty where there is
    no answer. `frames` are the player's of this reading."""
    run, document, trace, _ = reading
    if not run.gives_answer or run.answer is None:
        return SourceInWords()
    drawn = memory_of(reading, frames)
    if drawn and not run.evidence:
        steps, own = memory.rests(drawn, run.answer), not run.spec.get("choices")
        return SourceInWords(wording.from_memory(steps, own_words=own, called=drawn["called"]))
    names = get(run.reader).names(trace)
    places = evidence.places(run.evidence, names)
    if not places:
        return SourceInWords(wording.places((), names))
    near = attributions(Index(document), run.question, run.answer, within=places)
    if any(one.supports for one in near):
        return SourceInWords(evidence.where_found(places, evidence.holding(document.text, run.answer, places), names), "found")
    return SourceInWords(evidence.nearest(document.text, run.question, near, places, names), "nearest")


def memory_of(reading: Reading, frames: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The picture of a reading if it is a memory; None for other kinds."""
    drawn: Mapping[str, Any] | None = frames["picture"] if kind(reading.run.reader) == "memory" else None
    return drawn


def chips(reading: Reading, frames: Mapping[str, Any], measures: Mapping[str, Any]) -> list[wording.Chip]:
    """How a reading stands and the few figures that say most."""
    drawn = memory_of(reading, frames)
    lost = wording.lost(memory.lost(drawn), called=drawn["called"]) if drawn else []
    return [wording.state(reading.run), *lost, *wording.figures(measures)]
