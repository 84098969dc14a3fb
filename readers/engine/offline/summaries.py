"""Extractive summaries: whole sentences of the source in their order, chosen so that few of them hold much of what it is about.

A walk or a look-up steers by these summaries, and a rare word or a name that is lost here cannot be found again. So sentences are
taken for the words they bring in that no sentence taken before has: rare ones, names, and those the source keeps coming back to.
Where a sentence stands counts for nothing, except between equals. Nothing is reworded.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from readers.engine import split, tokens
from readers.engine.calls import Call
from readers.engine.offline.lexicon import rarity, sentences
from readers.engine.words import term, words

# The share of the source that is kept; a larger one of summaries, which hold little else than rare words by then.
SHARE, SHARE_OF_SUMMARIES = 0.24, 0.5
SHORTEST = 25
NAME = 1.5
COMING_BACK = 3.0
# Added to a sentence's length in tokens, so that a sentence of two words is no bargain.
_OVERHEAD = 4


def summarise(call: Call) -> Mapping[str, str | int]:
    """Compress the `segment`; or each of the `summaries`, keeping them apart by a blank line."""
    most = call.prompt.max_tokens * 3 // 4
    segment, summaries = "\n\n".join(call.part("segment")), call.part("summaries")
    if not summaries:
        return {call.prompt.reply.main: summary(segment, share=SHARE, most=most)}
    paragraphs = [paragraph for text in summaries for paragraph in text.split("\n\n") if paragraph.strip()]
    share = min(SHARE_OF_SUMMARIES, most / max(1, sum(map(tokens.count, paragraphs))))
    return {call.prompt.reply.main: "\n\n".join(summary(paragraph, share=share, most=most) for paragraph in paragraphs)}


def summary(source: str, *, share: float, most: int) -> str:
    """Sentences of `source` in order: about `share` of its tokens, one sentence at least, never more than `most`."""
    room = max(1, min(most, max(SHORTEST, round(tokens.count(source) * share))))
    units = [piece for sentence in sentences(source) for piece in _pieces(sentence, room)]
    return " ".join(units[n] for n in _chosen(units, room))


def _pieces(sentence: str, room: int) -> list[str]:
    """The sentence; cut, if it would not fit into the summary by itself."""
    if tokens.count(sentence) <= room:
        return [sentence]
    cut = (sentence[start:end].strip() for start, end in split.segments(sentence, max(1, room // 2)))
    return [piece for piece in cut if piece]


def _chosen(units: Sequence[str], room: int) -> list[int]:
    """The units taken one by one: each time the one that adds most value for its length, while it fits."""
    value = _values(units)
    bags = [dict.fromkeys(term(word) for word in words(unit)) for unit in units]
    costs = [tokens.count(unit) for unit in units]
    covered: set[str] = set()
    chosen: list[int] = []

    def gain(n: int) -> float:
        return sum(value[t] for t in bags[n] if t not in covered) / (costs[n] + _OVERHEAD)

    # Gains only fall, so a unit whose gain is still what it was when it was queued is the best there is.
    queue = [(-gain(n), n) for n in range(len(units))]
    heapq.heapify(queue)
    while queue:
        queued, n = heapq.heappop(queue)
        if costs[n] > room:
            continue
        if -gain(n) > queued:
            heapq.heappush(queue, (-gain(n), n))
            continue
        chosen.append(n)
        covered.update(bags[n])
        room -= costs[n]
    return sorted(chosen) or list(range(len(units)))[:1]


def _values(units: Sequence[str]) -> dict[str, float]:
    """What it is worth to hold a term: its rarity, more for a name, and more the oftener the source has it."""
    times: Counter[str] = Counter()
    value: dict[str, float] = {}
    for unit in units:
        for number, word in enumerate(words(unit)):
            t = term(word)
            times[t] += 1
            value[t] = max(value.get(t, 0.0), rarity(word) * (NAME if number and word[0].isupper() else 1.0))
    return {t: worth * (1 + COMING_BACK * math.log(times[t])) for t, worth in value.items()}
