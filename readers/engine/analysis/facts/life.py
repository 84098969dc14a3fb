"""The life of a fact in a reading: at each step, whether the model was shown it, and whether it was carried, lost or passed over.

A fact is a span of the document. A text that a reader wrote is *derived from* the fact if it was copied from there, or if it is
the reply to a call whose prompt contained the fact, raw or in a derived text. Only a derived text can carry the fact or lose it.
If its words do not settle it, a text derived only from texts that lost the fact has lost it as well. The model was shown a fact
raw if it was shown at least half of its characters; a passage was offered if it has as many of them.

For pictures, a derived text has one mark from the step that wrote it: what it says about the fact. If several texts of one
role were written at a step, those that do not state the fact have no mark, except for one if none states it: the other
relations of a segment have not lost its facts. A passage that contains the fact is marked at the steps at which the model was
shown the fact raw, and from the step that took it out of view.

Pure. The time grows with the events and with the derived texts. Not here: the fate of the fact (`fate.py`), and what marks look
like (`components/player`, `assets/js/pictures`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from readers.engine.analysis.facts.fates import FactFate
from readers.engine.analysis.facts.matcher import VERDICTS, ComparableFact, Match, Verdict, match
from readers.engine.record.events import Answered, Asked, Chose, Cut, Ended, Looked, Wrote
from readers.engine.record.narrative import Narrative
from readers.engine.record.trace import BUILD, SCORE_PROMPT, Step, Trace
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Piece, Span

# What happened to the fact: the model was shown it *raw*; a derived text that was written, or that the model was shown, states it
# (*carried*), with another value (*altered*), perhaps (*unclear*), or no longer (*lost*); it was offered and *not opened*; it was
# *left out* of what the model was shown; it was in the *answering* call, raw or in a text that states it.
State = Literal["raw", "carried", "altered", "unclear", "lost", "not opened", "left out", "answering"]

_RAW_SHARE = 0.5
_DECLINES = ("no_answer", "exhausted")  # how a reading ends whose last call did not answer


class Moment(NamedTuple):
    """What happened to the fact at a step (from 0). `ref`: the text that carried or lost it, empty if the fact was shown raw.
    `verdict`: what that text says of it. `building`: it happened while a memory was built. `written`: the text was written here.
    `answering`: it happened in the answering call. `shown`: the prompt of the decision held some of it."""

    step: int
    event: int
    state: State
    ref: str = ""
    verdict: Verdict = "carried"
    building: bool = False
    written: bool = False
    answering: bool = False
    shown: bool = True


@dataclass(frozen=True)
class Life:
    """The moments of a fact in the order of the record; `texts` are the derived texts by number, with what they say. `calls` are
    those whose prompts had the fact raw (*carried*) or a derived text, by number, with the most that any of these says of it."""

    fact: Span
    moments: tuple[Moment, ...]
    texts: Mapping[int, Match]
    calls: Mapping[int, Verdict]

    def of(self, *states: State) -> list[Moment]:
        """The moments with one of these states."""
        return [moment for moment in self.moments if moment.state in states]

    @property
    def answering(self) -> list[Moment]:
        """The moments of the answering call: the fact was there raw, or in a text that states it, changed it or may state it. In
        a reading that ended without an answer, that is the last call, if the fact was raw there and the reply could be read."""
        return [moment for moment in self.moments if moment.answering]

    @cached_property
    def by_step(self) -> dict[int, Moment]:
        """The most informative moment of each step that has any, in order: what was written there rather than what was shown."""
        ranked = sorted(self.moments, key=lambda one: (one.step, one.written, one.answering, _TELLING.index(one.state)))
        return {moment.step: moment for moment in ranked}


_TELLING: tuple[State, ...] = ("raw", "lost", "unclear", "altered", "carried", "left out", "not opened", "answering")


def life(trace: Trace, fact: Span, narrative: Narrative, *, answers: Iterable[str] = ()) -> Life:
    """The life of a fact, which is a span of the trace's document, over the whole of a reading, finished or not; `narrative` is
    its reader's; `answers` are known ones, if the fact is the evidence for them."""
    follower = _FactFollower(trace, fact, narrative, answers)
    moments = tuple(moment for step in trace.steps for moment in follower.during(step))
    return Life(fact, moments, follower.texts, follower.shown)


def has(spans: Iterable[Span], fact: Span) -> bool:
    """Whether these places, which are apart from each other, have at least half of the fact's characters."""
    inside = sum(max(0, min(end, fact.end) - max(start, fact.start)) for start, end in spans)
    return inside >= _RAW_SHARE * (fact.end - fact.start)


