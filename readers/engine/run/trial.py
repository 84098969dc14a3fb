"""A trial of a run with the offline model in place of the real one: which calls are made, and where the text is cut.

A text too long for a trial from end to end is tried on two of its beginnings, and the calls of each kind are extrapolated by how
they grew from one to the other (`CallCount.extrapolated`); the number of parts of the whole text is known exactly if the reader
cuts before it asks. Replies already on record are not counted again. Not here: ranges, prices and times (`estimate.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import log, log2
from typing import ClassVar, Literal, NamedTuple

from readers.engine.errors import BadOptions, Cancelled, ModelFailed, ReaderFailed, ReadingError, in_words
from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.record.events import Asked, Chose, Cut, Event, from_json
from readers.engine.record.journal import MemoryTape
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, cut_before_asking, in_effect, rehearse
from readers.engine.run.reader import Reader
from readers.engine.store import Run, Store
from readers.engine.text import refs, tokens
from readers.engine.text.document import Document, Span

MAX_WHOLE_TOKENS = 60_000  # a text up to this many tokens is tried from end to end, in under a second
BEGINNING_LENGTHS = (50_000, 100_000)  # in characters; longer ones where a reader makes few parts of these
MAX_CUT_LENGTH = 2_500_000  # characters of a text that is cut to its end just to count its parts
MIN_NEW_PARTS = 4  # the longer beginning must have this many parts more than the shorter one, so that growth can be seen
FEW_PARTS = 3  # a reader that makes at most this many parts and calls from a long beginning is tried on a text of any length
SAME_FIELDS = ("reader", "version", "options", "model", "api_base", "temperature", "top_p", "prompts", "reply_form")
PASS_TASKS = ("update_memory", "answer")  # tasks of calls that go over the text: one call for each chunk, and one at the end
LOOKING_TASKS = ("act",)  # tasks of calls that search: their number depends on what is found, not on the length

# How calls of one kind grow with the parts of the text, and how far the rest may then differ from the beginnings.
MIN_CALLS_A_PART = 0.25  # fewer may be a walk, however they grew
LINEAR_FROM, FASTER_FROM, FASTEST = 0.5, 1.3, 2.5  # exponents of growth
LINEAR_SPREAD = (0.9, 1.1)
PARTS_SPREAD = (0.9, 1.1)  # how far the parts of the rest may differ where they are not counted but extrapolated
SLOW_SPREAD = (0.5, 3.0)  # a walk, or a few look-ups: what they find later is not known
MOST_A_PART = 3.0  # calls for what recurs in the text grow faster than the text, up to this many for each part

Group = Literal["shared", "building", "own"]


class CallKind(NamedTuple):
    """A kind of call, by the hash of its prompt. `shared` ones are not repeated for another question, `building` ones build the
    memory for this question, `own` are the others."""

    group: Group
    prompt: str
    task: str


@dataclass(frozen=True)
class CallCount:
    """A number of calls, how far it may be off as factors (exact in a trial from end to end), and their tokens. `thought` is the
    most that a model may think in them, which is not in `received`."""

    calls: float = 0
    sent: float = 0
    received: float = 0
    spread: tuple[float, float] = (1.0, 1.0)
    thought: float = 0

    def times(self, by: float) -> CallCount:
        return replace(
            self, calls=self.calls * by, sent=self.sent * by, received=self.received * by, thought=self.thought * by
        )  # fmt: skip

    def plus(self, other: CallCount) -> CallCount:
        """Both together; the spread is that of the sum."""
        calls = self.calls + other.calls
        low, high = (sum(each.calls * each.spread[end] for each in (self, other)) / calls if calls else 1.0 for end in (0, 1))
        sent, received = self.sent + other.sent, self.received + other.received
        return CallCount(calls, sent, received, (low, high), self.thought + other.thought)

    def with_reply(self, call: Call, reply: Reply) -> CallCount:
        """With one call more. A model that thinks first may fill all the room that its reply leaves."""
        written = reply.tokens_out or 0
        thought = max(0, call.max_tokens - written) if call.settings.room_factor > 1 else 0
        return self.plus(CallCount(1, reply.tokens_in or 0, written, thought=thought))

    def extrapolated(self, before: CallCount, task: str, *, short: float, long: float, whole: float, counted: bool) -> CallCount:
        """From the shorter beginning (`before`) and the longer one (this) to the whole text, with the number of parts that the
        reader makes of each; `counted`: the number for the whole is not a guess."""
        if not self.calls or (task in PASS_TASKS and self.calls == before.calls):
            return self  # one call at the end
        by = whole / long
        exponent = log(self.calls / before.calls) / log(long / short) if before.calls else FASTEST
        in_proportion = self.calls * by
        if task in LOOKING_TASKS or exponent < LINEAR_FROM or self.calls < MIN_CALLS_A_PART * long:
            slowly = self.calls + max(0.0, self.calls - before.calls) * log2(by)
            most = in_proportion * LINEAR_SPREAD[1] if exponent >= LINEAR_FROM else 0.0
            return self._grown_to(slowly, (slowly * SLOW_SPREAD[0], max(slowly * SLOW_SPREAD[1], most)))
        by_difference = self.calls + (self.calls - before.calls) / (long - short) * (whole - long)
        low, high = sorted((in_proportion, by_difference))
        if exponent > FASTER_FROM:
            low = in_proportion
            high = max(high, min(self.calls * by ** min(exponent, FASTEST), MOST_A_PART * whole))
        less, more = (1.0, 1.0) if counted else PARTS_SPREAD
        return self._grown_to((low + high) / 2, (low * LINEAR_SPREAD[0] * less, high * LINEAR_SPREAD[1] * more))

    def _grown_to(self, calls: float, between: tuple[float, float]) -> CallCount:
        return replace(self.times(calls / self.calls), spread=(between[0] / calls, between[1] / calls))


@dataclass(frozen=True)
class Trial:
    """The result of a trial. `cuts` are the parts of the text, or of as much of it as was tried; `parts` is how many there will
    be in total, None if the text was tried from end to end. `left_out` are cuts that the reader drops for lack of room. `failed`:
    the trial stopped early. `cut_first`: all cuts were made before the first call."""

    spec: RunSpec
    counts: Mapping[CallKind, CallCount]
    reused: float
    cuts: tuple[Span, ...]
    left_out: tuple[Span, ...]
    seconds: float
    failed: ModelFailed | None
    cut_first: bool = False
    parts: int | None = None

    def total(self, *groups: Group) -> CallCount:
        """The calls of these groups together."""
        found = CallCount()
        for kind, count in self.counts.items():
            found = found.plus(count) if kind.group in groups else found
        return found

    @property
    def pass_share(self) -> float:
        """The share of a question's own calls that go over the text or answer at the end; 0 to 1."""
        passes = sum(count.calls for kind, count in self.counts.items() if kind.group == "own" and kind.task in PASS_TASKS)
        return passes / self.total("own").calls if passes else 0.0

    def of_several(self, questions: int) -> Trial:
        """The trial for this many questions on one text, if each takes as much as this one and shared calls are made once."""
        counts = {kind: count.times(1 if kind.group == "shared" else questions) for kind, count in self.counts.items()}
        return replace(self, counts=counts, seconds=self.seconds * questions)


