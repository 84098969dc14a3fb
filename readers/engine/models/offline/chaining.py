"""Answer from several segments at once, or decline and say what is missing and what might lead on to it.

A question of several places is met by a chain of them: each next place shares a name with the one before, and brings words of the
question that none before it had. It is enough when the chain has most of the question's rarity and its last place the kind of
thing that is asked for: a person for `who`, a number for `how many`, one of the choices. Whether the words found do answer is
beyond it, as it is for one passage; a question that cannot be answered often uses the very words of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import regex

from readers.engine.models.call import Call
from readers.engine.models.offline.answering import COMMIT, DECLINE, are
from readers.engine.models.offline.lexicon import listed, rarity, sentences, wanted
from readers.engine.text.entities import Entity, bare, named_by_rules
from readers.engine.text.words import WORD, term, terms, words

# The share of the question's weight a chain must have to commit, and below which a last answer is none; the most places of a
# chain, and the sentences of a place.
ENOUGH, TOO_LITTLE, LINKS, WINDOW = 0.65, 0.4, 3, 3
# What shared names must weigh to link two places: more than one rare word. How many chains are made longer at a time.
LINK, BEAM = 1.2, 12
# A word of the question that is commoner is not looked for.
TOO_COMMON = 0.2
# Of how much of a choice a place must have the rarer words, to have the choice.
CHOSEN = 0.6
# A decline names so many missing words and so many leads, from places that have nearly what the best one has.
MISSING, LEADS, NEARLY, LONGEST_LEAD = 2, 3, 0.7, 80
NOT_THERE = "The parts in view do not say."

_PERSON = regex.compile(r"\b(?:who|whom|whose)\b", regex.IGNORECASE)
_NUMBER = regex.compile(
    r"\bhow (?:many|much|long|old|far|high|tall|deep|wide|often|big|large|heavy)\b|\bwhat time\b", regex.IGNORECASE
)
_DATE = regex.compile(r"(?:^|\band )when\b|\b(?:what|which) (?:year|day|date|month)\b", regex.IGNORECASE)
_FIGURE = regex.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{3,6}teen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred|thousand|dozen|once|twice|half)\b",
    regex.IGNORECASE,
)
# What makes a name that of a thing.
_THING = frozenset(
    terms(
        "school college university company society club office hill head house street road square park market bank bridge river "
        "sea strait island isle north south east west church court council committee board cup railway hotel museum garden "
        "survey harbour port pier bay point lane row station hospital union institute form section chapter gazette times"
    )
)
# What a person is called, and what a text says was done instead.
_DOES = {
    term(role): frozenset(map(term, deeds.split()))
    for role, deeds in {
        "captain": "commanded command commander skipper", "commander": "commanded command captain", "founder": "founded founding",
        "author": "wrote written writer", "writer": "wrote written author", "owner": "owned owns bought",
        "teacher": "taught teaches", "pupil": "educated attended", "attended": "educated pupil", "composer": "composed wrote",
        "builder": "built", "painter": "painted", "winner": "won", "wife": "married widow", "husband": "married widow",
        "killer": "killed murdered", "leader": "led chairman", "maker": "made", "seller": "sold", "buyer": "bought",
        "inventor": "invented", "discoverer": "discovered", "died": "dead drowned lost killed",
    }.items()
}  # fmt: skip
_NOTHING: frozenset[str] = frozenset()
_SHE = frozenset(terms("girl woman lady widow wife mother daughter sister aunt she her hers Mrs Miss queen"))
_HE = frozenset(terms("boy man gentleman widower husband father son brother uncle he his him Mr king"))
_FIND = term("find")


class Sought(NamedTuple):
    """The question: its rarer terms with their weight, all its terms, and the choices."""

    asked: str
    weight: dict[str, float]
    own: frozenset[str]
    choices: tuple[str, ...]

    def meets(self, bag: frozenset[str]) -> frozenset[str]:
        """The terms of the question that a text with these terms has."""
        return frozenset(t for t in self.weight if t in bag or _DOES.get(t, _NOTHING) & bag)

    def share(self, met: frozenset[str]) -> float:
        """Summed in the question's order, so that it is the same number in every process."""
        whole = sum(self.weight.values())
        return sum(heavy for t, heavy in self.weight.items() if t in met) / whole if whole else 0.0

    def has(self, choice: str, bag: frozenset[str]) -> float:
        """The share of a choice's rarity, without what the question says itself, that is in a text."""
        weight = {t: rarity(word) for t, word in wanted(choice).items() if t not in self.own}
        whole = sum(weight.values())
        return sum(heavy for t, heavy in weight.items() if t in bag) / whole if whole else 0.0

    def is_new(self, name: str) -> bool:
        """Whether a name says more than the question does."""
        return not set(bare(name)) <= self.own


class Sentence(NamedTuple):
    text: str
    bag: frozenset[str]
    names: tuple[tuple[str, Entity], ...]


class Place(NamedTuple):
    """Some sentences of a segment: which terms of the question they have, the names in them that are new, and whether the kind
    of thing that is asked for is among them."""

    segment: int
    start: int
    met: frozenset[str]
    names: tuple[str, ...]
    fits: bool


