"""A worker's connection to the home, over which it pulls the record of one reading and posts its results; the next reading has it
after that.

A post that fails is repeated for some seconds: repeating changes nothing at home. Not here: what is posted (`posted.py`).
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from readers.engine.canonical import canonical
from readers.engine.errors import Busy, ReadingError, StoreError
from readers.engine.record.journal import Record
from readers.engine.text.document import Document, PrintedPage

LEASE = "Palimpsest-Lease"  # the header
PATIENCE_SECONDS = 20.0
FIRST_WAIT, MOST_WAIT = 0.1, 2.0
ANSWER_SECONDS = 60.0
CANCEL_CHECK_SECONDS = 1.0
_idle: dict[HomeAddress, list[http.client.HTTPConnection]] = {}  # connections that no reading uses now


@dataclass(frozen=True)
class HomeAddress:
    """Where workers find the home, and the token that lets them in."""

    host: str
    port: int
    token: str = field(repr=False)


@dataclass(frozen=True)
class Opened:
    """A reading as it was opened: its spec as JSON data, its document's id, its record, and whether calls must ask before they
    are sent."""

    spec: dict[str, Any]
    document: str
    records: list[Record]
    events: list[str]
    paced: bool


class HomeClient:
    """The home, for one reading. Thread-safe."""

    def __init__(
        self, address: HomeAddress, run: str, *, patience: float = PATIENCE_SECONDS, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.address = address
        self._run = run
        self._patience = patience
        self._sleep = sleep
        self._lease = ""
        self._connection: http.client.HTTPConnection | None = None
        self._lock = threading.Lock()
        self._next_check = 0.0

    def __enter__(self) -> HomeClient:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._connection is not None:
                _keep(self.address, self._connection)
                self._connection = None

    def open(self, turn: int) -> Opened:
        """Open the reading. Raises Busy if it was given to another worker since."""
        found = self.post("open", {"turn": turn})
        self._lease = found["lease"]
        records = [Record(**row) for row in found["records"]]
        return Opened(found["spec"], found["document"], records, found["events"], found["paced"])

    def document(self) -> Document:
        found = self.post("document", {})
        return Document(found["title"], found["text"], tuple(PrintedPage(*page) for page in found["pages"]))

    def find_shared(self, identity: str) -> Record | None:
        found = self.post("shared", {"identity": identity})["record"]
        return Record(**found) if found else None

    def reserve(self, tokens: int) -> float:
        """The seconds that a call with a prompt of this many tokens must wait before it is sent."""
        return float(self.post("reserve", {"tokens": tokens})["seconds"])

    def cancel_asked(self) -> bool:
        """Whether somebody has asked to stop; the home is asked at most once a second."""
        if time.monotonic() < self._next_check:
            return False
        self._next_check = time.monotonic() + CANCEL_CHECK_SECONDS
        return bool(self.post("stop", {})["stop"])

    def settle(
        self, status: str, *, seconds: float, error: str | None = None, rest: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Post how the execution ended, with the `rest` that is still to be saved. Its outcome follows from the events."""
        end = {"status": status, "seconds": seconds, "error": None if status == "finished" else error}
        self.post("end", {**end, "rest": rest})

    def post(self, verb: str, data: dict[str, Any]) -> dict[str, Any]:
        """The home's answer. Raises Busy if another worker does this reading by now, StoreError if the home refuses the post or
        cannot be reached."""
        body = canonical(data).encode()
        until, wait = time.monotonic() + self._patience, FIRST_WAIT
        while True:
            try:
                with self._lock:
                    return self._once(verb, body)
            except (OSError, http.client.HTTPException, ValueError) as error:
                if time.monotonic() + wait > until:
                    where = f"{self.address.host}:{self.address.port}"
                    raise StoreError(
                        f"the home of this reading cannot be reached at {where}: {error}; what it has is safe there, and the "
                        "reading can be resumed"
                    ) from None
            self._sleep(wait)
            wait = min(2 * wait, MOST_WAIT)

    def _once(self, verb: str, body: bytes) -> dict[str, Any]:
        try:
            return self._exchange(verb, body)
        except ReadingError:
            raise
        except BaseException:
            self._hang_up()
            raise

    def _exchange(self, verb: str, body: bytes) -> dict[str, Any]:
        if self._connection is None:
            idle = _idle.get(self.address)
            self._connection = (
                idle.pop() if idle else http.client.HTTPConnection(self.address.host, self.address.port, timeout=ANSWER_SECONDS)
            )
        headers = {"Authorization": f"Bearer {self.address.token}", LEASE: self._lease, "Content-Type": "application/json"}
        self._connection.request("POST", f"/{self._run}/{verb}", body, headers)
        answer = self._connection.getresponse()
        found = json.loads(answer.read())
        if answer.status == 200:
            return dict(found)
        message = str(found.get("error"))
        if answer.status == 409:
            raise Busy(message)
        if answer.status >= 500:
            raise OSError(message)
        raise StoreError(f"the home of this reading refuses what its worker posts: {message}")

    def _hang_up(self) -> None:
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None


def _keep(home: HomeAddress, connection: http.client.HTTPConnection) -> None:
    """Keep a connection for the next reading of its home, and none to other homes: those may have ended."""
    for other in [address for address in _idle if address != home]:
        for idle in _idle.pop(other, ()):
            idle.close()
    _idle.setdefault(home, []).append(connection)
