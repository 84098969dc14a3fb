"""One action at a time: search for the question's rarer words, split, ask about the parts that have them, answer.

It asks about a few parts at once, those whose places and first words match the question best, and takes the best answer that
comes back. A verdict on a text is that of `answering.py`. What it knows of its work so far is what the prompt shows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call
from readers.engine.models.offline.answering import COMMIT, NOT_THERE, answer_from, answer_or_decline
from readers.engine.models.offline.choosing import TextMatch, match_texts
from readers.engine.models.offline.lexicon import join_words, query_terms
from readers.engine.prompts.formats.choices import OneAction
from readers.engine.text.words import rarity

MOST_WORDS = 8  # of a search
AT_ONCE = 2  # parts that are asked about together
NEAR_BEST = 0.7  # the share of the best part's score from which another one is asked with it
_IN_PART = re.compile(r"\A[^\n]*, in part (\d+):\n")
_ASKED = "(asked: "
_HEAD = re.compile(r"\A[^\n]*?”: ", re.DOTALL)


def act(call: Call) -> Mapping[str, str | int]:
    """The next action, of those that the reply format has."""
    if not isinstance(call.prompt.reply, OneAction):
        raise ModelFailed(f"the offline model does the task 'act' in the form of OneAction, which {call.prompt.id!r} has not")
    offered = [one.word for one in call.prompt.reply.acts]
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
    """The parts that match the question best, of those that were not asked before; None if no other one matches it."""
    matches = match_texts(" ".join(call.part("question")), _known_of_parts(call), choices=call.part("choices"))
    parts = call.part("parts")
    ranked = sorted((n for n in range(len(parts)) if _ASKED not in parts[n]), key=lambda n: (-matches[n].score, n))
    best = max((match.score for match in matches), default=0.0)
    chosen = [n for n in ranked if matches[n].score >= NEAR_BEST * best and matches[n].shared][:AT_ONCE]
    if not chosen:
        return None
    numbers = ", ".join(str(n + 1) for n in sorted(chosen))
    return {"reasoning": _why(matches[chosen[0]], chosen[0] + 1), "action": "ask", "parts": numbers}


def _known_of_parts(call: Call) -> list[str]:
    """What is known of each part: how it begins, and the places in it that were seen."""
    known = list(call.part("parts"))
    for seen in call.part("seen"):
        if (head := _IN_PART.match(seen)) and 1 <= int(head[1]) <= len(known):
            known[int(head[1]) - 1] += f" {seen[head.end() :]}"
    return known


def _why(match: TextMatch, number: int) -> str:
    return f"Of part {number} it is known that it has {join_words(match.shared)}."


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
