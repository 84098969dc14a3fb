"""What a class can be asked of a reading: at which steps, what to choose among, and what each choice keeps of the known answer.

Pure. Not here: votes and their results (`readers/engine/teaching`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from components.player.stops import Predictions
from readers.engine.analysis.facts.follow import evidence_of
from readers.engine.analysis.facts.matcher import ComparableFact, Verdict, match
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.options import StepOptions, text_of
from readers.engine.record.trace import Trace
from readers.engine.store import Reading
from readers.engine.teaching.classes import ClassQuestion, Keeps, VoteOption
from readers.engine.teaching.stops import Stop
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import capitalised

RIGHT, WRONG, NONE = range(3)
_ENDINGS = (
    VoteOption("✓", "It gives the right answer"),
    VoteOption("✕", "It gives a wrong answer"),
    VoteOption("■", "It gives no answer"),
)
HOW_IT_ENDS = "How will the reading end?"


class Watched(NamedTuple):
    """A reading that has ended, its frames in the player, what can be predicted in it, and what is known about its question (None
    if nothing is).

    `right` says whether its answer is right by rule; None where that is not known.
    """

    reading: Reading
    frames: Mapping[str, Any]
    predicted: Predictions
    known: KnownAnswer | None = None
    right: bool | None = None


def asked_steps(watched: Watched) -> list[int]:
    """The steps (from 0) at which a class can be asked."""
    last = len(watched.frames["steps"]) - 1
    ends = _ending(watched) is not None and last > 0
    return [at for at in range(last + 1) if watched.predicted(at) or (ends and at == last)]


def halts(watched: Watched, stops: Sequence[Stop]) -> list[int]:
    """The steps at which a class is asked unless its teacher wants all: those that a person has marked to be predicted, or else
    those after the building phase, if any is."""
    every = asked_steps(watched)
    marked = [stop.at for stop in stops if stop.predicts and stop.at in every and watched.predicted(stop.at)]
    return marked or [at for at in every if at >= watched.frames["building"]] or every


def question(watched: Watched, step: int) -> ClassQuestion | None:
    """What a class is asked at a step; None if there is nothing to predict."""
    offer = watched.predicted(step)
    if offer is None:
        return how_it_ends(watched, step) if step in asked_steps(watched) else None
    shown: Mapping[str, Any] = watched.frames["steps"][step]
    card = shown["decision"] if offer.decision else {"at": shown["where"], "reason": "", "by": shown["by"]}
    options = tuple(VoteOption(one.mark, one.name, one.text) for one in offer.options)
    chosen = tuple(number for number, one in enumerate(offer.options) if one.taken)
    keeps = _keeps(watched, offer)
    are_places = offer.verb == "kept" or any(_places(watched.reading.trace, one.shows) for one in offer.options)
    known = tuple(keeps) if are_places and watched.known and watched.known.evidence else None
    place = f"At {card['at']}" if card["at"] else capitalised(shown["where"])
    words = f"{place}: {offer.asks[:1].lower()}{offer.asks[1:]}" if place else offer.asks
    return ClassQuestion(
        step, words, options, chosen, card["reason"], card.get("by", ""), known, tuple(keeps.values()), offer.verb
    )


def how_it_ends(watched: Watched, step: int) -> ClassQuestion | None:
    """What a class is asked at the last step: how the reading ends; None where no rule can tell it."""
    ending = _ending(watched)
    if ending is None:
        return None
    return ClassQuestion(step, HOW_IT_ENDS, _ENDINGS, (ending,), by=_author(watched), verb="did")


def _keeps(watched: Watched, offer: StepOptions) -> dict[int, Keeps]:
    """The options made from a place that gives the known answer, by number, with what each keeps of it; for a memory, the
    sentences that give it."""
    trace = watched.reading.trace
    facts = evidence_of(watched.known, trace.document) if watched.known else []
    found: dict[int, Keeps] = {}
    for number, one in enumerate(offer.options):
        if offer.verb == "kept":
            verdicts = _verdicts(facts, trace.document.text, one.text)
            if verdicts & {"carried", "altered"}:
                found[number] = "carried" if "carried" in verdicts else "altered"
        elif inside := [fact for fact in facts if any(_overlap(place, fact) for place in _places(trace, one.shows))]:
            is_place = refs.written(one.shows) is None
            found[number] = "place" if is_place else _left_of(inside, trace.document.text, text_of(trace, one.shows))
    return found


def _left_of(facts: Sequence[Span], document: str, words: str) -> Keeps:
    """What words that a model wrote keep of facts, decided by rule."""
    verdicts = _verdicts(facts, document, words)
    return verdicts.pop() if len(verdicts) == 1 else "altered" if "altered" in verdicts else "unclear"


def _verdicts(facts: Sequence[Span], document: str, words: str) -> set[Verdict]:
    return {match(ComparableFact.of(document[fact.start : fact.end], document), words).verdict for fact in facts}


def _places(trace: Trace, ref: str) -> Sequence[Span]:
    if (number := refs.written(ref)) in trace.wrote:
        return trace.sources(trace.wrote[number].pieces)
    place = refs.span(ref)
    return [Span(*place)] if place else []


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _ending(watched: Watched) -> int | None:
    """The kind of ending of this reading; None if an answer is neither right nor wrong by rule."""
    if not watched.reading.run.gives_answer:
        return NONE if watched.known else None
    return None if watched.right is None else RIGHT if watched.right else WRONG


def _author(watched: Watched) -> str:
    return "" if watched.known is None else "compared with the known answer by rule"
