"""The limits of a public demo: which models, how large a text, how many readings and calls. Pure: no Streamlit, no storage.

PALIMPSEST_DEMO turns the demo on. The host pays for the API keys in the environment, so visitors may use only the models that
cost nothing (a person among them) and the one the host has named, and spend a day what the host allows. Not here: counting what
was begun and spent (`demo_usage.py`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readers.engine.errors import BadFile, BadOptions, LimitReached
from readers.engine.models import catalogue

MOST_BYTES = 2_000_000
MOST_FILE_BYTES = 20_000_000  # of a run file, which holds the text many times over
MOST_UPLOADED = 200_000_000  # bytes of files that all visitors together have on the server at once
MOST_TOKENS = 200_000
MOST_CALLS = 2_000
OFF = ("", "0", "no", "off", "false")


def on() -> bool:
    return _is_on("PALIMPSEST_DEMO")


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "").strip().lower() not in OFF


@dataclass(frozen=True)
class Limits:
    """Readings a visit, and a day from one address and in all; calls to models that cost something, and US dollars, a day."""

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


def limits() -> Limits:
    """What the host has set in the environment, else the defaults. Raises BadOptions for a value that is no number."""
    return Limits(**{name: _set(variable) for name, variable in _VARIABLES.items() if os.environ.get(variable, "").strip()})


def _set(variable: str) -> Any:
    value = os.environ[variable].strip()
    try:
        number = float(value) if variable == _VARIABLES["dollars"] else int(value)
    except ValueError:
        number = -1
    if not math.isfinite(number) or number < 0:
        raise BadOptions(f"{variable} is {value!r}; the host of this demo can set it to a number from 0, or unset it")
    return number


def trusts_proxy() -> bool:
    """Whether the host says that every visitor comes through a proxy, which adds their address to X-Forwarded-For."""
    return _is_on("PALIMPSEST_DEMO_PROXY")


@dataclass(frozen=True)
class ReadingCounts:
    """How many readings were begun in this visit, and today from this address and in all. Deleted ones count."""

    visit: int
    address: int
    day: int


def models() -> tuple[str, ...]:
    """The models visitors may use: the host's first, if one is named."""
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


def check_readings(begun: ReadingCounts, more: int = 1) -> None:
    """Raise LimitReached if so many more readings may not begin."""
    most = limits()
    if begun.visit + more > most.visit:
        raise LimitReached(
            f"this is a public demo: a visit may begin {most.visit:,} readings, deleted ones too, and with "
            f"{'this' if more == 1 else 'these'} it would have begun {begun.visit + more:,}; "
            f"{'' if more == 1 else 'take fewer, or '}{OWN_COPY}"
        )
    if begun.address + more > most.address:
        raise LimitReached(
            f"this is a public demo: {most.address:,} readings a day may begin from one network address, and from yours "
            f"{begun.address:,} did; come back tomorrow, or {OWN_COPY}"
        )
    if begun.day + more > most.day:
        raise LimitReached(
            f"this is a public demo: its visitors may begin {most.day:,} readings a day in all, and {begun.day:,} were begun; "
            f"come back tomorrow, or {OWN_COPY}"
        )


def check_budget(calls: int, dollars: float) -> None:
    """Raise LimitReached if today's calls to models that cost something leave no room for another."""
    most = limits()
    if calls >= most.calls or dollars >= most.dollars:
        raise LimitReached(
            "this is a public demo, and what its host pays for models a day is used up; come back tomorrow (what was read so far "
            f"stays if your page stays open), read with {catalogue.OFFLINE!r}, or {OWN_COPY}"
        )


def check_model(model: str, api_base: str | None, options: Mapping[str, Any]) -> None:
    """Nothing goes out but to the host's own model: no other model, server, or embedding on the host's key."""
    if model not in models() or api_base is not None:
        raise BadOptions(f"this is a public demo, and it reads with {' or '.join(map(repr, models()))} alone; {OWN_COPY}")
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


OWN_COPY = "run Palimpsest on your own machine for more"
