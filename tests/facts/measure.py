"""The labelled pairs with the matcher's verdicts, and shares of them with intervals."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from components.session.samples import samples
from readers.engine.analysis.facts.matcher import ComparableFact, match
from readers.engine.statistics.intervals import wilson

FILE = Path(__file__).with_name("pairs.json")


class Pair(NamedTuple):
    """A fact, the stretch of the text nearest to it, the matcher's verdict, and its two labels."""

    fact: str
    nearest: str
    said: str
    labels: tuple[str, str]

    @property
    def agreed(self) -> str | None:
        """The label given twice; None if they differ."""
        return self.labels[0] if self.labels[0] == self.labels[1] else None


class Labelled(NamedTuple):
    """A fact and a carrier, and their two labels; whether it is of the half that was held out."""

    fact: str
    document: str
    carrier: str
    labels: tuple[str, str]
    held_out: bool

    @property
    def agreed(self) -> str | None:
        """The label given twice; None if they differ."""
        return self.labels[0] if self.labels[0] == self.labels[1] else None


class Share(NamedTuple):
    right: int
    of: int

    def __str__(self) -> str:
        interval = wilson(self.right, self.of)
        if interval is None:
            return "none"
        return f"{self.right} of {self.of} = {self.right / self.of:.2f} ({interval[0]:.2f} to {interval[1]:.2f})"


@cache
def labelled() -> Sequence[Labelled]:
    """All pairs, in the order of the file."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    texts = {sample.document.title: sample.document.text for sample in samples()}
    found = []
    for row in data["pairs"]:
        text, carrier = texts[row["document"]], data["carriers"][row["carrier"]]["text"]
        first, second = row["labels"]
        half = int(hashlib.sha256(carrier.encode()).hexdigest()[0], 16) % 2
        found.append(Labelled(text[slice(*row["fact"])], text, carrier, (first, second), bool(half)))
    return found


@cache
def halves() -> tuple[Sequence[Pair], Sequence[Pair]]:
    """The half that thresholds were set on, and the other one."""
    found: tuple[list[Pair], list[Pair]] = ([], [])
    for one in labelled():
        verdict = match(ComparableFact.of(one.fact, one.document), one.carrier)
        found[one.held_out].append(Pair(one.fact, one.carrier[verdict.start : verdict.end], verdict.verdict, one.labels))
    return found


def precision(pairs: Sequence[Pair], verdict: str) -> Share:
    """Of the pairs with a verdict, those that both labels say."""
    said = [pair for pair in pairs if pair.said == verdict]
    return Share(sum(pair.agreed == verdict for pair in said), len(said))


def recall(pairs: Sequence[Pair], verdict: str) -> Share:
    """Of the pairs with this label twice, those with the verdict."""
    labelled = [pair for pair in pairs if pair.agreed == verdict]
    return Share(sum(pair.said == verdict for pair in labelled), len(labelled))


def wrong_lost(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs called lost that one label or both do not call so."""
    return [pair for pair in pairs if pair.said == "lost" and pair.agreed != "lost"]


def agreement() -> tuple[int, int, float]:
    """How many pairs have the same label twice, of how many, and Cohen's kappa (1960)."""
    pairs = [pair for half in halves() for pair in half]
    same, n = sum(pair.agreed is not None for pair in pairs), len(pairs)
    first, second = (Counter(pair.labels[number] for pair in pairs) for number in (0, 1))
    chance = sum(first[label] * second[label] for label in first) / n**2
    return same, n, (same / n - chance) / (1 - chance)
