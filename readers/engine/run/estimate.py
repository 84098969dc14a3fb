"""What a run will take, before anything is spent: calls, tokens, money, time, and where the text will be cut.

The estimate executes the run with the offline model in place of the real one, so it works for any reader. A text too long for
that is tried on two of its beginnings, and the difference is extrapolated. Replies already on record are not counted again. A
trial tells how often the text must be gone through; the length of another model's walk and replies is a guess, so those are
ranges. Not here: how an estimate is displayed (`components/widgets/estimate.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from math import log2
from typing import ClassVar, NamedTuple

from readers.engine.errors import ModelFailed, PromptTooLong
from readers.engine.models import catalogue, speed
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import token_cost
from readers.engine.models.offline import Offline
from readers.engine.record.events import Asked, Chose, Cut, Event, from_json
from readers.engine.record.journal import MemoryTape
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, in_effect, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text import refs, tokens
from readers.engine.text.document import Document, Span

MAX_WHOLE_TOKENS = 60_000  # a text up to this many tokens is tried from end to end, in under a second
BEGINNING_LENGTHS = (50_000, 100_000)  # in characters
FEW_PARTS = 3  # a reader that makes no more parts and calls than this of a long beginning is tried on a text of any length
SAME_FIELDS = ("reader", "version", "options", "model", "api_base", "temperature", "top_p", "prompts")
EXTRAPOLATION_SPREAD = (0.9, 1.1)  # how far the rest of a text may differ from its beginning
BUILD_SPREAD = (0.75, 2.0)  # how much less or more another model may bring to a memory that is built for one question
WALK_SPREAD = (0.5, 3.0)  # how much shorter or longer another model's way to an answer may be
PROMPT_SPREAD = (0.8, 1.25)  # the same for the tokens it is sent, because its summaries differ in length
REPLY_SPREAD = (0.5, 2.0)
MIN_PASS_SHARE = 0.8  # the share of a question's calls that must go over the text for their number to depend on the text alone
PASS_SPREAD = (1.0, 1.2)  # calls that go over the text: the same number with any model, plus retries
PASS_TASKS = ("update_memory", "answer")  # the tasks of such calls: one call for each chunk, and one at the end


class Range(NamedTuple):
    """From low to high; both are equal if the number is known."""

    low: float
    high: float

    def plus(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def times(self, by: float, *, spread: tuple[float, float] = (1.0, 1.0)) -> Range:
        return Range(self.low * by * spread[0], self.high * by * spread[1])


@dataclass(frozen=True)
class Estimate:
    """What a run will take.

    `calls` are still to be made, without the `reused` ones. `cuts` are the parts the reader makes of the text, or of as much of
    it as was tried; `parts` is how many there will be in total. `whole`: the text was tried from end to end. `open_end`: the
    trial stopped early, so the run will take more. `problem` is a sentence on what will make the run fail. `left_out` are cuts
    the reader drops for lack of room. `measured`: the seconds are from the speed that the model was measured to have here.
    """

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
    measured: bool = False


@dataclass
class CallTally:
    """A number of calls and their tokens."""

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
        """Extrapolate each figure from `before` and this one."""
        return CallTally(
            grow(before.calls, self.calls), grow(before.sent, self.sent), grow(before.received, self.received)
        )  # fmt: skip


@dataclass
class TrialModel:
    """The offline model in place of another, counting calls; shared replies on record are reused.

    `total` counts all calls; `shared` those that another question will not repeat, `building` those that build the memory for
    this question, `own` the others.
    """

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
        """Sort the calls for this question into those made while the memory was built and those made later."""
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
            record = self.store.tape("").find_shared(call.identity)
            if record is not None and record.reply is not None:
                self.reused += 1
                return Reply(record.reply, tokens_in=0, tokens_out=0, cost_usd=0.0)
        reply = Offline().complete(call)
        if shared:
            self.shared.add(reply)
        else:
            self.replies.append((call.seq, reply))
        self.passes += call.prompt.task in PASS_TASKS
        return reply


def estimate(document: Document, reader: Reader, spec: RunSpec, *, store: Store | None = None, concurrency: int = 8) -> Estimate:
    """Try a run. Raises BadOptions if it cannot run at all; changes nothing."""
    trial, parts = _try_any_length(document, reader, spec, store)
    return _estimate_from(trial, parts, store, concurrency)


def estimate_several(
    document: Document, reader: Reader, spec: RunSpec, questions: int, *, store: Store | None = None
) -> Estimate:
    """What this many questions to one text take, one after another, if each takes as much as this one and shared calls are made
    once. The results are ranges even with the offline model, because questions differ."""
    trial, parts = _try_any_length(document, reader, spec, store)
    several = replace(
        trial, building=trial.building.times(questions), own=trial.own.times(questions), passes=trial.passes * questions,
        seconds=trial.seconds * questions, sure=questions == 1,
    )  # fmt: skip
    return _estimate_from(several, parts, store, 1)


def _try_any_length(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> tuple[TrialModel, int | None]:
    """A trial, and the number of parts the text will have if it was not tried from end to end."""
    text = document.text
    if len(text) <= 5 * MAX_WHOLE_TOKENS and tokens.count(text) <= MAX_WHOLE_TOKENS:
        return _try(document, reader, spec, store), None
    return _extrapolate(document, reader, spec, store)


def _estimate_from(trial: TrialModel, parts: int | None, store: Store | None, concurrency: int) -> Estimate:
    """The estimate that a trial amounts to."""
    sure = trial.sure and trial.spec.model == catalogue.OFFLINE
    spread = (1.0, 1.0) if parts is None else EXTRAPOLATION_SPREAD
    shared = _range_around(trial.shared.calls, spread)
    building = _range_around(trial.building.calls, spread if sure else BUILD_SPREAD, least=1 if trial.building.calls else 0)
    own = _range_around(trial.own.calls, spread if sure else _question_spread(trial, spread), least=1 if trial.own.calls else 0)
    sent = received = Range(0, 0)
    for calls, tally in ((shared, trial.shared), (building, trial.building), (own, trial.own)):
        sent, received = (
            sent.plus(_token_range(calls, tally.calls, tally.sent)),
            received.plus(_token_range(calls, tally.calls, tally.received)),
        )
    sent, received = (sent, received) if sure else (sent.times(1, spread=PROMPT_SPREAD), received.times(1, spread=REPLY_SPREAD))
    too_long = isinstance(trial.failed, PromptTooLong)
    measured = speed.find_speed(trial.spec.model, trial.spec.api_base)
    free = trial.spec.model == catalogue.OFFLINE
    return Estimate(
        calls=shared.plus(building).plus(own),
        reused=round(trial.reused),
        tokens_in=sent,
        tokens_out=received,
        seconds=_at_speed(measured, sent, received)
        if measured
        else _seconds(trial, shared.plus(building), own, store, concurrency),
        cost=cost_of(trial.spec.model, sent, received),
        cuts=trial.cuts,
        parts=len(trial.cuts) if parts is None else parts,
        whole=parts is None,
        open_end=trial.failed is not None and not too_long and not free,
        problem=str(trial.failed) if trial.failed and (too_long or free) else "",
        left_out=trial.left_out,
        measured=measured is not None,
    )


def _question_spread(trial: TrialModel, spread: tuple[float, float]) -> tuple[float, float]:
    """How far the number of calls for the question may differ with another model. A walk to an answer depends on the model; if
    nearly all calls go over the text or answer at the end, the text sets their number."""
    if trial.passes < MIN_PASS_SHARE * trial.own.calls:
        return WALK_SPREAD
    return spread[0] * PASS_SPREAD[0], spread[1] * PASS_SPREAD[1]


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
    """The trial of a long text, extrapolated from two of its beginnings, and its number of parts; None for the latter if the text
    was tried from end to end after all."""
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

    # What doubles with the text will keep growing; the way down a tree, or a few look-ups, will not.
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
        cuts=trial.cuts[:-1],  # the last one is cut off by the end of the beginning
    )
    earlier = store and _earlier_reading(store, document, in_effect(reader, spec))
    if store is not None and earlier:  # the tree of a beginning is not part of the whole text's tree
        reused = sum(record.shared and record.reply is not None for record in store.tape(earlier.id).records())
        whole = replace(whole, shared=CallTally(), reused=reused)
    return whole, parts


def _earlier_reading(store: Store, document: Document, spec: RunSpec) -> Run | None:
    """A finished run on this text with the same terms, whatever its question, whose shared replies can be reused."""
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
    """The price of these tokens in US dollars; None if it is unknown."""
    if model in (catalogue.OFFLINE, catalogue.HUMAN):
        return Range(0, 0)
    low, high = token_cost(model, sent.low, received.low), token_cost(model, sent.high, received.high)
    return None if low is None or high is None else Range(low, high)


def _at_speed(measured: speed.Speed, sent: Range, received: Range) -> Range:
    """One call after another: on one machine, calls at once share its speed."""
    return Range(measured.seconds(sent.low, received.low), measured.seconds(sent.high, received.high))


def _seconds(trial: TrialModel, concurrent: Range, sequential: Range, store: Store | None, concurrency: int) -> Range | None:
    """From the trial itself for the offline model, otherwise from this model's earlier calls; None if there were none."""
    if trial.spec.model == catalogue.OFFLINE:
        return Range(trial.seconds, 2 * trial.seconds)
    pace = store.pace(trial.spec.model) if store else None
    if not pace:
        return None
    return concurrent.times(pace / 1000 / concurrency).plus(sequential.times(pace / 1000))
