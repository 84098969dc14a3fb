"""Answer from several segments at once, or decline, saying what is missing and which leads might find it.

A question that spans several spots is answered by a chain of them: each hop shares a name with the hop before it and adds
question words that no earlier hop had. A chain is enough if it carries most of the question's rarity and its last hop holds the
kind of thing asked for: a person for `who`, a number for `how many`, one of the choices. As with a single passage, it does not
know whether the words it found answer the question; an unanswerable question often uses the very words of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from readers.engine.models.call import Call
from readers.engine.models.offline.answering import COMMIT, DECLINE, NEAR_BEST, NEAR_THE_KIND, NOT_THERE, names_are, pick
from readers.engine.models.offline.lexicon import (
    ASKS_DATE,
    ASKS_NUMBER,
    ASKS_PERSON,
    FIGURE,
    asks_a_kind,
    is_person,
    kind_missing,
    query_terms,
    said,
    says_half,
    says_who,
    sentences,
    with_those_before,
)
from readers.engine.text.entities import NamedEntity, find_entities, name_words
from readers.engine.text.phrases import listed
from readers.engine.text.words import WORD, rarity, term, terms, words

# The share of the question's weight that a chain needs to commit, and the share below which a final answer says that the text
# does not give the answer; the most hops in a chain, and the sentences in a hop.
MIN_SHARE, MIN_SHARE_TO_QUOTE, MAX_HOPS, WINDOW = 0.65, 0.4, 3, 3
# The rarity that shared names need to link two hops (more than one rare word), and how many chains are extended at a time.
MIN_LINK, BEAM = 1.2, 12
# Question words more common than this are ignored.
MIN_RARITY = 0.2
# The share of a choice's rarer words that a hop needs to contain the choice.
MIN_CHOICE_SHARE = 0.6
# A decline names at most this many missing words and leads; leads come from chains with a share near the best one's.
MAX_MISSING, MAX_LEADS, NEAR_BEST_LEAD, MAX_LEAD_LENGTH = 2, 3, 0.7, 80

# A role, and the deeds by which a text may describe it instead.
_ROLE_VERBS = {
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
_FEMALE = frozenset(terms("girl woman lady widow wife mother daughter sister aunt she her hers Mrs Miss queen"))
_MALE = frozenset(terms("boy man gentleman widower husband father son brother uncle he his him Mr king"))
_FIND, _FOUNDED = term("find"), frozenset({term("founded")})


class QuestionTerms(NamedTuple):
    """A question: its wording, the weight of its rarer terms, all its terms, and the choices."""

    asked: str
    weight: dict[str, float]
    own: frozenset[str]
    choices: tuple[str, ...]

    def meets(self, bag: frozenset[str]) -> frozenset[str]:
        """The question's terms that occur in a text with these terms."""
        return frozenset(t for t in self.weight if t in bag or _ROLE_VERBS.get(t, _NOTHING) & bag)

    def share(self, met: frozenset[str]) -> float:
        """The share of the question's weight that these terms carry, summed in the question's order so that rounding is the same
        in every process."""
        whole = sum(self.weight.values())
        return sum(heavy for t, heavy in self.weight.items() if t in met) / whole if whole else 0.0

    def has(self, choice: str, bag: frozenset[str]) -> float:
        """The share of a choice's rarity found in a text, ignoring words of the question itself."""
        weight = {t: rarity(word) for t, word in query_terms(choice).items() if t not in self.own}
        whole = sum(weight.values())
        return sum(heavy for t, heavy in weight.items() if t in bag) / whole if whole else 0.0

    def is_new(self, name: str) -> bool:
        """Whether a name adds anything to the question."""
        return not set(name_words(name)) <= self.own


class ParsedSentence(NamedTuple):
    text: str
    bag: frozenset[str]
    names: tuple[tuple[str, NamedEntity], ...]


class Hop(NamedTuple):
    """Some sentences of a segment: the question terms they contain, their new names, and whether they contain the kind of thing
    that is asked for (`fits`)."""

    segment: int
    start: int
    met: frozenset[str]
    names: tuple[str, ...]
    fits: bool