@dataclass
class TrialModel:
    """The offline model in place of another, noting calls; shared replies on record are reused."""

    spec: RunSpec
    store: Store | None
    reused: float = 0
    replies: list[tuple[Call, Reply]] = field(default_factory=list)
    embeds_by: ClassVar[str] = "tfidf"

    @property
    def total(self) -> CallCount:
        """All calls and their tokens."""
        found = CallCount()
        for call, reply in self.replies:
            found = found.with_reply(call, reply)
        return found

    def counts(self, built: frozenset[int]) -> dict[CallKind, CallCount]:
        """The calls by kind; `built` are the numbers of those made while the memory was built."""
        found: dict[CallKind, CallCount] = {}
        for call, reply in self.replies:
            group: Group = "shared" if call.prompt.shared else "building" if call.seq in built else "own"
            kind = CallKind(group, call.prompt.hash, call.prompt.task)
            found[kind] = found.get(kind, CallCount()).with_reply(call, reply)
        return found

    def immediate(self, call: Call) -> bool:
        return True

    def complete(self, call: Call) -> Reply:
        if call.prompt.shared and self.spec.reuse and self.store is not None:
            record = self.store.runs.tape("").find_shared(call.identity)
            if record is not None and record.reply is not None:
                self.reused += 1
                return Reply(record.reply, tokens_in=0, tokens_out=0, cost_usd=0.0)
        reply = Offline().complete(call)
        self.replies.append((call, reply))
        return reply


