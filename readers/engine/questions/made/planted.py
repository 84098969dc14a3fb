"""A fact planted at several depths of a text, at several lengths: always the same fact, so that only its place differs. Seeded.

A fact is the user's own sentence or a prepared one: stated once, in two sentences that must be put together, contradicted later,
in a table, or in a footnote. Its last sentence is at the depth, the earlier ones are spread evenly before that. No word of the
text is changed. Not here: needles, which are different ones at each depth (`needles.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, NamedTuple, get_args

from readers.engine.errors import BadOptions
from readers.engine.questions.made import Made, in_seeded_order, seeded_numbers
from readers.engine.questions.question_set import QuestionField, QuestionSet, SetQuestion, set_name
from readers.engine.text import split, tokens
from readers.engine.text.document import Document, Span
from readers.engine.text.plant import as_sentence, pages_with, place_for

FactKind = Literal["one", "two", "contradicted", "table", "footnote"]
FACT_KINDS: tuple[FactKind, ...] = get_args(FactKind)
MOST_DEPTHS, MOST_SIZES = 100, 8
WHOLE = 0  # a size: the whole text
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_QUALITIES = ("grey", "hollow", "northern", "crooked", "silent", "amber", "narrow", "sunken", "windy", "ninth")
_THINGS = ("lighthouse", "granary", "viaduct", "orchard", "observatory", "foundry", "ferry house", "quarry", "chapel", "windmill")


class Told(NamedTuple):
    """Words to plant. A `block` is a separate paragraph. `tells`: which of them give the answer or, if `outdated`, what is no
    longer true; empty for neither."""

    words: str
    tells: str
    block: bool = False
    outdated: bool = False


@dataclass(frozen=True)
class PlantedFact:
    """What is planted, in the order of the text, and the question that it answers."""

    kind: FactKind
    told: tuple[Told, ...]
    question: str
    answer: str


@dataclass(frozen=True)
class Places:
    """Where a fact is planted: at each of these depths (percent) of each of these sizes (tokens; `WHOLE` for the whole text)."""

    depths: tuple[float, ...]
    sizes: tuple[int, ...] = (WHOLE,)
    seed: int = 0


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
        raise BadOptions("the text has too many numbers of seven digits for a needle to be distinct from them")


def written(sentence: str, question: str, answer: str) -> PlantedFact:
    """The user's own fact. Raises BadOptions if a part of it is missing."""
    if not question.strip() or not answer.strip():
        raise BadOptions("a planted fact needs a question that it answers, and the right answer; write both")
    return PlantedFact("one", (sentence_of(as_sentence(sentence)),), " ".join(question.split()), " ".join(answer.split()))


def prepared(kind: FactKind, text: str, *, seed: int = 0) -> PlantedFact:
    """A prepared fact of this kind, with a name and a number that the text does not have. Raises BadOptions."""
    words = Words(text, f"{seed}|planted")
    name, number = words.name(), words.number()
    is_now = f"What is the number of the {name}?"
    match kind:
        case "two":
            other = words.name()
            link = f"The number of the {name} is the same as that of the {other}."
            return PlantedFact(kind, (sentence_of(link), sentence_of(f"The number of the {other} is {number}.")), is_now, number)
        case "contradicted":
            before = sentence_of(f"The number of the {name} is {words.number()}.", outdated=True)
            changed = sentence_of(f"The number of the {name} was changed: it is {number} now.")
            return PlantedFact(kind, (before, changed), f"What is the number of the {name} in the end?", number)
        case "table":
            rows = [f"{one} | {words.number()}" for one in (words.name(), words.name())]
            row = f"{name} | {number}"
            return PlantedFact(
                kind, (Told("\n".join(["Place | Number", rows[0], row, rows[1]]), row, block=True),), is_now, number
            )
        case "footnote":
            note = f"[*] The number of the {name} is {number}."
            mark = Told(f"The {name} has a number of its own.[*]", "")
            return PlantedFact(kind, (mark, Told(note, note, block=True)), is_now, number)
    return PlantedFact(kind, (sentence_of(f"The number of the {name} is {number}."),), is_now, number)


def sentence_of(words: str, *, outdated: bool = False) -> Told:
    return Told(words, words, outdated=outdated)


