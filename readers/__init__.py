"""The readers, one package each; `registry.py` lists them.

What others take from here is taken from the registry, which loads all readers. It is loaded when something of it is first asked
for, so that a command which names no reader starts without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from readers.registry import BUILT_IN, PLUGINS, READERS, get, importable, is_inquiry, offered, origin

__all__ = ("BUILT_IN", "PLUGINS", "READERS", "get", "importable", "is_inquiry", "offered", "origin")


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("readers.registry"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
