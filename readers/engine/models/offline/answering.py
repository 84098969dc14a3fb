"""Answer in a passage's own words if one spot covers enough of the question; otherwise decline, or say that the answer is not
there.

The answer is the best one or two sentences, verbatim, or the choice whose own words are found nearest to the question's; wrong
choices use the text's words as well, so this is often wrong. A part is declined if it has almost none of the question's words, if
a summary promises far more of them elsewhere, or if no good spot contains the kind of thing asked for (`lexicon.py`). It does not
know whether the words it found answer the question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import (
    asks_a_kind,
    counted,
    kind_missing,
    query_terms,
    question_and_choices,
    said,
    says_half,
    sentences,
    with_those_before,
)
from readers.engine.models.offline.summaries import LIST_INTRO
from readers.engine.text.phrases import listed
from readers.engine.text.words import rarity, term, terms, words

COMMIT, DECLINE = -2, -1
# At a leaf a rare word counts for more than a common one, but less than in proportion: an answer has words that the question
# lacks.
RARITY_POWER = 0.7
# The share of the question's weight that a window must cover, and the length of a window in sentences.
MIN_SHARE = 0.1
WINDOW = 3
# A part is left if its best window covers less than this much of what the best summary in the background covers.
LESS_THAN_PROMISED = 0.5
SCATTERED = 0.5
# Where a kind of thing is asked for, a window that has it must cover this much of what the best window, or summary, covers.
NEAR_BEST = 0.7
# The share of that window's weight that the very sentence with the kind of thing must have.
NEAR_THE_KIND = 0.35
NOT_THERE = "The text does not say."


class Passage(NamedTuple):
    """Sentences `start` up to `end`, the question terms in them, and the share of the question's weight that these terms
    carry."""

    start: int = 0
    end: int = 0
    found: frozenset[str] = frozenset()
    share: float = 0.0


class Spots:
    """The places of one text that have the question's words, best first."""

    def __init__(self, asked: str, units: Sequence[str], weight: Mapping[str, float]) -> None:
        self.asked, self.units, self.weight = asked, units, weight
        self.passages = _passages([said(unit) & weight.keys() for unit in units], weight)
        self.best = self.passages[0]

    def text(self, passage: Passage) -> str:
        return " ".join(self.units[passage.start : passage.end])

    def enough(self, share: float) -> Passage | None:
        """The best place; where the question asks for a kind of thing, the best one of at least this share that has it."""
        if not asks_a_kind(self.asked):
            return self.best
        return next((passage for passage in self.passages if passage.share >= share and self._holds_the_kind(passage)), None)

    def _holds_the_kind(self, passage: Passage) -> bool:
        """Whether one sentence has the kind of thing asked for, and with what its pronoun refers to, most of what this place has
        of the question."""
        if says_half(self.asked, self.text(passage)):
            return False
        least = NEAR_THE_KIND * _weight_of(passage.found, self.weight)
        units = self.units[passage.start : passage.end]
        bags = with_those_before([said(unit) for unit in units], units)
        return any(
            _weight_of(bag, self.weight) >= least and not kind_missing(self.asked, unit)
            for bag, unit in zip(bags, units, strict=True)
        )

    def quote(self, passage: Passage) -> str:
        """The sentence of a place that covers most and has the kind of thing asked for, or two in a row if the second adds
        something."""
        units = self.units[passage.start : passage.end]
        runs: list[Sequence[str]] = [units[n : n + 1] for n in range(len(units))]
        runs += [units[n : n + 2] for n in range(len(units) - 1)]

        def worth(run: Sequence[str]) -> tuple[bool, float]:
            return not kind_missing(self.asked, " ".join(run)), _weight_of(said(" ".join(run)), self.weight)

        best: Sequence[str] = max(runs, key=worth, default=())
        return " ".join(best)


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    """Action -2 with an answer, or -1 to decline."""
    asked, choices, memory = " ".join(call.part("question")), call.part("choices"), call.part("memory")
    sought = query_terms(asked)
    spots = Spots(asked, sentences("\n\n".join(call.part("segment"))), _weights(sought, memory))
    best, promised = spots.best, _promised(memory, spots.weight)
    found = [word for t, word in sought.items() if t in best.found]
    missing = [word for t, word in sought.items() if t not in best.found]
    if best.share < MIN_SHARE:
        return {"reasoning": _why_not(found, missing), "action": DECLINE}
    whole = _weight_of(said(" ".join(spots.units)), spots.weight) / (sum(spots.weight.values()) or 1.0)
    if best.share < SCATTERED * whole and promised.share > best.share:
        return {"reasoning": f"{_why_not(found, missing)} The others are scattered over it.", "action": DECLINE}
    if best.share < LESS_THAN_PROMISED * promised.share:
        elsewhere = listed(word for t, word in sought.items() if t in promised.found)
        return {"reasoning": f"{_why_not(found, missing)} A summary has {elsewhere} together.", "action": DECLINE}
    if choices:
        return {"reasoning": _why(found, missing), "action": COMMIT, "answer": pick(asked, choices, spots.units, spots.weight)}
    chosen = spots.enough(NEAR_BEST * max(best.share, promised.share))
    if chosen is None:
        lacks = f"{kind_missing(asked, spots.text(best)) or kind_missing(asked, '')} does not stand near these words"
        return {"reasoning": f"{_why(found, missing)} But {lacks}.", "action": DECLINE}
    found, missing = ([word for t, word in sought.items() if (t in chosen.found) is there] for there in (True, False))
    return {"reasoning": _why(found, missing), "action": COMMIT, "answer": spots.quote(chosen)}


