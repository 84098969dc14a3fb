"""A seeded choice of the readings to label, whole or stratified. Pure; the choice is recorded as a sentence.

The choice depends only on the seed and the readings themselves: the same readings in another order give the same choice, and a
larger number keeps those of a smaller one within each stratum. Not here: who labels them (`project.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from readers.engine.draws import drawn
from readers.engine.text.phrases import counted

Stratum = Literal["", "reader", "model", "document", "question", "fate", "hint"]
Only = Literal["", "wrong", "surely wrong", "unsure", "differ"]
STRATA: dict[Stratum, str] = {
    "": "all together",
    "reader": "as many of each reader",
    "model": "as many of each model",
    "document": "as many of each text",
    "question": "as many of each question",
    "fate": "as many of each fate of the evidence by rule",
    "hint": "as many of each first hint",
}
ONLY: dict[Only, str] = {
    "": "any readings",
    "wrong": "only those whose answer is wrong or partly right by rule",
    "surely wrong": "only those whose answer the rule is certain is wrong",
    "unsure": "only those with a known answer on which the rule is uncertain or undecided",
    "differ": "only questions on which the rule judges the readings differently",
}
_WRONG = ("wrong", "partly", "abstained_wrong")


class Candidate(NamedTuple):
    """A reading that may be chosen. `by_rule` is the outcome that the rule suggests, None if it suggests none. `unsure`: the
    answer is known, and the rule is not certain of its verdict, or has none. `fate` is what the rules found about the evidence;
    it is empty if the evidence was not followed. `hint` is the kind of the first hint of the reading, empty for none."""

    run: str
    document: str
    question: str
    reader: str
    model: str
    by_rule: str | None
    unsure: bool = False
    fate: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Sample:
    """A choice of readings: which are eligible (`only`), how many in total (`size`; None for all), from which strata (`by`), and
    the seed."""

    only: Only = ""
    size: int | None = None
    by: Stratum = ""
    seed: int = 0

    def sentence(self, chosen: int, of: int) -> str:
        """The choice in words, as a project keeps it; empty if all readings are taken."""
        if not self.only and self.size is None:
            return ""
        number = f"{chosen:,} of {counted(of, 'reading')}"
        drawn = f"drawn at random, {STRATA[self.by]}, under seed {self.seed}" if self.size is not None else "all of them"
        return f"{number}: {ONLY[self.only]}; {drawn}"


def choose(candidates: Sequence[Candidate], sample: Sample) -> tuple[str, ...]:
    """The chosen readings, in the order of the candidates."""
    eligible = _eligible(candidates, sample.only)
    size = len(eligible) if sample.size is None else sample.size
    return tuple(drawn([one.run for one in eligible], [_stratum(one, sample.by) for one in eligible], size, seed=sample.seed))


def _eligible(candidates: Sequence[Candidate], only: Only) -> list[Candidate]:
    if only == "wrong":
        return [one for one in candidates if one.by_rule in _WRONG]
    if only == "surely wrong":
        return [one for one in candidates if one.by_rule in _WRONG and not one.unsure]
    if only == "unsure":
        return [one for one in candidates if one.unsure]
    if only == "differ":
        outcomes: dict[tuple[str, str], set[str]] = defaultdict(set)
        for one in candidates:
            if one.by_rule is not None:
                outcomes[one.document, one.question].add(one.by_rule)
        return [one for one in candidates if len(outcomes[one.document, one.question]) > 1]
    return list(candidates)


def _stratum(one: Candidate, by: Stratum) -> str:
    question = f"{one.document} {one.question}"
    values = {
        "reader": one.reader, "model": one.model, "document": one.document, "question": question, "fate": one.fate,
        "hint": one.hint,
    }  # fmt: skip
    return values.get(by, "")
