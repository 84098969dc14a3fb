"""What a reading will take, before anything is spent: calls, tokens, money, time, and where the text will be cut.

It is found by doing the reading with the offline model in the place of the real one, so it holds for any reader and knows none. A
text that is too long for that is tried out on two beginnings of it, and the difference is carried on. What other readings have on
record is not counted again. A trial tells how often the text must be gone through; how long a model's walk and its replies will
be it can only guess, so those are ranges. Not here: how it is told (`components/widgets/estimate.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from math import log2
from typing import ClassVar, NamedTuple

from readers.engine.errors import ModelFailed, PromptTooLong
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import token_cost
from readers.engine.models.offline import Offline
from readers.engine.record.events import Asked, Chose, Cut, Event, from_json
from readers.engine.record.journal import MemoryTape
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text import refs, tokens
from readers.engine.text.document import Document, Span

MAX_WHOLE_TOKENS = 60_000  # a text of so many tokens is tried out from end to end, in less than a second
BEGINNING_LENGTHS = (50_000, 100_000)  # in characters
FEW_PARTS = 3  # parts: a reader that makes no more of a long beginning, and one call, is tried out on any text at once
SAME_FIELDS = ("reader", "version", "options", "model", "api_base", "temperature", "top_p", "prompts")
EXTRAPOLATION_SPREAD = (0.9, 1.1)  # how far the rest of a text may differ from its beginning
BUILD_SPREAD = (0.75, 2.0)  # how much less or more another model brings to a memory that is built for one question
WALK_SPREAD = (0.5, 3.0)  # how much shorter or longer another model's way to an answer may be
PROMPT_SPREAD = (0.8, 1.25)  # the same for the tokens it is sent, for its summaries have another length
REPLY_SPREAD = (0.5, 2.0)
MIN_PASS_SHARE = 0.8  # the share of a question's calls that the text asks for, for their number to be the text's
PASS_SPREAD = (1.0, 1.2)  # calls that the text asks for: as many with any model, but for replies asked for again
PASS_TASKS = ("update_memory", "answer")  # tasks of such calls: one for each chunk, and one at the end


class Range(NamedTuple):
    """From so much to so much; the same twice where it is known."""

    low: float
    high: float

    def plus(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def times(self, by: float, *, spread: tuple[float, float] = (1.0, 1.0)) -> Range:
        return Range(self.low * by * spread[0], self.high * by * spread[1])


@dataclass(frozen=True)
class Estimate:
    """`calls` are those still to be made, without the `reused`. `cuts` are the parts the reader makes of the text, or of as much
    of it as was tried out; `parts` is how many there will be. `whole`: the text was tried out from end to end. `open_end`: the
    trial stopped before its end, so it will take more. `problem` is a sentence about what will make the reading fail. `left_out`
    are the cuts that the reader leaves out for want of room."""

    calls: Range
    reused: int
    tokens_in: Range
    tokens_out: Range
    seconds: Range | None
    cost: Range | None
    cuts: tuple[Span, ...]
    parts: int
    whole: bool
    open_end: bool = False
    problem: str = ""
    left_out: tuple[Span, ...] = ()


@dataclass
class CallTally:
    """Calls of one sort, and their tokens."""

    calls: float = 0
    sent: float = 0
    received: float = 0

    def times(self, by: float) -> CallTally:
        return CallTally(self.calls * by, self.sent * by, self.received * by)

    def plus(self, other: CallTally) -> CallTally:
        return CallTally(self.calls + other.calls, self.sent + other.sent, self.received + other.received)

    def add(self, reply: Reply) -> None:
        self.calls += 1
        self.sent += reply.tokens_in or 0
        self.received += reply.tokens_out or 0

    def grown(self, before: CallTally, grow: Callable[[float, float], float]) -> CallTally:
        return CallTally(
            grow(before.calls, self.calls), grow(before.sent, self.sent), grow(before.received, self.received)
        )  # fmt: skip


@dataclass
class TrialModel:
    """The offline model in another's place. Replies on record are taken from there; `shared` are the calls another question will
    not repeat, `made` those that build the memory for this one, `own` the others."""

    spec: RunSpec
    store: Store | None
    shared: CallTally = field(default_factory=CallTally)
    building: CallTally = field(default_factory=CallTally)
    own: CallTally = field(default_factory=CallTally)
    reused: float = 0
    passes: float = 0
    cuts: tuple[Span, ...] = ()
    left_out: tuple[Span, ...] = ()
    seconds: float = 0.0
    failed: ModelFailed | None = None
    sure: bool = True
    replies: list[tuple[int, Reply]] = field(default_factory=list)

    @property
    def total(self) -> CallTally:
        """All calls and their tokens, of every sort."""
        unsorted = CallTally()
        for _, reply in self.replies:
            unsorted.add(reply)
        return self.shared.plus(self.building).plus(self.own).plus(unsorted)

    def split_building(self, events: tuple[Event, ...], document: Document) -> None:
        """Tell what was asked while the memory was built from what was asked later."""
        built = {event.seq for event in events[: Trace(document, events).built_until] if isinstance(event, Asked)}
        for seq, reply in self.replies:
            (self.building if seq in built else self.own).add(reply)
        self.replies.clear()

    embeds_by: ClassVar[str] = "tfidf"

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        shared = call.prompt.shared
        if shared and self.spec.reuse and self.store is not None:
            found = self.store.tape("").find_shared(call.identity)
            if found is not None and found.reply is not None:
                self.reused += 1
                return Reply(found.reply, tokens_in=0, tokens_out=0, cost_usd=0.0)
        reply = Offline().complete(call)
        if shared:
            self.shared.add(reply)
        else:
            self.replies.append((call.seq, reply))
        self.passes += call.prompt.task in PASS_TASKS
        return reply


def estimate(document: Document, reader: Reader, spec: RunSpec, *, store: Store | None = None, concurrency: int = 8) -> Estimate:
    """Try a reading out. Raises BadOptions for one that cannot be run at all; changes nothing."""
    trial, parts = _try_any_length(document, reader, spec, store)
    return _estimate_from(trial, parts, store, concurrency)


def estimate_several(
    document: Document, reader: Reader, spec: RunSpec, questions: int, *, store: Store | None = None
) -> Estimate:
    """What as many questions to one text take, one after the other, if each takes what this one does: what is shared is asked
    once. How long each one's way is differs even with the offline model, so these are ranges."""
    trial, parts = _try_any_length(document, reader, spec, store)
    several = replace(
        trial, building=trial.building.times(questions), own=trial.own.times(questions), passes=trial.passes * questions,
        seconds=trial.seconds * questions, sure=questions == 1,
    )  # fmt: skip
    return _estimate_from(several, parts, store, 1)


