"""Cut a document into paragraphs, sentences or segments of tokens, as spans. Nothing is dropped, repeated or reordered:

    "".join(text[start:end] for start, end in spans) == text

holds for every function here and any string. White space after a paragraph or sentence belongs to it. The time is linear in the
length of the text. `beginning` and `ending` trim a text to at most this many tokens, and to as many as possible without splitting
a word; they read only as much of it as they need. Not here: finding chapters or topics, which is up to readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import regex

from readers.engine.text import tokens, words
from readers.engine.text.document import Span

# A paragraph ends after a blank line (white space only) and all white space that follows.
_PARAGRAPH_END = regex.compile(r"\n[^\S\n]*+\n\s*+")

# A sentence ends at . ! ? … (with closing quotes and brackets) before white space, at the full-width marks of Chinese and
# Japanese even without it, or at a line break. Possessive quantifiers and the look-behind keep the search linear on any input.
_SENTENCE_END = regex.compile(r"(?<![.!?…؟۔।])[.!?…؟۔।]++[\"'”’»)\]]*+\s++|[。！？]++[”’」』）)]*+\s*+|\n\s*+")

# Not a sentence end: a full stop after a title or an initial ("Mr. Hale", "J. Smith").
_ABBREVIATION = regex.compile(r"(?:^|[\s(“\"'])(?:Mrs?|Ms|Dr|St|Prof|Capt|Col|Gen|Rev|Sgt|Lt|No|vs|cf|e\.g|i\.e|[A-Z])$")

# By itself, \X is quadratic on flags (pairs of regional indicators): it counts each from the start of their run.
_GRAPHEME = regex.compile(r"\p{RI}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X")
_LONG_GRAPHEME = 64

# No token of the encoding spans a line break followed by one of these, so token counts before and after it add up.
_ADDS_UP = regex.compile(r"\n[^\s/]")

# Characters that form one grapheme with the character before them, unless that is a control character such as a line break.
_JOINS = regex.compile(r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]")
_CONTROL = regex.compile(r"[\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]")

# No token has more characters, so a paragraph with more than `limit` times as many is over the limit without counting.
_MOST_CHARACTERS_A_TOKEN = 128


def paragraphs(text: str) -> list[Span]:
    """Cut at blank lines. An empty text has no paragraphs; blank lines at the very start belong to the first one."""
    spans = _cut_after(Span(0, len(text)), (_end(text, match) for match in _PARAGRAPH_END.finditer(text)))
    if len(spans) > 1 and text[: spans[0].end].isspace():
        spans[:2] = [Span(0, spans[1].end)]
    return spans


def sentences(text: str, within: Span | None = None) -> list[Span]:
    """Cut `within` (by default the whole text) at sentence ends and line breaks."""
    whole = within or Span(0, len(text))
    ends = (match for match in _SENTENCE_END.finditer(text, *whole) if not _is_abbreviation(text, match))
    return _cut_after(whole, (_end(text, match) for match in ends))


class Unit(NamedTuple):
    """A unit for limits in words: a paragraph, or a part of one over the limit. `inside`: a part that does not begin its
    paragraph. `tokens` may be the sum of the counts of its sentences."""

    span: Span
    words: int
    tokens: int
    inside: bool = False


def units(text: str, most: int, most_tokens: int) -> list[Unit]:
    """Paragraphs. A unit over `most` words or `most_tokens` is cut into groups of whole sentences of about the same size; a
    sentence over them is cut between words, or at token boundaries if a single word is over them; never inside a grapheme of
    fewer tokens."""
    found: list[Unit] = []
    for paragraph in paragraphs(text):
        size, cost = words.count(text[paragraph.start : paragraph.end]), _size(text, paragraph, most_tokens)
        if size <= most and cost <= most_tokens:
            found.append(Unit(paragraph, size, cost))
        else:
            found.extend(_grouped(text, paragraph, _sentence_parts(text, paragraph, most, most_tokens), most, most_tokens))
    return found


def _grouped(text: str, paragraph: Span, parts: Sequence[Unit], most: int, most_tokens: int) -> Iterator[Unit]:
    """Groups of consecutive parts within both limits, about as large as each other."""
    size = sum(part.words for part in parts)
    aim = -(-size // -(-size // most)) if size else 0
    open_at, held, held_tokens = paragraph.start, 0, 0
    for part in parts:
        over = held + part.words > most or held_tokens + part.tokens > most_tokens
        if part.span.start > open_at and (over or (held and held >= aim)):
            yield Unit(Span(open_at, part.span.start), held, held_tokens, open_at > paragraph.start)
            open_at, held, held_tokens = part.span.start, 0, 0
        held += part.words
        held_tokens += part.tokens
    yield Unit(Span(open_at, paragraph.end), held, held_tokens, open_at > paragraph.start)


def _sentence_parts(text: str, paragraph: Span, most: int, most_tokens: int) -> list[Unit]:
    """The sentences of a paragraph; one over a limit in parts."""
    found = []
    for sentence in sentences(text, paragraph):
        for span, size in _wordwise(text, sentence, most):
            cost = _size(text, span, most_tokens)
            if cost <= most_tokens:
                found.append(Unit(span, size, cost))
            else:
                cut = _windows(text, span, most_tokens)
                found += [Unit(part, words.count(text[part.start : part.end]), tokens_of) for part, tokens_of in cut]
    return found


def _wordwise(text: str, sentence: Span, most: int) -> Iterator[tuple[Span, int]]:
    """A sentence with its number of words; one with more than `most` in parts of `most` words."""
    start, held = sentence.start, 0
    for word in words.COUNTED.finditer(text, *sentence):
        if held == most:
            stop = start + _grapheme_end(text, start, word.start() - start)
            yield Span(start, stop), held
            start, held = stop, 0
        held += 1
    yield Span(start, sentence.end), held


def opening(text: str, least: int = 60) -> int:
    """The end of the first sentences that together have `least` words, or of the first words that have four tokens for each of
    these; the end of the text if it has fewer."""
    held, whole = 0, len(text)
    for start, end in sentences(text):
        held += words.count(text[start:end])
        if held >= least:
            whole = end
            break
    return min(whole, beginning(text, 4 * least))


def segments(text: str, limit: int) -> list[Span]:
    """Cut into spans of at most `limit` tokens, as few as whole units allow.

    The units are paragraphs. A paragraph that does not fit is cut at sentence ends if it is over the limit itself, or if the
    segment before it would be less than half full; a sentence over the limit is cut at token boundaries, never inside a grapheme
    unless one grapheme is longer than the limit. `limit` is 1 or more; a single character with more tokens is its own segment.
    """
    if limit < 1:
        raise ValueError(f"a segment holds at least 1 token, not {limit}")
    return list(_segments(text, limit, limit))


def _segments(text: str, limit: int, aim: int) -> Iterator[Span]:
    """Spans of at most `limit` tokens, filled with units that, counted one by one, add up to at most `aim`.

    Together the units can have more tokens than their sum (a mark after odd white space), so doubtful spans are counted again.
    """
    starts: list[int] = []
    doubtful: set[int] = set()
    used = 0
    for paragraph in paragraphs(text):
        size = _size(text, paragraph, limit)
        fits = used + size <= aim
        whole = fits or (size <= limit and 2 * used >= aim)
        for unit, cost in [(paragraph, size)] if whole else _pieces(text, paragraph, limit):
            if used + cost > aim and used:
                starts.append(unit.start)
                used = 0
            elif used and not _ADDS_UP.match(text, unit.start - 1):
                doubtful.add(len(starts))
            used += cost
    for number, span in enumerate(_cut_after(Span(0, len(text)), starts)):
        stretch = text[span.start : span.end]
        over = tokens.count(stretch) - limit if number in doubtful else 0
        for start, end in _segments(stretch, limit, max(1, aim - over)) if over > 0 else [Span(0, len(stretch))]:
            yield Span(span.start + start, span.start + end)


def _size(text: str, span: Span, limit: int) -> int:
    """The tokens of a span; any number over the limit if it is certainly over it."""
    length = span.end - span.start
    return limit + 1 if length > limit * _MOST_CHARACTERS_A_TOKEN else tokens.count(text[span.start : span.end])


def _pieces(text: str, paragraph: Span, limit: int) -> Iterator[tuple[Span, int]]:
    """The sentences of a paragraph with their tokens; those over the limit are cut at token boundaries."""
    for sentence in sentences(text, paragraph):
        size = _size(text, sentence, limit)
        if size <= limit:
            yield sentence, size
        else:
            yield from _windows(text, sentence, limit)


def _windows(text: str, sentence: Span, limit: int) -> Iterator[tuple[Span, int]]:
    start, end = sentence
    while start < end:
        stop = start + _grapheme_end(text, start, tokens.prefix(text, limit, start=start, end=end))
        first = _GRAPHEME.match(text[start : min(end, start + _LONG_GRAPHEME)])
        if first and stop < start + first.end() and tokens.count(first[0]) <= limit:
            stop = start + first.end()
        while (size := tokens.count(text[start:stop])) > limit:  # cut here, the tokens can differ from those in the longer text
            shorter = start + _grapheme_end(text, start, stop - start - 1)
            if shorter == stop:
                break
            stop = shorter
        yield Span(start, stop), min(limit, size)
        start = stop


def _grapheme_end(text: str, start: int, length: int) -> int:
    """The largest number up to `length` at which text[start:] can be cut after a whole grapheme; at least 1."""
    stop = start + max(1, length)
    if stop >= len(text) or (text[stop - 1].isascii() and text[stop].isascii() and text[stop - 1] != "\r"):
        return stop - start
    best = 0
    for match in _GRAPHEME.finditer(text[start : stop + _LONG_GRAPHEME]):
        if match.end() > stop - start:
            break
        best = match.end()
    return best or stop - start


def _end(text: str, match: regex.Match[str]) -> int:
    """The end of the match, or one less if its last character forms a grapheme with the next one; 0 if it must not be cut."""
    end = match.end()
    if end == len(text) or not _JOINS.match(text, end) or _CONTROL.match(text, end - 1):
        return end
    return end - 1 if end - 1 > match.start() else 0


def _is_abbreviation(text: str, end: regex.Match[str]) -> bool:
    stop = end.start()
    return text[stop] == "." and "\n" not in end[0] and bool(_ABBREVIATION.search(text, max(0, stop - 8), stop))


def _cut_after(whole: Span, ends: Iterable[int]) -> list[Span]:
    """`whole`, cut at `ends`, without empty spans."""
    spans = []
    start = whole.start
    for end in ends:
        if start < end < whole.end:
            spans.append(Span(start, end))
            start = end
    if start < whole.end:
        spans.append(Span(start, whole.end))
    return spans


# How many characters from the limit the end of a word is searched, for texts without white space.
_WORD = 40
_CLUSTER = 64


def beginning(text: str, limit: int) -> int:
    """The end of the first `limit` tokens of a text; its length if it has no more."""
    end = tokens.prefix(text, limit)
    if end < len(text):
        end = _word_end(text, end)
    while (over := tokens.count(text[:end]) - limit) > 0:  # cut here, the tokens can differ from those in the longer text
        end = _word_end(text, max(1, end - over))
    return end


def ending(text: str, limit: int) -> int:
    """The start of the last `limit` tokens of a text; 0 if it has no more."""
    start = len(text) - tokens.suffix(text, limit)
    if start > 0:
        start = _word_start(text, start)
    while (over := tokens.count(text[start:]) - limit) > 0:
        start = _word_start(text, start + over)
    return start


def _word_end(text: str, at: int) -> int:
    """The end of the last whole word before `at`, if there is one nearby."""
    if text[at].isspace() or text[at - 1].isspace():
        return at
    space = max(text.rfind(blank, at - _WORD, at) for blank in " \n") if at > _WORD else -1
    return space + 1 if space >= 0 else _boundary(text, at)


def _word_start(text: str, at: int) -> int:
    """The start of the first whole word from `at` on, if there is one nearby."""
    if text[at - 1].isspace():
        return at
    found = [place for blank in " \n" if (place := text.find(blank, at, at + _WORD)) >= 0]
    return min(found) + 1 if found else _boundary(text, at, forward=True)


def _boundary(text: str, at: int, *, forward: bool = False) -> int:
    """The nearest grapheme boundary before (or after) `at`; `at` itself inside an extremely long grapheme."""
    stop = min(len(text), at + _CLUSTER)
    ends = [match.end() for match in _GRAPHEME.finditer(text, max(0, at - _CLUSTER), stop)]
    found = [end for end in ends if (at <= end < stop if forward else end <= at)]
    return (min(found) if forward else max(found)) if found else at