def change(document: Document, fact: PlantedFact, depth: float) -> tuple[Document, tuple[Span, ...], tuple[Span, ...]]:
    """The text with a fact at a depth (percent), where it gives the answer, and where it gives what is no longer true. Raises
    BadOptions."""
    title = f"{document.title[:160]}, with a planted fact at {depth:g}%"
    told = list(zip(_places(document.text, fact, depth / 100), fact.told, strict=True))
    text, evidence, outdated = put(document.text, told)
    grown = [len(put(document.text, told[:count])[0]) for count in range(len(told) + 1)]
    added = [(place, after - before) for (place, _), (before, after) in zip(told, pairwise(grown), strict=True)]
    return Document(title, text, pages_with(document, added)), evidence, outdated


def put(text: str, told: Iterable[tuple[int, Told]]) -> tuple[str, tuple[Span, ...], tuple[Span, ...]]:
    """The text with words inserted at these places, which are in order; where the words give the answer; and where they give what
    is no longer true."""
    out, done = "", 0
    evidence: list[Span] = []
    outdated: list[Span] = []
    for place, each in told:
        out += text[done:place]
        out += "\n\n" if each.block else "" if not out or out[-1].isspace() else " "
        if each.tells:
            start = len(out) + each.words.index(each.tells)
            (outdated if each.outdated else evidence).append(Span(start, start + len(each.tells)))
        out, done = out + each.words, place
        if place < len(text) and not text[place].isspace():
            out += " "
    return out + text[done:], tuple(evidence), tuple(outdated)


def _places(text: str, fact: PlantedFact, depth: float) -> list[int]:
    """Where each part of a fact is inserted, in order: the last one at the depth, and a block at the end of its paragraph."""
    found: list[int] = []
    for number, told in enumerate(fact.told, 1):
        together = fact.kind == "footnote"  # the mark is in the paragraph before the note
        place = place_for(text, depth if together else depth * number / len(fact.told))
        found.append(max([_paragraph_end(text, place) if told.block else place, *found]))
    return found


def _paragraph_end(text: str, at: int) -> int:
    """The end of the paragraph at a place; that of the text where no blank line follows."""
    found = _BLANK_LINE.search(text, at)
    return found.start() if found else len(text.rstrip())


def planted_texts(document: Document, fact: PlantedFact, places: Places) -> Iterator[Made]:
    """The text with the fact at each depth of each size, with the question about it. Raises BadOptions."""
    depths, sizes = tuple(sorted(set(places.depths))), tuple(sorted(set(places.sizes)))
    if not 0 < len(depths) <= MOST_DEPTHS or not all(0 <= depth <= 100 for depth in depths):
        raise BadOptions(f"a fact is planted at 1 to {MOST_DEPTHS} depths, each from 0 to 100 percent")
    if not 0 < len(sizes) <= MOST_SIZES:
        raise BadOptions(f"a fact is planted in a text at 1 to {MOST_SIZES} sizes")
    for size in sizes:
        text = shortened(document, size) if size != WHOLE else document
        length = tokens.count(text.text)
        for depth in depths:
            made, evidence, outdated = change(text, fact, depth)
            fields = {
                "needle": fact.kind, "needles": len(evidence), "depth": f"{depth:g}", "text_tokens": length, "seed": places.seed,
            }  # fmt: skip
            key = f"{fact.kind}, {depth:g}%, {length:,} tokens"
            yield Made("needles", key, made.title, made.text, fact.question, (fact.answer,), evidence, outdated, fields=fields)


def as_set(name: str, made: Sequence[Made]) -> QuestionSet:
    """These texts and their questions as a question set."""
    texts = [Document(one.title, one.text) for one in made]
    asked = [
        SetQuestion(
            one.key, text.id, one.question, answers=one.answers, answerable=True, evidence=one.evidence, distractors=one.against,
            fields=tuple(QuestionField(name, str(value)) for name, value in one.fields.items()),
        )
        for one, text in zip(made, texts, strict=True)
    ]  # fmt: skip
    return QuestionSet(set_name(name), tuple(asked), tuple({text.id: text for text in texts}.values()))


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


def sizes_for(document: Document, offered: Sequence[int] = (1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000)) -> list[int]:
    """The sizes to which a text can be shortened, and `WHOLE`."""
    return [*(size for size in offered if size < document.tokens), WHOLE]
