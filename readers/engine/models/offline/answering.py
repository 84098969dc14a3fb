"""Answer in a passage's own words if one spot covers enough of the question; otherwise decline, or say that it is not there.

The answer is the best one or two sentences, verbatim, or the choice that shares most with the best spot. With choices this is
little better than chance, because wrong choices use the passage's words too. It cannot tell whether the words it found answer the
question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import join_words, query_terms, question_and_choices, sentences
from readers.engine.models.offline.summaries import LIST_INTRO
from readers.engine.text.words import rarity, terms

COMMIT, DECLINE = -2, -1
# The share of the question's weight that a window must cover, and the length of a window in sentences.
MIN_SHARE = 0.15
WINDOW = 3
NOT_THERE = "What I remember of the text does not say."


class Passage(NamedTuple):
    """Sentences `start` up to `end`, the question terms in them, and the share of the question's weight that these terms
    carry."""

    start: int
    end: int
    found: frozenset[str]
    share: float


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    """Action -2 with an answer, or -1 to decline."""
    units = sentences("\n\n".join(call.part("segment")))
    sought = query_terms(" ".join(call.part("question")))
    weight = _weights(sought, call.part("memory"))
    best = _best_passage([frozenset(terms(unit)) & weight.keys() for unit in units], weight)
    found = [word for t, word in sought.items() if t in best.found]
    missing = [word for t, word in sought.items() if t not in best.found]
    if best.share < MIN_SHARE:
        return {"reasoning": _why_not(found, missing), "action": DECLINE}
    choices = call.part("choices")
    answer = _choice(choices, units, best) if choices else _quote(units[best.start : best.end], weight)
    return {"reasoning": _why(found, missing), "action": COMMIT, "answer": answer}


def answer(call: Call) -> Mapping[str, str | int]:
    """The best passage in the whole memory, verbatim; or a sentence that the memory does not say."""
    question, choices = question_and_choices(call)
    sought = query_terms(question)
    weight = {t: rarity(word) for t, word in sought.items()}
    memory = (*call.part("memory"), *call.part("recalled"))
    remembered = [sentences(text.partition(f" {LIST_INTRO}")[0]) for text in memory]
    passages = [_best_passage([frozenset(terms(unit)) & weight.keys() for unit in units], weight) for units in remembered]
    # On equal shares the passage in the longest text wins: that is a page, the others are gists.
    best = max(range(len(passages)), key=lambda n: (passages[n].share, len(remembered[n]), -n), default=-1)
    main = call.prompt.reply.main
    if choices:
        units, passage = (remembered[best], passages[best]) if best >= 0 else ([], Passage(0, 0, frozenset(), 0.0))
        return {main: _choice(choices, units, passage)}
    if best < 0 or passages[best].share < MIN_SHARE:
        return {main: NOT_THERE}
    return {main: _quote(remembered[best][passages[best].start : passages[best].end], weight)}


def _weights(sought: Mapping[str, str], memory: Sequence[str]) -> dict[str, float]:
    """The rarity of each term, reduced for terms that the summaries along the path repeat: a main character's name does not tell
    where the answer is."""
    known = Counter(terms(" ".join(memory)))
    return {t: rarity(word) / math.sqrt(1 + known[t]) for t, word in sought.items()}


def _best_passage(bags: Sequence[frozenset[str]], weight: Mapping[str, float]) -> Passage:
    """The first window that covers the most weight."""
    whole = sum(weight.values())
    best = Passage(0, 0, frozenset(), 0.0)
    for start in range(max(1, len(bags) - WINDOW + 1)):
        found = frozenset[str]().union(*bags[start : start + WINDOW])
        share = _weight_of(found, weight) / whole if whole else 0.0
        if share > best.share:
            best = Passage(start, min(start + WINDOW, len(bags)), found, share)
    return best


def _weight_of(found: frozenset[str], weight: Mapping[str, float]) -> float:
    """The total weight of these terms, summed in the question's order so that rounding is the same in every process."""
    return sum(heavy for t, heavy in weight.items() if t in found)


def _quote(units: Sequence[str], weight: Mapping[str, float]) -> str:
    """The sentence that covers most, or two in a row if the second adds a word of the question."""
    runs = [units[n : n + 1] for n in range(len(units))] + [units[n : n + 2] for n in range(len(units) - 1)]
    return " ".join(max(runs, key=lambda run: _weight_of(frozenset(terms(" ".join(run))), weight)))


def _choice(choices: Sequence[str], units: Sequence[str], passage: Passage) -> str:
    """The choice with the most of its rarer words in the passage; words elsewhere in the text count half."""
    near, far = set(terms(" ".join(units[passage.start : passage.end]))), set(terms(" ".join(units)))

    def worth(choice: str) -> float:
        sought = query_terms(choice)
        met = sum(rarity(word) * (1.0 if t in near else 0.5 if t in far else 0.0) for t, word in sought.items())
        return met / (sum(map(rarity, sought.values())) or 1.0)

    return " ".join(max(choices, key=worth).split())


def _why(found: Sequence[str], missing: Sequence[str]) -> str:
    lacks = f"; {names_are(missing)} not there" if missing else ""
    return f"One place in this passage has {join_words(found)} from the question{lacks}."


def _why_not(found: Sequence[str], missing: Sequence[str]) -> str:
    if not found and not missing:
        return "The question has no rarer word to look for."
    if not found:
        return f"This passage has none of the question's rarer words: {names_are(missing)} missing."
    rest = f"; {names_are(missing)} missing" if missing else ""
    return f"The best place in this passage has only {join_words(found)} from the question{rest}."


def names_are(names: Sequence[str]) -> str:
    return f"{join_words(names)} {'is' if len(names) == 1 else 'are'}"
