"""Made-up texts with questions that need several places in them. Deterministic: the same number makes the same question.

A question follows a chain of facts, `the town where Ada Quill was raised`, `the river on which that town lies`. Each fact is one
sentence of its own paragraph, among paragraphs with facts about others and with plain filler. All names are invented; no name is
part of another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from readers.engine.text.document import Document


class Relation(NamedTuple):
    """How one thing leads to another: their kinds, the sentence that says so, and the words that ask for the second."""

    source: str
    target: str
    sentence: str
    wanted: str


RELATIONS = (
    Relation("person", "town", "{a} was raised in {b}, in a house behind the mill.", "the town where {a} was raised"),
    Relation("person", "ship", "For nine years {a} served on the {b} as a cook.", "the ship on which {a} served"),
    Relation("person", "person", "{a} learnt the trade of a glazier from {b}.", "the person from whom {a} learnt the trade"),
    Relation("town", "river", "The houses of {a} are built along the river {b}.", "the river that runs past {a}"),
    Relation("town", "person", "When {a} first chose a mayor, it chose {b}.", "the first mayor of {a}"),
    Relation("ship", "person", "Every plank of the {a} was cut by {b}.", "the person who cut the planks of {a}"),
    Relation("ship", "town", "The {a} was broken up for its timber at {b}.", "the town where {a} was broken up"),
    Relation("river", "town", "The {a} comes down to the sea at {b}.", "the town where {a} comes to the sea"),
    Relation("river", "person", "It was {b} who first drew the whole of the {a} on a map.", "the person who first mapped {a}"),
)
FILLER = (
    "Rain had come over the hills before noon, and nobody had thought to bring in the hay.",
    "The bread was late that morning, and there were words about it in the yard.",
    "On most evenings the lamps were lit early, to save the children from the dark stairs.",
    "There is little to say of that winter, except that it was long.",
    "Those who were there remember the smell of tar and of wet rope.",
    "A dog barked for an hour, and then it was quiet again.",
    "Letters took a week to arrive, if they arrived at all.",
    "The road was mended twice in those years, each time with the wrong stones.",
    "Some said it was luck, and others said that luck had nothing to do with it.",
    "By the time the kettle boiled, the argument had been forgotten.",
    "It is a custom there to leave one chair empty at the table.",
    "Nobody kept a list of what was lent and what was given back.",
)
_OPENINGS = (
    *("ath", "bal", "brin", "cal", "cor", "dun", "fen", "gar", "hol", "jes", "kel", "lam"),
    *("mor", "nor", "pel", "quin", "ros", "sel", "tor", "ul", "ven", "wil", "yar", "zan"),
)
_MIDDLES = ("a", "e", "i", "o", "u", "ar", "en", "il", "or", "un")
_ENDINGS = ("by", "ck", "dd", "lm", "mp", "nth", "rgh", "rst", "sk", "tt", "vel", "wick", "xen", "zle")


@dataclass(frozen=True)
class Fact:
    """One step of a chain: its sentence, which occurs once in the text, what it leads from and to, and the words that ask for
    it."""

    subject: str
    found: str
    sentence: str
    wanted: str


@dataclass(frozen=True)
class Case:
    """A text, a question about it, and the facts that answer it, in the order in which they are needed."""

    document: Document
    question: str
    facts: tuple[Fact, ...]
    names: tuple[str, ...]

    @property
    def answer(self) -> str:
        return self.facts[-1].found


def case(number: int, *, paragraphs: int = 28) -> Case:
    """The question of this number: two to four facts, in a text of so many paragraphs of about 60 words."""
    random = Random(number)
    names = _Names(random)
    facts = _chain(random, names, hops=2 + number % 3)
    wanted = facts[0].wanted
    for fact in facts[1:]:
        wanted = fact.wanted.replace(fact.subject, wanted)
    blocks = [_block(random, names, facts) for _ in range(paragraphs)]
    for place, fact in zip(random.sample(range(paragraphs), len(facts)), facts, strict=True):
        blocks[place].insert(random.randrange(1, len(blocks[place])), fact.sentence)
    text = "\n\n".join(" ".join(block) for block in blocks)
    return Case(Document.of(text, title=f"Text {number}"), f"What is the name of {wanted}?", facts, tuple(names.taken))


def _chain(random: Random, names: _Names, hops: int) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    kind, subject = "person", names.new("person")
    used: set[Relation] = set()
    for hop in range(hops):
        onward = [one for one in RELATIONS if one.source == kind and one not in used and (hop or one.target != "person")]
        relation = random.choice(onward)
        found = names.new(relation.target)
        facts.append(_fact(relation, subject, found))
        used.add(relation)
        kind, subject = relation.target, found
    return tuple(facts)


def _fact(relation: Relation, a: str, b: str) -> Fact:
    return Fact(a, b, relation.sentence.format(a=a, b=b), relation.wanted.format(a=a))


def _block(random: Random, names: _Names, facts: Sequence[Fact]) -> list[str]:
    """A paragraph without evidence: filler, a fact about others, and now and then a mention of someone in the chain."""
    relation = random.choice(RELATIONS)
    other = _fact(relation, names.some(relation.source), names.some(relation.target))
    block = [*random.sample(FILLER, 3), other.sentence]
    if random.random() < 0.3:
        block.append(f"There was talk of {random.choice(facts).subject} again, and then of the price of salt.")
    random.shuffle(block)
    return block


class _Names:
    """Invented names by kind, none of them part of another one."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._words = self._distinct()
        self._others: dict[str, list[str]] = {}
        self.taken: list[str] = []

    def new(self, kind: str) -> str:
        name = next(self._words)
        if kind == "person":
            name = f"{name} {next(self._words)}"
        self.taken.append(name)
        return name

    def some(self, kind: str) -> str:
        """The name of something that no question is about: one of a few that recur, or a new one."""
        others = self._others.setdefault(kind, [])
        if len(others) < 6 or self._random.random() < 0.1:
            others.append(self.new(kind))
        return self._random.choice(others)

    def _distinct(self) -> Iterator[str]:
        words = [f"{a}{b}{c}".capitalize() for a in _OPENINGS for b in _MIDDLES for c in _ENDINGS]
        self._random.shuffle(words)
        return iter(words)
