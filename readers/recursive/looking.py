"""What can be seen of a slice without reading all of it: a stretch, the places that have some words, and even parts. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from readers.engine.text import search, split, tokens
from readers.engine.text.document import Span
from readers.engine.text.words import rarity, term, terms, words

NEAR = 0.2  # the share of a part's length within which the end of a paragraph is near
LINE = 100  # characters of the line that represents a part
_PLACE = re.compile(r"(\d{1,9})\s*(%?)")


def peek(text: str, where: str, limit: int) -> Span:
    """A stretch of `limit` tokens: the last, one that begins at a percentage or after a number of tokens, or else the first."""
    if re.search(r"\b(?:last|end|final)\b", where, re.IGNORECASE):
        return Span(len(text) - tokens.suffix(text, limit), len(text))
    named = _PLACE.search(where)
    share = 0.5 if re.search(r"\b(?:middle|half)\b", where, re.IGNORECASE) else 0.0
    if named and not re.search(r"\b(?:first|start|beginning)\b", where, re.IGNORECASE):
        share = int(named[1]) / (100 if named[2] else max(1, tokens.count(text)))
    start = min(int(share * len(text)), len(text) - tokens.suffix(text, limit))
    start = text.rfind(" ", 0, start) + 1 if start else 0
    return Span(start, start + tokens.prefix(text, limit, start=start))


def find(text: str, sought: str, most: int, limit: int) -> tuple[int, list[Span]]:
    """The sentences that have this phrase; if none has, those that have most of its words, the rarer ones first. Each with as
    much around it as `limit` tokens allow. How many there are, and the best of them in the order of the text."""
    sentences = split.sentences(text)
    hits = search.find(text, sought).hits
    ranked = list(dict.fromkeys(_holding(sentences, hits))) if hits else _by_words(text, sentences, sought)
    chosen: list[Span] = []
    for number in ranked:
        if len(chosen) == most:
            break
        place = _around(text, sentences, number, limit)
        if not any(place.start < other.end and other.start < place.end for other in chosen):
            chosen.append(place)
    return len(hits) or len(ranked), sorted(chosen)


def _holding(sentences: Sequence[Span], hits: Sequence[Span]) -> list[int]:
    """The number of the sentence in which each hit begins."""
    found, number = [], 0
    for hit in hits:
        while sentences[number].end <= hit.start:
            number += 1
        found.append(number)
    return found


def _by_words(text: str, sentences: Sequence[Span], sought: str) -> list[int]:
    """The sentences that share the rarer words of a search, best first; a word counts less the more sentences have it."""
    weights = {term(word): rarity(word) for word in words(sought) if rarity(word) > 0}
    have = [weights.keys() & terms(text[start:end]) for start, end in sentences]
    common = Counter(word for shared in have for word in shared)
    worth = [sum(weights[word] / common[word] ** 0.5 for word in sorted(shared)) for shared in have]
    return sorted((number for number, shared in enumerate(have) if shared), key=lambda number: (-worth[number], number))


def _around(text: str, sentences: Sequence[Span], number: int, limit: int) -> Span:
    """A sentence, and as many neighbours as there is room for; only the beginning of a longer sentence."""
    start, end = sentences[number]
    if tokens.count(text[start:end]) > limit:
        return Span(start, start + tokens.prefix(text, limit, start=start, end=end))
    before, after = number - 1, number + 1
    while after < len(sentences) and tokens.count(text[start : sentences[after].end]) <= limit:
        end, after = sentences[after].end, after + 1
    while before >= 0 and tokens.count(text[sentences[before].start : end]) <= limit:
        start, before = sentences[before].start, before - 1
    return Span(start, end)


def parts(text: str, count: int) -> list[Span]:
    """This many parts of about the same length, each to the end of a paragraph if one is near, or else of a sentence; fewer if
    the text has fewer ends."""
    by_sentence = [end for _, end in split.sentences(text)]
    if len(by_sentence) < 2 * count:
        by_sentence = [end for _, end in split.segments(text, max(1, tokens.count(text) // (2 * count)))]
    by_paragraph, size = [end for _, end in split.paragraphs(text)], len(text) / count
    ends = [0]
    for aim in (number * size for number in range(1, count)):
        paragraph, sentence = _nearest(by_paragraph, aim), _nearest(by_sentence, aim)
        end = paragraph if abs(paragraph - aim) <= NEAR * size else sentence
        ends += [end] if ends[-1] < end < len(text) else []
    return [Span(start, end) for start, end in pairwise([*ends, len(text)])]


def fitting_parts(text: str, limit: int, most: int) -> list[Span]:
    """The fewest parts with at most `limit` tokens each; `most` of them if that is not enough."""
    for count in range(min(most, max(2, -(-tokens.count(text) // limit))), most):
        found = parts(text, count)
        if all(tokens.count(text[start:end]) <= limit for start, end in found):
            return found
    return parts(text, most)


def _nearest(ends: Sequence[int], aim: float) -> int:
    after = bisect_left(ends, aim)
    return min(ends[max(0, after - 1) : after + 1], key=lambda end: abs(end - aim))


def line(text: str) -> Span:
    """How a part begins: its first words, without white space before them."""
    start = len(text) - len(text.lstrip())
    end = start + LINE
    return Span(start, max(text.rfind(" ", start, end), start + 1) if end < len(text) else len(text.rstrip()))
