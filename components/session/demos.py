"""A public demo: what its visitors may use, what is counted, and the visits whose items it deletes.

PALIMPSEST_DEMO turns the demo on. The host pays for the API keys in the environment, so visitors may use only free models
(including a person) and the model that the host has named, and spend per day only what the host allows. Started readings are
counted by visit, by address and in total, and so are the calls that the host pays for; deleted readings stay counted.

A visit is a browser's, by its cookie, and lasts as long as one of its pages is connected, by the server's own list of sessions:
nothing that a visitor sends ends the visit of another. A page may be reloaded, and a connection that breaks may come back, so the
end waits some minutes. Items left by visits of a killed process are deleted when the next process starts. Not here: who the
visitor is (`state.py`), and the tables (`store/visits.py`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import Any

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.session import database, process_cache
from readers.engine.canonical import digest
from readers.engine.errors import BadFile, BadOptions, LimitReached
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import Model, is_immediate
from readers.engine.run.jobs import Jobs
from readers.engine.store import Store
from readers.engine.store.visits import Usage

MOST_BYTES = 2_000_000
MOST_FILE_BYTES = 20_000_000  # of a run file, which holds the text many times over
MOST_UPLOADED = 200_000_000  # bytes of files that all visitors together have on the server at once
MOST_TOKENS = 200_000
MOST_CALLS = 2_000
OFF = ("", "0", "no", "off", "false")
OWN_COPY = "run Palimpsest on your own machine for more"
ALL, PAID = "all", "paid"
IPV6_HOST_BITS = 64  # one household or machine chooses these itself
FORWARDED = "X-Forwarded-For"
GRACE_SECONDS = 300.0  # that a visit without a page is kept, if the host has not set it


def on() -> bool:
    return _is_on("PALIMPSEST_DEMO")


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() not in OFF


@dataclass(frozen=True)
class DemoLimits:
    """Readings a visit, and a day from one address and in all; calls to models that cost something, and US dollars, per day."""

    visit: int = 20
    address: int = 60
    day: int = 1_000
    calls: int = 5_000
    dollars: float = 5.0


_VARIABLES = {
    "visit": "PALIMPSEST_DEMO_READINGS",
    "address": "PALIMPSEST_DEMO_READINGS_ADDRESS",
    "day": "PALIMPSEST_DEMO_READINGS_DAY",
    "calls": "PALIMPSEST_DEMO_CALLS_DAY",
    "dollars": "PALIMPSEST_DEMO_DOLLARS_DAY",
}
_GRACE = "PALIMPSEST_DEMO_MINUTES"


def limits() -> DemoLimits:
    """What the host has set in the environment, else the defaults. Raises BadOptions for a value that is not a number."""
    return DemoLimits(**{name: _set(variable) for name, variable in _VARIABLES.items() if os.environ.get(variable, "").strip()})


def grace_seconds() -> float:
    """How long a visit is kept when none of its pages is open."""
    return 60 * float(_set(_GRACE)) if os.environ.get(_GRACE, "").strip() else GRACE_SECONDS


def gone() -> str:
    return (
        "This is a public demo: only you see what you add, and it is deleted when no page of yours has been open for "
        f"{grace_seconds() / 60:g} minutes, or the demo is started again."
    )


def _set(variable: str) -> Any:
    value = os.environ[variable].strip()
    try:
        number = float(value) if variable in (_VARIABLES["dollars"], _GRACE) else int(value)
    except ValueError:
        number = -1
    if not math.isfinite(number) or number < 0:
        raise BadOptions(f"{variable} is {value!r}; the host of this demo can set it to a number from 0, or unset it")
    return number


def trusts_proxy() -> bool:
    """Whether the host says that every visitor comes through a proxy, which adds their address to X-Forwarded-For."""
    return _is_on("PALIMPSEST_DEMO_PROXY")


def models() -> tuple[str, ...]:
    """The models visitors may use: the host's first, if named."""
    there = [
        catalogue.default_model(),
        catalogue.OFFLINE,
        *catalogue.installed_local(),
        catalogue.HUMAN,
    ]
    return tuple(dict.fromkeys(there))


def check_bytes(data: bytes) -> None:
    if len(data) > MOST_BYTES:
        raise BadFile(f"this is a public demo: a text may have {MOST_BYTES // 1_000_000} MB; {OWN_COPY}")


def check_file(data: bytes) -> None:
    if len(data) > MOST_FILE_BYTES:
        raise BadFile(f"this is a public demo: a run file may have {MOST_FILE_BYTES // 1_000_000} MB; {OWN_COPY}")


def check_upload(size: int) -> None:
    """Files that are given together."""
    if size > MOST_BYTES:
        raise BadFile(f"this is a public demo: files given at once may have {MOST_BYTES // 1_000_000} MB in all; {OWN_COPY}")


def check_tokens(tokens: int) -> None:
    if tokens > MOST_TOKENS:
        raise BadFile(f"this is a public demo: a text may have {MOST_TOKENS:,} tokens, and this one has {tokens:,}; {OWN_COPY}")


