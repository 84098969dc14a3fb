"""Shorten text for display: to one line, at a word, or in the middle."""

from __future__ import annotations


def shorten(text: str, limit: int) -> str:
    """The text on one line; if it is over `limit` characters, its beginning with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rstrip()} …"


def shorten_at_word(text: str, limit: int) -> str:
    """The same, but never cut inside a word, unless it is the first."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rsplit(' ', 1)[0]} …"


def shorten_middle(text: str, limit: int) -> str:
    """A name of at most `limit` characters: a longer one keeps its beginning and its last 19 characters, with the ending."""
    return text if len(text) <= limit else f"{text[: limit - 20]}…{text[-19:]}"
