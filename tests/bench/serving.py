"""A model's server in a process of its own, so that it takes no time from what is measured; and bare calls to it."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple

from readers.engine.models.call import Message
from readers.engine.models.loading import load_litellm
from tests.support.servers.model_server import ModelServer, replying

DELAY = 0.5
AT_ONCE = 32


class Server(NamedTuple):
    """Where it listens, and how many requests it has had."""

    url: str
    served: Callable[[], int]


@contextmanager
def server(reply: Callable[[str], str], *, delay: float = DELAY) -> Iterator[Server]:
    """Answers every message by `reply`, a function of a module, after half a second or another delay."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs, reply, delay), daemon=True)
    process.start()

    def served() -> int:
        ours.send("count")
        return int(ours.recv())

    try:
        yield Server(ours.recv(), served)
    finally:
        ours.send("stop")
        process.join(10)


def _serve(pipe: Connection, reply: Callable[[str], str], delay: float) -> None:
    with ModelServer(replying(reply, delay=delay)) as running:
        pipe.send(running.base_url)
        while pipe.recv() == "count":
            pipe.send(len(running.requests))


def bare(rounds: Sequence[Sequence[list[Message]]], url: str, *, max_tokens: int = 200, at_once: int = AT_ONCE) -> float:
    """Seconds for the messages through litellm and nothing else, round by round, so many at once."""
    litellm = load_litellm()

    def complete(messages: list[Message]) -> None:
        litellm.completion(
            model="openai/test", messages=messages, api_base=url, api_key="no-key", temperature=0.0, max_tokens=max_tokens,
            timeout=60, max_retries=0, num_retries=0,
        )  # fmt: skip

    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for messages in rounds:
            list(pool.map(complete, messages))
    return time.perf_counter() - began


def warm_up(url: str) -> None:
    """The first call through litellm takes longer."""
    bare([[[{"role": "user", "content": "warm up"}]]], url)
