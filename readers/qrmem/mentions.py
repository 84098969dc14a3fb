"""Names in a segment: where they occur, how they are compared, and how a model sees them. Pure.

Two names are the same name if they differ only in case and white space; the model decides whether they mean the same thing.
Occurrences are whole words, in scripts that have spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import regex

from readers.engine.text import split, tokens
from readers.engine.text.document import Text

_SPACED = regex.compile(r"[[\p{L}\p{M}\p{N}]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]", regex.V1)


def key(name: str) -> str:
    """The form in which names are compared: folded case, single spaces."""
    return " ".join(name.casefold().split())


def occurrences(segment: Text, name: str) -> list[Text]:
    """Every occurrence of the name in the segment, in order, with any white space inside; if there is none, in any case."""
    words = name.split()
    if not words:
        return []
    found: list[tuple[int, int]] = []
    if words[0] in segment.text:
        found = _places(segment.text, words, re.NOFLAG)
    return [segment[start:end] for start, end in found or _places(segment.text, words, re.IGNORECASE)]


def _places(text: str, words: Sequence[str], flags: re.RegexFlag) -> list[tuple[int, int]]:
    pattern = re.compile(r"\s+".join(map(re.escape, words)), flags)
    folded = key(" ".join(words))  # some letters match in another case but fold differently, such as the Turkish ı
    spans = (match.span() for match in pattern.finditer(text))
    return [(start, end) for start, end in spans if _is_whole(text, start, end) and key(text[start:end]) == folded]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word of a script with spaces continues across either end."""
    return not any(at and _SPACED.match(text, at - 1) and _SPACED.match(text, at) for at in (start, end))


def on_one_line(text: Text) -> Text:
    """The text with a single space for every run of white space; words keep their provenance."""
    return Text.join(" ", (text[match.start() : match.end()] for match in regex.finditer(r"\S+", text.text)))


def flat(mention: Text) -> Text:
    """A mention on one line: line breaks go, other white space stays."""
    return on_one_line(mention) if "\n" in mention.text else mention


def marked(segment: Text, mentions: Iterable[Text]) -> Text:
    """The segment with these mentions in brackets; of overlapping mentions, the first and longest."""
    start = segment.spans[0].start if segment.spans else 0
    places = sorted(((span.start - start, span.end - start) for m in mentions for span in m.spans), key=lambda p: (p[0], -p[1]))
    parts: list[Text] = []
    at = 0
    for low, high in places:
        if low >= at:
            parts += [segment[at:low], Text("["), segment[low:high], Text("]")]
            at = high
    return Text.join("", [*parts, segment[at:]])


def sentence(segment: Text, sentences: Sequence[tuple[int, int]], mention: Text, most: int) -> Text:
    """The sentence in which a mention begins, on one line, with at most `most` tokens."""
    place = mention.spans[0].start - segment.spans[0].start
    low, high = next(((low, high) for low, high in sentences if low <= place < high), (place, place + len(mention)))
    return on_one_line(cut(segment[low:high], most))


def cut(text: Text, most: int) -> Text:
    """At most `most` tokens of the text, ending at a sentence end if possible; all of it if it is short enough."""
    if len(text.text.encode("utf-8", "replace")) <= most:
        return text
    spans = split.segments(text.text, most)
    return text[: spans[0].end].strip() if len(spans) > 1 else text


def within(texts: Iterable[Text], most: int) -> Iterator[Text]:
    """The first texts that together have at most `most` tokens; at least one."""
    used = 0
    for number, text in enumerate(texts):
        used += tokens.count(text.text)
        if used > most and number:
            return
        yield text