class Chain(NamedTuple):
    """Hops linked by shared names, the question terms they contain together, the share of its weight, and the rarity of the
    linking names."""

    hops: tuple[Hop, ...]
    met: frozenset[str]
    share: float
    link: float = 0.0

    @property
    def last(self) -> Hop:
        return self.hops[-1]


def answer_or_decline(call: Call) -> Mapping[str, str | int]:
    """Action -2 with an answer, or -1 with what is missing."""
    search = ChainSearch(call)
    if not search.chains:
        return {"reasoning": "The parts in view have none of the question's rarer words.", "action": DECLINE}
    closed = next((chain for chain in search.chains if chain.last.fits and chain.share >= MIN_SHARE), None)
    if closed is None or (not search.question.choices and search.lacks_the_kind(closed)):
        return {"reasoning": search.why_not(), "action": DECLINE}
    return {"reasoning": search.why(closed), "action": COMMIT, "answer": search.answer(closed)}


def answer(call: Call) -> Mapping[str, str | int]:
    """The end of the best chain, whether it is enough or not; without choices and with hardly anything found, a sentence that
    says so."""
    search = ChainSearch(call)
    fits = next((chain for chain in search.chains if chain.last.fits), None)
    best = fits or (search.chains[0] if search.chains else None)
    main = call.prompt.reply.main
    if search.question.choices:
        return {main: search.answer(best) if best else " ".join(search.question.choices[0].split())}
    if best is None or best.share < MIN_SHARE_TO_QUOTE or search.lacks_the_kind(best):
        return {main: NOT_THERE}
    return {main: search.answer(best)}


