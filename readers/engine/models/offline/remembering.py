"""A memory kept from chunk to chunk: the sentences that bear on a problem, as they stand, within the limit.

A sentence counts by the problem's words in it, weighed by their rarity, and by names that better sentences bring up: so a fact
two hops away is kept once its name has been met. Where all do not fit, those stay that add most, words that are there already
counting less. Sentences of the old memory keep their order, and new ones follow in the text's. Where an earlier memory may be
asked for, the query is the names that the new chunk makes important, and the problem's words that are being lost. It compares
words and understands nothing.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import problem_of, rarity, sentences, wanted
from readers.engine.models.offline.summaries import pieces
from readers.engine.text import tokens
from readers.engine.text.words import term, terms, words

NOTHING = "Nothing so far bears on the problem."
# What readers show where there is no memory yet, or none was recalled, and what is said here of an empty one.
EMPTY = ("No previous memory.", "No memory was recalled.", NOTHING)
# The share of the problem's weight (rarity summed) that makes a sentence worth keeping by itself.
BEARS = 0.08
# What a name counts that a better sentence brings up, and how many times it may be handed on.
HANDED_ON, HOPS = 0.3, 2
# What a choice's words count beside the question's, and a word that a sentence taken before has.
CHOICE, AGAIN = 0.3, 0.4
# What a sentence of the old memory is worth that shares nothing any more: it is kept while there is room.
KEPT = 1e-3
RARE_NAME, NAMES_ASKED_FOR = 0.3, 3
# Added to a sentence's length in tokens: what it holds counts for more than how short it is.
_OVERHEAD = 40
_ENDS = ".!?…:;。！？\"”’'"


@dataclass
class Unit:
    """A sentence that may be kept: where it stands, its terms, the names in it, its length, and what it is worth."""

    text: str
    part: str
    terms: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    cost: int = 0
    direct: float = 0.0
    handed: float = 0.0

    @property
    def worth(self) -> float:
        return self.direct + self.handed


def update_memory(call: Call) -> Mapping[str, str | int]:
    """The memory anew; and, in a format that has a place for it, a query for an earlier one."""
    problem, choices = problem_of(call)
    limit = int(getattr(call.prompt.reply, "limit", call.prompt.max_tokens * 3 // 4))
    units = _units(call, limit)
    weight = _weight(problem, choices, units)
    _judge(units, weight, sum(rarity(word) for word in wanted(problem).values()))
    kept = _kept(units, weight, limit)
    reply: dict[str, str | int] = {call.prompt.reply.main: "\n".join(unit.text for unit in kept) or NOTHING}
    if call.part("recalled"):
        query = _query(kept, wanted(problem), before=[" ".join(call.part(part)) for part in ("memory", "recalled")])
        reply |= {"recall": query} if query else {}
    return reply


def _units(call: Call, limit: int) -> list[Unit]:
    """Sentences of the old memory, of the recalled one and of the chunk, each once, none longer than half of the limit."""
    found: dict[str, Unit] = {}
    for part in ("memory", "recalled", "section"):
        for sentence in sentences("\n\n".join(call.part(part))):
            for piece in pieces(sentence, max(1, limit // 2)):
                text = piece if piece[-1] in _ENDS else f"{piece}."
                if text not in EMPTY and text not in found:
                    found[text] = Unit(text, part, frozenset(terms(text)), _names(text), tokens.count(text) + 1)
    return list(found.values())


def _names(text: str) -> dict[str, str]:
    """Words that begin with a capital inside the sentence and are rare enough to be names, by their term."""
    found: dict[str, str] = {}
    for word in words(text)[1:]:
        if word[0].isupper() and len(word) > 1 and rarity(word) > RARE_NAME:
            found.setdefault(term(word), word.removesuffix("'s").removesuffix("’s"))
    return found


def _weight(problem: str, choices: Sequence[str], units: Sequence[Unit]) -> dict[str, float]:
    """The problem's terms, each by its rarity, and less the oftener the sentences at hand have it."""
    often = Counter(t for unit in units for t in unit.terms)
    found = {t: rarity(word) for t, word in wanted(problem).items()}
    for t, word in wanted(" ".join(choice.partition(") ")[2] for choice in choices)).items():
        found.setdefault(t, CHOICE * rarity(word))
    return {t: heavy / math.sqrt(1 + often[t]) for t, heavy in found.items()}


def _judge(units: Sequence[Unit], weight: dict[str, float], whole: float) -> None:
    """Give every unit its worth; names that are handed on come into `weight`."""
    often = Counter(t for unit in units for t in unit.terms)
    asked = dict(weight)
    for unit in units:
        shared = [t for t in asked if t in unit.terms]
        bears = sum(asked[t] * math.sqrt(1 + often[t]) for t in shared) >= BEARS * whole
        unit.direct = sum(asked[t] for t in shared) if bears else 0.0
    for hop in range(1, HOPS + 1):
        best: dict[str, tuple[float, int]] = {}
        for number, unit in enumerate(units):
            for t, word in unit.names.items() if unit.worth else ():
                handed = HANDED_ON**hop * unit.worth * rarity(word) / math.sqrt(1 + often[t])
                if t not in asked and handed > best.get(t, (0.0, -1))[0]:
                    best[t] = (handed, number)
        for number, unit in enumerate(units):
            met = sum(worth for t, (worth, giver) in best.items() if t in unit.terms and giver != number)
            unit.handed = max(unit.handed, met)
        for t, (worth, _) in best.items():
            weight[t] = max(weight.get(t, 0.0), worth)


def _kept(units: Sequence[Unit], weight: Mapping[str, float], limit: int) -> list[Unit]:
    """The units taken one by one, each time the one that adds most for its length, while one fits that adds any."""
    worthy = [n for n, unit in enumerate(units) if unit.worth or unit.part == "memory"]
    weighed = {n: [t for t in weight if t in units[n].terms] for n in worthy}
    taken: Counter[str] = Counter()
    chosen: list[int] = []
    room = limit

    def gain(n: int) -> float:
        return (KEPT + sum(weight[t] * AGAIN ** taken[t] for t in weighed[n])) / math.sqrt(units[n].cost + _OVERHEAD)

    queue = [(-gain(n), n) for n in worthy]
    heapq.heapify(queue)
    while queue:
        queued, n = heapq.heappop(queue)
        if units[n].cost > room:
            continue
        if -gain(n) > queued:  # gains only fall
            heapq.heappush(queue, (-gain(n), n))
            continue
        chosen.append(n)
        taken.update(weighed[n])
        room -= units[n].cost
    while chosen and tokens.count("\n".join(units[n].text for n in sorted(chosen))) > limit:
        chosen.pop()
    return [units[n] for n in sorted(chosen)]


def _query(kept: Sequence[Unit], sought: Mapping[str, str], *, before: Sequence[str]) -> str:
    """Names that new sentences bring in and the memory did not have, the best sentences' first; and what is being lost: the
    problem's words that stood in the memory or in the recalled one, and are in no sentence kept."""
    memory, recalled = (set(terms(text)) for text in before)
    new = sorted((unit for unit in kept if unit.part == "section"), key=lambda unit: -unit.worth)
    names = {t: word for unit in new for t, word in unit.names.items() if t not in memory and t not in sought}
    here = {t for unit in kept for t in unit.terms}
    lost = [word for t, word in sought.items() if t in memory | recalled and t not in here]
    return " ".join([*list(names.values())[:NAMES_ASKED_FOR], *lost])