class _FactFollower:
    """Follows a fact through the events of a reading."""

    def __init__(self, trace: Trace, fact: Span, narrative: Narrative, answers: Iterable[str]) -> None:
        self.trace = trace
        self.fact = fact
        self.narrative = narrative
        self.words = ComparableFact.of(trace.document.text[fact.start : fact.end], trace.document.text, answers=answers)
        self.texts: dict[int, Match] = {}
        self.calls: dict[int, Verdict] = {}  # those whose prompts had any of the fact, and the most that they said about it
        self.shown: dict[int, Verdict] = {}  # those whose prompts had enough of it, or a derived text
        self.answering = trace.calls_behind(trace.end.pieces) if isinstance(trace.end, Answered) else frozenset()
        self.declining = _last_call(trace) if isinstance(trace.end, Ended) and trace.end.outcome in _DECLINES else None

    def during(self, step: Step) -> Iterator[Moment]:
        """What happened at a step."""
        events = self.trace.of(step)
        building = step.phase == BUILD
        written: dict[str, Moment] = {}
        for number, event in enumerate(events, step.start):
            if isinstance(event, Asked):
                if moment := self._asked(event, step.number, number, building=building):
                    yield moment
            elif isinstance(event, Wrote):
                if moment := self._wrote(event, step.number, number, building=building):
                    best = written.get(event.role)
                    if best is None or VERDICTS.index(moment.verdict) < VERDICTS.index(best.verdict):
                        written[event.role] = moment
            elif isinstance(event, Chose) and self.narrative.decision(event.action).out_of_view and self._rests(event.picked):
                yield Moment(step.number, number, "left out", event.picked, self._says(event.picked))
        yield from written.values()
        yield from self._passed_over(step)

    def _asked(self, event: Asked, step: int, number: int, *, building: bool) -> Moment | None:
        shown = self.trace.spans_shown(event.seq)
        raw = self._is_raw(shown)
        through = self._through(event)
        if event.prompt == SCORE_PROMPT or not (raw or through):
            return None
        said: Verdict = self._says(self._best(through)) if through else "lost"
        self.calls[event.seq] = "carried" if self._some_shown(shown) else said
        self.shown[event.seq] = "carried" if raw else said
        answering = event.seq in self.answering or (raw and event.seq == self.declining)
        if raw:
            return Moment(step, number, "answering" if answering else "raw", building=building, answering=answering)
        ref = self._best(through)
        verdict = self._says(ref)
        if answering and verdict != "lost":
            return Moment(step, number, "answering" if verdict == "carried" else verdict, ref, verdict, answering=True)
        return None if building else Moment(step, number, verdict, ref, verdict)

    def _through(self, event: Asked) -> list[int]:
        origins = {piece.origin for _, texts in event.parts for text in texts for piece in text}
        return sorted(found for origin in origins if (found := refs.written(origin)) in self.texts)

    def _best(self, numbers: Iterable[int]) -> str:
        """The text that says most of the fact; of equals the earliest."""
        return refs.wrote(min(numbers, key=lambda n: (VERDICTS.index(self.texts[n].verdict), n)))

    def _wrote(self, event: Wrote, step: int, number: int, *, building: bool) -> Moment | None:
        said = set(filter(None, map(self._said_by, event.pieces)))
        if not said:
            return None
        found = match(self.words, event.text)
        if found.verdict == "unclear" and (said == {"lost"} or self._stood_there_without_it(event)):
            found = found._replace(verdict="lost")
        self.texts[event.n] = found
        return Moment(step, number, found.verdict, refs.wrote(event.n), found.verdict, building, written=True)

    def _stood_there_without_it(self, event: Wrote) -> bool:
        """Whether a text repeats, word for word, a text in its prompt that is not derived from the fact or has lost it."""
        parents = self.trace.parent_texts(event.pieces)
        same = [n for n in parents if n < event.n and self.trace.wrote[n].text == event.text]
        return any(n not in self.texts or self.texts[n].verdict == "lost" for n in same)

    def _passed_over(self, step: Step) -> Iterator[Moment]:
        """The derived texts that were offered, if none of them was picked at this step."""
        events = enumerate(self.trace.of(step), step.start)
        decisions = [(number, event) for number, event in events if isinstance(event, Chose)]
        if step.phase == BUILD or any(self._rests(event.picked) for _, event in decisions):
            return
        for number, event in decisions:
            if _is_choice(event):
                offered = [ref for ref in event.among if self._rests(ref)]
                if offered:
                    ref = min(offered, key=lambda one: VERDICTS.index(self._says(one)))
                    shown = self._shown_before(number, step, ref)
                    yield Moment(step.number, number, "not opened", ref, self._says(ref), shown=shown)
                    return

    def _shown_before(self, number: int, step: Step, ref: str) -> bool:
        """Whether the last prompt at a step before this event held any of the fact, or of a text derived from it."""
        asked = (one for one in reversed(self.trace.events[step.start : number]) if isinstance(one, Asked))
        last = next((one for one in asked if one.prompt != SCORE_PROMPT), None)
        if last is None:
            return False
        return self._some_shown(self.trace.spans_shown(last.seq)) or refs.written(ref) in self._through(last)

    def _some_shown(self, shown: Iterable[Span]) -> bool:
        return any(start < self.fact.end and self.fact.start < end for start, end in shown)

    def _rests(self, ref: str) -> bool:
        """Whether a ref names a derived text, or a passage that contains the fact."""
        span = refs.span(ref)
        return refs.written(ref) in self.texts if span is None else self._is_raw([Span(*span)])

    def _says(self, ref: str) -> Verdict:
        number = refs.written(ref)
        return "carried" if number is None else self.texts[number].verdict

    def _said_by(self, piece: Piece) -> Verdict | None:
        """What the origin of a piece of a text says about the fact, if the piece comes from there."""
        if piece.origin == DOCUMENT:
            return "carried" if self._is_raw([Span(piece.begin, piece.stop)]) else None
        if (seq := refs.replied(piece.origin)) is not None:
            return self.calls.get(seq)
        return self._says(piece.origin) if refs.written(piece.origin) in self.texts else None

    def _is_raw(self, spans: Iterable[Span]) -> bool:
        return has(spans, self.fact)


