"""Picking one of the given choices: the one whose own words stand nearest to the question's in some sentences.

A choice that the question's own counting confirms (`eighteen weeks` for `how many weeks`) wins, and one that the text corrects
(`for ‘ten miles’ read ‘twelve miles’`) gives way to its correction. Wrong choices use the text's
words too, so this is often wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import regex

from readers.engine.models.offline.asking import counted
from readers.engine.text.words import rarity, term, terms, words

# The least weight of a choice's word: common ones (`Six`) may be all that it has.
_LEAST = 0.1
# What a sentence counts for if it has nothing of the question, and what the sentences around it add.
_ANYWHERE, _AROUND = 0.15, 1.0
_QUOTED = r"[‘“'\"](?P<{}>[^‘’“”\"\n]{{1,80}})[’”'\"]"
_CORRECTION = regex.compile(rf"\bfor {_QUOTED.format('old')},? (?:read|substitute|put) {_QUOTED.format('new')}", regex.IGNORECASE)


def pick(asked: str, choices: Sequence[str], units: Sequence[str], weight: Mapping[str, float]) -> str:
    """The best choice on one line; the first one if nothing tells them apart. `weight` holds the question's terms."""
    bags = [frozenset(terms(unit)) for unit in units]
    near = [
        _share(bag, weight) + _AROUND * _share(around, weight) for bag, around in zip(bags, _with_neighbours(bags), strict=True)
    ]
    text = " ".join(units)
    own = frozenset(terms(asked))

    def worth(choice: str) -> float:
        sought = {term(word): max(_LEAST, rarity(word)) for word in words(_without_letter(choice)) if term(word) not in own}
        whole = sum(sought.values()) or 1.0
        has = [sum(heavy for t, heavy in sought.items() if t in bag) / whole for bag in bags]
        nearest = max((share * (_ANYWHERE + close) for share, close in zip(has, near, strict=True)), default=0.0)
        return nearest + counted(asked, _without_letter(choice), text)

    best = max(choices, key=worth)
    return " ".join(_corrected(best, choices, text).split())


def _with_neighbours(bags: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    return [frozenset[str]().union(*bags[max(0, n - 1) : n + 2]) for n in range(len(bags))]


def _share(bag: frozenset[str], weight: Mapping[str, float]) -> float:
    """The share of the question's weight in a text with these terms."""
    return sum(heavy for t, heavy in weight.items() if t in bag) / (sum(weight.values()) or 1.0)


def _corrected(best: str, choices: Sequence[str], text: str) -> str:
    """The choice that a correction in the text puts in place of this one; or this one."""
    for found in _CORRECTION.finditer(text):
        old, new = (terms(found[name]) for name in ("old", "new"))
        if old == terms(_without_letter(best)):
            return next((choice for choice in choices if terms(_without_letter(choice)) == new), best)
    return best


def _without_letter(choice: str) -> str:
    """A choice without the letter that readers put before it."""
    return regex.sub(r"^\s*\([A-Z]\)\s*", "", choice)
