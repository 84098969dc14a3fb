"""At a passage: answer with its own words when enough of the question is met in one place, decline when it is not.

An answer is the passage's best one or two sentences, or the choice that shares most with the best place. With choices this is
little better than chance, since wrong choices use the passage's words too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.calls import Call
from readers.engine.offline.lexicon import listed, rarity, sentences, wanted
from readers.engine.words import terms

COMMIT, DECLINE = -2, -1
# The share of the question's weight that one place must cover.
ENOUGH = 0.4
WINDOW = 3


class Place(NamedTuple):
    """Consecutive sentences `start` up to `end`, and the question's terms found in them."""

    start: int
    end: int
    found: frozenset[str]
    share: float


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    question = " ".join(call.part("question"))
    units = sentences(" ".join(call.part("segment")))
    sought = wanted(question)
    weight = _weight(sought, call.part("memory"))
    place = _best_place(units, weight)
    missing = [word for t, word in sought.items() if t not in place.found]
    found = [word for t, word in sought.items() if t in place.found]
    if place.share < ENOUGH or not found:
        return {"reasoning": _why_not(found, missing), "action": DECLINE}
    answer = _chosen(units, place, call.part("choices")) if call.part("choices") else _quoted(units, place, weight)
    without = f" The passage lacks {listed(missing)}." if missing else ""
    return {"reasoning": f"One place in this passage has {listed(found)} from the question close together.{without}", "action": COMMIT, "answer": answer}


def _weight(sought: Mapping[str, str], memory: Sequence[str]) -> dict[str, float]:
    """A word that the summaries above repeat (a main character) tells little about where the answer is."""
    known = Counter(terms(" ".join(memory)))
    return {t: rarity(word) / (1 + known[t]) ** 0.5 for t, word in sought.items()}


def _best_place(units: Sequence[str], weight: Mapping[str, float]) -> Place:
    """The first window of three sentences that covers most weight."""
    bags = [frozenset(terms(unit)) & weight.keys() for unit in units]
    whole = sum(weight.values()) or 1.0
    best = Place(0, 0, frozenset(), 0.0)
    for start in range(len(units)):
        end = min(start + WINDOW, len(units))
        found = frozenset().union(*bags[start:end])
        share = sum(weight[t] for t in sorted(found)) / whole
        if share > best.share + 1e-9:
            best = Place(start, end, found, share)
    return best


def _quoted(units: Sequence[str], place: Place, weight: Mapping[str, float]) -> str:
    """The sentence of the place that covers most, with its neighbour where that adds a word of the question."""
    def worth(start: int, end: int) -> float:
        found = set(terms(" ".join(units[start:end]))) & weight.keys()
        return sum(weight[t] for t in sorted(found))

    ones = [(worth(n, n + 1), -n) for n in range(place.start, place.end)]
    alone, at = max(ones)
    twos = [(worth(n, n + 2), -n) for n in range(place.start, place.end - 1)]
    if twos and max(twos)[0] > alone + 1e-9:
        at = max(twos)[1]
        return " ".join(units[-at : -at + 2])
    return units[-at]


def _chosen(units: Sequence[str], place: Place, choices: Sequence[str]) -> str:
    """The choice whose rarer words are most in the place, then in the passage."""
    near = set(terms(" ".join(units[place.start : place.end])))
    far = set(terms(" ".join(units)))

    def worth(choice: str) -> float:
        sought = wanted(choice)
        whole = sum(rarity(word) for word in sought.values()) or 1.0
        return sum(rarity(word) * ((t in near) + 0.5 * (t in far)) for t, word in sought.items()) / whole

    return " ".join(max(choices, key=worth).split())


def _why_not(found: Sequence[str], missing: Sequence[str]) -> str:
    if not found:
        return f"This passage has none of the question's rarer words: {listed(missing)}." if missing else "The question has no rarer word to look for."
    return f"The best place in this passage has only {listed(found)} from the question; it lacks {listed(missing)}."
