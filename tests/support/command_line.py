"""The command line in this process, as tests call it."""

from __future__ import annotations

from readers.cli import main


def run(*words: object) -> int:
    """The exit status of a command."""
    return main([str(word) for word in words])
