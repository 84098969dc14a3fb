"""Triage: which numbered summary shares most with the question, weighing its words by how rare they are.

It compares words, not meaning: a summary that says the same in other words is not seen. It never chooses what is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.calls import Call
from readers.engine.offline.lexicon import listed, rarity, wanted
from readers.engine.words import terms

BACK = -1
# Going back up is better than a child that covers less than this share of the question's weight.
FLOOR = 0.1
# What an opened and left child's score still counts.
OPENED = 0.5
_K1, _B = 1.2, 0.5


class Match(NamedTuple):
    """How a text answers to a question: a score to rank by, the share of the question's weight it covers, the words shared."""

    score: float
    share: float
    shared: tuple[str, ...]


def choose(call: Call) -> Mapping[str, str | int]:
    """A number from 0 for a summary, or -1 for back."""
    question = " ".join(call.part("question"))
    matches = matched(question, call.part("summaries"))
    refused, opened = set(call.part("refused")), set(call.part("opened"))
    ranked = sorted(
        (n for n in range(len(matches)) if str(n) not in refused),
        key=lambda n: (-matches[n].score * (OPENED if str(n) in opened else 1), str(n) in opened, n),
    )
    if not ranked:
        return {"reasoning": "Every summary shown here has been refused, so the only way is back.", "action": BACK}
    best = ranked[0]
    if str(BACK) in call.part("back") and matches[best].share < FLOOR:
        return {"reasoning": _why_back(matches[best]), "action": BACK}
    return {"reasoning": _why(ranked, matches, len(wanted(question))), "action": best}


def matched(question: str, texts: Sequence[str]) -> list[Match]:
    """Each text's match. A word counts by its rarity in the language and among these texts."""
    bags = [Counter(terms(text)) for text in texts]
    sought = wanted(question)
    weight = {t: rarity(word) * _rarity_here(t, bags) for t, word in sought.items()}
    whole = sum(rarity(word) for word in sought.values()) or 1.0
    mean = sum(bag.total() for bag in bags) / len(bags) if bags else 1.0

    def match(bag: Counter[str]) -> Match:
        norm = _K1 * (1 - _B + _B * bag.total() / (mean or 1.0))
        shared = [t for t in sought if t in bag]
        score = sum(weight[t] * bag[t] * (_K1 + 1) / (bag[t] + norm) for t in shared)
        shared.sort(key=lambda t: -weight[t])
        return Match(score, sum(rarity(sought[t]) for t in shared) / whole, tuple(sought[t] for t in shared))

    return [match(bag) for bag in bags]


def _rarity_here(sought: str, bags: Sequence[Counter[str]]) -> float:
    holding = sum(sought in bag for bag in bags)
    return 0.2 + math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))


def _why(ranked: Sequence[int], matches: Sequence[Match], of: int) -> str:
    best = ranked[0]
    shared = matches[best].shared
    if not shared:
        return f"No summary left shares a rarer word with the question; summary {best} is the first of them."
    why = f"Summary {best} shares {listed(shared)} with the question ({len(shared)} of its {of} rarer words)"
    if len(ranked) == 1:
        return f"{why}; no other is left."
    second = ranked[1]
    less = f"shares only {listed(matches[second].shared)}" if matches[second].shared else "shares none of them"
    return f"{why}; the next best, summary {second}, {less}."


def _why_back(best: Match) -> str:
    if not best.shared:
        return "No summary left here shares a rarer word with the question, so going back up is better."
    return f"The best summary left here shares only {listed(best.shared)} with the question, too little to go on, so going back up is better."