def check_readings(begun: tuple[int, int, int], more: int = 1) -> None:
    """Raise LimitReached if this many more readings may not start after those already `begun`."""
    most, (in_visit, from_address, today) = limits(), begun
    if in_visit + more > most.visit:
        raise LimitReached(
            f"this is a public demo: a visit may begin {most.visit:,} readings, including deleted ones, and with "
            f"{'this' if more == 1 else 'these'} it would have begun {in_visit + more:,}; "
            f"{'' if more == 1 else 'take fewer, or '}{OWN_COPY}"
        )
    if from_address + more > most.address:
        raise LimitReached(
            f"this is a public demo: {most.address:,} readings a day may begin from one network address, and from yours "
            f"{from_address:,} did; come back tomorrow, or {OWN_COPY}"
        )
    if today + more > most.day:
        raise LimitReached(
            f"this is a public demo: its visitors may begin {most.day:,} readings a day in all, and {today:,} were begun; "
            f"come back tomorrow, or {OWN_COPY}"
        )


def check_budget(calls: int, dollars: float) -> None:
    """Raise LimitReached if today's calls to models that cost something leave no room for another."""
    most = limits()
    if calls >= most.calls or dollars >= most.dollars:
        raise LimitReached(
            "this is a public demo, and today's model budget is spent; come back tomorrow (what was read so far "
            f"stays if your page stays open), read with {catalogue.OFFLINE!r}, or {OWN_COPY}"
        )


def check_model(model: str, api_base: str | None, options: Mapping[str, Any]) -> None:
    """Requests are sent only to the host's own model: no other model, server, or embedding on the host's key."""
    if model not in models() or api_base is not None:
        raise BadOptions(f"this is a public demo, and it reads only with {' or '.join(map(repr, models()))}; {OWN_COPY}")
    if any(isinstance(value, str) and value.startswith("embedding") for value in options.values()):
        raise BadOptions(f"this is a public demo: texts are not compared by embeddings here; choose another way, or {OWN_COPY}")
    check_options(options)


def check_options(options: Mapping[str, Any]) -> None:
    """No visitor names a file of the host's."""
    if options.get("tokenizer"):
        raise BadOptions(f"this is a public demo: no tokenizer's file can be named here; leave the field empty, or {OWN_COPY}")


def capped(caps: Mapping[str, Any]) -> dict[str, Any]:
    """A reading's limits, with the demo's own for calls."""
    return {**caps, "max_calls": min(caps.get("max_calls") or MOST_CALLS, MOST_CALLS)}


# What is counted


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

    The server replaces the address of a connection from this machine by the one in such a header, and anybody can write one.
    Unless the host trusts the proxy, an address that is also in the header therefore does not count: all who come that way count
    as one.
    """
    entries = [_host(entry) for line in forwarded for entry in line.split(",")]
    found = _as_counted(peer or "")
    if trusts_proxy():
        return _as_counted(entries[-1]) if entries and entries[-1] else found
    return "" if found in map(_as_counted, entries) else found


def _host(entry: str) -> str:
    """An entry of the header without the port, which some proxies also write."""
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


def begun(store: Store, guest: Guest) -> tuple[int, int, int]:
    """How many readings were started in this visit, and today from this address and in total. Deleted ones count."""
    visit, address, everybody = guest.counters
    usage = store.demo_usage
    return usage.in_all(visit).readings, usage.today(address).readings, usage.today(everybody).readings


def count(store: Store, guest: Guest, *, readings: int = 1) -> None:
    """Count readings as started. Raises LimitReached, and counts none, if this many may not start."""
    store.demo_usage.add(guest.counters, Usage(readings), check=lambda: check_readings(begun(store, guest), readings))


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
    """A model that the host of a demo pays for. Every call is counted before it is sent, whatever requested it, and its cost
    afterwards; nothing is sent once the day's budget is used up (LimitReached)."""

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
    check_budget(spent.calls, spent.usd)


def within_budget(model_id: str, model: Model) -> Model:
    """The model as visitors may call it: in a demo, within the day's budget if it costs something."""
    return PaidModel(model) if on() and not catalogue.needs_nothing(model_id) else model


# Visits


_OPEN: dict[str, tuple[str, Jobs]] = {}  # by Streamlit's id of a page's session: its visitor, and what reads for them


def here(visitor: str, jobs: Jobs) -> None:
    """Note that the visitor's page is open. Call it whenever a page is drawn."""
    _sweep()
    context = get_script_run_ctx()
    if context is not None:
        _OPEN[context.session_id] = visitor, jobs


def address() -> str:
    """The address of the page's visitor; empty if it is not known, or this machine's."""
    return address_of(st.context.ip_address, st.context.headers.get_all(FORWARDED))


def end_disconnected() -> None:
    """Start ending the visits whose pages are no longer connected. Call it after a connection has ended."""
    for session, (visitor, jobs) in list(_OPEN.items()):
        if not _connected(session):
            _OPEN.pop(session, None)
            is_back = partial(_is_back, visitor, session, jobs)
            jobs.end_visit(visitor, after=grace_seconds(), unless=is_back, then=process_cache.clear)


def _is_back(visitor: str, session: str, jobs: Jobs) -> bool:
    if _connected(session):
        _OPEN[session] = visitor, jobs
    return any(visitor == one for one, _ in list(_OPEN.values()))


def _connected(session: str) -> bool:
    return exists() and get_instance().is_active_session(session)


@process_cache.lasting
def _sweep() -> None:
    with database.opened() as store:
        store.visits.sweep()
