"""Needles put into any text at chosen depths: one, several, scattered over a chain, or contradicted later. Seeded, spans known.

A needle is a sentence about a number that the text does not have. It is put after the sentence that ends next behind its depth,
so that no word of the text is changed. It takes the memory of the text and of what is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, get_args

from readers.engine.errors import BadOptions
from readers.engine.questions.made.row import Made, in_seeded_order, seeded_numbers
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span

NeedleKind = Literal["one", "several", "scattered", "contradicted"]
KINDS: tuple[NeedleKind, ...] = get_args(NeedleKind)
DEPTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)  # percent
MOST_DEPTHS = 100

_QUALITIES = ("grey", "hollow", "northern", "crooked", "silent", "amber", "narrow", "sunken", "windy", "ninth")
_THINGS = ("lighthouse", "granary", "viaduct", "orchard", "observatory", "foundry", "ferry house", "quarry", "chapel", "windmill")
_SENTENCE_ENDS = re.compile(r"[.!?][\"'\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK})]*\s+")
_SEARCHED = 4_000  # characters behind a depth


@dataclass(frozen=True)
class Needles:
    """What to put in: the kind, the depths in percent of the text, how many different ones of each, and the seed."""

    kind: NeedleKind = "one"
    depths: tuple[float, ...] = DEPTHS
    samples: int = 1
    seed: int = 0


@dataclass(frozen=True)
class _Facts:
    """Sentences with the depth of each, the question, its answers, and which sentences are outdated."""

    sentences: tuple[tuple[float, str], ...]
    question: str
    answers: tuple[str, ...]
    outdated: frozenset[int] = frozenset()


def shortened(document: Document, most: int) -> Document:
    """The beginning of a text, up to this many tokens, cut after a paragraph or else after a word. Raises BadOptions if the text
    is shorter."""
    used, end = 0, 0
    for span in split.paragraphs(document.text):
        size = tokens.count(document.text[span.start : span.end])
        if used + size > most:
            end = end or _cut(document.text, most)
            return Document(document.title, document.text[:end].rstrip())
        used, end = used + size, span.end
    if used < most * 0.98:
        raise BadOptions(f"{document.title[:60]!r} has {used:,} tokens, fewer than {most:,}: give a longer text")
    return document


def _cut(text: str, most: int) -> int:
    """Where the first `most` tokens of a text end, at a word."""
    low, high = 0, min(len(text), most * 20)
    while high - low > 20:
        middle = (low + high) // 2
        low, high = (middle, high) if tokens.count(text[:middle]) <= most else (low, middle)
    return text.rfind(" ", 0, low) + 1 or low


def with_needles(document: Document, needles: Needles) -> Iterator[Made]:
    """The text with needles and a question about them: for each depth (`one`), each two neighbouring depths (`contradicted`), or
    for all depths together (`several`, `scattered`). Raises BadOptions."""
    depths = tuple(sorted(set(needles.depths)))
    if not 0 < len(depths) <= MOST_DEPTHS or not all(0 <= depth <= 100 for depth in depths):
        raise BadOptions(f"needles have 1 to {MOST_DEPTHS} depths, each from 0 to 100 percent")
    if needles.kind != "one" and len(depths) < 2:
        raise BadOptions(f"needles of the kind {needles.kind!r} need at least two depths")
    size = tokens.count(document.text)
    for sample in range(needles.samples):
        for group in _groups(needles.kind, depths):
            shown = "-".join(f"{depth:g}" for depth in group) if len(group) < 4 else f"{len(group)} depths"
            salt = f"{needles.seed}|{sample}|{needles.kind}|{shown}|{document.id}"
            facts = _facts(needles.kind, group, Words(document.text, salt))
            fields = {
                "needle": needles.kind, "depth": shown, "needles": len(group), "sample": sample + 1, "seed": needles.seed,
                "text_tokens": size, "text_title": document.title[:200],
            }  # fmt: skip
            key = f"{needles.kind}, {shown}%, {size:,} tokens, sample {sample + 1}"
            yield _put(document, facts, key=key, fields=fields)


def texts_made(needles: Needles) -> int:
    """How many texts with needles are made of one text, each with a question."""
    return needles.samples * len(_groups(needles.kind, tuple(sorted(set(needles.depths)))))


def _groups(kind: NeedleKind, depths: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The depths of the needles of each text."""
    if kind == "one":
        return [(depth,) for depth in depths]
    return list(pairwise(depths)) if kind == "contradicted" else [depths]