def _last_call(trace: Trace) -> int | None:
    """The number of the last call to a model; None if its reply could not be read."""
    asked = next((one for one in reversed(trace.events) if isinstance(one, Asked) and one.prompt != SCORE_PROMPT), None)
    return asked.seq if asked and asked.attempt is not None else None


def _is_choice(event: Chose) -> bool:
    """Whether a decision took some of the texts it was offered, or none of them. A fallback to passages took them all."""
    if len(event.among) < 2 or (event.action == "fallback" and all(map(refs.span, event.among))):
        return False
    return event.picked in event.among or refs.kind(event.picked) is None


MarkChange = tuple[int, State | Literal[""]]  # the mark from a step (from 0) on; empty for none


def carriers(trace: Trace, life: Life, fate: FactFate | None) -> tuple[dict[str, tuple[MarkChange, ...]], tuple[str, ...]]:
    """The changes of each ref's mark in the order of steps, and the refs of the texts in which the fact died, from its life and
    fate."""
    spans = dict.fromkeys(span for event in trace.events if isinstance(event, (Cut, Looked)) for span in event.spans)
    places = [refs.place(*span) for span in spans if has([span], life.fact)]
    marks: dict[str, list[MarkChange]] = defaultdict(list)
    telling = {moment.ref for moment in life.moments if moment.written}
    for step in trace.steps:
        for event in trace.of(step):
            if isinstance(event, Wrote) and event.n in life.texts:
                verdict, ref = life.texts[event.n].verdict, refs.wrote(event.n)
                if verdict != "lost" or ref in telling:
                    marks[ref].append((step.number, verdict))
    for change in _of_places(life):
        for place in places:
            marks[place].append(change)
    for moment in life.of("left out"):
        marks[moment.ref] = [*(one for one in marks[moment.ref] if one[0] < moment.step), (moment.step, "left out")]
    return {ref: tuple(changes) for ref, changes in marks.items()}, tuple(_died_in(life, fate, places))


def _of_places(life: Life) -> Iterator[MarkChange]:
    """When the model is shown the fact raw: on from one step, off at the next step at which it is not."""
    steps = sorted({moment.step for moment in life.of("raw", "answering") if not moment.ref})
    for number, step in enumerate(steps):
        if not number or steps[number - 1] < step - 1:
            yield step, "raw"
        if number + 1 == len(steps) or steps[number + 1] > step + 1:
            yield step + 1, ""


def _died_in(life: Life, fate: FactFate | None, places: list[str]) -> Iterator[str]:
    """The text that the fact died in; the passages that have it, if it died in none."""
    if fate is None or fate.row.end != "dead":
        return
    written = (one.ref for one in life.moments if one.step == fate.step and one.written and one.state == fate.kind)
    ref = next(written, fate.ref)
    yield from [ref] if ref else places
