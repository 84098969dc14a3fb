"""Records the exchanges of watched programs on a thread of its own, so that no program waits for it: each belongs to a reading by
its name. Not here: the server (`proxy.py`), and one reading's record (`recording.py`).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

from readers.cli.watch import protocols
from readers.cli.watch.proxy import Exchange, decoded
from readers.cli.watch.recording import WatchedReading
from readers.engine.errors import BadOptions
from readers.engine.store import Run, Store
from readers.observed.calls import ObservedCall, Said

SHARE = 4  # of its time the thread rests this many times as long as it works, so that a live view costs little
LONGEST_REST = 2.0  # seconds
LAG = 0.05  # seconds in which a program's next request can go out, before the thread works while the model does
KEY_LEFT_OUT = "[key]"
TOO_LONG = "it was longer than the record takes, and was only passed on"
Begin = Callable[[Store, str], WatchedReading]


class _Finish:
    """How a reading ends. `answer` finds the answer, or raises BadOptions, which says why there is none."""

    def __init__(self, reading: str, answer: Callable[[list[ObservedCall]], str], *, cancelled: bool) -> None:
        self.reading, self.answer, self.cancelled = reading, answer, cancelled


class Recorder:
    """The thread, with its store. `begin` puts the reading of a name on record when it is first heard of. Used as a context."""

    def __init__(self, begin: Begin, path: Path | None = None) -> None:
        self._begin, self._path = begin, path
        self._todo: SimpleQueue[Exchange | _Finish | str | None] = SimpleQueue()
        self._readings: dict[str, WatchedReading] = {}
        self._ended: set[str] = set()
        self._before: dict[str, list[str]] = {}
        self._done: SimpleQueue[Run | BaseException] = SimpleQueue()
        self._waited_for = threading.Event()  # somebody waits for the end of a reading, so there is no rest
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self.calls = 0  # recorded so far

    def __enter__(self) -> Recorder:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._todo.put(None)
        self._waited_for.set()
        self._thread.join()

    def note(self, exchange: Exchange) -> None:
        self._todo.put(exchange)

    def open(self, reading: str) -> None:
        """Put a reading on record before its first call."""
        self._todo.put(reading)

    def finish(self, reading: str, answer: Callable[[list[ObservedCall]], str], *, cancelled: bool = False) -> Run:
        """End a reading, and wait until it is settled. Raises what kept it from that."""
        self._todo.put(_Finish(reading, answer, cancelled=cancelled))
        self._waited_for.set()
        done = self._done.get()
        self._waited_for.clear()
        if isinstance(done, BaseException):
            raise done
        return done

    def asked_to_end(self, store: Store) -> list[str]:
        """The readings that somebody asked to end, on their page or from a terminal."""
        return [name for name, reading in [*self._readings.items()] if store.runs.cancel_asked(reading.run.id)]

    @property
    def names(self) -> list[str]:
        """The readings so far that have not ended."""
        return list(self._readings)

    def _work(self) -> None:
        with Store(self._path) as store:
            while True:
                batch = [self._todo.get()]
                self._waited_for.wait(LAG)
                while not isinstance(batch[-1], _Finish) and batch[-1] is not None:
                    try:
                        batch.append(self._todo.get_nowait())
                    except Empty:
                        break
                began = time.monotonic()
                self._take([one for one in batch if isinstance(one, (Exchange, str))], store)
                if isinstance(batch[-1], _Finish):
                    self._settle(batch[-1], store)
                elif batch[-1] is None:
                    return
                else:
                    self._waited_for.wait(min(LONGEST_REST, SHARE * (time.monotonic() - began)))

    def _take(self, batch: list[Exchange | str], store: Store) -> None:
        calls: dict[str, list[ObservedCall]] = {}
        for one in batch:
            name = one if isinstance(one, str) else one.reading
            made = calls.setdefault(name, [])
            if isinstance(one, Exchange) and (call := self._call(one)):
                made.append(call)
        for name, made in calls.items():
            if name in self._ended:  # its program was ended while a call was under way
                continue
            try:
                reading = self._readings.get(name) or self._readings.setdefault(name, self._begin(store, name))
                reading.add(made)
                self.calls += len(made)
            except Exception as error:  # whatever it is, the program must not notice, and the end tries again
                print(f"note: the record waits: {error}", file=sys.stderr)

    def _call(self, exchange: Exchange) -> ObservedCall | None:
        """What was said in an exchange; None for embeddings, which are told before the next call."""
        before = self._before.setdefault(exchange.reading, [])
        if exchange.path.endswith(protocols.EMBEDDINGS):
            before.append(protocols.embedded(exchange.request or b""))
            return None
        call = _without_keys(call_of(exchange, tuple(before)), exchange.keys)
        before.clear()
        return call

    def _settle(self, end: _Finish, store: Store) -> None:
        try:
            reading = self._readings.get(end.reading) or self._begin(store, end.reading)
            why = answer = ""
            if not end.cancelled:
                try:
                    answer = end.answer(reading.calls)
                except BadOptions as error:
                    why = str(error)
            self._done.put(reading.finish(answer, reason=why, cancelled=end.cancelled))
        except BaseException as error:  # raised again where the reading is ended
            self._done.put(error)
        self._readings.pop(end.reading, None)
        self._ended.add(end.reading)


def _without_keys(call: ObservedCall, keys: Sequence[str]) -> ObservedCall:
    """A call in which no key stands, though the server may have repeated it in an error."""
    for key in keys:
        messages = tuple(Said(one.role, one.text.replace(key, KEY_LEFT_OUT)) for one in call.messages)
        said = {name: getattr(call, name).replace(key, KEY_LEFT_OUT) for name in ("reply", "thoughts", "error", "model")}
        call = replace(call, messages=messages, **said)
    return call


def call_of(exchange: Exchange, before: tuple[str, ...] = ()) -> ObservedCall:
    """The call in an exchange. One that cannot be read has no messages, and says so."""
    call = ObservedCall(exchange.asked, exchange.answered, (), "", before=before)
    if exchange.request is None:
        return replace(call, error=f"what the program sent is not shown: {TOO_LONG}")
    try:
        messages = protocols.messages_of(exchange.path, exchange.request)
    except BadOptions as error:
        return replace(call, error=str(error))
    family = "anthropic" if exchange.path.endswith("/messages") else "openai"  # as litellm names who speaks so
    named, room = protocols.model_of(exchange.request), protocols.room_of(exchange.request)
    call = replace(call, messages=messages, model=f"{family}/{named}" if named else "", room=room)
    reply = None if exchange.reply is None else decoded(exchange.reply, exchange.encoding)
    if reply is None:
        return replace(call, error=exchange.error or f"what the server replied is not shown: {TOO_LONG}")
    streamed = exchange.kind.startswith("text/event-stream")
    said = protocols.replied(exchange.path, reply, streamed=streamed, status=exchange.status)
    finish = "broken off" if exchange.error else said.finish
    return replace(
        call, reply=said.text, thoughts=said.thoughts, finish=finish, tokens_in=said.tokens_in, tokens_out=said.tokens_out,
        error="" if said.text and not said.error else exchange.error or said.error or "the reply is empty",
    )  # fmt: skip
