"""Triage, look-up and single actions: which texts share most with the question, each word weighted by its rarity.

It compares words, not meaning: a summary that says the same in other words is passed over. Triage never picks a refused summary,
and prefers unopened ones to those that were opened and left. Look-up requests several pages at once, as few as supply what the
best page lacks; or one at a time, until the open pages cover what any gist promises. Where one action at a time is asked for, it
searches for the question's rarer words, splits, asks about a few parts at once that match the question best, and takes the best
answer that comes back; it knows only as much of its work so far as the prompt shows. Verdicts on a text are those of
`answering.py`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call
from readers.engine.models.offline.answering import COMMIT, NOT_THERE, answer_from, answer_or_decline
from readers.engine.models.offline.lexicon import query_terms
from readers.engine.prompts.formats.choices import OneAction
from readers.engine.prompts.formats.form import numbers
from readers.engine.text.phrases import listed
from readers.engine.text.words import rarity, terms

BACK = -1
# Once half of the children have been opened, going back up beats a child that covers less than this share of the question's
# rarity. Not earlier: seen from above all that is left may look empty, and the walk would only go up and down.
ALMOST_NOTHING = 0.03
# A parent's summary has one paragraph for each child. It scores as its best paragraph plus this much of the next two.
NEXT_PARAGRAPHS = 0.15
# The weight of a word that is only in the choices: most of them are wrong.
CHOICE_WEIGHT = 0.4


class TextMatch(NamedTuple):
    """How a text matches a question: a score to rank by, the share of the question's rarity it covers, and the words in
    common."""

    score: float
    share: float
    shared: tuple[str, ...]


def choose(call: Call) -> Mapping[str, str | int]:
    """A summary's number (from 0), or -1 to go back."""
    question = " ".join(call.part("question"))
    matches = match_texts(question, call.part("summaries"), choices=call.part("choices"))
    refused, opened, back = set(call.part("refused")), set(call.part("opened")), str(BACK) in call.part("back")
    left = [n for n in range(len(matches)) if str(n) not in refused]
    unopened = [n for n in left if str(n) not in opened]
    ranked = sorted(unopened or left, key=lambda n: (-matches[n].score, n))
    if not ranked:
        return {"reasoning": "Every summary here is refused, so there is no way on but back up.", "action": BACK}
    if back and not unopened:
        return {"reasoning": "Every part here was opened before and left again, so back up.", "action": BACK}
    if back and 2 * len(opened) >= len(matches) and all(matches[n].share < ALMOST_NOTHING for n in ranked):
        return {"reasoning": "No unopened part here shares a rarer word with the question, so back up.", "action": BACK}
    return {"reasoning": _why(ranked, matches, len(query_terms(question))), "action": ranked[0]}


def match_texts(question: str, texts: Sequence[str], *, choices: Sequence[str] = ()) -> list[TextMatch]:
    """The match of each text. A word counts by its rarity in the language, less the more often these texts contain it; the second
    time in one text it adds less than the first. The length of a text does not count: summaries are as long as they may be. Words
    that are only in the choices add a little to the score, and are not among the words in common."""
    sought = query_terms(question)
    offered = {t: word for t, word in query_terms(" ".join(choices)).items() if t not in sought}
    paragraphs = [[Counter(terms(paragraph)) for paragraph in text.split("\n\n")] for text in texts]
    every = [bag for bags in paragraphs for bag in bags]
    weight = {t: rarity(word) / math.sqrt(1 + sum(bag[t] for bag in every)) for t, word in [*sought.items(), *offered.items()]}
    weight |= {t: CHOICE_WEIGHT * weight[t] for t in offered}
    whole = sum(rarity(word) for word in sought.values())

    def score(bag: Counter[str]) -> float:
        return sum(heavy * 2 * bag[t] / (bag[t] + 1) for t, heavy in weight.items() if bag[t])

    def match(bags: Sequence[Counter[str]]) -> TextMatch:
        best, *others = sorted(map(score, bags), reverse=True)
        shared = sorted((t for t in sought if any(bag[t] for bag in bags)), key=lambda t: -weight[t])
        share = sum(rarity(sought[t]) for t in shared) / whole if whole else 0.0
        return TextMatch(best + NEXT_PARAGRAPHS * sum(others[:2]), share, tuple(sought[t] for t in shared))

    return [match(bags) for bags in paragraphs]


