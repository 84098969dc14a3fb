"""Libraries and patterns that are loaded when they are first used, so that a command that does not need them starts sooner; and
what is loaded in a thread because it will be used soon.

The stand-in for a library or a pattern passes every attribute access on to it, and caches the result. Not here: libraries that
only some functions name, such as litellm, which those functions import.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from threading import Thread
from typing import Any, cast

import regex


class _OnFirstUse:
    """Stands in for something that is made when one of its attributes is first asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._made = cache(make)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._made(), name)
        setattr(self, name, found)
        return found


def module(name: str) -> Any:
    """A module, imported when something of it is first asked for."""
    return _OnFirstUse(lambda: import_module(name))


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of `re`, compiled when it is first used."""
    return cast("re.Pattern[str]", _OnFirstUse(lambda: re.compile(source, flags)))


def unicode_pattern(source: str, flags: int = 0) -> regex.Pattern[str]:
    """A pattern of `regex`, compiled when it is first used."""
    return cast("regex.Pattern[str]", _OnFirstUse(lambda: regex.compile(source, flags)))


def soon(load: Callable[[], object]) -> Thread:
    """Load something in a thread. What fails in it fails again, in words, where it is needed.

    The program waits for it at its end: a thread that is cut off within an import keeps the lock of all imports, and litellm
    imports something more while the interpreter ends, which would then wait for ever."""

    def quietly() -> None:
        with suppress(Exception):
            load()

    thread = Thread(target=quietly, name="loading")
    thread.start()
    return thread