def _try_any_length(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> tuple[TrialModel, int | None]:
    """A trial, and how many parts the text will have where it was not tried out from end to end."""
    text = document.text
    if len(text) <= 5 * MAX_WHOLE_TOKENS and tokens.count(text) <= MAX_WHOLE_TOKENS:
        return _try(document, reader, spec, store), None
    return _extrapolate(document, reader, spec, store)


def _estimate_from(trial: TrialModel, parts: int | None, store: Store | None, width: int) -> Estimate:
    """What a trial comes to."""
    sure = trial.sure and trial.spec.model == catalogue.OFFLINE
    about = (1.0, 1.0) if parts is None else EXTRAPOLATION_SPREAD
    shared = _range_around(trial.shared.calls, about)
    made = _range_around(trial.building.calls, about if sure else BUILD_SPREAD, least=1 if trial.building.calls else 0)
    own = _range_around(trial.own.calls, about if sure else _question_spread(trial, about), least=1 if trial.own.calls else 0)
    sent = received = Range(0, 0)
    for calls, tally in ((shared, trial.shared), (made, trial.building), (own, trial.own)):
        sent, received = (
            sent.plus(_token_range(calls, tally.calls, tally.sent)),
            received.plus(_token_range(calls, tally.calls, tally.received)),
        )
    sent, received = (sent, received) if sure else (sent.times(1, spread=PROMPT_SPREAD), received.times(1, spread=REPLY_SPREAD))
    too_long = isinstance(trial.failed, PromptTooLong)
    free = trial.spec.model == catalogue.OFFLINE
    return Estimate(
        calls=shared.plus(made).plus(own),
        reused=round(trial.reused),
        tokens_in=sent,
        tokens_out=received,
        seconds=_seconds(trial, shared.plus(made), own, store, width),
        cost=cost_of(trial.spec.model, sent, received),
        cuts=trial.cuts,
        parts=len(trial.cuts) if parts is None else parts,
        whole=parts is None,
        open_end=trial.failed is not None and not too_long and not free,
        problem=str(trial.failed) if trial.failed and (too_long or free) else "",
        left_out=trial.left_out,
    )


def _question_spread(trial: TrialModel, about: tuple[float, float]) -> tuple[float, float]:
    """How far the calls that belong to the question may differ with another model. The walk to an answer is the model's own;
    where almost all of them go over the text once or answer at the end, their number is the text's."""
    if trial.passes < MIN_PASS_SHARE * trial.own.calls:
        return WALK_SPREAD
    return about[0] * PASS_SPREAD[0], about[1] * PASS_SPREAD[1]


def _try(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> TrialModel:
    trial, tape = TrialModel(spec, store), MemoryTape()
    began = time.monotonic()
    try:
        rehearse(document, reader, replace(spec, caps={}), trial, tape=tape)
    except ModelFailed as failed:
        trial.failed = failed
    trial.seconds = time.monotonic() - began
    events = tuple(from_json(line) for line in tape.lines)
    trial.split_building(events, document)
    trial.cuts = _innermost_spans(events)
    left_out = {
        event.picked for event in events if isinstance(event, Chose) and reader.narrative.decision(event.action).leaves_out
    }
    trial.left_out = tuple(cut for cut in trial.cuts if refs.place(*cut) in left_out)
    return trial


def _extrapolate(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> tuple[TrialModel, int | None]:
    """The trial of a long text, made of the trials of two beginnings, and how many parts it will have; None where it was tried
    out from end to end after all."""
    short, long = (Document(document.title, document.text[: _paragraph_end(document.text, size)]) for size in BEGINNING_LENGTHS)
    first, trial = (_try(beginning, reader, spec, store) for beginning in (short, long))
    if trial.shared.calls + trial.building.calls + trial.own.calls <= 1 and len(trial.cuts) <= FEW_PARTS:
        return _try(document, reader, spec, store), None
    here, there = len(long.text), len(document.text)
    further = (there - here) / max(1, here - len(short.text))

    def in_step(before: float, after: float) -> float:
        return max(after, after + (after - before) * further)

    def slowly(before: float, after: float) -> float:
        return after + max(0.0, after - before) * log2(there / here)

    # What doubles with the text will go on to; the way down a tree, or a few look-ups, will not.
    grow = in_step if trial.own.calls >= 1.6 * first.own.calls and first.own.calls > 1 else slowly
    parts = round(in_step(len(first.cuts), len(trial.cuts)))
    whole = replace(
        trial,
        shared=trial.shared.grown(first.shared, in_step),
        building=trial.building.grown(first.building, in_step),
        own=trial.own.grown(first.own, grow),
        passes=in_step(first.passes, trial.passes),
        reused=in_step(first.reused, trial.reused),
        seconds=trial.seconds * there / here,
        cuts=trial.cuts[:-1],  # the last one ends where the beginning does
    )
    before = store and _earlier_reading(store, document, spec)
    if store is not None and before:  # the beginning of a text has another tree than the whole of it
        reused = sum(record.shared and record.reply is not None for record in store.tape(before.id).records())
        whole = replace(whole, shared=CallTally(), reused=reused)
    return whole, parts


def _earlier_reading(store: Store, document: Document, spec: RunSpec) -> Run | None:
    """A finished reading of this text on the same terms, whatever it was asked, that lends its replies."""
    terms = asdict(spec)
    for run in store.runs(document=document.id) if spec.reuse else []:
        if run.status == "finished" and not run.taken_in and all(run.spec.get(name) == terms[name] for name in SAME_FIELDS):
            return run
    return None


def _paragraph_end(text: str, size: int) -> int:
    """The end of the last paragraph that ends before `size`."""
    return max(text.rfind("\n\n", size // 2, size), 0) or size


def _innermost_spans(events: Iterable[Event]) -> tuple[Span, ...]:
    """The smallest spans that were cut, in order."""
    spans = sorted({span for event in events if isinstance(event, Cut) for span in event.spans}, key=lambda s: (s[0], -s[1]))
    return tuple(span for n, span in enumerate(spans) if n + 1 == len(spans) or spans[n + 1].start >= span.end)


def _range_around(value: float, spread: tuple[float, float], *, least: int = 0) -> Range:
    return Range(max(least, round(value * spread[0])), round(value * spread[1]))


def _token_range(calls: Range, tried: float, counted: float) -> Range:
    return calls.times(counted / tried) if tried else Range(0, 0)


def cost_of(model: str, sent: Range, received: Range) -> Range | None:
    """What so many tokens cost in US dollars; None where the price is unknown."""
    if model in (catalogue.OFFLINE, catalogue.HUMAN):
        return Range(0, 0)
    low, high = token_cost(model, sent.low, received.low), token_cost(model, sent.high, received.high)
    return None if low is None or high is None else Range(low, high)


def _seconds(trial: TrialModel, concurrent: Range, sequential: Range, store: Store | None, width: int) -> Range | None:
    """By the trial itself for the offline model, else by this model's earlier calls; None if there were none."""
    if trial.spec.model == catalogue.OFFLINE:
        return Range(trial.seconds, 2 * trial.seconds)
    pace = store.pace(trial.spec.model) if store else None
    if not pace:
        return None
    return concurrent.times(pace / 1000 / width).plus(sequential.times(pace / 1000))