def _why(ranked: Sequence[int], matches: Sequence[TextMatch], of: int) -> str:
    best = ranked[0]
    shared = matches[best].shared
    if not shared:
        return f"No summary left shares a rarer word with the question; summary {best} is the first of them."
    why = f"Summary {best} shares {listed(shared)} with the question ({len(shared)} of its {of} rarer words)"
    if len(ranked) == 1:
        return f"{why}; it is the only one left."
    return f"{why}; the next best, summary {ranked[1]}, {_less(matches[ranked[1]], matches[best])}."


def _less(match: TextMatch, best: TextMatch) -> str:
    """How the runner-up compares: fewer words, the same words with less or equal weight, or others."""
    if not match.shared:
        return "shares none of them"
    if set(match.shared) == set(best.shared):
        return "shares the same, but " + ("comes later" if match.score == best.score else "has them less often or farther apart")
    return f"shares {'only ' if len(match.shared) < len(best.shared) else ''}{listed(match.shared)}"


STOP = -1
# A page is worth opening in addition to better ones if it scores at least this share of the best score.
NEAR_BEST = 0.5


def choose_many(call: Call) -> Mapping[str, str | int]:
    """Page numbers, best first, at most `limit`; none if no gist shares a rarer word with the question."""
    question = " ".join(call.part("question"))
    matches = match_texts(question, call.part("gists"), choices=call.part("choices"))
    limit = (numbers(" ".join(call.part("limit"))) or [len(matches)])[0]
    chosen = _worth_opening(matches, range(len(matches)), limit)
    if not chosen:
        return {"pages": "", "reasoning": "no page shares a rarer word with the question"}
    return {"pages": ", ".join(map(str, chosen)), "reasoning": "; ".join(_why_page(n, matches) for n in chosen)}


def next_page(call: Call) -> Mapping[str, str | int]:
    """One more page, or -1 if the open ones have what any other promises."""
    question = " ".join(call.part("question"))
    matches = match_texts(question, call.part("memory"), choices=call.part("choices"))
    opened = [int(number) for number in call.part("opened")]
    refused = {int(number) for number in call.part("refused")}
    left = [n for n in range(len(matches)) if n not in opened and n not in refused]
    chosen = _worth_opening(matches, left, 1, beside=[matches[n] for n in opened])
    if chosen:
        return {"action": chosen[0], "reasoning": _why_page(chosen[0], matches)}
    return {
        "action": STOP,
        "reasoning": "no other page has more of the question" if opened else "no page shares a rarer word with it",
    }


def _worth_opening(
    matches: Sequence[TextMatch], among: Sequence[int], limit: int, *, beside: Sequence[TextMatch] = ()
) -> list[int]:
    """The best of these pages: each adds a question word that those before it (and `beside`) lack, or scores nearly as well as
    the best."""
    best = max((match.score for match in [*beside, *(matches[n] for n in among)]), default=0.0)
    have = {word for match in beside for word in match.shared}
    chosen: list[int] = []
    for n in sorted(among, key=lambda n: (-matches[n].score, n)):
        match = matches[n]
        if len(chosen) == limit or not match.shared:
            break
        if match.score >= NEAR_BEST * best or any(rarity(word) > 0.3 for word in set(match.shared) - have):
            chosen.append(n)
            have |= set(match.shared)
    return chosen


def _why_page(n: int, matches: Sequence[TextMatch]) -> str:
    return f"page {n} shares {listed(matches[n].shared)} with the question"


