"""Work that must grow as its input does: twice the input against twice the time for the input, over odd shapes of text.

A row is its worst shape. What is quadratic comes to 2, and on a long text to minutes; what is linear to about 1.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from itertools import pairwise

from rouge_score.rouge_scorer import RougeScorer

from components.player import word_diff
from readers import READERS, get
from readers.engine.ingest import from_paste
from readers.engine.prompts.formats.form import Form
from readers.engine.prompts.formats.letters import Boxed
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.questions.answers import chosen
from readers.engine.questions.grading import grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec
from readers.engine.text import split, structure
from readers.engine.text.document import Document
from readers.engine.text.entities import find_entities
from readers.engine.text.rouge import Nearest
from readers.engine.text.search import find, find_quote, landmarks
from readers.memwalker.prompts import LEAF
from tests.bench.cutting import best_of
from tests.support.paths import LAMP
from tests.support.texts_and_files.shapes import (
    FENCED,
    MEMORY_REPLIES,
    NAMES,
    ODD_ANSWERS,
    REPLIES,
    SEARCHED,
    STRUCTURED,
    TEXTS,
    Shapes,
)

AIM = 1.5
REPLY = 50_000  # characters; twice as many are read of a reply with room for 3,000 tokens, and no more (`received.bounded`)
LEAST_SECONDS = 0.002  # below it the clock measures itself
TWICE = "twice the time of half of it"
Row = tuple[str, str, float, float]


def grown(what: str, shapes: Shapes, work: Callable[[str], object], size: int) -> Row:
    """The worst shape: each is measured once, and again where that looks like more than linear."""
    worst, name = 0.0, ""
    for shape, make in shapes.items():
        ratio = _ratio(make, work, size, rounds=1)
        if ratio > AIM:
            ratio = _ratio(make, work, size, rounds=5)
        worst, name = max((worst, name), (ratio, shape))
    return f"{what}, {2 * size:,} characters of {name}", TWICE, worst, AIM


def _ratio(make: Callable[[int], str], work: Callable[[str], object], size: int, *, rounds: int) -> float:
    once, twice = make(size), make(2 * size)
    return _seconds(work, twice, rounds) / (2 * _seconds(work, once, rounds))


def _seconds(work: Callable[[str], object], text: str, rounds: int) -> float:
    """The best of some rounds of this thread's own work, so that what else the machine does is left out."""
    took = []
    gc.disable()  # it looks through everything now and then, whatever is measured
    for _ in range(rounds):
        began = time.thread_time()
        work(text)
        took.append(time.thread_time() - began)
    gc.enable()
    return max(min(took), LEAST_SECONDS)


def segments() -> Row:
    return grown("cut", TEXTS, lambda text: (split.segments(text, 64), split.paragraphs(text), split.sentences(text)), 12_000)


def long_segments() -> Row:
    return grown("cut into long segments", TEXTS, lambda text: split.segments(text, 500), 100_000)


def structured() -> Row:
    return grown("find headings, lists, tables and code", STRUCTURED, structure.blocks.__wrapped__, 250_000)


def units() -> Row:
    return grown("cut by words", TEXTS, lambda text: split.units(text, 600, 1_000), 100_000)


def named() -> Row:
    return grown("find the names", NAMES, find_entities, 40_000)


def searched() -> Row:
    return grown(
        "find words and headings", SEARCHED, lambda text: (landmarks(text), find(text, "a a"), find(text, "zz")), 500_000
    )


def replies() -> Row:
    return _formats("read a reply", {str(p.reply.to_json()): p.reply for reader in READERS for p in reader.prompts}, REPLIES)


def memory_replies() -> Row:
    return _formats(
        "read a memory", {str(f): f for f in (Memory(64), MemoryBlocks(64), Boxed(), Boxed("problem"))}, MEMORY_REPLIES
    )


def _formats(what: str, formats: Mapping[str, Form], shapes: Shapes) -> Row:
    sizes = {"summaries": 4, "problem": 4}
    return max(
        (grown(what, shapes, lambda reply, form=form: form.parse(reply, sizes), REPLY) for form in formats.values()),  # type: ignore[misc]
        key=lambda row: row[2],
    )


def harmless() -> Row:
    return grown("make a text harmless", FENCED, LEAF.harmless, 500_000)


def graded() -> Row:
    known = KnownAnswer("How many?", answers=("500",))
    choices = ("Victor Hugo", "Alexandre Dumas", "Paris", "London")
    return grown("grade an answer", ODD_ANSWERS, lambda odd: (grade("answered", odd, (), known), chosen(odd, choices)), 100_000)


def quoted() -> Row:
    """A quotation that is there but for its last letter, so that every beginning of it looks right."""
    shapes: Shapes = {
        "one letter": lambda n: "a" * n,
        "one letter and spaces": lambda n: "a  " * (n // 3),
        "a few words": lambda n: "".join(f"w{k % 7}  " for k in range(n // 4)),
    }
    quotes = ("a" * 9_000 + "b", "a " * 5_000 + "b", " \n".join([*(f"w{k % 7}" for k in range(2_000)), "end"]))
    return grown("find a quotation", shapes, lambda text: [find_quote(quote, text) for quote in quotes], 200_000)


def accents() -> Row:
    shapes: Shapes = {"one letter under many accents": lambda n: "a" + "\u0301\u0323" * (n // 2)}
    return grown("take a text in", shapes, lambda text: from_paste(text), 500_000)


def diffed() -> Row:
    """A few words over and over, in another order: the most pairs of equal words that are compared at all."""
    before = [f"tok{n % 20}" for n in range(990)]
    after = ["first", *reversed(before), "last"]
    one, other = " ".join(before), " ".join(after)
    ours = best_of(3, lambda: word_diff.changes(one, other))
    return (
        "the words that changed, of 990",
        "twice difflib's own time for them",
        ours / (2 * best_of(3, lambda: _difflib(one, other))),
        AIM,
    )


def _difflib(one: str, other: str) -> object:
    return SequenceMatcher(None, one.split(" "), other.split(" "), autojunk=False).get_opcodes()


def nearest() -> Row:
    asked = [f"What did the keeper of house {n % 50} say to {n} about the matter of the {n * 7 % 131} lamps?" for n in range(600)]
    package = RougeScorer(["rougeL"], use_stemmer=False)

    def ours() -> None:
        pool = Nearest()
        for text in asked:
            if pool.score(text) < 0.9:
                pool.keep(text)

    took = best_of(2, ours)
    limit = best_of(2, lambda: [package.score(one, other) for one, other in pairwise(asked)])
    return "each of 600 questions against those before it", "rouge-score, each against one", took / limit, 20.0


def estimated() -> Row:
    lamp = LAMP.read_text(encoding="utf-8")
    reader = get("memwalker")
    spec = RunSpec(reader.id, reader.version, "Who kept the high light?")
    long, longer = Document.of(lamp * 20), Document.of(lamp * 400)
    took, limit = (best_of(3, lambda text=text: estimate(text, reader, spec), time.process_time) for text in (longer, long))  # type: ignore[misc]
    return "estimate a reading of 400 stories, processor time", "of 20 stories", took / limit, 4.0
