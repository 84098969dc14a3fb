"""Shorten text for display: to one line, at a word, or in the middle; or only at its end."""

from __future__ import annotations

import re

_LAST_WORD = re.compile(r"\s\S*\Z")


def truncate(text: str, limit: int) -> str:
    """The beginning of a text with its line breaks, and an ellipsis if it is over `limit` characters."""
    return text if len(text) <= limit else f"{text[:limit].rstrip()} …"


def shorten(text: str, limit: int) -> str:
    """The text on one line; if it is over `limit` characters, its beginning with an ellipsis."""
    return truncate(" ".join(text.split()), limit)


def truncate_at_word(text: str, limit: int) -> str:
    """The beginning of a text with its line breaks; never cut inside a word, unless it is the first."""
    if len(text) <= limit:
        return text
    whole = text[:limit] if text[limit].isspace() else _LAST_WORD.sub("", text[:limit])
    return f"{whole.rstrip() or text[:limit].rstrip()} …"


def shorten_at_word(text: str, limit: int) -> str:
    """The same on one line."""
    return truncate_at_word(" ".join(text.split()), limit)


def shorten_middle(text: str, limit: int) -> str:
    """A name of at most `limit` characters: a longer one keeps its beginning and its last 19 characters, with the ending."""
    return text if len(text) <= limit else f"{text[: limit - 20]}…{text[-19:]}"
