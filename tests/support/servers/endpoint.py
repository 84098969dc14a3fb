"""The endpoint of `python -m readers serve`, going in this process for a test, as its command line would start it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from readers.cli.parser import build_parser
from readers.cli.serve.command import terms_of
from readers.cli.serve.server import Server, Service

KEY = "a key for tests"


@contextmanager
def endpoint(*words: str, at_once: int = 3) -> Iterator[Server]:
    """A server of these arguments on a free port. At the end of the block it is closed, and its readings are settled."""
    terms = terms_of(build_parser().parse_args(["serve", *words]))
    server = Server(Service(terms, KEY, at_once), 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join()


def client_of(server: Server, **how: Any) -> Any:
    """OpenAI's own client, for this server. Importing it takes a second."""
    from openai import OpenAI

    return OpenAI(base_url=server.base_url, **{"api_key": KEY, "max_retries": 0, "timeout": 60, **how})
