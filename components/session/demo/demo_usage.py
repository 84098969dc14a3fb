"""What a public demo counts: readings begun, by visit, by address and in all, and the calls that its host pays for.

What was begun stays counted when it is deleted, and a new tab is another visit from the same address. Not here: the limits
(`demo_limits.py`) and the table (`store/visits.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address

from components.session.demo import demo_limits as demos
from components.session.page import database
from readers.engine.canonical import digest
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model, is_immediate
from readers.engine.store import Store
from readers.engine.store.visits import Usage

ALL, PAID = "all", "paid"
IPV6_HOST_BITS = 64  # one household or machine chooses these itself
FORWARDED = "X-Forwarded-For"


@dataclass(frozen=True)
class Guest:
    """A visitor, and the address they come from, empty if it is not known: these count as one address."""

    visitor: str
    address: str = ""

    @property
    def counters(self) -> tuple[str, str, str]:
        """The visit's, the address's and everybody's. An address is not stored in clear."""
        return f"visit:{self.visitor}", f"address:{digest(f'{datetime.now(UTC).date()} {self.address}')[:24]}", ALL


def address_of(peer: str | None, forwarded: Sequence[str]) -> str:
    """The visitor's address, with `forwarded` the headers X-Forwarded-For: the other end of the connection, or, if the host says
    that this is always a proxy, what that has written last. Empty if neither is an address. Addresses of one IPv6 network count
    as one.

    The server puts what such a header says in the place of a connection from this machine, and anybody can write one. Unless the
    host trusts the proxy, an address that is also in the header is therefore none: all who come that way count as one.
    """
    entries = [_host(entry) for line in forwarded for entry in line.split(",")]
    found = _as_counted(peer or "")
    if demos.trusts_proxy():
        return _as_counted(entries[-1]) if entries and entries[-1] else found
    return "" if found in map(_as_counted, entries) else found


def _host(entry: str) -> str:
    """An entry of the header without the port, which some proxies write, too."""
    entry = entry.strip()
    return entry.rpartition(":")[0].strip("[]") if entry.count(":") == 1 or entry.startswith("[") else entry


def _as_counted(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> IPV6_HOST_BITS << IPV6_HOST_BITS))
    return str(found)


def begun(store: Store, guest: Guest) -> demos.ReadingCounts:
    visit, address, everybody = guest.counters
    usage = store.demo_usage
    return demos.ReadingCounts(usage.in_all(visit).readings, usage.today(address).readings, usage.today(everybody).readings)


def count(store: Store, guest: Guest, *, readings: int = 1) -> None:
    """Count readings as begun. Raises LimitReached, and counts none, if so many may not begin."""
    store.demo_usage.add(guest.counters, Usage(readings), check=lambda: demos.check_readings(begun(store, guest), readings))


@contextmanager
def counted(store: Store, guest: Guest, *, readings: int = 1) -> Iterator[None]:
    """Readings that begin within are counted first; if they do not begin after all, they are not. Raises like `count`."""
    count(store, guest, readings=readings)
    try:
        yield
    except BaseException:
        store.demo_usage.add(guest.counters, Usage(-readings))
        raise


@dataclass(frozen=True)
class PaidModel:
    """A model that the host of a demo pays for. Every call is counted before it goes out, whatever asked for it, and what it cost
    after it; nothing goes out once the day's budget is used up (LimitReached)."""

    model: Model

    def immediate(self, call: Call) -> bool:
        return is_immediate(self.model, call)

    def complete(self, call: Call) -> Reply:
        with database.opened() as store:  # on the thread of the call
            store.demo_usage.add([PAID], Usage(calls=1), check=lambda: _check_budget(store))
        reply = self.model.complete(call)
        if reply.cost_usd:
            with database.opened() as store:
                store.demo_usage.add([PAID], Usage(usd=reply.cost_usd))
        return reply


def _check_budget(store: Store) -> None:
    spent = store.demo_usage.today(PAID)
    demos.check_budget(spent.calls, spent.usd)


def within_budget(model_id: str, model: Model) -> Model:
    """The model as visitors may call it: in a demo, within the day's budget if it costs something."""
    return PaidModel(model) if demos.on() and not catalogue.needs_nothing(model_id) else model