class Words:
    """Names and numbers that a text does not have."""

    def __init__(self, text: str, salt: str) -> None:
        self._text = text.casefold()
        self._names = in_seeded_order(f"{salt}|names", len(_QUALITIES) * len(_THINGS))
        self._numbers = seeded_numbers(f"{salt}|numbers", 9_000_000)
        self._used: set[str] = set()

    def name(self) -> str:
        while self._names:
            number = self._names.pop()
            name = f"{_QUALITIES[number % len(_QUALITIES)]} {_THINGS[number // len(_QUALITIES)]}"
            if name not in self._text:
                return name
        raise BadOptions("needles use up to a hundred names, and the text has too many of them: take fewer depths")

    def number(self) -> str:
        for drawn in islice(self._numbers, 1_000):
            number = str(1_000_000 + drawn)
            if number not in self._text and number not in self._used:
                self._used.add(number)
                return number
        raise BadOptions("the text has too many numbers of seven digits for a needle to be told from them")


def _facts(kind: NeedleKind, depths: Sequence[float], words: Words) -> _Facts:
    name = words.name()
    if kind == "several":
        numbers = tuple(words.number() for _ in depths)
        told = (f"One of the numbers of the {name} is {number}." for number in numbers)
        question = f"The text gives {len(depths)} numbers of the {name}. What are they?"
        return _Facts(tuple(zip(depths, told, strict=True)), question, numbers)
    number = words.number()
    if kind == "contradicted":
        newer = words.number()
        changed = (f"The number of the {name} is {number}.", f"The number of the {name} was changed: it is {newer} now.")
        question = f"What is the number of the {name} in the end?"
        return _Facts(tuple(zip(depths, changed, strict=True)), question, (newer,), frozenset({0}))
    names = [name, *(words.name() for _ in depths[1:])]
    links = [f"The number of the {one} is the same as that of the {other}." for one, other in pairwise(names)]
    chain = [*links, f"The number of the {names[-1]} is {number}."]
    places = in_seeded_order(f"{number}|places", len(depths))  # a link may come after the next one
    sentences = tuple((depths[place], sentence) for place, sentence in zip(places, chain, strict=True))
    return _Facts(sentences, f"What is the number of the {name}?", (number,))


def _put(document: Document, facts: _Facts, *, key: str, fields: dict[str, object]) -> Made:
    text = document.text
    where = sorted((_place(text, depth), order) for order, (depth, _) in enumerate(facts.sentences))
    parts: list[str] = []
    found: dict[int, Span] = {}
    at = done = 0
    for place, order in where:
        before = text[done:place]
        needle = facts.sentences[order][1]
        gap = " " if before and not before[-1].isspace() else ""
        start = at + len(before) + len(gap)
        found[order] = Span(start, start + len(needle))
        parts += [before, gap, needle, " "]
        at, done = start + len(needle) + 1, place
    evidence = tuple(sorted(span for order, span in found.items() if order not in facts.outdated))
    return Made(
        "needles", key, f"{document.title[:100]}, {key}"[:200], "".join([*parts, text[done:]]).rstrip(), facts.question,
        facts.answers, evidence, tuple(found[order] for order in sorted(facts.outdated)), len(facts.answers) > 1, fields,
    )  # fmt: skip


def _place(text: str, depth: float) -> int:
    """The end of the first sentence behind this depth; the depth itself in a text without any."""
    target = round(len(text) * depth / 100)
    if target in (0, len(text)):
        return target
    ends = _SENTENCE_ENDS.search(text, target, target + _SEARCHED)
    if ends is None:
        blank = re.compile(r"\s+").search(text, target, target + _SEARCHED)
        return blank.end() if blank else target
    return ends.end()
