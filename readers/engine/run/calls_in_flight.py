"""The queue of model calls: they are numbered, looked up in the record, sent on pool threads, parsed, retried and recorded.

Guarantees (DESIGN section 5, rules 2 to 6): a call gets its number on the reader's own thread when its row is pulled; pool
threads only call the model; every reply is recorded as it arrives, only by the reader's thread, whichever call the reader waits
for; another attempt keeps the call's number; nothing is sent after a cancel or over budget. Where a server refuses a schema and
the settings allow it, the same call asks in words, and its record says why. Not here: events, and what a reader
sees of all this (`desk.py`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue

from readers.engine.canonical import encodable
from readers.engine.errors import Cancelled, Ended, KeyRefused, ModelFailed, PromptTooLong
from readers.engine.models.call import Call, Message, ModelSettings, Reply, ServedModel, asked_key, correction, with_note
from readers.engine.models.model import Model, SchemaRefused, Transient, is_immediate
from readers.engine.models.received import ReadReply, bounded, read_reply, take_thoughts, with_more_room
from readers.engine.models.tokenizer_files import SLICE
from readers.engine.prompts.formats.form import Parsed, Unreadable
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.record.edits import Edits
from readers.engine.record.events import CutOff
from readers.engine.record.journal import Journal, Wait
from readers.engine.text import tokens

MAX_FAILURES_IN_A_ROW = 10
LONG_WAIT_SECONDS = 5.0  # after which pages that follow the run show how long it has waited
# How far retries raise the temperature (`Prompt.warmer`); above it, models write fewer and fewer readable replies.
_MAX_RETRY_TEMPERATURE = 1.0

# In seconds: how often a waiting run checks whether to stop, and after how long its events are saved for the pages that follow
# it. A reply that arrives sooner saves them as well.
_POLL_SECONDS = 0.1
_FLUSH_AFTER_SECONDS = 0.01


@dataclass(frozen=True)
class Caps:
    """Limits beyond which a run ends as `over_budget`, and its maximum pace. None means no limit. Only live calls count:
    minutes are those in which any was in flight, in all executions of the run."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None
    calls_per_minute: float | None = None

    @property
    def out_of_time(self) -> str:
        """The sentence on the minutes that are used up."""
        return f"the budget of {self.max_minutes:g} minute{'' if self.max_minutes == 1 else 's'} is used up"


@dataclass
class PendingCall:
    """One numbered row. It is settled once a reply is parsed, its tries are used up, or it has failed.

    `in_words` is what it may ask instead if the server does not take a schema, `refused` why that happened.
    """

    seq: int
    prompt: Prompt
    parts: tuple[Part, ...]
    settings: ModelSettings
    asked: str
    sample: int
    left_out: tuple[tuple[str, int], ...] = ()
    edited: tuple[Message, ...] = ()
    in_words: Prompt | None = None
    refused: str = ""
    problems: list[str] = field(default_factory=list)
    room_factor: int = 1
    parsed: Parsed | None = None
    cut_off: CutOff | None = None
    failure: ModelFailed | None = None

    @property
    def attempt(self) -> int:
        """The current attempt, from 0: plus 1 for each misread reply."""
        return len(self.problems)

    @property
    def settled(self) -> bool:
        return self.parsed is not None or self.failure is not None or self.out_of_tries

    @property
    def out_of_tries(self) -> bool:
        return len(self.problems) >= self.prompt.tries

    def call(self, prompt: Prompt | None = None) -> Call:
        """The request for the current attempt, with its own prompt or another."""
        prompt = prompt or self.prompt
        note = correction(prompt, self.problems[-1]) if self.problems else ""
        call = Call(
            self.seq,
            self.attempt,
            prompt,
            self.parts,
            self._retry_settings(),
            sample=self.sample,
            note=note,
            edited=with_note(self.edited, note),
            asked=self.asked if prompt is self.prompt else "",
            refused=self.refused,
        )
        return with_more_room(call, self.room_factor) if self.room_factor > 1 else call

    def ask_in_words(self, edits: Edits, refused: str) -> None:
        """Ask in words from the current attempt on, because the server `refused` a schema."""
        assert self.in_words is not None
        self.prompt, self.in_words, self.refused = self.in_words, None, refused
        self.asked = asked_key(self.prompt, self.parts)
        self.edited = edits.edited_messages(self.seq, self.asked)

    @property
    def served(self) -> ServedModel:
        """The model that is asked, and where."""
        return ServedModel(self.settings.model, self.settings.api_base)

    def _retry_settings(self) -> ModelSettings:
        """The settings of the current attempt; retries may raise the temperature."""
        own, increase = self.settings.temperature, self.attempt * self.prompt.warmer
        if not increase:
            return self.settings
        return replace(self.settings, temperature=max(own, min(_MAX_RETRY_TEMPERATURE, own + increase)))

    def accept(self, call: Call, read: ReadReply) -> None:
        """Take a parsed reply, which settles the row, or a misread one, which calls for another attempt."""
        if isinstance(read.parsed, Unreadable):
            self.problems.append(read.parsed.problem)
            self.room_factor *= read.room_factor
            return
        self.parsed = read.parsed
        if read.cut:
            self.cut_off = CutOff(call.seq, call.attempt, call.max_tokens, read.repeats_after)


