"""What a class can be asked about a reading: its decisions, each with its options whole, and how it will end. Pure.

A decision is what the player shows on its card (`player/decision_card.py`), so that the class votes on the same options under the
same marks. Decisions of the building phase are asked only where there are no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import Trace
from readers.engine.store.reading import Reading
from readers.engine.teaching.classes import Option, Question
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.shorten import truncate

LONGEST_OPTION = 4_000  # characters; a summary is far shorter
RIGHT, WRONG, NONE = range(3)
_ENDINGS = (
    Option("✓", "It gives the right answer"),
    Option("✕", "It gives a wrong answer"),
    Option("■", "It gives no answer"),
)
HOW_IT_ENDS = "How will it end?"


class Watched(NamedTuple):
    """A reading that has ended, its frames in the player, and what is known about its question (None for nothing).

    `right` says whether its answer is right by rule; None where that is not known.
    """

    reading: Reading
    frames: Mapping[str, Any]
    known: KnownAnswer | None = None
    right: bool | None = None


def decision_steps(watched: Watched) -> list[int]:
    """The steps (from 0) at which a class can be asked."""
    steps: Sequence[Mapping[str, Any]] = watched.frames["steps"]
    found = [number for number, step in enumerate(steps) if _is_choice(step.get("decision"))]
    later = [number for number in found if number >= watched.frames["building"]]
    last = len(steps) - 1
    ending = [last] if _ending(watched) is not None and last > 0 and last not in found else []
    return [*(later or found), *ending]


def question(watched: Watched, step: int) -> Question | None:
    """What a class is asked at a step; None if nothing is decided there."""
    if step not in decision_steps(watched):
        return None
    shown = watched.frames["steps"][step]
    card = shown.get("decision")
    if not _is_choice(card):
        return Question(step, HOW_IT_ENDS, _ENDINGS, (_ending(watched) or 0,), by=_author(watched))
    trace = watched.reading.trace
    options = tuple(Option(one["mark"], one["name"], _words(trace, one.get("ref", ""))) for one in card["options"])
    chosen = tuple(number for number, one in enumerate(card["options"]) if one["picked"])
    return Question(step, _asked(shown), options, chosen, card["reason"], card.get("by", ""), _known(watched, card["options"]))


def _is_choice(card: Mapping[str, Any] | None) -> bool:
    """Whether a card has several options of which the model chose."""
    return bool(card) and card["by_model"] and len(card["options"]) > 1 and any(one["picked"] for one in card["options"])  # type: ignore[index]


def _asked(step: Mapping[str, Any]) -> str:
    where = step["decision"].get("at") or step["where"]
    return f"At {where}: what will it choose?" if where else "What will it choose?"


def _words(trace: Trace, ref: str) -> str:
    """The whole text of an option: something written, or a place of the document."""
    if (number := refs.written(ref)) in trace.wrote:
        return truncate(trace.wrote[number].text, LONGEST_OPTION)
    start, end = refs.span(ref) or (0, 0)
    return truncate(trace.document.text[start:end], LONGEST_OPTION)


def _known(watched: Watched, options: Sequence[Mapping[str, Any]]) -> tuple[int, ...] | None:
    """The options made from a place that gives the known answer."""
    evidence = watched.known.evidence if watched.known else ()
    if not evidence:
        return None
    trace = watched.reading.trace
    return tuple(
        number
        for number, one in enumerate(options)
        if any(_overlap(place, span) for place in _places(trace, one.get("ref", "")) for span in evidence)
    )


def _places(trace: Trace, ref: str) -> Sequence[Span]:
    if (number := refs.written(ref)) in trace.wrote:
        return trace.sources(trace.wrote[number].pieces)
    place = refs.span(ref)
    return [Span(*place)] if place else []


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _ending(watched: Watched) -> int | None:
    """Which ending this reading has; None where an answer is neither right nor wrong by rule."""
    if not watched.reading.run.gives_answer:
        return NONE if watched.known else None
    return None if watched.right is None else RIGHT if watched.right else WRONG


def _author(watched: Watched) -> str:
    return "" if watched.known is None else "compared with the known answer by rule"
