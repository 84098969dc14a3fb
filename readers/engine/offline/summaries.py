"""Extractive summaries: whole sentences of the source in their order, chosen so that few of them hold many of its rarer words.

A walk or a look-up steers by these summaries, so a rare word or a name that is lost here cannot be found again: coverage counts
more than style. About a fifth of the source, one sentence at least. Nothing is reworded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from readers.engine import split, tokens
from readers.engine.calls import Call
from readers.engine.offline.lexicon import rarity, sentences
from readers.engine.words import term, words

SHARE = 0.2
SHORTEST = 25


def summarise(call: Call) -> Mapping[str, str | int]:
    """Compress the `segment`, or the `summaries` together."""
    source = "\n\n".join(call.part("segment") + call.part("summaries"))
    return {call.prompt.reply.main: summary(source, most=call.prompt.max_tokens * 3 // 4)}


def summary(source: str, *, most: int) -> str:
    """Sentences of `source` in order, about a fifth of its tokens and never more than `most`."""
    room = min(most, max(SHORTEST, round(tokens.count(source) * SHARE)))
    units = [piece for sentence in sentences(source) for piece in _pieces(sentence, room)]
    return " ".join(units[n] for n in _chosen(units, room))


def _pieces(sentence: str, room: int) -> list[str]:
    """The sentence; one that would fill the summary alone is cut."""
    if tokens.count(sentence) <= room:
        return [sentence]
    return [sentence[start:end].strip() for start, end in split.segments(sentence, max(1, room // 2))]


def _chosen(units: Sequence[str], room: int) -> list[int]:
    """Greedy coverage: again and again the unit that adds most weight of words not yet covered for its length."""
    bags = [dict.fromkeys(term(word) for word in words(unit)) for unit in units]
    value = _values(units)
    costs = [tokens.count(unit) for unit in units]
    covered: set[str] = set()
    chosen: list[int] = []
    left = room
    while True:
        gains = {
            n: sum(value[t] for t in bag if t not in covered) / (costs[n] + 4) + (0.01 if n == 0 else 0)
            for n, bag in enumerate(bags)
            if n not in chosen and costs[n] <= left
        }
        if not gains:
            return sorted(chosen) or [0][: len(units)]
        best = max(gains, key=lambda n: (gains[n], -n))
        chosen.append(best)
        covered.update(bags[best])
        left -= costs[best]


def _values(units: Sequence[str]) -> dict[str, float]:
    """What covering a term is worth: its rarity, more if it is a name, more if the source keeps coming back to it."""
    times: Counter[str] = Counter()
    value: dict[str, float] = {}
    for unit in units:
        for number, word in enumerate(words(unit)):
            times[term(word)] += 1
            named = 1.5 if number and word[0].isupper() else 1.0
            value[term(word)] = max(value.get(term(word), 0.0), rarity(word) * named)
    return {t: v * (1 + math.log(times[t])) for t, v in value.items()}