def answer(call: Call) -> Mapping[str, str | int]:
    """The best passage in the whole memory, verbatim; or a sentence that the text does not say it."""
    asked, choices = question_and_choices(call)
    return {call.prompt.reply.main: answer_from((*call.part("memory"), *call.part("recalled")), asked, choices)}


def answer_from(memory: Sequence[str], asked: str, choices: Sequence[str]) -> str:
    """The best passage of these texts, one of the choices if there are any, or `NOT_THERE`."""
    weight = {t: rarity(word) for t, word in query_terms(asked).items()}
    remembered = [Spots(asked, sentences(text.partition(f" {LIST_INTRO}")[0]), weight) for text in memory]
    if choices:
        return pick(asked, choices, [unit for spots in remembered for unit in spots.units], weight)
    best = max((spots.best.share for spots in remembered), default=0.0)
    # On equal shares the passage in the longest text wins: that is a page, the others are gists.
    ranked = sorted(range(len(remembered)), key=lambda n: (-remembered[n].best.share, -len(remembered[n].units), n))
    chosen = [(n, remembered[n].enough(NEAR_BEST * best)) for n in ranked] if best >= MIN_SHARE else []
    n, passage = max(chosen, key=lambda found: found[1].share if found[1] else 0.0, default=(0, None))
    return remembered[n].quote(passage) if passage else NOT_THERE


def _weights(sought: Mapping[str, str], memory: Sequence[str]) -> dict[str, float]:
    """The rarity of each term, reduced for terms that the summaries along the path repeat: a main character's name does not show
    where the answer is."""
    known = Counter(terms(" ".join(memory)))
    return {t: rarity(word) ** RARITY_POWER / math.sqrt(1 + known[t]) for t, word in sought.items()}


def _promised(memory: Sequence[str], weight: Mapping[str, float]) -> Passage:
    """What the best paragraph of the summaries covers of the question."""
    whole = sum(weight.values()) or 1.0
    bags = [frozenset(terms(paragraph)) & weight.keys() for text in memory for paragraph in text.split("\n\n")]
    best = max(bags, key=lambda bag: _weight_of(bag, weight), default=frozenset[str]())
    return Passage(found=best, share=_weight_of(best, weight) / whole)


def _passages(bags: Sequence[frozenset[str]], weight: Mapping[str, float]) -> list[Passage]:
    """All windows, by the weight they cover, largest first, equals in the text's order; there is at least one."""
    whole = sum(weight.values()) or 1.0
    windows = []
    for start in range(max(1, len(bags) - WINDOW + 1)):
        found = frozenset[str]().union(*bags[start : start + WINDOW])
        windows.append(Passage(start, min(start + WINDOW, len(bags)), found, _weight_of(found, weight) / whole))
    return sorted(windows, key=lambda passage: (-passage.share, passage.start))


def _weight_of(found: frozenset[str], weight: Mapping[str, float]) -> float:
    """The total weight of these terms, summed in the question's order so that rounding is the same in every process."""
    return sum(heavy for t, heavy in weight.items() if t in found)


def _why(found: Sequence[str], missing: Sequence[str]) -> str:
    lacks = f"; {names_are(missing)} not there" if missing else ""
    return f"One place in this passage has {listed(found)} from the question{lacks}."


def _why_not(found: Sequence[str], missing: Sequence[str]) -> str:
    if not found and not missing:
        return "The question has no rarer word to look for."
    if not found:
        return f"This passage has none of the question's rarer words: {names_are(missing)} missing."
    rest = f"; {names_are(missing)} missing" if missing else ""
    return f"The best place in this passage has only {listed(found)} from the question{rest}."


def names_are(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'}"


# The least weight of a choice's word: common ones (`Six`) may be all that it has.
_LEAST = 0.1
# The value of a sentence that has no words of the question, and what the sentences around it add.
_ANYWHERE, _AROUND = 0.15, 1.0
_QUOTED = r"[‘“'\"](?P<{}>[^‘’“”\"\n]{{1,80}})[’”'\"]"
_CORRECTION = regex.compile(rf"\bfor {_QUOTED.format('old')},? (?:read|substitute|put) {_QUOTED.format('new')}", regex.IGNORECASE)


def pick(asked: str, choices: Sequence[str], units: Sequence[str], weight: Mapping[str, float]) -> str:
    """The best choice on one line; the first choice if they do not differ. `weight` holds the question's terms."""
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
