"""Pauses: where a stretch of text comes to an end, by its headings, its scene breaks and the words that change.

A heading or a scene break decides; else the place where the words before and the words after have least in common. It sees what
a table of words sees, and knows nothing of the story.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import rarity
from readers.engine.text.words import term, words

# How many words on each side of a place are compared, and what the marks of an end are worth beside a whole change of words.
SIDE = 120
HEADING, SCENE = 1.5, 2.0
# Added for the length of a page, so that of equal places the later one is taken, for fewer pages.
LENGTH = 0.1
_LONGEST_HEADING = 12

_SCENE = regex.compile(r"\s*+(?:[*#~•·—–_-][^\S\n]*+){1,9}(?:\n|\Z)")
_NAMED = regex.compile(
    r"\s*+(?:chapter|part|book|section|act|scene|appendix|letter|canto|volume)\b[^\n]{0,60}(?:\n|\Z)", regex.IGNORECASE
)
_COUNTED = regex.compile(r"\s*+(?:[IVXLC]{1,7}|\d{1,3})[.)]?[^\S\n]*(?:\n|\Z|\p{Lu}[^\n.]{0,60}(?:\n|\Z))")


def pause(call: Call) -> Mapping[str, str | int]:
    """A label; or, of two pages, whether the second begins a chapter or section."""
    if call.part("second"):
        begins = "".join(call.part("second"))
        return {"answer": "yes" if _mark(begins) else "no"}
    before, after = "\n\n".join(call.part("opening")), call.part("offered")
    heavy = [_weighed(text) for text in (before, *after)]
    flow = [pair for unit in heavy for pair in unit]
    at, best = 0, (-math.inf, 0)
    for number, text in enumerate(after):
        at += len(heavy[number])
        change = _change(flow[max(0, at - SIDE) : at], flow[at : at + SIDE])
        previous = after[number - 1] if number else before.rpartition("\n\n")[2]
        score = _mark(text) - _mark(previous) + change + LENGTH * number / len(after)
        best = max(best, (score, number))
    return {"label": 1 + best[1]}


def _mark(text: str) -> float:
    """What the beginning of a text is worth as a place to pause before."""
    if _SCENE.match(text):
        return SCENE
    return HEADING if _is_heading(text.lstrip().partition("\n")[0]) or _NAMED.match(text) else 0.0


def _is_heading(line: str) -> bool:
    """A short line without a stop that is in capitals, counted, or begins its important words with one."""
    found = words(line)
    if not 0 < len(found) <= _LONGEST_HEADING or line.rstrip()[-1] in ".,;:!?…”’\"'。！？":
        return bool(found) and bool(_COUNTED.fullmatch(line))
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in found)
    return bool(_NAMED.match(line) or _COUNTED.match(line)) or line.lstrip().startswith("#") or 2 * capitals > len(found)


def _weighed(text: str) -> list[tuple[str, float]]:
    """The words of a text in order, each as its term and its rarity."""
    return [(term(word), rarity(word)) for word in words(text)]


def _change(before: Sequence[tuple[str, float]], after: Sequence[tuple[str, float]]) -> float:
    """1 less the cosine of the rarer words on both sides; what follows the end of the text is a change of everything."""
    left, right = _bag(before), _bag(after)
    length = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return 1.0 - (sum(weight * right[t] for t, weight in left.items() if t in right) / length if length else 0.0)


def _bag(found: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The weight of each term: its rarity, as often as it comes."""
    bag: dict[str, float] = {}
    for t, weight in found:
        bag[t] = bag.get(t, 0.0) + weight
    return bag
