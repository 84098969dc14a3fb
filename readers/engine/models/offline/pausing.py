"""Pauses: where a stretch of text ends, by headings, scene breaks and changes of vocabulary.

A heading or scene break decides; otherwise the place where the words before and after have least in common. It sees only
vocabulary and knows nothing about the story.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.text.words import rarity, term, words

# Words compared on each side of a place, and what a heading or scene break adds, where a complete change of words counts 1.
SIDE_WORDS = 120
HEADING, SCENE = 1.5, 2.0
# A bonus for page length: of equally good places the later one wins, for fewer pages.
LENGTH_BONUS = 0.1
_MAX_HEADING_WORDS = 12

_SCENE_BREAK = regex.compile(r"\s*+(?:[*#~•·—–_-][^\S\n]*+){1,9}(?:\n|\Z)")
_NAMED_HEADING = regex.compile(
    r"\s*+(?:chapter|part|book|section|act|scene|appendix|letter|canto|volume)\b[^\n]{0,60}(?:\n|\Z)", regex.IGNORECASE
)
_NUMBERED_HEADING = regex.compile(r"\s*+(?:[IVXLC]{1,7}|\d{1,3})[.)]?[^\S\n]*(?:\n|\Z|\p{Lu}[^\n.]{0,60}(?:\n|\Z))")


def pause(call: Call) -> Mapping[str, str | int]:
    """A label; or, given two pages, whether the second begins a chapter or section."""
    if call.part("second"):
        begins = "".join(call.part("second"))
        return {"answer": "yes" if _break_score(begins) else "no"}
    before, after = "\n\n".join(call.part("opening")), call.part("offered")
    heavy = [_weighted_terms(text) for text in (before, *after)]
    flow = [pair for unit in heavy for pair in unit]
    at, best = 0, (-math.inf, 0)
    for number, text in enumerate(after):
        at += len(heavy[number])
        change = _change(flow[max(0, at - SIDE_WORDS) : at], flow[at : at + SIDE_WORDS])
        previous = after[number - 1] if number else before.rpartition("\n\n")[2]
        score = _break_score(text) - _break_score(previous) + change + LENGTH_BONUS * number / len(after)
        best = max(best, (score, number))
    return {"label": 1 + best[1]}


def _break_score(text: str) -> float:
    """How well the beginning of a text suits a pause before it."""
    if _SCENE_BREAK.match(text):
        return SCENE
    return HEADING if _is_heading(text.lstrip().partition("\n")[0]) or _NAMED_HEADING.match(text) else 0.0


def _is_heading(line: str) -> bool:
    """Whether a line is short, has no full stop, and is in capitals or title case, or numbered."""
    words_of_line = words(line)
    if not 0 < len(words_of_line) <= _MAX_HEADING_WORDS or line.rstrip()[-1] in ".,;:!?…”’\"'。！？":
        return bool(words_of_line) and bool(_NUMBERED_HEADING.fullmatch(line))
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in words_of_line)
    return (
        bool(_NAMED_HEADING.match(line) or _NUMBERED_HEADING.match(line))
        or line.lstrip().startswith("#")
        or 2 * capitals > len(words_of_line)
    )


def _weighted_terms(text: str) -> list[tuple[str, float]]:
    """The words of a text in order, each as a term with its rarity."""
    return [(term(word), rarity(word)) for word in words(text)]


def _change(before: Sequence[tuple[str, float]], after: Sequence[tuple[str, float]]) -> float:
    """1 minus the cosine of the rarer words on both sides; the end of the text counts as a complete change."""
    left, right = _term_weights(before), _term_weights(after)
    length = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return 1.0 - (sum(weight * right[t] for t, weight in left.items() if t in right) / length if length else 0.0)


def _term_weights(weighted: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The weight of each term: its rarity times its count."""
    bag: dict[str, float] = {}
    for t, weight in weighted:
        bag[t] = bag.get(t, 0.0) + weight
    return bag
