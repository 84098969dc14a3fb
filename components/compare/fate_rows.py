"""What the table "Where did it die?" says of each reading: its stages in words, its fate, its verdict. Pure: no HTML.

The stages are `readers/engine/analysis/facts/stages.py`; the table is `fates_html.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from components.html.words.wording import Chip
from readers import get
from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.facts.sentences import called
from readers.engine.analysis.facts.stages import Course, Mark, Stage, StageKind, course
from readers.engine.store.reading import Reading
from readers.engine.text.document import Span

TITLE = "Where did it die?"
HEADS: dict[StageKind, str] = {
    "before the model": "stood before the model",
    "carried": "carried by",
    "opened again": "opened again",
    "in the answering call": "in the answering call",
    "in the answer": "in the answer",
}
MARKS: dict[Mark, str] = {
    "raw": "raw",
    "written": "in words the model wrote",
    "altered": "with another value",
    "unclear": "unclear",
    "used": "used",
    "lost": "lost here",
    "none": "not there",
}
TOLD_BY = "Told by matching words and values; “unclear” where that cannot tell."
NO_END = "The reading has no end, so what became of it is open."
HIDDEN = "Switch on “Known answer” to follow its evidence through each reading, to the answer or to where it was lost."
LONGEST = 2_000  # characters of a place that a visitor gives
_STRETCH = 1 << 20


class StageCell(NamedTuple):
    """A stage of a reading. `said`: its mark in words, or the fate that was decided there. `name`: the text that has the fact, or
    has it no longer; empty if the row named it already. `step`: from 1. `came`: the fact came here from the stage before."""

    mark: Mark
    said: str
    name: str = ""
    step: int | None = None
    decided: bool = False
    came: bool = False


class ReadingFate(NamedTuple):
    """What became of a fact in one reading."""

    stages: tuple[StageCell, ...]
    kind: str
    sentence: str


class FateRow(NamedTuple):
    """A reading in the table: its number and name on the page, its verdict in chips, and for each stage a link to its step."""

    number: int
    name: str
    links: tuple[str, ...]
    chips: tuple[Chip, ...]
    fate: ReadingFate


def fate_of(reading: Reading, found: Followed) -> ReadingFate:
    """What became of a fact in a reading, in words."""
    kind = found.fate.kind if found.fate else ""
    names = get(reading.run.reader).names(reading.trace)
    come = course(reading.trace, found.life, found.fate)
    refs = [stage.ref for stage in come.stages]
    texts = [_name(called(ref, reading.trace, names)) if ref and ref not in refs[:n] else "" for n, ref in enumerate(refs)]
    return ReadingFate(_cells(come, texts, kind), kind, found.sentence or NO_END)


def _cells(come: Course, texts: Sequence[str], kind: str) -> tuple[StageCell, ...]:
    return tuple(
        StageCell(
            stage.mark,
            kind if stage.decided else MARKS[stage.mark],
            _caption(stage, text),
            None if stage.step is None else stage.step + 1,
            stage.decided,
            came=0 < n <= come.reached,
        )
        for n, (stage, text) in enumerate(zip(come.stages, texts, strict=True))
    )


def _caption(stage: Stage, text: str) -> str:
    return f"not in {text}" if text and stage.mark == "none" else text


def _name(phrase: str) -> str:
    return phrase.removeprefix("the ").removeprefix("a ")


def place(text: str, fact: Span) -> str:
    """Where a fact stands, in words of the text: "words 5,402 to 5,413"."""
    before, inside = _words(text, 0, fact.start), _words(text, fact.start, fact.end)
    return f"words {before + 1:,} to {before + max(1, inside):,} of {_words_of(text):,}"


@lru_cache(maxsize=8)
def _words_of(text: str) -> int:
    return _words(text, 0, len(text))


def _words(text: str, start: int, end: int) -> int:
    """The words of a part of a text, in stretches: all words of a long text at once would take ten times its memory."""
    count = 0
    for at in range(start, end, _STRETCH):
        count += len(text[at : min(at + _STRETCH, end)].split())
        count -= at > start and not text[at - 1].isspace() and not text[at].isspace()  # it was counted before the cut
    return count


def problem(fact: Span, length: int) -> str:
    """Why a place that the address gives cannot be followed; empty if it can."""
    if not 0 <= fact.start < fact.end <= length:
        return f"Characters {fact.start:,} to {fact.end:,} are not a place in this text, which has {length:,}. Mark it again."
    if fact.end - fact.start > LONGEST:
        return f"That place is {fact.end - fact.start:,} characters long. At most {LONGEST:,} can be followed: mark less of it."
    return ""


def more_places(count: int) -> str:
    """The switch for the facts that are not shown at first."""
    return f"Show {count:,} more place{'' if count == 1 else 's'} of the evidence"