Row = tuple[Prompt, tuple[Part, ...]]
Ahead = Callable[[int, PendingCall], Iterable[Row]]  # from the number of a result, and the result
_Arrival = tuple[PendingCall, Call, Reply | BaseException]  # the result of a request


class CallsInFlight:
    """All calls of one execution of a run. Used only by the run's own thread.

    `concurrency` is the number of threads that call the model; with 0 the run's own thread does, and cannot be stopped meanwhile.
    """

    def __init__(
        self,
        journal: Journal,
        model: Model,
        *,
        concurrency: int = 8,
        caps: Caps | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.closing = False
        self._journal = journal
        self._model = model
        self._caps = caps or Caps()
        self._stopped = stopped
        self._no_threads = concurrency < 1
        self._max_concurrency = self._concurrency = max(1, concurrency)
        self._outgoing: SimpleQueue[tuple[PendingCall, Call, float] | None] = SimpleQueue()
        self._arrivals: SimpleQueue[_Arrival] = SimpleQueue()
        self._threads = 0
        self._in_flight = 0
        self._sent: dict[tuple[int, int], float] = {}  # when the calls in flight were sent, the oldest first
        self._shares = _Shares()
        self._ahead: deque[tuple[Row, PendingCall]] = deque()  # calls that the next `ask_all` begins with
        self._noted_wait: tuple[int, int] | None = None
        self._seq = 0
        self._refused: dict[ServedModel, str] = {}  # which servers took no schema, and what they said
        self.failures_in_a_row = 0  # importing a run resets it
        self._replies_since_limit = 0
        self._next_send = 0.0

    def ask(self, prompt: Prompt, parts: tuple[Part, ...], settings: ModelSettings) -> PendingCall:
        """Make one call and wait for it."""
        pending = self._start(prompt, parts, settings)
        while not pending.settled:
            self._receive()
        return pending

    def ask_all(self, rows: Iterable[Row], settings: ModelSettings, *, ahead: Ahead | None = None) -> list[PendingCall]:
        """Make many calls concurrently; the results keep the order of the rows. A failed row does not affect its siblings until
        too many have failed in a row.

        `ahead` is given each result once it and all before it are there, and returns rows that the next `ask_all` begins with.
        Once every row has its number, these get theirs, and are sent while there is room. Under a budget nothing is asked ahead:
        it might be used up for them where a row is asked again."""
        calls: list[PendingCall] = []
        unsettled: deque[PendingCall] = deque()
        coming: deque[Row] = deque()
        told = 0
        pull: Iterator[Row] | None = iter(rows)
        while pull or unsettled:
            while pull and (self._ahead or self._in_flight < self._concurrency):
                row = next(pull, None) if self.failures_in_a_row < MAX_FAILURES_IN_A_ROW else None
                if row is None:
                    pull = None
                    break
                calls.append(self._taken(row) if self._ahead else self._start(*row, settings))
                unsettled.append(calls[-1])
            while unsettled and unsettled[0].settled:
                unsettled.popleft()
            while ahead and told < len(calls) - len(unsettled) and not calls[told].failure:
                coming.extend(ahead(told, calls[told]))
                told += 1
            while coming and unsettled and not pull and self._in_flight < self._concurrency and self._may_ask_ahead():
                self._ahead.append((coming[0], self._start(*coming.popleft(), settings)))
            if unsettled and self._in_flight:
                self._receive()
        return calls

    def _may_ask_ahead(self) -> bool:
        caps = self._caps
        return not self.failures_in_a_row and (caps.max_calls, caps.max_tokens, caps.max_cost, caps.max_minutes) == (None,) * 4

    def _taken(self, row: Row) -> PendingCall:
        """The call that was made ahead for this row."""
        known, pending = self._ahead.popleft()
        assert (known[0].id, known[1]) == (row[0].id, row[1]), "what was asked ahead is asked next"
        return pending

    def close(self, linger: float = 0.0) -> None:
        """Send nothing more. Replies still in flight are recorded if they arrive within `linger` seconds."""
        self.closing = True
        deadline = time.monotonic() + linger
        while self._in_flight and (left := deadline - time.monotonic()) > 0:
            try:
                arrival = self._arrivals.get(timeout=left)
            except Empty:
                break
            self._in_flight -= 1
            with suppress(ModelFailed):  # recorded; the run has already ended for another reason
                self._record(arrival)
        for _ in range(self._threads):
            self._outgoing.put(None)
        self._sent.clear()
        self._note_wait()

    def _start(self, prompt: Prompt, parts: tuple[Part, ...], settings: ModelSettings) -> PendingCall:
        """Number a call and advance it as far as possible without waiting."""
        pending = self._prepare(prompt, parts, settings)
        self._seq += 1
        self._advance(pending)
        return pending

    def _prepare(self, prompt: Prompt, parts: tuple[Part, ...], settings: ModelSettings) -> PendingCall:
        """Apply everything that changes the next call: the fork's edits and the model's window."""
        edits = self._journal.edits
        if prompt.task != "score":
            settings = edits.settings(self._seq, settings)
        if prompt is not SLICE:  # cutting a text shows it to no model
            parts = edits.remove_left_out(self._seq, parts)
        held = settings.form_of(prompt)
        parts, left_out = fit_to_window(held, parts, settings)
        key = asked_key(held, parts)
        sample = settings.sample_base + self._journal.next_sample(key)
        pending = PendingCall(self._seq, held, parts, settings, key, sample, left_out, edits.edited_messages(self._seq, key))
        if settings.reply_form == "auto" and held.schema:
            pending.in_words = prompt.unheld()
            if edits.edited_messages(self._seq, asked_key(pending.in_words, parts)) and not pending.edited:
                pending.ask_in_words(edits, "")  # a person worded what had been asked so
        return pending

    def _advance(self, pending: PendingCall) -> None:
        """Use recorded replies as long as there are any; then call the model, here or on a thread."""
        while not pending.settled:
            call = pending.call()
            if pending.in_words and (why := self._journal.refusal(call, pending.call(pending.in_words))):
                self._refused.setdefault(pending.served, why)
                pending.ask_in_words(self._journal.edits, why)
                continue
            record = self._journal.recall(call) or self._journal.reuse_reply(call)
            if record is not None and record.reply is not None:
                pending.accept(call, self._journal.read(call, record))
            elif pending.in_words and pending.served in self._refused:
                pending.ask_in_words(self._journal.edits, self._refused[pending.served])
            elif not self._may_send(pending, call):
                return
            elif self._no_threads or is_immediate(self._model, call):
                self._record((pending, call, self._complete(call)))
            else:
                self._send(pending, call)
                return

    def _may_send(self, pending: PendingCall, call: Call) -> bool:
        """Whether a call may be sent. Raises Cancelled, or Ended if the budget is used up; a prompt that is too long fails its
        call."""
        if self._stopped():
            raise Cancelled
        while over := self.exceeded_budget():
            if not self._in_flight:
                raise Ended("over_budget", over)
            self._receive()  # calls in flight are within the budget and recorded before the run ends
        if too_long := _too_long(call):
            pending.failure = too_long
            self._journal.record_failure(call, str(too_long))
        return not too_long

    def _send(self, pending: PendingCall, call: Call) -> None:
        self._shares.begin((call.seq, call.attempt))
        self._in_flight += 1
        if self._threads < min(self._in_flight, self._max_concurrency):
            self._threads += 1
            threading.Thread(target=self._work, daemon=True, name=f"calls-{self._threads}").start()
        not_before = self._next_send_time()
        self._sent[call.seq, call.attempt] = max(not_before, time.monotonic())
        self._outgoing.put((pending, call, not_before))

    def _work(self) -> None:
        while (job := self._outgoing.get()) is not None:
            pending, call, not_before = job
            time.sleep(max(0.0, not_before - time.monotonic()))
            stopped = ModelFailed("the reading was stopped before this call went out")
            self._arrivals.put((pending, call, stopped if self.closing else self._complete(call)))

    def _complete(self, call: Call) -> Reply | BaseException:
        """The model's reply, or the exception it raised, for the run's own thread to handle."""
        try:
            return self._model.complete(call)
        except BaseException as error:  # raised again by _record on the run's thread
            return error

    def _receive(self) -> None:
        """Wait for the next reply to any call, and handle it."""
        wait = _FLUSH_AFTER_SECONDS
        while True:
            if self._stopped():
                raise Cancelled
            try:
                arrival = self._arrivals.get(timeout=wait)
                break
            except Empty:
                self._journal.flush()
                self._note_wait()
                wait = _POLL_SECONDS
        self._in_flight -= 1
        pending, call, outcome = arrival
        self._sent.pop((call.seq, call.attempt), None)
        share = self._shares.end((call.seq, call.attempt))
        if isinstance(outcome, Reply) and outcome.ms and share:
            outcome = replace(outcome, at_once=outcome.ms / 1000 / share)
        self._record((pending, call, outcome))
        if pending.failure is None:
            self._advance(pending)

    def _note_wait(self) -> None:
        """Note the oldest call in flight once it has waited long, and that it no longer does."""
        oldest, sent = next(iter(self._sent.items()), (None, 0.0))
        seconds = time.monotonic() - sent
        if oldest is None or seconds < LONG_WAIT_SECONDS:
            if self._noted_wait is not None:
                self._noted_wait = None
                self._journal.note_wait(None)
        elif oldest != self._noted_wait:
            self._noted_wait = oldest
            self._journal.note_wait(Wait(oldest[0], seconds))

    def _record(self, arrival: _Arrival) -> None:
        pending, call, outcome = arrival
        if isinstance(outcome, SchemaRefused) and pending.in_words:
            pending.ask_in_words(self._journal.edits, encodable(outcome.why))
        elif isinstance(outcome, ModelFailed):
            self.failures_in_a_row += 1
            if isinstance(outcome, Transient) and outcome.rate_limited:
                self._adapt_concurrency(1)
            pending.failure = outcome
            self._journal.record_failure(call, encodable(str(outcome)))
            if isinstance(outcome, KeyRefused):
                raise outcome
        elif isinstance(outcome, Reply):
            self.failures_in_a_row = 0
            self._adapt_concurrency(outcome.rate_limits)
            reply = take_thoughts(call, _encodable(bounded(call, outcome)))
            read = read_reply(call, reply.text, finish=reply.finish, thought=bool(reply.thoughts))
            self._journal.record(call, reply, read.parsed)
            pending.accept(call, read)
            if pending.refused:  # and the same was answered without a schema
                self._refused.setdefault(pending.served, pending.refused)
        else:
            raise outcome

    def _adapt_concurrency(self, limited: int) -> None:
        """A rate limit halves the number of concurrent calls; eight replies without a limit add one call again."""
        self._replies_since_limit = 0 if limited else self._replies_since_limit + 1
        if limited:
            self._concurrency = max(1, self._concurrency // 2)
        elif self._replies_since_limit % 8 == 0:
            self._concurrency = min(self._max_concurrency, self._concurrency + 1)

    def exceeded_budget(self) -> str:
        """A sentence on the budget that is used up; empty if none is. Recorded as the reason of `Ended`, so its wording must not
        change."""
        caps, spent = self._caps, self._journal.spent
        if caps.max_calls is not None and spent.calls + self._in_flight >= caps.max_calls:
            return f"the budget of {caps.max_calls} calls is used up"
        if caps.max_tokens is not None and spent.tokens >= caps.max_tokens:
            return f"the budget of {caps.max_tokens} tokens is used up"
        if caps.max_cost is not None and spent.usd >= caps.max_cost:
            return f"the budget of {caps.max_cost:g} US dollars is used up"
        if caps.max_minutes is not None and spent.seconds >= 60 * caps.max_minutes:
            return caps.out_of_time
        return ""

    def _next_send_time(self) -> float:
        """When the next call may be sent, by the clock of `time.monotonic`."""
        if not self._caps.calls_per_minute:
            return 0.0
        self._next_send = max(self._next_send, time.monotonic()) + 60 / self._caps.calls_per_minute
        return self._next_send - 60 / self._caps.calls_per_minute


class _Shares:
    """The seconds that a reading waits for each of its calls, each moment divided by all that are in flight: their sum is the
    time in which any was."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, int], float] = {}
        self._last = 0.0
        self._share = 0.0  # the seconds since the beginning, each moment divided by the calls that were in flight

    def begin(self, key: tuple[int, int]) -> None:
        self._begun[key] = self._tick()

    def end(self, key: tuple[int, int]) -> float:
        share = self._tick()
        return share - self._begun.pop(key)

    def _tick(self) -> float:
        now = time.monotonic()
        if self._begun:
            self._share += (now - self._last) / len(self._begun)
        self._last = now
        return self._share


def _encodable(reply: Reply) -> Reply:
    """The reply with every half of a character replaced."""
    if reply.text.isascii() and reply.thoughts.isascii() and reply.finish.isascii():
        return reply
    return replace(reply, text=encodable(reply.text), thoughts=encodable(reply.thoughts), finish=encodable(reply.finish))


def fit_to_window(
    prompt: Prompt, parts: tuple[Part, ...], settings: ModelSettings
) -> tuple[tuple[Part, ...], tuple[tuple[str, int], ...]]:
    """The parts as they fit into the window, and how many texts each lost. Parts that give way lose their earliest texts
    first."""
    if settings.window is None or not prompt.gives_way:
        return parts, ()
    room = settings.window - settings.room_for_reply(prompt)
    by_name = {part.name: part for part in parts}
    left_out = dict.fromkeys(prompt.gives_way, 0)
    for name in prompt.gives_way:
        while by_name[name].texts and not _fits(prompt.render(by_name.values()), room):
            by_name[name] = Part(name, by_name[name].texts[1:])
            left_out[name] += 1
    return tuple(by_name.values()), tuple((name, count) for name, count in left_out.items() if count)


def _fits(words: str, room: int) -> bool:
    """Whether text fits into this many tokens. A token has at least one byte, so most prompts need no counting."""
    return len(words.encode("utf-8", "replace")) <= room or tokens.count(words) <= room


def _too_long(call: Call) -> PromptTooLong | None:
    """The failure of a call that exceeds the model's window. Importing a run compares its words, so they must not change."""
    window, prompt = call.settings.window, call.prompt
    if window is None:
        return None
    words = "".join(message["content"] for message in call.messages)
    room = window - call.max_tokens - prompt.spare
    if _fits(words, room):
        return None
    size = tokens.count(words)
    spare = f" and {prompt.spare} for what is to come beside it" if prompt.spare else ""
    return PromptTooLong(
        f"prompt {prompt.id!r} takes {size} tokens and {call.max_tokens} for the reply{spare}, but model "
        f"{call.settings.model!r} has a window of {window}: take smaller segments, or a model with a larger window",
        over=size - room,
    )
