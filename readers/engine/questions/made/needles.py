"""Needles put into any text at chosen depths: one, several, scattered over a chain, or contradicted later. Seeded, spans known.

A needle is a sentence about a number that the text does not have. It is put after the sentence that ends next behind its depth,
so that no word of the text is changed. It needs memory for the text and for what is made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, get_args

from readers.engine.errors import BadOptions
from readers.engine.questions.made import Made, in_seeded_order
from readers.engine.questions.made.planted import MOST_DEPTHS, Told, Words, put, sentence_of
from readers.engine.text import tokens
from readers.engine.text.document import Document

NeedleKind = Literal["one", "several", "scattered", "contradicted"]
KINDS: tuple[NeedleKind, ...] = get_args(NeedleKind)
DEPTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)  # percent
_SENTENCE_ENDS = re.compile(r"[.!?][\"'\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK})]*\s+")
_SEARCHED = 4_000  # characters behind a depth


def with_needles(
    document: Document, kind: NeedleKind = "one", *, depths: Sequence[float] = DEPTHS, samples: int = 1, seed: int = 0
) -> Iterator[Made]:
    """The text with needles and a question about them: for each depth in percent (`one`), each two neighbouring depths
    (`contradicted`), or for all depths together (`several`, `scattered`). `samples` are different ones of each. Raises
    BadOptions."""
    if not 0 < len(set(depths)) <= MOST_DEPTHS or not all(0 <= depth <= 100 for depth in depths):
        raise BadOptions(f"needles have 1 to {MOST_DEPTHS} depths, each from 0 to 100 percent")
    if kind != "one" and len(set(depths)) < 2:
        raise BadOptions(f"needles of the kind {kind!r} need at least two depths")
    size = tokens.count(document.text)
    for sample in range(samples):
        for group in _groups(kind, depths):
            shown = "-".join(f"{depth:g}" for depth in group) if len(group) < 4 else f"{len(group)} depths"
            words = Words(document.text, f"{seed}|{sample}|{kind}|{shown}|{document.id}")
            told, question, answers = _facts(kind, group, words)
            placed = sorted(((_place(document.text, depth), each) for depth, each in told), key=lambda one: one[0])
            text, evidence, outdated = put(document.text, placed)
            key = f"{kind}, {shown}%, {size:,} tokens, sample {sample + 1}"
            fields = {
                "needle": kind, "depth": shown, "needles": len(group), "sample": sample + 1, "seed": seed,
                "text_tokens": size, "text_title": document.title[:200],
            }  # fmt: skip
            yield Made(
                "needles", key, f"{document.title[:100]}, {key}"[:200], text.rstrip(), question, answers, evidence, outdated,
                len(answers) > 1, fields,
            )  # fmt: skip


def texts_made(kind: NeedleKind, depths: Sequence[float], samples: int) -> int:
    """How many texts with needles are made from one text, each with a question."""
    return samples * len(_groups(kind, depths))


def _groups(kind: NeedleKind, depths: Sequence[float]) -> list[tuple[float, ...]]:
    """The depths of the needles of each text."""
    ordered = tuple(sorted(set(depths)))
    if kind == "one":
        return [(depth,) for depth in ordered]
    return list(pairwise(ordered)) if kind == "contradicted" else [ordered]


def _facts(kind: NeedleKind, depths: Sequence[float], words: Words) -> tuple[list[tuple[float, Told]], str, tuple[str, ...]]:
    """Sentences with the depth of each, the question, and its answers."""
    name = words.name()
    if kind == "several":
        numbers = tuple(words.number() for _ in depths)
        told = [sentence_of(f"One of the numbers of the {name} is {number}.") for number in numbers]
        question = f"The text gives {len(depths)} numbers of the {name}. What are they?"
        return list(zip(depths, told, strict=True)), question, numbers
    number = words.number()
    if kind == "contradicted":
        newer = words.number()
        before = sentence_of(f"The number of the {name} is {number}.", outdated=True)
        changed = sentence_of(f"The number of the {name} was changed: it is {newer} now.")
        question = f"What is the number of the {name} in the end?"
        return list(zip(depths, (before, changed), strict=True)), question, (newer,)
    names = [name, *(words.name() for _ in depths[1:])]
    links = [f"The number of the {one} is the same as that of the {other}." for one, other in pairwise(names)]
    chain = [*links, f"The number of the {names[-1]} is {number}."]
    places = in_seeded_order(f"{number}|places", len(depths))  # a link may come after the next one
    sentences = [(depths[place], sentence_of(sentence)) for place, sentence in zip(places, chain, strict=True)]
    return sentences, f"What is the number of the {name}?", (number,)


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
