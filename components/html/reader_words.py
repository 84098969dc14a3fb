"""What a reader is, in words. Pure."""

from __future__ import annotations

from readers.engine.run.reader import Reader


def summary(reader: Reader) -> str:
    """A reader in one line: the first of its docstring."""
    return (type(reader).__doc__ or "").strip().partition("\n")[0]