class ChainSearch:
    """The segments of a call, split into sentences and hops, and the chains they form."""

    def __init__(self, call: Call) -> None:
        asked = " ".join(call.part("question"))
        every = {t: rarity(word) for t, word in query_terms(asked).items()}
        rare = {t: weight for t, weight in every.items() if weight >= MIN_RARITY}
        self.question = QuestionTerms(asked, rare or every, frozenset(terms(asked)), call.part("choices"))
        self.segments = [_sentences(segment) for segment in call.part("segments")]
        self.hops = [self._hop(n, at) for n, units in enumerate(self.segments) for at in range(max(1, len(units) - WINDOW + 1))]

    def _hop(self, segment: int, start: int) -> Hop:
        units = self.units(segment, start)
        bag = frozenset[str]().union(*(unit.bag for unit in units))
        names = [" ".join(name_words(name)) for unit in units for name, entity in unit.names if entity.kind == "name"]
        new = tuple(name for name in dict.fromkeys(names) if name and self.question.is_new(name))
        return Hop(segment, start, self.question.meets(bag), new, _fits(self.question, units, bag))

    def units(self, segment: int, start: int) -> Sequence[ParsedSentence]:
        return self.segments[segment][start : start + WINDOW]

    @cached_property
    def chains(self) -> list[Chain]:
        """All chains, best first: more of the question, then fewer hops, then stronger links, then later hops, because a text
        corrects itself as it goes."""
        single = [Chain((hop,), hop.met, self.question.share(hop.met)) for hop in self.hops if hop.met]
        every = frontier = sorted(single, key=_rank)
        for _ in range(MAX_HOPS - 1):
            longer = [
                Chain((*chain.hops, hop), chain.met | hop.met, self.question.share(chain.met | hop.met), chain.link + link)
                for chain in frontier[:BEAM]
                for hop in self.hops
                if (link := _link(chain, hop)) >= MIN_LINK
            ]
            frontier = sorted(longer, key=_rank)
            every = [*every, *frontier[: 4 * BEAM]]
        return sorted(every, key=_rank)

    @cached_property
    def spread(self) -> Counter[str]:
        """The number of segments in which each name occurs."""
        return Counter(name for _, name in dict.fromkeys((hop.segment, name) for hop in self.hops for name in hop.names))

    def answer(self, chain: Chain) -> str:
        """The best one or two sentences of the last hop; with choices, the choice nearest to the question's words there."""
        units = self.units(chain.last.segment, chain.last.start)
        if self.question.choices:
            # A chain of several hops ends at the answer; a single hop only says that the view has it.
            near = units if len(chain.hops) > 1 else [unit for segment in self.segments for unit in segment]
            return pick(self.question.asked, self.question.choices, [unit.text for unit in near], self.question.weight)
        runs = [units[n : n + 1] for n in range(len(units))] + [units[n : n + 2] for n in range(len(units) - 1)]
        return " ".join(unit.text for unit in max(runs, key=self._worth))

    def _worth(self, units: Sequence[ParsedSentence]) -> float:
        bag = frozenset[str]().union(*(unit.bag for unit in units))
        return self.question.share(self.question.meets(bag)) + _fits(self.question, units, bag) - 0.05 * len(units)

    def lacks_the_kind(self, chain: Chain) -> bool:
        """Whether no sentence of the last hop has the kind of thing asked for, or the chain has far less of the question than the
        best one."""
        asked = self.question.asked
        if not asks_a_kind(asked):
            return False
        units = self.units(chain.last.segment, chain.last.start)
        if len(chain.hops) == 1 and says_half(asked, " ".join(unit.text for unit in units)):
            return True
        least = NEAR_THE_KIND * self.question.share(chain.last.met)
        bags = with_those_before([unit.bag for unit in units], [unit.text for unit in units])
        near = (
            unit.text for unit, bag in zip(units, bags, strict=True) if self.question.share(self.question.meets(bag)) >= least
        )
        return chain.share < NEAR_BEST * self.chains[0].share or all(kind_missing(asked, unit) for unit in near)

    def why(self, chain: Chain) -> str:
        found, missing = self._words(chain)
        lacks = f"; {names_are(missing)} not there" if missing else ""
        places = "One place has" if len(chain.hops) == 1 else f"{len(chain.hops)} places that share names have"
        return f"{places} {listed(found)} from the question{lacks}."

    def why_not(self) -> str:
        """What the best chain has and lacks, and leads near it, in the text's own words."""
        best = self.chains[0]
        found, missing = self._words(best)
        rarest = sorted(missing, key=lambda word: -rarity(word))[:MAX_MISSING]
        clauses = [f"The best place has {'only ' if missing else ''}{listed(found)} from the question"]
        clauses += [f"{names_are(rarest)} missing"] if missing else []
        stands = best.last.fits and (self.question.choices or not self.lacks_the_kind(best))
        clauses += [] if stands else [f"{_answer_kind(self.question)} does not stand there"]
        leads = self._leads()
        return "; ".join(clauses) + "." + (f" What may lead on: {listed(f'‘{lead}’' for lead in leads)}." if leads else "")

    def _words(self, chain: Chain) -> tuple[list[str], list[str]]:
        rare = [(t, word) for t, word in query_terms(self.question.asked).items() if t in self.question.weight]
        return [word for t, word in rare if t in chain.met], [word for t, word in rare if t not in chain.met]

    def _leads(self) -> list[str]:
        """From the best sentences of each of the best hops, the words between a name and a question word."""
        leads: list[str] = []
        tried: set[tuple[int, int]] = set()
        for chain in self.chains:
            segment, start = chain.last.segment, chain.last.start
            shares = [self.question.share(self.question.meets(unit.bag)) for unit in self.units(segment, start)]
            if len(leads) >= MAX_LEADS or chain.share < NEAR_BEST_LEAD * self.chains[0].share:
                break
            best = [(segment, start + n) for n, share in enumerate(shares) if share == max(shares)]
            for number, at in (sentence for sentence in best if sentence not in tried):
                tried.add((number, at))
                clauses = self._clauses(self.segments[number][at])
                leads += [lead for lead in clauses if not any(lead in other or other in lead for other in leads)]
        return leads[:MAX_LEADS]

    def _clauses(self, unit: ParsedSentence) -> list[str]:
        """The two names of a sentence nearest to a question word, each with the words in between."""
        met = [match.span() for match in WORD.finditer(unit.text) if self.question.meets(_terms(match[0]))]
        leads: dict[str, tuple[int, int]] = {}
        for name, entity in unit.names:
            start = unit.text.find(name)
            if not met or entity.kind != "name" or not self.question.is_new(name):
                continue
            low, high = min(
                ((min(start, low), max(start + len(name), high)) for low, high in met), key=lambda span: span[1] - span[0]
            )
            lead = unit.text[low:high] if high - low <= MAX_LEAD_LENGTH else name
            leads.setdefault(lead, (high - low, self.spread[" ".join(name_words(name))]))
        return sorted(leads, key=lambda lead: leads[lead])[:2]


