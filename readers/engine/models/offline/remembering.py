"""A memory carried from chunk to chunk: the sentences relevant to a problem, verbatim, within the limit.

A sentence scores by the problem's words in it, weighted by rarity, and by names that better sentences mention, so a fact two hops
away is kept once its name has been met. If not all fit, those that add most are kept; words that are already covered count less.
Old sentences keep their order, new ones follow in text order. If earlier memories can be recalled, the query is made from names
that the new chunk makes important and of problem words about to be lost. It compares words and understands nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import query_terms, question_and_choices, sentences
from readers.engine.models.offline.summaries import choose_by_gain, pieces
from readers.engine.text import tokens
from readers.engine.text.words import rarity, term, terms, words

NOTHING_RELEVANT = "Nothing so far bears on the problem."
# What readers show in place of a missing memory, and our own text for an empty one.
EMPTY_MEMORIES = ("No previous memory.", "No memory was recalled.", NOTHING_RELEVANT)
# The share of the problem's weight (summed rarity) that makes a sentence relevant in itself.
MIN_SHARE = 0.08
# The weight of a name mentioned by a better sentence, and over how many hops it is passed on.
PASS_ON, MAX_HOPS = 0.3, 2
# The weight of a choice's words relative to the question's, and of a word that a selected sentence already has.
CHOICE_WEIGHT, REPEAT_WEIGHT = 0.3, 0.4
# The value of an old sentence that no longer shares anything: it is kept while there is room.
OLD_SENTENCE_VALUE = 1e-3
MIN_NAME_RARITY, MAX_QUERY_NAMES = 0.3, 3
# Added to a sentence's length in tokens, so that its content counts for more than its brevity.
_LENGTH_OVERHEAD = 40
_SENTENCE_ENDS = ".!?…:;。！？\"”’'"


@dataclass
class SentenceCandidate:
    """A sentence that may be kept: the part it comes from, its terms and names, its length in tokens, and its value."""

    text: str
    part: str
    terms: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    cost: int = 0
    direct: float = 0.0
    passed_on: float = 0.0

    @property
    def worth(self) -> float:
        return self.direct + self.passed_on


def update_memory(call: Call) -> Mapping[str, str | int]:
    """The new memory; and, if the format has a field for it, a query for an earlier one."""
    problem, choices = question_and_choices(call)
    limit = int(getattr(call.prompt.reply.in_words, "limit", call.prompt.max_tokens * 3 // 4))
    units = _candidates(call, limit)
    weight = _weight(problem, choices, units)
    _score(units, weight, sum(rarity(word) for word in query_terms(problem).values()))
    selected = _select(units, weight, limit)
    reply: dict[str, str | int] = {call.prompt.reply.main: "\n".join(unit.text for unit in selected) or NOTHING_RELEVANT}
    if call.part("recalled"):
        query = _query(selected, query_terms(problem), before=[" ".join(call.part(part)) for part in ("memory", "recalled")])
        reply |= {"recall": query} if query else {}
    return reply


def _candidates(call: Call, limit: int) -> list[SentenceCandidate]:
    """The distinct sentences of the old memory, the recalled one and the chunk, none longer than half the limit."""
    by_text: dict[str, SentenceCandidate] = {}
    for part in ("memory", "recalled", "section"):
        for sentence in sentences("\n\n".join(call.part(part))):
            for piece in pieces(sentence, max(1, limit // 2)):
                text = piece if piece[-1] in _SENTENCE_ENDS else f"{piece}."
                if text not in EMPTY_MEMORIES and text not in by_text:
                    by_text[text] = SentenceCandidate(text, part, frozenset(terms(text)), _names(text), tokens.count(text) + 1)
    return list(by_text.values())


def _names(text: str) -> dict[str, str]:
    """Capitalised words inside the sentence that are rare enough to be names, by term."""
    by_term: dict[str, str] = {}
    for word in words(text)[1:]:
        if word[0].isupper() and len(word) > 1 and rarity(word) > MIN_NAME_RARITY:
            by_term.setdefault(term(word), word.removesuffix("'s").removesuffix("’s"))
    return by_term


def _weight(problem: str, choices: Sequence[str], units: Sequence[SentenceCandidate]) -> dict[str, float]:
    """The problem's terms by rarity, less the more sentences contain them."""
    often = Counter(t for unit in units for t in unit.terms)
    by_term = {t: rarity(word) for t, word in query_terms(problem).items()}
    for t, word in query_terms(" ".join(choice.partition(") ")[2] for choice in choices)).items():
        by_term.setdefault(t, CHOICE_WEIGHT * rarity(word))
    return {t: heavy / math.sqrt(1 + often[t]) for t, heavy in by_term.items()}


def _score(units: Sequence[SentenceCandidate], weight: dict[str, float], whole: float) -> None:
    """Score every candidate; adds the names that are passed on to `weight`."""
    often = Counter(t for unit in units for t in unit.terms)
    asked = dict(weight)
    for unit in units:
        shared = [t for t in asked if t in unit.terms]
        bears = sum(asked[t] * math.sqrt(1 + often[t]) for t in shared) >= MIN_SHARE * whole
        unit.direct = sum(asked[t] for t in shared) if bears else 0.0
    for hop in range(1, MAX_HOPS + 1):
        best: dict[str, tuple[float, int]] = {}
        for number, unit in enumerate(units):
            for t, word in unit.names.items() if unit.worth else ():
                handed = PASS_ON**hop * unit.worth * rarity(word) / math.sqrt(1 + often[t])
                if t not in asked and handed > best.get(t, (0.0, -1))[0]:
                    best[t] = (handed, number)
        for number, unit in enumerate(units):
            met = sum(worth for t, (worth, giver) in best.items() if t in unit.terms and giver != number)
            unit.passed_on = max(unit.passed_on, met)
        for t, (worth, _) in best.items():
            weight[t] = max(weight.get(t, 0.0), worth)


def _select(units: Sequence[SentenceCandidate], weight: Mapping[str, float], limit: int) -> list[SentenceCandidate]:
    """The candidates to keep: repeatedly the candidate that adds most for its length, as long as one that fits adds anything."""
    worthy = [n for n, unit in enumerate(units) if unit.worth or unit.part == "memory"]
    weighed = {n: [t for t in weight if t in units[n].terms] for n in worthy}
    covered: Counter[str] = Counter()

    def gain(n: int) -> float:
        return (OLD_SENTENCE_VALUE + sum(weight[t] * REPEAT_WEIGHT ** covered[t] for t in weighed[n])) / math.sqrt(
            units[n].cost + _LENGTH_OVERHEAD
        )

    chosen = choose_by_gain(worthy, gain, [unit.cost for unit in units], limit, take=lambda n: covered.update(weighed[n]))
    while chosen and tokens.count("\n".join(units[n].text for n in sorted(chosen))) > limit:
        chosen.pop()
    return [units[n] for n in sorted(chosen)]


def _query(selected: Sequence[SentenceCandidate], sought: Mapping[str, str], *, before: Sequence[str]) -> str:
    """Names that new sentences introduce, best sentences first, then words about to be lost: problem words that the memory or the
    recalled memory had and no kept sentence has."""
    memory, recalled = (set(terms(text)) for text in before)
    new = sorted((unit for unit in selected if unit.part == "section"), key=lambda unit: -unit.worth)
    names = {t: word for unit in new for t, word in unit.names.items() if t not in memory and t not in sought}
    here = {t for unit in selected for t in unit.terms}
    lost = [word for t, word in sought.items() if t in memory | recalled and t not in here]
    return " ".join([*list(names.values())[:MAX_QUERY_NAMES], *lost])