class Chain(NamedTuple):
    """Places that share names, the terms of the question they have together, the share of its weight these have, and what the
    shared names weigh."""

    places: tuple[Place, ...]
    met: frozenset[str]
    share: float
    link: float = 0.0

    @property
    def last(self) -> Place:
        return self.places[-1]


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    """-2 with an answer, or -1 with what is missing."""
    view = View(call)
    if not view.chains:
        return {"reasoning": "The parts in view have none of the question's rarer words.", "action": DECLINE}
    closed = next((chain for chain in view.chains if chain.last.fits and chain.share >= ENOUGH), None)
    if closed is None:
        return {"reasoning": view.why_not(), "action": DECLINE}
    return {"reasoning": view.why(closed), "action": COMMIT, "answer": view.said(closed)}


def answer(call: Call) -> Mapping[str, str | int]:
    """What the best chain ends in, be it enough or not; without choices, that it is not there where there is next to nothing."""
    view = View(call)
    best = next((chain for chain in view.chains if chain.last.fits), view.chains[0] if view.chains else None)
    if view.sought.choices:
        return {"answer": view.said(best) if best else " ".join(view.sought.choices[0].split())}
    return {"text": view.said(best) if best and best.share >= TOO_LITTLE else NOT_THERE}


class View:
    """The segments of a call as sentences, places and chains."""

    def __init__(self, call: Call) -> None:
        asked = " ".join(call.part("question"))
        weight = {t: rarity(word) for t, word in wanted(asked).items() if rarity(word) >= TOO_COMMON}
        self.sought = Sought(asked, weight, frozenset(terms(asked)), call.part("choices"))
        self.segments = [_sentences(segment) for segment in call.part("segments")]
        self.places = [
            self._place(n, at) for n, units in enumerate(self.segments) for at in range(max(1, len(units) - WINDOW + 1))
        ]

    def _place(self, segment: int, start: int) -> Place:
        units = self.units(segment, start)
        bag = frozenset[str]().union(*(unit.bag for unit in units))
        names = [" ".join(bare(name)) for unit in units for name, entity in unit.names if entity.kind == "name"]
        new = tuple(name for name in dict.fromkeys(names) if name and self.sought.is_new(name))
        return Place(segment, start, self.sought.meets(bag), new, _fits(self.sought, units, bag))

    def units(self, segment: int, start: int) -> Sequence[Sentence]:
        return self.segments[segment][start : start + WINDOW]

    @cached_property
    def chains(self) -> list[Chain]:
        """The best first: more of the question, then fewer places, then stronger links, then the later ones, for a text corrects
        itself as it goes."""
        single = [Chain((place,), place.met, self.sought.share(place.met)) for place in self.places if place.met]
        every = frontier = sorted(single, key=_rank)
        for _ in range(LINKS - 1):
            longer = [
                Chain((*chain.places, place), chain.met | place.met, self.sought.share(chain.met | place.met), chain.link + link)
                for chain in frontier[:BEAM]
                for place in self.places
                if (link := _link(chain, place)) >= LINK
            ]
            frontier = sorted(longer, key=_rank)
            every = [*every, *frontier[: 4 * BEAM]]
        return sorted(every, key=_rank)

    @cached_property
    def spread(self) -> Counter[str]:
        """In how many segments each name stands."""
        return Counter(name for _, name in dict.fromkeys((place.segment, name) for place in self.places for name in place.names))

    def said(self, chain: Chain) -> str:
        """The best sentence or two of the last place; with choices, the one that stands nearest to the question's words there."""
        units = self.units(chain.last.segment, chain.last.start)
        if self.sought.choices:
            return " ".join(max(self.sought.choices, key=lambda choice: self._near(choice, units)).split())
        runs = [units[n : n + 1] for n in range(len(units))] + [units[n : n + 2] for n in range(len(units) - 1)]
        return " ".join(unit.text for unit in max(runs, key=self._worth))

    def _near(self, choice: str, units: Sequence[Sentence]) -> float:
        sought = self.sought
        bag = frozenset[str]().union(*(unit.bag for unit in units))
        nearest = max(sought.share(sought.meets(unit.bag)) * sought.has(choice, unit.bag) for unit in units)
        return nearest + sought.has(choice, bag) / 2

    def _worth(self, units: Sequence[Sentence]) -> float:
        bag = frozenset[str]().union(*(unit.bag for unit in units))
        return self.sought.share(self.sought.meets(bag)) + _fits(self.sought, units, bag) - 0.05 * len(units)

    def why(self, chain: Chain) -> str:
        found, missing = self._words(chain)
        lacks = f"; {are(missing)} not there" if missing else ""
        places = "One place has" if len(chain.places) == 1 else f"{len(chain.places)} places that share names have"
        return f"{places} {listed(found)} from the question{lacks}."

    def why_not(self) -> str:
        """What the best chain has and lacks, and what stands near it that may lead on, in the text's words."""
        best = self.chains[0]
        found, missing = self._words(best)
        rarest = sorted(missing, key=lambda word: -rarity(word))[:MISSING]
        clauses = [f"The best place has {'only ' if missing else ''}{listed(found)} from the question"]
        clauses += [f"{are(rarest)} missing"] if missing else []
        clauses += [] if best.last.fits else [f"{_kind(self.sought)} does not stand there"]
        leads = self._leads()
        return "; ".join(clauses) + "." + (f" What may lead on: {listed(f'‘{lead}’' for lead in leads)}." if leads else "")

    def _words(self, chain: Chain) -> tuple[list[str], list[str]]:
        rare = [(t, word) for t, word in wanted(self.sought.asked).items() if t in self.sought.weight]
        return [word for t, word in rare if t in chain.met], [word for t, word in rare if t not in chain.met]

    def _leads(self) -> list[str]:
        """From the best sentences of each of the best places, the words between a name and a word of the question."""
        found: list[str] = []
        tried: set[tuple[int, int]] = set()
        for chain in self.chains:
            segment, start = chain.last.segment, chain.last.start
            shares = [self.sought.share(self.sought.meets(unit.bag)) for unit in self.units(segment, start)]
            if len(found) >= LEADS or chain.share < NEARLY * self.chains[0].share:
                break
            best = [(segment, start + n) for n, share in enumerate(shares) if share == max(shares)]
            for number, at in (place for place in best if place not in tried):
                tried.add((number, at))
                clauses = self._clauses(self.segments[number][at])
                found += [lead for lead in clauses if not any(lead in other or other in lead for other in found)]
        return found[:LEADS]

    def _clauses(self, unit: Sentence) -> list[str]:
        """The two names of a sentence nearest to a word of the question, each with the words between."""
        met = [match.span() for match in WORD.finditer(unit.text) if self.sought.meets(_bag(match[0]))]
        found: dict[str, tuple[int, int]] = {}
        for name, entity in unit.names:
            start = unit.text.find(name)
            if not met or entity.kind != "name" or not self.sought.is_new(name):
                continue
            low, high = min(
                ((min(start, low), max(start + len(name), high)) for low, high in met), key=lambda span: span[1] - span[0]
            )
            lead = unit.text[low:high] if high - low <= LONGEST_LEAD else name
            found.setdefault(lead, (high - low, self.spread[" ".join(bare(name))]))
        return sorted(found, key=lambda lead: found[lead])[:2]