@lru_cache(maxsize=512)
def _sentences(segment: str) -> tuple[ParsedSentence, ...]:
    """The sentences of a segment with their names, which are recognised in the segment as a whole. Cached because the segments of
    one trial are in view again in the next."""
    units = sentences(segment) or [""]
    joined = "\n".join(units)
    names: list[list[tuple[str, NamedEntity]]] = [[] for _ in units]
    at, end = 0, len(units[0])
    for entity in find_entities(joined):
        while entity.start > end:
            at += 1
            end += 1 + len(units[at])
        names[at].append((joined[entity.start : entity.end], entity))
    bags = [_terms(unit) | said(unit) - _FOUNDED for unit in units]
    return tuple(ParsedSentence(unit, bag, tuple(named)) for unit, bag, named in zip(units, bags, names, strict=True))


def _fits(sought: QuestionTerms, units: Sequence[ParsedSentence], bag: frozenset[str]) -> bool:
    """Whether these sentences contain the kind of thing that is asked for."""
    if sought.choices:
        return any(sought.has(choice, bag) >= MIN_CHOICE_SHARE for choice in sought.choices)
    names = [pair for unit in units for pair in unit.names]
    if ASKS_PERSON.search(sought.asked):
        sexes = [sex for sex in (_FEMALE, _MALE) if sex & sought.own]
        if len(sexes) == 1 and not sexes[0] & bag:
            return False
        named = any(entity.kind == "name" and is_person(name) and sought.is_new(name) for name, entity in names)
        if not named and not any(says_who(sought.asked, unit.text) for unit in units):
            return False
    if ASKS_NUMBER.search(sought.asked) and not any(FIGURE.search(unit.text) for unit in units):
        return False
    if kind_missing(sought.asked, " ".join(unit.text for unit in units)):
        return False
    return not ASKS_DATE.search(sought.asked) or any(entity.kind == "date" for _, entity in names)


def _link(chain: Chain, hop: Hop) -> float:
    """The rarity of the names that a hop shares with the chain's last one; 0 if the hop adds nothing."""
    last = chain.last
    if hop.segment == last.segment and abs(hop.start - last.start) < WINDOW:
        return 0.0
    if hop.met <= chain.met and not (hop.fits and not last.fits):
        return 0.0
    return sum(rarity(word) for name in hop.names if name in last.names for word in name.split())


def _rank(chain: Chain) -> tuple[float, int, bool, float, int, int]:
    last = chain.last
    return (-round(chain.share, 6), len(chain.hops), not last.fits, -round(chain.link, 6), -last.segment, last.start)


def _terms(text: str) -> frozenset[str]:
    """The terms of a text. The name `Found` is not a form of `founded`."""
    return frozenset(_FIND if word.casefold() == "found" else term(word) for word in words(text))


def _answer_kind(sought: QuestionTerms) -> str:
    if sought.choices:
        return "one of the choices"
    if kind := kind_missing(sought.asked, ""):
        return kind
    return "a person" if ASKS_PERSON.search(sought.asked) else "a number" if ASKS_NUMBER.search(sought.asked) else "a date"