MOST_WORDS = 8  # of a search
AT_ONCE = 2  # parts that are asked about together
NEAR_BEST_PART = 0.7  # the share of the best part's score from which another part is asked with it
_IN_PART = re.compile(r"\A[^\n]*, in part (\d+):\n")
_ASKED = "(asked: "
_HEAD = re.compile(r"\A[^\n]*?”: ", re.DOTALL)


def act(call: Call) -> Mapping[str, str | int]:
    """The next action, from those in the reply format."""
    form = call.prompt.reply.in_words
    if not isinstance(form, OneAction):
        raise ModelFailed(f"the offline model does the task 'act' in the form of OneAction, which {call.prompt.id!r} has not")
    offered = [one.word for one in form.acts]
    if call.part("segment"):
        return _verdict(call)
    if "search" in offered and not any(seen.startswith("Found for") for seen in call.part("seen")):
        sought = _rarest(" ".join(call.part("question")))
        return {"reasoning": "These are the rarer words of the question.", "action": "search", "argument": sought}
    if "split" in offered:
        return {"reasoning": "No part of it can be asked about yet.", "action": "split"}
    if "ask" in offered and not call.part("answers") and (ask := _worth_asking(call)):
        return ask
    return _answer(call, offered)


def _verdict(call: Call) -> Mapping[str, str | int]:
    """What a text that is shown as a whole answers."""
    found = answer_or_decline(call)
    if found["action"] == COMMIT:
        return {"reasoning": found["reasoning"], "action": "answer", "argument": found["answer"]}
    return {"reasoning": found["reasoning"], "action": "nothing"}


def _rarest(question: str) -> str:
    """The rarest words of a question, in its order; all of it if it has none worth looking for."""
    sought = list(query_terms(question).values())
    kept = sorted(sought, key=lambda word: -rarity(word))[:MOST_WORDS]
    return " ".join(word for word in sought if word in kept) or question


def _worth_asking(call: Call) -> Mapping[str, str | int] | None:
    """The parts that match the question best, among those not asked before; None if no other part matches it."""
    matches = match_texts(" ".join(call.part("question")), _known_of_parts(call), choices=call.part("choices"))
    parts = call.part("parts")
    ranked = sorted((n for n in range(len(parts)) if _ASKED not in parts[n]), key=lambda n: (-matches[n].score, n))
    best = max((match.score for match in matches), default=0.0)
    chosen = [n for n in ranked if matches[n].score >= NEAR_BEST_PART * best and matches[n].shared][:AT_ONCE]
    if not chosen:
        return None
    numbers = ", ".join(str(n + 1) for n in sorted(chosen))
    return {"reasoning": _why_part(matches[chosen[0]], chosen[0] + 1), "action": "ask", "parts": numbers}


def _known_of_parts(call: Call) -> list[str]:
    """What is known about each part: its beginning, and the places in it that were seen."""
    known = list(call.part("parts"))
    for seen in call.part("seen"):
        if (head := _IN_PART.match(seen)) and 1 <= int(head[1]) <= len(known):
            known[int(head[1]) - 1] += f" {seen[head.end() :]}"
    return known


def _why_part(match: TextMatch, number: int) -> str:
    return f"Of part {number} it is known that it has {listed(match.shared)}."


def _answer(call: Call, offered: Sequence[str]) -> Mapping[str, str | int]:
    """The best of the answers from below; without any, the best of what was seen; or that there is none."""
    told = [_HEAD.sub("", answer, count=1) for answer in call.part("answers")]
    seen = [place.partition(":\n")[2] for place in call.part("seen")]
    asked = " ".join(call.part("question"))
    found = answer_from(told or seen, asked, call.part("choices"))
    if "nothing" in offered and (found == NOT_THERE or not (told or seen)):
        return {"reasoning": "Nothing that is known has the question's words together.", "action": "nothing"}
    if "answer" not in offered:
        return {"reasoning": "Nothing else is left to do.", "action": offered[0], "argument": "last"}
    why = "This came back from below." if told else "This was seen, and nothing came back from below."
    return {"reasoning": why, "action": "answer", "argument": found}
