"""Look-up: which pages to reread for a question, judged by what their gists share with it.

Either several at once, as few as supply what the best one lacks; or one at a time, until the open pages cover what any gist
promises. Like triage it compares words, not meaning; a page is never requested if its gist shares nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readers.engine.models.call import Call
from readers.engine.models.offline.choosing import TextMatch, match_texts
from readers.engine.models.offline.lexicon import join_words
from readers.engine.prompts.formats.form import numbers
from readers.engine.text.words import rarity

STOP = -1
# A page is worth opening beside better ones if it scores at least this share of the best score.
NEAR_BEST = 0.5


def choose_many(call: Call) -> Mapping[str, str | int]:
    """Page numbers, best first, at most `limit`; none if no gist shares a rarer word with the question."""
    question = " ".join(call.part("question"))
    matches = match_texts(question, call.part("gists"), choices=call.part("choices"))
    limit = (numbers(" ".join(call.part("limit"))) or [len(matches)])[0]
    chosen = _worth_opening(matches, range(len(matches)), limit)
    if not chosen:
        return {"pages": "", "reasoning": "no page shares a rarer word with the question"}
    return {"pages": ", ".join(map(str, chosen)), "reasoning": "; ".join(_why(n, matches) for n in chosen)}


def next_page(call: Call) -> Mapping[str, str | int]:
    """One more page, or -1 if the open ones have what any other promises."""
    question = " ".join(call.part("question"))
    matches = match_texts(question, call.part("memory"), choices=call.part("choices"))
    opened = [int(number) for number in call.part("opened")]
    refused = {int(number) for number in call.part("refused")}
    left = [n for n in range(len(matches)) if n not in opened and n not in refused]
    chosen = _worth_opening(matches, left, 1, beside=[matches[n] for n in opened])
    if chosen:
        return {"action": chosen[0], "reasoning": _why(chosen[0], matches)}
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


def _why(n: int, matches: Sequence[TextMatch]) -> str:
    return f"page {n} shares {join_words(matches[n].shared)} with the question"
