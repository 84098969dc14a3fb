"""A model that knows the evidence of a question, and plays its part in every reader as well as a model can.

It sees no more than its prompt, and remembers no earlier one. It finds a place by what a summary or gist says of it, keeps in a
summary, gist or memory what it needs as far as there is room, names what connects one fact with the next, says what is missing
when it declines, and answers only a prompt that has all the evidence. What it writes into summaries and gists is a hint (`It
tells of A and B.`), never the sentence itself: evidence in a later prompt was read in the text, or was carried in a memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from readers.engine.models.call import Call, Reply
from readers.engine.text import split, tokens
from tests.support.texts_and_files.multihop import Case, Fact

COMMIT, BACK, STOP = -2, -1, -1
# Prompts, and the parts of them, that put the text, or what was kept of it, before the model for the question. Prompts that build
# a reader's memory of the whole text do not count.
READ = {
    "memwalker.leaf": ("segment",),
    "memwalker.leaf_plain": ("segment",),
    "readagent.look_up_next": ("memory",),
    "readagent.answer": ("memory",),
    "qrmem.answerable": ("segments",),
    "qrmem.revise": ("segments",),
    "qrmem.answer": ("segments",),
    "memagent.answer": ("memory",),
    "rememr1.answer": ("memory", "recalled"),
    "chain_of_agents.manager": ("memory",),
    "recursive.next": ("seen", "answers"),
    "recursive.leaf": ("segment",),
    "recursive.last": ("seen", "answers"),
    "recurrence.answer": ("memory",),
    "whole.answer": ("segments",),
    "retrieval.answer": ("segments",),
}


class Oracle:
    """The model. It decides by `shown`, the facts whose sentences are in the prompt that it is answering. `calls` and `seen`, the
    facts of all prompts so far, are for tests alone."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.calls: list[Call] = []
        self.shown: set[Fact] = set()
        self.seen: set[Fact] = set()

    def complete(self, call: Call) -> Reply:
        self.calls.append(call)
        read = " ".join(text for part in READ.get(call.prompt.id, ()) for text in call.part(part))
        self.shown = {fact for fact in self.case.facts if fact.sentence in read}
        self.seen |= self.shown
        return Reply(getattr(self, f"_{call.prompt.task}")(call), tokens_in=0, tokens_out=0, cost_usd=0.0)

    @property
    def missing(self) -> list[Fact]:
        """The facts that this prompt does not tell, in the order in which they are needed."""
        return [fact for fact in self.case.facts if fact not in self.shown]

    # Summaries, gists and memories

    def _summarise(self, call: Call) -> str:
        return self._hints(_all(call, "segment", "summaries"), call)

    def _shorten(self, call: Call) -> str:
        return self._hints(_all(call, "page"), call)

    def _hints(self, texts: Iterable[str], call: Call) -> str:
        """What each text tells of, facts first, as far as there is room."""
        texts = list(texts)
        told = [hint for text in texts for fact in self.case.facts if (hint := _hint(fact)) in text or fact.sentence in text]
        return _within(dict.fromkeys([*told, *(f"It begins: {' '.join(text.split()[:5])}." for text in texts)]), call)

    def _update_memory(self, call: Call) -> str:
        carried = " ".join(_all(call, "memory", "recalled", "section"))
        kept = _within([fact.sentence for fact in self.case.facts if fact.sentence in carried], call)
        return call.prompt.reply.render({"text": kept or "Nothing yet.", "update": kept or "Nothing yet."})

    # Where to go on reading

    def _choose(self, call: Call) -> str:
        """A part or page whose summary or gist tells of something missing, if it was not opened; or else back up; or an unopened
        part."""
        offered = call.part("summaries") or call.part("memory")
        closed = {int(number) for number in (*call.part("opened"), *call.part("refused"))}
        wanted = [number for number in self._promising(offered) if number not in closed]
        if call.part("summaries"):
            others = [number for number in range(len(offered)) if number not in closed]
            back = [BACK] if call.part("back") else []
            return call.prompt.reply.render({"reasoning": "it tells of it", "action": [*wanted, *back, *others, 0][0]})
        return call.prompt.reply.render({"reasoning": "it tells of it", "action": next(iter(wanted), STOP)})

    def _choose_many(self, call: Call) -> str:
        pages = ", ".join(map(str, self._promising(call.part("gists"))))
        return call.prompt.reply.render({"pages": pages, "reasoning": "they tell of it"})

    def _promising(self, offered: Sequence[str]) -> list[int]:
        hints = [_hint(fact) for fact in self.missing]
        return [number for number, text in enumerate(offered) if any(hint in text for hint in hints)]

    def _pause(self, call: Call) -> str:
        return "no" if call.prompt.reply.main == "answer" else call.prompt.reply.render({"label": 1})

    # One action at a time

    def _act(self, call: Call) -> str:
        """Search for what is missing, split, and ask about the parts that have it; from below, hand up what was found."""
        offered = [act.word for act in call.prompt.reply.acts]  # type: ignore[attr-defined]
        shown = " ".join(_all(call, "segment", "seen", "answers"))
        found = [fact.sentence for fact in self.case.facts if fact.sentence in shown]
        if not self.missing:
            return _done(call, "answer", self.case.answer) if "answer" in offered else _done(call, "nothing", "")
        if "search" in offered and f"“{self.missing[0].subject}”" not in shown:
            return _done(call, "search", self.missing[0].subject)
        if "split" in offered:
            return _done(call, "split", "")
        if "ask" in offered and (parts := self._parts_with_more(call)):
            return _done(call, "ask", f"{parts}: What is {self.missing[0].wanted}?")
        return _done(call, "answer", " ".join(found)) if found else _done(call, "nothing", "")

    def _parts_with_more(self, call: Call) -> str:
        """The numbers of the parts that were not asked about yet: those that are known to have the name sought, or the others."""
        heads = [seen.partition("\n")[0] for seen in call.part("seen")]
        has = {int(head.rstrip(":").split()[-1]) for head in heads if f"“{self.missing[0].subject}”, in part" in head}
        left = [number for number, part in enumerate(call.part("parts"), 1) if "(asked" not in part]
        return ", ".join(map(str, [number for number in left if number in has] or left))

    # A graph

    def _entities(self, call: Call) -> str:
        if call.prompt.id == "qrmem.revise":
            found = [name for fact in self.missing[:1] for name in (fact.subject, fact.found)]
            shown = " ".join(call.part("segments"))
            return _listed(call, [name for name in found if name in shown or name in self.case.question])
        text = " ".join(_all(call, "segment") or call.part("question"))
        return _listed(call, [] if call.part("questions") else [name for name in self.case.names if name in text])

    def _relate(self, call: Call) -> str:
        (segment,) = call.part("segment")
        listed = [name for name in self.case.names if name in call.part("entities")]
        found = []
        for start, end in split.sentences(segment):
            said = " ".join(segment[start:end].split())
            there = [name for name in listed if name in said]
            found += [{"a": a, "b": b, "relation": f"Here it is told: {said}"} for a, b in combinations(there, 2)]
        return _listed(call, found)

    def _question(self, call: Call) -> str:
        return _listed(call, []) if call.prompt.id == "qrmem.questions" else "What do both say?"

    def _merge(self, call: Call) -> str:
        return _listed(call, []) if call.prompt.id == "qrmem.same" else " ".join(dict.fromkeys(_all(call, "one", "other")))

    def _elaborate(self, call: Call) -> str:
        """The question, what the relations tell of its chain, and what they leave open."""
        known = " ".join(call.part("relations"))
        told = [fact for fact in self.case.facts if fact.sentence in known]
        left = next((fact.wanted for fact in self.case.facts if fact not in told), "")
        return _within([self.case.question, *(f"{fact.subject}: {fact.found}." for fact in told), left], call)

    # Answers

    def _answer_or_decline(self, call: Call) -> str:
        if not self.missing:
            return call.prompt.reply.render({"reasoning": "all of it is told", "action": COMMIT, "answer": self.case.answer})
        return call.prompt.reply.render({"reasoning": f"It is not told what is {self.missing[0].wanted}.", "action": BACK})

    def _answer(self, call: Call) -> str:
        answer = self.case.answer if not self.missing else "It is not told."
        return call.prompt.reply.render({"answer": answer, "text": answer})


def _all(call: Call, *parts: str) -> list[str]:
    return [text for part in parts for text in call.part(part)]


def _done(call: Call, action: str, argument: str) -> str:
    return call.prompt.reply.render({"reasoning": "it is needed", "action": action, "argument": argument})


def _hint(fact: Fact) -> str:
    return f"It tells of {fact.subject} and {fact.found}."


def _listed(call: Call, items: Sequence[Any]) -> str:
    return call.prompt.reply.render({call.prompt.reply.main: json.dumps(items)})


def _within(sentences: Iterable[str], call: Call) -> str:
    """The first of these sentences that fit into the room for the reply."""
    room = getattr(call.prompt.reply, "limit", None) or call.prompt.max_tokens or 10**6
    kept = ""
    for sentence in sentences:
        longer = f"{kept} {sentence}".strip()
        if tokens.count(longer) > room:
            break
        kept = longer
    return kept
