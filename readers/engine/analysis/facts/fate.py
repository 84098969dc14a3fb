"""The fate of a fact: how far it got in a reading, and the step that decided it.

One fate for each reading and fact, computed only from its life (`life.py`). A fact that was in the answering call was *used* if
it has the informative words of the answer, other than the question's own; where the rules cannot decide, the fate says so. Pure.
Not here: which fates there are (`fates.py`), and whether the answer is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from readers.engine.analysis.facts.fates import FATES, FactFate
from readers.engine.analysis.facts.life import Life, Moment
from readers.engine.analysis.facts.matcher import Verdict
from readers.engine.analysis.memory_snapshots import snapshots
from readers.engine.questions.grading.word_lists import OF_ANSWERS
from readers.engine.questions.no_answer_given import none_given
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.record.events import Answered, Asked
from readers.engine.record.trace import Trace
from readers.engine.run.bounded_memory import MEMORY, REPLY
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.words import rarity, term
from readers.engine.text.words import words as words_of

_TELLING = 0.15  # from this rarity on, a word of an answer shows where it comes from
_USED = 0.5  # from this share of an answer's informative words on, a fact that has them was used


def fate(trace: Trace, life: Life, question: str, *, right: bool | None = None) -> FactFate | None:
    """The fate of a fact in a reading that has ended; None before that. `right`: whether the answer is, if that is known."""
    if trace.end is None:
        return None
    if life.answering:
        return _in_view(trace, life, life.answering[-1], question, right=right)
    if opened := [moment for moment in life.of("raw") if not moment.building]:
        return _after_opening(trace, life, opened)
    return _never_opened(trace, life)


def of_all(fates: Iterable[FactFate]) -> FactFate | None:
    """The fate of several facts together: the fate of the fact that got least far."""
    order = list(FATES)
    return min(fates, key=lambda one: order.index(one.kind), default=None)


def _in_view(trace: Trace, life: Life, moment: Moment, question: str, *, right: bool | None) -> FactFate:
    if moment.verdict == "altered":
        first = _first_to_say(trace, life, moment.ref, "altered")
        return FactFate("altered", _written_at(trace, first, moment), first)
    answer = trace.end.text if isinstance(trace.end, Answered) else ""
    if moment.verdict == "carried" and (not answer or none_given("answered", answer)):
        return FactFate("in view, declined", moment.step, moment.ref)
    own = _telling(answer) - _comparable(question) - OF_ANSWERS
    telling = set(filter(is_figure, own)) or own  # in an answer with figures, only these count
    shared = telling & _telling(trace.document.text[life.fact.start : life.fact.end])
    enough = bool(telling) and len(shared) >= _USED * len(telling)
    words = _among(answer, shared)
    if moment.verdict == "unclear":  # but it may have just the words of the answer
        kept = enough and shared <= _comparable(trace.wrote[_number(moment.ref)].text)
        return FactFate("used" if kept else "cannot be told", moment.step, moment.ref, words=words if kept else ())
    if enough:
        return FactFate("used", moment.step, moment.ref, words=words)
    if shared or right or not telling:
        return FactFate("in view", moment.step, moment.ref)
    return FactFate("in view, not used", moment.step, moment.ref, words=_among(answer, telling))


def _among(answer: str, terms: Set[str]) -> tuple[str, ...]:
    """The words of an answer with these terms, each once, as the answer writes them."""
    written = {word.casefold(): word for word in reversed(words_of(answer))}
    return tuple(dict.fromkeys(written.get(word, word) for word in comparable_words(answer) if term(word) in terms))


def _comparable(words: str) -> set[str]:
    return set(map(term, comparable_words(words)))


def _telling(words: str) -> set[str]:
    """The terms of a sentence that show its source: its figures, and all but its commonest words."""
    return {term(word) for word in comparable_words(words) if is_figure(word) or rarity(word) >= _TELLING}


def _written_at(trace: Trace, ref: str, seen: Moment) -> int:
    """The step that wrote a text; of a passage, the step at which it was seen."""
    number = refs.written(ref)
    step = None if number is None else trace.written_at(number)
    return seen.step if step is None else step


def _after_opening(trace: Trace, life: Life, opened: Sequence[Moment]) -> FactFate:
    """The model was shown the fact raw, but the fact did not get into the answering call."""
    memories = [one for one in life.moments if one.written and not one.building and _is_memory(trace, one.ref)]
    if memories:
        return _in_memories(life, memories)
    last = opened[-1]
    if snapshots(trace):
        return FactFate("not written down", last.step)
    if left_out := [one for one in life.of("left out") if one.event > last.event]:
        return FactFate("taken out of view", left_out[-1].step, left_out[-1].ref)
    if without := _answered_from(trace, life):
        return _lost(trace, life, without)
    return FactFate("opened, then left", last.step)


def _answered_from(trace: Trace, life: Life) -> Moment | None:
    """The answering call was shown a reply that a program got from the fact, and that no longer said it; None if it was not."""
    behind = trace.calls_behind(trace.end.pieces) if isinstance(trace.end, Answered) else frozenset()
    for one in life.of("lost"):
        asked = trace.events[one.event]
        if isinstance(asked, Asked) and asked.seq in behind and trace.wrote[_number(one.ref)].role == REPLY:
            return one
    return None


def _in_memories(life: Life, memories: Sequence[Moment]) -> FactFate:
    """The fact was read while a memory was kept; the last memory does not say it."""
    still = [n for n, one in enumerate(memories) if one.verdict != "lost"]
    if not still:
        return FactFate("not written down", memories[0].step, memories[0].ref)
    if still[-1] + 1 == len(memories):
        return _still_there(memories[-1])
    said = [n for n in still if memories[n].verdict != "unclear"]
    before = memories[(said or still)[-1]]
    lost = memories[still[-1] + 1]
    back = tuple(one.step for one in life.of("carried") if not one.written and one.event > lost.event)
    return FactFate("overwritten", lost.step, lost.ref, before.ref, sure=bool(said), back=back)


def _still_there(last: Moment) -> FactFate:
    """The last text about the fact, in a reading whose answer was not based on it, states it or may state it."""
    kind = "cannot be told" if last.verdict == "unclear" else "opened, then left"
    return FactFate(kind, last.step, last.ref, altered=last.verdict == "altered")


def _is_memory(trace: Trace, ref: str) -> bool:
    number = refs.written(ref)
    return number is not None and trace.wrote[number].role == MEMORY


def _never_opened(trace: Trace, life: Life) -> FactFate:
    """The model was never shown the fact raw after a memory was built."""
    end = trace.steps[-1].number if trace.steps else 0
    passed = life.of("not opened")
    if left_out := life.of("left out"):
        at_once = not passed and not life.texts and left_out[-1].verdict == "carried"
        return FactFate("cut off" if at_once else "left out", left_out[-1].step, left_out[-1].ref)
    for verdict in ("carried", "altered"):
        if said := [one for one in passed if one.verdict == verdict]:
            nearest = min(said, key=lambda one: (_width(trace, one.ref), -one.event))
            return FactFate("passed over", nearest.step, nearest.ref, altered=verdict == "altered", shown=nearest.shown)
    offered = passed or [one for one in life.moments if not one.building and not one.written and one.ref]
    if there := [one for one in offered if one.verdict != "lost"]:
        return _still_there(there[-1])
    if offered:
        return _lost(trace, life, min(offered, key=lambda one: (_width(trace, one.ref), -one.event)))
    return FactFate("never offered" if life.moments else "never read", end)


def _lost(trace: Trace, life: Life, offered: Moment) -> FactFate:
    """An offered text no longer says the fact: the earliest text behind it that does not, and what that was written from."""
    ref = _first_to_say(trace, life, offered.ref, "lost")
    before = next(iter(_parents(trace, life, ref)), "")
    sure = not before or life.texts[_number(before)].verdict != "unclear"
    return FactFate(
        "lost in a text",
        _written_at(trace, ref, offered),
        ref,
        before,
        sure=sure,
        cut=bool(before) and _is_cut(trace, life, ref, before),
    )


def _is_cut(trace: Trace, life: Life, ref: str, before: str) -> bool:
    """Whether a text copies another, but not all of the stretch nearest to the fact: the program cut it then, not the model."""
    near = life.texts[_number(before)]
    copied = [piece for piece in trace.wrote[_number(ref)].pieces if piece.origin == before and piece.exact]
    return bool(copied) and not any(piece.begin <= near.start and near.end <= piece.stop for piece in copied)


def _first_to_say(trace: Trace, life: Life, ref: str, verdict: Verdict) -> str:
    """The earliest of a text and its sources in an unbroken row with the same verdict on the fact."""
    while earlier := [one for one in _parents(trace, life, ref) if life.texts[_number(one)].verdict == verdict]:
        ref = earlier[0]
    return ref


def _parents(trace: Trace, life: Life, ref: str) -> list[str]:
    """The texts derived from the fact from which a text is directly made."""
    parents = trace.parent_texts(trace.wrote[_number(ref)].pieces)
    return [refs.wrote(number) for number in parents if number in life.texts and number < _number(ref)]


def _width(trace: Trace, ref: str) -> int:
    """How many characters of the document a text derives from: the fewer, the nearer it is to the fact."""
    span = refs.span(ref)
    spans = trace.sources(trace.wrote[_number(ref)].pieces) if span is None else (Span(*span),)
    return sum(end - start for start, end in spans)


def _number(ref: str) -> int:
    number = refs.written(ref)
    assert number is not None, ref
    return number
