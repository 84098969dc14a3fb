"""What a class can be asked about a reading: its decisions, each with its options whole, and how it will end. Pure.

A decision is what the player shows on its card (`player/steps/decision_card.py`), so that the class votes on the same options
under the same marks. Decisions of the building phase are asked only where there are no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.facts.matching.matcher import Fact, match
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import Trace
from readers.engine.store.reading import Reading
from readers.engine.teaching.classes import Keeps, Option, Question
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised
from readers.engine.text.shorten import truncate

LONGEST_OPTION = 4_000  # characters; a summary is far shorter
RIGHT, WRONG, NONE = range(3)
_ENDINGS = (
    Option("✓", "It gives the right answer"),
    Option("✕", "It gives a wrong answer"),
    Option("■", "It gives no answer"),
)
HOW_IT_ENDS = "How will the reading end?"


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


def marked_steps(watched: Watched, stops: Sequence[Stop]) -> list[int]:
    """The steps (from 0) whose choice a person has marked to be predicted."""
    steps: Sequence[Mapping[str, Any]] = watched.frames["steps"]
    return [stop.at for stop in stops if stop.predicts and stop.at < len(steps) and _is_choice(steps[stop.at].get("decision"))]


def question(watched: Watched, step: int) -> Question | None:
    """What a class is asked at a step; None if nothing is decided there."""
    shown: Mapping[str, Any] = dict(enumerate(watched.frames["steps"])).get(step, {})
    card = shown.get("decision")
    if not _is_choice(card):
        ends = step in decision_steps(watched)
        return Question(step, HOW_IT_ENDS, _ENDINGS, (_ending(watched) or 0,), by=_author(watched)) if ends else None
    assert card
    trace = watched.reading.trace
    options = tuple(Option(one["mark"], one["name"], _words(trace, one.get("ref", ""))) for one in card["options"])
    chosen = tuple(number for number, one in enumerate(card["options"]) if one["picked"])
    by, keeps = card.get("by", ""), _keeps(watched, card["options"])
    known = tuple(keeps) if watched.known and watched.known.evidence else None
    return Question(step, _asked(shown), options, chosen, card["reason"], by, known, tuple(keeps.values()))


def _is_choice(card: Mapping[str, Any] | None) -> bool:
    """Whether a card has several options of which the model chose."""
    return bool(card) and card["by_model"] and len(card["options"]) > 1 and any(one["picked"] for one in card["options"])  # type: ignore[index]


def _asked(step: Mapping[str, Any]) -> str:
    at, where = step["decision"].get("at"), step["where"]
    place = f"At {at}" if at else capitalised(where)
    return f"{place}: what will the model choose?" if place else "What will the model choose?"


def _words(trace: Trace, ref: str) -> str:
    """The whole text of an option: something written, or a place of the document."""
    if (number := refs.written(ref)) in trace.wrote:
        return truncate(trace.wrote[number].text, LONGEST_OPTION)
    start, end = refs.span(ref) or (0, 0)
    return truncate(trace.document.text[start:end], LONGEST_OPTION)


def _keeps(watched: Watched, options: Sequence[Mapping[str, Any]]) -> dict[int, Keeps]:
    """The options made from a place that gives the known answer, by number, with what is left of it there."""
    trace = watched.reading.trace
    facts = evidence_of(watched.known, trace.document) if watched.known else []
    found: dict[int, Keeps] = {}
    for number, one in enumerate(options):
        ref = one.get("ref", "")
        inside = [fact for fact in facts if any(_overlap(place, fact) for place in _places(trace, ref))]
        if inside:
            wrote = trace.wrote.get(refs.written(ref) or 0) if refs.written(ref) is not None else None
            found[number] = _left_of(inside, trace.document.text, wrote.text) if wrote else "place"
    return found


def _left_of(facts: Sequence[Span], document: str, words: str) -> Keeps:
    """What words that a model wrote keep of facts, decided by rule."""
    verdicts = {match(Fact.of(document[fact.start : fact.end], document), words).verdict for fact in facts}
    return verdicts.pop() if len(verdicts) == 1 else "altered" if "altered" in verdicts else "unclear"


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
