"""The canonical form of the text that was read: no control characters, one kind of line break, encodable, within the token limit.

The same text gives the same document whichever way it is added. A form feed is a paragraph break; what cannot be UTF-8 becomes
U+FFFD. `Document.of` does the rest (NFC).
"""

from __future__ import annotations

import re

import regex

from readers.engine.errors import BadFile
from readers.engine.text import tokens
from readers.engine.text.shorten import shorten_middle

MAX_TOKENS = 5_000_000

_COUNTED_AT_ONCE = 1_000_000
_PARAGRAPH_BREAK = re.compile("[\f\x1c\x1d\u2029]")
_LINE_BREAK = re.compile("[\v\x85\u2028]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_VISIBLE = regex.compile(r"[^\s\p{Cc}\p{Cf}\p{Z}]")
# Normalising is quadratic in the number of accents on one letter. Unicode's stream-safe text format therefore inserts a joiner
# after each 30, more than any writing system uses.
_ACCENTS = regex.compile(r"([^\p{ccc=0}]{30})(?=[^\p{ccc=0}])")
# Default titles that programs write.
_EMPTY_TITLE = regex.compile(r"(?i)(?:untitled|unknown|document ?\d*|microsoft word - .*|.*\.(?:docx?|odt|tex|html?|pdf|txt))?")


def canonical_text(text: str) -> tuple[str, tuple[str, ...]]:
    """The canonical text, and a note about each kind of change."""
    notes = []
    whole = encodable(text)
    if whole != text and "\ufffd" in whole:
        notes.append("Some characters were damaged (halves of a pair); each was replaced by the sign \ufffd.")
    lines = whole.replace("\r\n", "\n").replace("\r", "\n")
    lines = _LINE_BREAK.sub("\n", _PARAGRAPH_BREAK.sub("\n\n", lines))
    cleaned, removed = _CONTROL.subn("", lines)
    if removed:
        notes.append(f"Control characters, which are invisible, were removed: {removed:,}.")
    return _ACCENTS.sub("\\1\u034f", cleaned), tuple(notes)


def encodable(text: str) -> str:
    """The text with halves of surrogate pairs joined, and U+FFFD for single ones."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def shown_name(name: str) -> str:
    """The last part of a path, as messages show it: at most 100 characters, with the ending."""
    last = _CONTROL.sub("", encodable(re.split(r"[/\\]", name.rstrip("/\\"))[-1])).strip()
    return shorten_middle(last, 100)


def check_tokens(text: str, shown: str) -> None:
    """Raises BadFile for a text over the token limit."""
    if len(text.encode("utf-8")) <= MAX_TOKENS:  # no token is shorter than a byte
        return
    used = 0
    for start in range(0, len(text), _COUNTED_AT_ONCE):
        used += tokens.count(text[start : start + _COUNTED_AT_ONCE])
        if used > MAX_TOKENS:
            limit = f"{MAX_TOKENS:,} tokens (some {MAX_TOKENS * 3 // 4:,} English words)"
            raise BadFile(f"{shown!r} has more text than {limit}, the maximum. Split it into parts.")


def is_blank(text: str) -> bool:
    """Whether a text has no visible character."""
    return not _VISIBLE.search(text)


def clean_title(title: str, fallback: str) -> str:
    """The title a file gives itself, in one line of at most 200 characters; `fallback` if a program wrote it by default."""
    title = " ".join(_CONTROL.sub(" ", encodable(title)).split())
    return encodable(fallback if _EMPTY_TITLE.fullmatch(title) else title[:200])
