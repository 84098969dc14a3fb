"""Where words stand in a text, and where its chapters begin. Pure: spans of the text, no Streamlit, no HTML.

Fast enough to be asked of a text of 15 million characters while a person waits. Not here: looking for meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from readers.engine.text.document import Span

MOST_HITS = 2_000
MOST_LANDMARKS = 400

_SAID = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<hash>\S[^\n]{0,100})"
    r"|(?P<said>(?:chapter|part|book|volume|section|act|scene|canto|article|letter|appendix|prologue|epilogue|preface|introduction"
    r"|kapitel|chapitre|cap[ií]tulo)\b[^\n]{0,70}?))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
# A short line between blank lines that does not end like a sentence.
_SHORT = re.compile(r"(?:\A|\n\n)[ \t]*(?P<line>[^\s#*>|-][^\n]{1,79}[^\s.,;:!?…”’\"'\)-])[ \t]*(?=\n\n)")


@dataclass(frozen=True)
class Found:
    """How often words stand in a text, and where, in order; of very many only the first."""

    count: int
    hits: tuple[Span, ...]


def find(text: str, words: str) -> Found:
    """Words in this order, in upper or lower case, whatever white space is between them."""
    parts = words.split()
    if not parts:
        return Found(0, ())
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    hits: list[Span] = []
    count = 0
    for match in pattern.finditer(text):
        count += 1
        if count <= MOST_HITS:
            hits.append(Span(*match.span()))
    return Found(count, tuple(hits))


def landmarks(text: str) -> tuple[tuple[str, int], ...]:
    """Headings and where they stand: those that call themselves one, else short lines that stand alone. None if it has few."""
    said = [((match["hash"] or match["said"]).strip(), match.start()) for match in _first(_SAID, text)]
    if len(said) >= 3:
        return tuple(said)
    alone = [(match["line"].strip(), match.start("line")) for match in _first(_SHORT, text)]
    # Verse and lists are short lines too: headings are few among much text.
    return tuple(alone) if len(alone) >= 3 and len(text) / len(alone) > 400 else ()


def _first(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    found = []
    for match in pattern.finditer(text):
        found.append(match)
        if len(found) == MOST_LANDMARKS:
            break
    return found


class Around(NamedTuple):
    before: str
    words: str
    after: str


def around(text: str, hit: Span, *, reach: int = 70) -> Around:
    """A hit with a few words before and after it, white space joined."""
    before, after = text[max(0, hit.start - reach) : hit.start], text[hit.end : hit.end + reach]
    if len(before) == reach:
        before = f"…{before[before.find(' ') + 1 :]}"
    if len(after) == reach:
        after = f"{after[: after.rfind(' ') + 1] or after}…"
    # A blank at the seams says whether the hit is a word of its own.
    return Around(_joined(before), _joined(text[hit.start : hit.end]), _joined(after))


def _joined(words: str) -> str:
    return re.sub(r"\s+", " ", words)
