"""What the record of a watched program costs each of its calls: the same proxy with the record and without it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from readers.cli.watch.recording import WatchedReading
from readers.cli.watch.watching import Led, recording
from readers.engine.text.document import Document
from tests.bench.serving import server

CALLS, ROUNDS, DELAY = 30, 3, 0.2  # of a quick model
CHARACTERS = 8_000  # of a prompt
MOST_MS = 10.0


def _forget(exchange: object) -> None:
    """Records nothing."""


def _reply(words: str) -> str:
    return words[200:1200]


def overhead() -> tuple[str, str, float, float]:
    """Milliseconds that a call takes longer with the record, to the most that they may be."""
    sentences = (f"In the year {n} the keeper of lamp {n * 7919 % 4001} wrote down what he had seen." for n in range(3_000))
    document = Document.of("\n".join(sentences), title="A long text")
    plain = recorded = float("inf")
    with server(_reply, delay=DELAY) as real:
        for _ in range(ROUNDS):
            with _watcher(real.url, document, records=False) as url:
                plain = min(plain, _seconds(url, document))
            with _watcher(real.url, document, records=True) as url:
                recorded = min(recorded, _seconds(url, document))
    extra = 1000 * (recorded - plain) / CALLS
    print(f"  a call: {1000 * plain / CALLS:.1f} ms without the record, {1000 * recorded / CALLS:.1f} ms with it")
    return "watch: the record of a call", f"{MOST_MS:g} ms", extra / MOST_MS, 1.0


@contextmanager
def _watcher(to: str, document: Document, *, records: bool) -> Iterator[str]:
    led = Led(to)
    spec = led.spec("Who lit the lamp?")
    with recording(led.target(""), lambda store, name: WatchedReading(store, document, spec), 0) as (watcher, recorder):
        if not records:
            watcher.note = _forget
        yield watcher.url
        if records:
            watcher.wait_until_idle(60)
            recorder.finish("main", lambda calls: calls[-1].reply)


def _seconds(url: str, document: Document) -> float:
    with httpx.Client(timeout=60) as client:
        began = time.perf_counter()
        for number in range(CALLS):
            part = document.text[number * CHARACTERS : (number + 1) * CHARACTERS]
            body = {"model": "test", "messages": [{"role": "user", "content": f"Note what matters.\n\n{part}"}]}
            client.post(f"{url}/v1/chat/completions", json=body).raise_for_status()
        return time.perf_counter() - began
