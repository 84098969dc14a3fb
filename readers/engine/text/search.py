"""Search a text for words or for a quotation, and find where its chapters begin. Pure: spans of the text, no Streamlit, no HTML.

Fast enough for a text of 15 million characters while a person waits. A quotation is sought on a copy with single blanks between
words, so the time hardly grows with its length. Not here: search by meaning, and approximate matches.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from readers.engine.text.document import Span

MOST_HITS = 2_000
MOST_LANDMARKS = 400
MOST_PHRASES = 12
TOGETHER = 300  # characters within which several words must stand to be one passage
_ASCII = re.compile("[a-z0-9]+")
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]|「([^」]+)」")

_NAMED_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<hash>\S[^\n]{0,100})"
    r"|(?P<named>(?:chapter|part|book|volume|section|act|scene|canto|article|letter|appendix|prologue|epilogue|preface|introduction"
    r"|kapitel|chapitre|cap[ií]tulo)\b[^\n]{0,70}?))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
# A short line between blank lines that does not end like a sentence.
_SHORT_LINE = re.compile(r"(?:\A|\n\n)[ \t]*(?P<line>[^\s#*>|-][^\n]{1,79}[^\s.,;:!?…”’\"'\)-])[ \t]*(?=\n\n)")


@dataclass(frozen=True)
class Hits:
    """The number of occurrences in a text, and their spans in order, at most the first 2,000."""

    count: int
    hits: tuple[Span, ...]


def find(text: str, words: str) -> Hits:
    """All occurrences of these words in this order, ignoring case and white space."""
    parts = words.split()
    if not parts:
        return Hits(0, ())
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    hits: list[Span] = []
    count = 0
    for match in pattern.finditer(text):
        count += 1
        if count <= MOST_HITS:
            hits.append(Span(*match.span()))
    return Hits(count, tuple(hits))


@dataclass(frozen=True)
class Sought:
    """What is looked for: words and quoted phrases, all of which must stand close together, in any order. Case and white space do
    not matter. A word is also found within a longer one, because not every script has spaces."""

    phrases: tuple[str, ...]

    @classmethod
    def of(cls, words: str) -> Sought:
        """What a person typed: words, and phrases in quotation marks."""
        quoted = [found[1] or found[2] for found in _QUOTED.finditer(words)]
        found = (" ".join(phrase.split()) for phrase in [*quoted, *_QUOTED.sub(" ", words).split()])
        return cls(tuple(dict.fromkeys(phrase for phrase in found if phrase))[:MOST_PHRASES])

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word.casefold() for phrase in self.phrases for word in phrase.split()))

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Letters and digits that every text with what is sought contains: the longest ASCII run of each word that has one."""
        runs = (max(_ASCII.findall(word), key=len, default="") for word in self._words)
        return tuple(run for run in runs if run)

    def marked(self, text: str) -> list[tuple[str, bool]]:
        """The text in stretches: its words in order, and whether they are what is sought."""
        sought = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in sorted(self.phrases, key=len, reverse=True))
        every = re.split(f"({sought})", text, flags=re.IGNORECASE) if sought else [text]
        return [(words, number % 2 == 1) for number, words in enumerate(every) if words]

    def is_in(self, text: str) -> bool:
        return next(self.places(text), None) is not None

    def places(self, text: str) -> Iterator[Span]:
        """The passages with everything that is sought, in order and apart from each other, each as short as it can be around an
        occurrence of the rarest phrase."""
        folded = text.casefold()
        if not self.phrases or not all(word in folded for word in self._words):
            return
        hits = sorted((find(text, phrase).hits for phrase in self.phrases), key=len)
        end = 0
        for hit in hits[0]:
            near = [one for others in hits[1:] if (one := _nearest(others, hit))]
            place = Span(min(one.start for one in (hit, *near)), max(one.end for one in (hit, *near)))
            whole = len(near) == len(hits) - 1 and (not near or place.end - place.start <= TOGETHER)
            if whole and place.start >= end:
                yield place
                end = place.end


def _nearest(hits: tuple[Span, ...], to: Span) -> Span | None:
    at = bisect_left(hits, to)
    return min(hits[max(0, at - 1) : at + 1], key=lambda hit: abs(hit.start - to.start), default=None)


def landmarks(text: str) -> tuple[tuple[str, int], ...]:
    """Headings with their positions: lines such as `Chapter 1`, else short lines between blank lines. None if there are few."""
    named = [((match["hash"] or match["named"]).strip(), match.start()) for match in _first(_NAMED_HEADING, text)]
    if len(named) >= 3:
        return tuple(named)
    return tuple((text[start:end], start) for start, end in short_lines(text)[:MOST_LANDMARKS])


def short_lines(text: str) -> list[Span]:
    """Short lines between blank lines that do not end like a sentence, if they are at least three, and few among much text: verse
    and lists are also short lines."""
    alone = [Span(*match.span("line")) for match in _SHORT_LINE.finditer(text)]
    return alone if len(alone) >= 3 and len(text) / len(alone) > 400 else []


def _first(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    found = []
    for match in pattern.finditer(text):
        found.append(match)
        if len(found) == MOST_LANDMARKS:
            break
    return found


def around(text: str, hit: Span, *, reach: int = 70) -> tuple[str, str, str]:
    """The words before a hit, its own, and those after it, white space joined."""
    before, after = text[max(0, hit.start - reach) : hit.start], text[hit.end : hit.end + reach]
    if len(before) == reach:
        before = f"…{before[before.find(' ') + 1 :]}"
    if len(after) == reach:
        after = f"{after[: after.rfind(' ') + 1] or after}…"
    # Blanks at the seams are kept: they show whether the hit is a whole word.
    return _joined(before), _joined(text[hit.start : hit.end]), _joined(after)


def _joined(words: str) -> str:
    return re.sub(r"\s+", " ", words)


_WORD = re.compile(r"\S+")


def find_quote(words: str, text: str, *, near: int = 0) -> Span | None:
    """The occurrence of these words that begins nearest to `near`; None if the text does not contain them."""
    sought = " ".join(words.split())
    if not sought:
        return None
    plain, here, original = _plain(text)

    def place(at: int) -> int:
        """The position in the text of a character of the copy that is not a blank."""
        word = bisect_right(here, at) - 1
        return original[word] + at - here[word]

    before, at = -1, plain.find(sought)
    while at >= 0 and place(at) < near:
        before, at = at, plain.find(sought, at + len(sought))
    starts = [start for start in (before, at) if start >= 0]
    if not starts:
        return None
    start = min(starts, key=lambda start: abs(place(start) - near))
    return Span(place(start), place(start + len(sought) - 1) + 1)


@lru_cache(maxsize=2)  # the questions of a set are checked text by text
def _plain(text: str) -> tuple[str, list[int], list[int]]:
    """A copy of a text with one blank between its words, and where each word begins in the copy and in the text."""
    found = [(match.start(), match[0]) for match in _WORD.finditer(text)]
    here, at = [], 0
    for _, word in found:
        here.append(at)
        at += len(word) + 1
    return " ".join(word for _, word in found), here, [start for start, _ in found]