@lru_cache(maxsize=512)
def _sentences(segment: str) -> tuple[Sentence, ...]:
    """The sentences of a segment, with the names in each, which are looked for with all of them in sight. The segments of one
    trial are in the next one's view too, hence the cache."""
    units = sentences(segment) or [""]
    joined = "\n".join(units)
    found: list[list[tuple[str, Entity]]] = [[] for _ in units]
    at, end = 0, len(units[0])
    for entity in named_by_rules(joined):
        while entity.start > end:
            at += 1
            end += 1 + len(units[at])
        found[at].append((joined[entity.start : entity.end], entity))
    return tuple(Sentence(unit, _bag(unit), tuple(names)) for unit, names in zip(units, found, strict=True))


def _fits(sought: Sought, units: Sequence[Sentence], bag: frozenset[str]) -> bool:
    """Whether sentences have the kind of thing that is asked for."""
    if sought.choices:
        return any(sought.has(choice, bag) >= CHOSEN for choice in sought.choices)
    names = [pair for unit in units for pair in unit.names]
    if _PERSON.search(sought.asked):
        sexes = [sex for sex in (_SHE, _HE) if sex & sought.own]
        if len(sexes) == 1 and not sexes[0] & bag:
            return False
        if not any(entity.kind == "name" and _is_person(name) and sought.is_new(name) for name, entity in names):
            return False
    if _NUMBER.search(sought.asked) and not any(_FIGURE.search(unit.text) for unit in units):
        return False
    return not _DATE.search(sought.asked) or any(entity.kind == "date" for _, entity in names)


def _is_person(name: str) -> bool:
    """Two words or more, none of which is a thing's, with no `of` between them."""
    found = terms(name)
    return 2 <= len(found) <= 4 and not _THING & set(found) and not any(word.isdigit() for word in found) and " of " not in name


def _link(chain: Chain, place: Place) -> float:
    """What the names weigh that a place shares with the last of the chain; 0 for one that brings nothing new."""
    last = chain.last
    if place.segment == last.segment and abs(place.start - last.start) < WINDOW:
        return 0.0
    if place.met <= chain.met and not (place.fits and not last.fits):
        return 0.0
    return sum(rarity(word) for name in place.names if name in last.names for word in name.split())


def _rank(chain: Chain) -> tuple[float, int, bool, float, int, int]:
    last = chain.last
    return (-round(chain.share, 6), len(chain.places), not last.fits, -round(chain.link, 6), -last.segment, last.start)


def _bag(text: str) -> frozenset[str]:
    """The terms of a text. `Found` is no form of `founded`."""
    return frozenset(_FIND if word.casefold() == "found" else term(word) for word in words(text))


def _kind(sought: Sought) -> str:
    if sought.choices:
        return "one of the choices"
    return "a person" if _PERSON.search(sought.asked) else "a number" if _NUMBER.search(sought.asked) else "a date"
