"""Shorten text for display: to one line, at a word, or in the middle; or only at its end."""

from __future__ import annotations


def truncate(text: str, limit: int) -> str:
    """The beginning of a text with its line breaks, and an ellipsis if it is over `limit` characters."""
    return text if len(text) <= limit else f"{text[:limit].rstrip()} …"


def shorten(text: str, limit: int) -> str:
    """The text on one line; if it is over `limit` characters, its beginning with an ellipsis."""
    return truncate(" ".join(text.split()), limit)


def shorten_at_word(text: str, limit: int) -> str:
    """The same, but never cut inside a word, unless it is the first."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rsplit(' ', 1)[0]} …"


def shorten_middle(text: str, limit: int) -> str:
    """A name of at most `limit` characters: a longer one keeps its beginning and its last 19 characters, with the ending."""
    return text if len(text) <= limit else f"{text[: limit - 20]}…{text[-19:]}"
