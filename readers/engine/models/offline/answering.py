"""Answer in a passage's own words where enough of the question is met in one place, and decline, or say so, where it is not.

The answer is the best one or two sentences as they stand, or the choice that shares most with the best place. With choices
this is little better than chance, for wrong choices use the passage's words too. Whether the words found do answer is beyond it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import listed, problem_of, rarity, sentences, wanted
from readers.engine.models.offline.summaries import LIST
from readers.engine.text.words import terms

COMMIT, DECLINE = -2, -1
# The share of the question's weight that one place must cover, and how many sentences a place is.
ENOUGH = 0.15
WINDOW = 3
NOT_THERE = "What I remember of the text does not say."


class Place(NamedTuple):
    """Sentences `start` up to `end`, the question's terms in them, and the share of the question's weight these have."""

    start: int
    end: int
    found: frozenset[str]
    share: float


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    """-2 with an answer, or -1."""
    units = sentences("\n\n".join(call.part("segment")))
    sought = wanted(" ".join(call.part("question")))
    weight = _weights(sought, call.part("memory"))
    place = _best_place([frozenset(terms(unit)) & weight.keys() for unit in units], weight)
    found = [word for t, word in sought.items() if t in place.found]
    missing = [word for t, word in sought.items() if t not in place.found]
    if place.share < ENOUGH:
        return {"reasoning": _why_not(found, missing), "action": DECLINE}
    choices = call.part("choices")
    answer = _choice(choices, units, place) if choices else _quote(units[place.start : place.end], weight)
    return {"reasoning": _why(found, missing), "action": COMMIT, "answer": answer}


def answer(call: Call) -> Mapping[str, str | int]:
    """The best place of all that is remembered, in its own words; or that it is not there."""
    question, choices = problem_of(call)
    sought = wanted(question)
    weight = {t: rarity(word) for t, word in sought.items()}
    memory = (*call.part("memory"), *call.part("recalled"))
    remembered = [sentences(text.partition(f" {LIST}")[0]) for text in memory]
    places = [_best_place([frozenset(terms(unit)) & weight.keys() for unit in units], weight) for units in remembered]
    # Of equal places the one in the longest text: that is a page, and the others are gists.
    at = max(range(len(places)), key=lambda n: (places[n].share, len(remembered[n]), -n), default=-1)
    main = call.prompt.reply.main
    if choices:
        units, place = (remembered[at], places[at]) if at >= 0 else ([], Place(0, 0, frozenset(), 0.0))
        return {main: _choice(choices, units, place)}
    if at < 0 or places[at].share < ENOUGH:
        return {main: NOT_THERE}
    return {main: _quote(remembered[at][places[at].start : places[at].end], weight)}


def _weights(sought: Mapping[str, str], memory: Sequence[str]) -> dict[str, float]:
    """Rarity, less for words that the summaries on the way repeat: a main character's name does not tell where the answer is."""
    known = Counter(terms(" ".join(memory)))
    return {t: rarity(word) / math.sqrt(1 + known[t]) for t, word in sought.items()}


def _best_place(bags: Sequence[frozenset[str]], weight: Mapping[str, float]) -> Place:
    """The first window that covers most weight."""
    whole = sum(weight.values())
    best = Place(0, 0, frozenset(), 0.0)
    for start in range(max(1, len(bags) - WINDOW + 1)):
        found = frozenset[str]().union(*bags[start : start + WINDOW])
        share = _worth(found, weight) / whole if whole else 0.0
        if share > best.share:
            best = Place(start, min(start + WINDOW, len(bags)), found, share)
    return best


def _worth(found: frozenset[str], weight: Mapping[str, float]) -> float:
    """Summed in the question's order, so that it is the same number in every process."""
    return sum(heavy for t, heavy in weight.items() if t in found)


def _quote(units: Sequence[str], weight: Mapping[str, float]) -> str:
    """The sentence that covers most, or two in a row where the second adds a word of the question."""
    runs = [units[n : n + 1] for n in range(len(units))] + [units[n : n + 2] for n in range(len(units) - 1)]
    return " ".join(max(runs, key=lambda run: _worth(frozenset(terms(" ".join(run))), weight)))


def _choice(choices: Sequence[str], units: Sequence[str], place: Place) -> str:
    """The choice whose rarer words are most in the place; being elsewhere in the passage counts half."""
    near, far = set(terms(" ".join(units[place.start : place.end]))), set(terms(" ".join(units)))

    def worth(choice: str) -> float:
        sought = wanted(choice)
        met = sum(rarity(word) * (1.0 if t in near else 0.5 if t in far else 0.0) for t, word in sought.items())
        return met / (sum(map(rarity, sought.values())) or 1.0)

    return " ".join(max(choices, key=worth).split())


def _why(found: Sequence[str], missing: Sequence[str]) -> str:
    lacks = f"; {are(missing)} not there" if missing else ""
    return f"One place in this passage has {listed(found)} from the question{lacks}."


def _why_not(found: Sequence[str], missing: Sequence[str]) -> str:
    if not found and not missing:
        return "The question has no rarer word to look for."
    if not found:
        return f"This passage has none of the question's rarer words: {are(missing)} missing."
    rest = f"; {are(missing)} missing" if missing else ""
    return f"The best place in this passage has only {listed(found)} from the question{rest}."


def are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"