def try_out(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> Trial:
    """Try a run on a text of any length. Raises BadOptions if it cannot run at all; changes nothing."""
    text = document.text
    if len(text) <= 5 * MAX_WHOLE_TOKENS and tokens.count(text) <= MAX_WHOLE_TOKENS:
        return _try(document, reader, spec, store)
    return _try_long(document, reader, spec, store)


def _try(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> Trial:
    """Try a run from end to end."""
    model, tape = TrialModel(spec, store), MemoryTape()
    failed: ModelFailed | None = None
    began = time.monotonic()
    try:
        rehearse(document, reader, replace(spec, caps={}), model, tape=tape)
    except ModelFailed as failure:
        failed = failure
    except (ReadingError, Cancelled):
        raise
    except Exception as error:  # of the reader's own code
        raise ReaderFailed(f"the reader {reader.id!r} broke down: {in_words(error)}") from error
    seconds = time.monotonic() - began
    events = tuple(from_json(line) for line in tape.lines)
    built = frozenset(event.seq for event in events[: Trace(document, events).built_until] if isinstance(event, Asked))
    cuts = _innermost_spans(events)
    dropped = {
        event.picked for event in events if isinstance(event, Chose) and reader.narrative.decision(event.action).leaves_out
    }
    first_call = next((n for n, event in enumerate(events) if isinstance(event, Asked)), len(events))
    return Trial(
        spec, model.counts(built), model.reused, cuts, tuple(cut for cut in cuts if refs.place(*cut) in dropped), seconds, failed,
        cut_first=not any(isinstance(event, Cut) for event in events[first_call:]),
    )  # fmt: skip


def _try_long(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> Trial:
    """The trial of a long text, from its beginnings; from end to end if these lack something that the whole text has, such as
    headings."""
    try:
        return _from_beginnings(document, reader, spec, store)
    except BadOptions:
        return _try(document, reader, spec, store)


def _from_beginnings(document: Document, reader: Reader, spec: RunSpec, store: Store | None) -> Trial:
    """The trial of a long text, extrapolated from two of its beginnings; from end to end if they show no growth."""
    there, (before, after) = len(document.text), BEGINNING_LENGTHS
    short, long = (_try(_beginning(document, size), reader, spec, store) for size in (before, after))
    while len(long.cuts) - len(short.cuts) < MIN_NEW_PARTS:
        after *= 2
        if after >= there or (long.total("shared", "building", "own").calls <= 1 and len(long.cuts) <= FEW_PARTS):
            return _try(document, reader, spec, store)
        short, long = long, _try(_beginning(document, after), reader, spec, store)
    here = len(_beginning(document, after).text)
    cuts = cut_before_asking(document, reader, spec) if long.cut_first and there <= MAX_CUT_LENGTH else ()
    # The end of a beginning cuts its last part short, by half on average.
    whole = len(_innermost(cuts)) or (len(long.cuts) - 0.5) * there / here + 0.5
    parts = max(whole, len(long.cuts))
    kinds = dict.fromkeys([*long.counts, *short.counts])
    none = CallCount()
    found = replace(
        long,
        counts={
            kind: long.counts.get(kind, none).extrapolated(
                short.counts.get(kind, none),
                kind.task,
                short=len(short.cuts),
                long=len(long.cuts),
                whole=parts,
                counted=bool(cuts),
            )
            for kind in kinds
        },
        reused=long.reused * parts / len(long.cuts),
        seconds=long.seconds * there / here,
        cuts=_innermost(cuts) or long.cuts[:-1],  # the last part is cut off by the end of the beginning
        parts=round(parts),
    )
    return _with_earlier(found, document, in_effect(reader, spec), store)


def _with_earlier(trial: Trial, document: Document, spec: RunSpec, store: Store | None) -> Trial:
    """The trial with the shared calls of an earlier reading reused: the tree of a beginning is not part of the whole text's."""
    earlier = _earlier_reading(store, document, spec) if store is not None else None
    if store is None or earlier is None:
        return trial
    reused = sum(record.shared and record.reply is not None for record in store.runs.tape(earlier.id).records())
    return replace(trial, counts={k: count for k, count in trial.counts.items() if k.group != "shared"}, reused=reused)


def _earlier_reading(store: Store, document: Document, spec: RunSpec) -> Run | None:
    """A finished run on this text with the same terms, with any question, whose shared replies can be reused."""
    terms = asdict(spec)
    for run in store.runs.listed(document=document.id) if spec.reuse else []:
        if (
            run.status == "finished"
            and not run.taken_in
            and all({"reply_form": "words", **run.spec}.get(name) == terms[name] for name in SAME_FIELDS)
        ):
            return run
    return None


def _beginning(document: Document, size: int) -> Document:
    """The text up to the end of the last paragraph that ends before `size`."""
    text = document.text
    return Document(document.title, text[: max(text.rfind("\n\n", size // 2, size), 0) or size])


def _innermost_spans(events: Iterable[Event]) -> tuple[Span, ...]:
    return _innermost(span for event in events if isinstance(event, Cut) for span in event.spans)


def _innermost(cut: Iterable[Span]) -> tuple[Span, ...]:
    """The smallest spans that were cut, in order."""
    spans = sorted(set(cut), key=lambda s: (s[0], -s[1]))
    return tuple(span for n, span in enumerate(spans) if n + 1 == len(spans) or spans[n + 1].start >= span.end)
