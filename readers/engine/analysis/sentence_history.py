"""The history of every sentence of a memory that is rewritten again and again: when it appeared, changed, was lost, came back.

Pure and deterministic. Each memory is compared with its predecessor; a sentence without a match there is looked for among those
lost earlier. Sentences are matched only by their words, so a match means *most like*, never *same meaning*. Each match says how
it was made, and is "uncertain" if it is weak or another is about as good. Time grows at most with the number of memories times
the square of a memory's changed sentences; the search among lost sentences is bounded.

A lane is one sentence. What is only perhaps a sentence from before has a lane of its own, and that sentence is overwritten.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

import regex

from readers.engine.text import split
from readers.engine.text.document import Span
from readers.engine.text.words import rarity, term, words

How = Literal["verbatim", "moved", "reworded", "merged", "split", "restored", "uncertain", "new"]
HOWS: tuple[How, ...] = ("verbatim", "moved", "reworded", "merged", "split", "restored", "uncertain", "new")
CAME: Set[How] = {"new", "restored", "uncertain"}  # the memory before did not have it
CHANGED: Set[How] = {"reworded", "merged", "split"}  # the memory before had it in other words
NOWHERE = -1
Sentence = tuple[str, int]  # of a memory, without white space around it; and the line breaks before it, 2 for a paragraph's
Gone = tuple[int, int]  # the first memory without a sentence, and the lane it was merged into, or NOWHERE
_Continuation = tuple[int, How]  # the lane that a new sentence continues, and how

# Shares of the words of two sentences, with rare words weighted up: from SURE on, one sentence is the other reworded; from
# POSSIBLE on, it may be. Two matches less than CLOSE apart are about as good.
SURE, POSSIBLE, CLOSE = 0.6, 0.45, 0.08
# A sentence is part of another if so much of it is in there (INSIDE). Parts make up a whole if they cover this much of it (WHOLE)
# and each adds this much (OWN).
INSIDE, WHOLE, OWN = 0.75, 0.6, 0.12
COMMON_WORD = 0.2  # the weight of the commonest word; the rarest weighs 1 more
_TERMS_LOOKED_UP, _CANDIDATES, _LOST_KEPT = 12, 8, 64

_LETTER = regex.compile(r"\p{L}")
_SUM = regex.compile(r"\d\s?(?:[lsd]|fr|kr)\.[^\S\n]+$")
_GOES_ON = regex.compile(r"[\p{Ll}\d£$€(]")


class Version(NamedTuple):
    """The words of a sentence from memory `at` (from 0) on, and how they were matched with its words before."""

    at: int
    text: str
    how: How


class PlacedSentence(NamedTuple):
    """A sentence of one memory: its lane and version, how it was matched, and the line breaks before it."""

    lane: int
    version: int
    how: How
    breaks: int


class Over(NamedTuple):
    """Words of the previous memory that were overwritten: their lane and version, and the lane they would follow (NOWHERE for the
    beginning)."""

    lane: int
    version: int
    after: int


@dataclass
class Lane:
    """One sentence through all memories. `parent` is the lane it was split from, or perhaps continues; or NOWHERE."""

    versions: list[Version]
    gone: list[Gone] = field(default_factory=list)
    parent: int = NOWHERE

    @property
    def came(self) -> int:
        return self.versions[0].at

    @property
    def lost(self) -> int | None:
        """The first memory from which it is missing for good; None if the last memory has it."""
        return self.gone[-1][0] if self.gone and self.gone[-1][0] > self.versions[-1].at else None


@dataclass(frozen=True)
class SentenceHistories:
    """`memories[t]` are the sentences of memory t in order; `over[t]` is what it overwrote."""

    lanes: Sequence[Lane]
    memories: Sequence[Sequence[PlacedSentence]]
    over: Sequence[Sequence[Over]]

    def words(self, place: PlacedSentence | Over) -> str:
        return self.lanes[place.lane].versions[place.version].text

    def lost(self, at: int) -> list[str]:
        """The sentences of the memory before that memory `at` does not have, nor as a part of another one."""
        return [self.words(over) for over in self.over[at] if (at, NOWHERE) in self.lanes[over.lane].gone]


def sentence_histories(memories: Iterable[str]) -> SentenceHistories:
    """The history of every sentence in these memories, which are in order."""
    histories = _Histories()
    for memory in memories:
        histories.add(sentences(memory))
    return SentenceHistories(histories.lanes, histories.memories, histories.over)


def sentences(memory: str) -> list[Sentence]:
    """The sentences of a memory; a number or mark on its own, as in a list, belongs to the sentence after it, and a sum of money
    (£388 4s.) ends none unless a capital follows."""
    found: list[Sentence] = []
    breaks, loose = 0, ""
    for start, end in _without_sums(memory, split.sentences(memory)):
        piece = memory[start:end]
        words_of = " ".join(piece.split())
        follows = piece[len(piece.rstrip()) :].count("\n")
        if words_of and not _LETTER.search(words_of) and not follows:
            loose += f"{words_of} "
            continue
        if words_of or loose:
            found.append((f"{loose}{words_of}".strip(), min(breaks, 2) if found else 0))
            breaks, loose = 0, ""
        breaks += follows
    if loose:
        found.append((loose.strip(), min(breaks, 2) if found else 0))
    return found


def _without_sums(memory: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, with a span that ends in a sum of money joined to the next if that continues its sentence."""
    open_at: int | None = None
    for start, end in spans:
        begin = start if open_at is None else open_at
        open_at = begin if _SUM.search(memory, begin, end) and _GOES_ON.match(memory, end) else None
        if open_at is None:
            yield Span(begin, end)


@lru_cache(maxsize=1 << 14)
def weights(text: str) -> Mapping[str, float]:
    """The terms of a sentence with their weights."""
    return {term(word): COMMON_WORD + rarity(word) for word in words(text)}


def alike(one: str, other: str) -> float:
    """The share of their words that two sentences have in common, 0 to 1."""
    a, b = weights(one), weights(other)
    both = sum(a.values()) + sum(b.values())
    return 2 * _shared(a, b) / both if both else 0.0


def _shared(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    if len(b) < len(a):
        a, b = b, a
    return sum(weight for word, weight in a.items() if word in b)


class _Histories:
    """The histories so far; `add` extends them by one memory."""

    def __init__(self) -> None:
        self.lanes: list[Lane] = []
        self.memories: list[list[PlacedSentence]] = []
        self.over: list[list[Over]] = []
        self.lost: set[int] = set()
        self.lost_texts: dict[str, int] = {}
        self.lost_terms: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=_LOST_KEPT))

    def add(self, new: Sequence[Sentence]) -> None:
        before = self.memories[-1] if self.memories else []
        old = [self.lanes[place.lane].versions[place.version].text for place in before]
        texts = [text for text, _ in new]
        matched: dict[int, _Continuation] = {}
        taken: set[int] = set()
        for to, number, how in _verbatim(old, texts):
            matched[to] = (before[number].lane, how)
            taken.add(number)
        self._restored(texts, matched)
        change = _MemoryDiff(
            old, texts, [n for n in range(len(old)) if n not in taken], [n for n in range(len(new)) if n not in matched]
        )
        change.match()
        matched |= {to: (before[number].lane, how) for to, (number, how) in change.matched.items()}
        self._restored_in_other_words(texts, matched, change.parents)
        lane_of = {number: place.lane for number, place in enumerate(before)}
        parents = {to: lane_of[number] for to, number in change.parents.items()}
        row = [self._place(sentence, matched.get(to), parents.get(to, NOWHERE)) for to, sentence in enumerate(new)]
        into = {lane_of[number]: row[to].lane for number, to in change.into.items()}
        self._write_over(before, row, into)

    def _place(self, sentence: Sentence, match: _Continuation | None, parent: int) -> PlacedSentence:
        at, (text, breaks) = len(self.memories), sentence
        number, how = match or (parent, "new" if parent == NOWHERE else "split")
        if match is None or how == "uncertain":
            self.lanes.append(Lane([Version(at, text, how)], parent=number))
            return PlacedSentence(len(self.lanes) - 1, 0, how, breaks)
        lane = self.lanes[number]
        if how != "verbatim":
            lane.versions.append(Version(at, text, how))
        self.lost.discard(number)
        return PlacedSentence(number, len(lane.versions) - 1, how, breaks)

    def _write_over(self, before: Sequence[PlacedSentence], row: list[PlacedSentence], into: Mapping[int, int]) -> None:
        """Record what the new memory overwrote of its predecessor, and append it."""
        at = len(self.memories)
        now = {place.lane: place for place in row}
        over: list[Over] = []
        after = NOWHERE
        for place in before:
            lane = self.lanes[place.lane]
            if place.lane in now:
                after = place.lane
                if lane.versions[now[place.lane].version].text != lane.versions[place.version].text:
                    over.append(Over(place.lane, place.version, after))
                continue
            over.append(Over(place.lane, place.version, into.get(place.lane, after)))
            lane.gone.append((at, into.get(place.lane, NOWHERE)))
            self._remember(place.lane)
        self.memories.append(row)
        self.over.append(over)

    def _remember(self, lane: int) -> None:
        """Index a lost sentence, so that it can be found if it comes back."""
        text = self.lanes[lane].versions[-1].text
        self.lost.add(lane)
        self.lost_texts[_normal(text)] = lane
        for word in _rarest(weights(text)):
            self.lost_terms[word].append(lane)

    def _restored(self, texts: Sequence[str], matched: dict[int, _Continuation]) -> None:
        """Match lost sentences that are back word for word."""
        for to, text in enumerate(texts):
            lane = self.lost_texts.get(_normal(text), NOWHERE) if to not in matched else NOWHERE
            if lane in self.lost:
                matched[to] = (lane, "restored")
                self.lost.discard(lane)

    def _restored_in_other_words(
        self, texts: Sequence[str], matched: dict[int, _Continuation], parents: Mapping[int, int]
    ) -> None:
        for to, text in enumerate(texts):
            if to in matched or to in parents or not self.lost:
                continue
            found: Counter[int] = Counter()
            for word in _rarest(weights(text)):
                found.update(lane for lane in set(self.lost_terms.get(word, ())) if lane in self.lost)
            nearest = sorted(found, key=lambda lane: (-found[lane], -lane))[:_CANDIDATES]
            rated = sorted(((alike(text, self.lanes[lane].versions[-1].text), -lane) for lane in nearest), reverse=True)
            if rated and rated[0][0] >= SURE:  # among so many, a weak match is chance
                sure = len(rated) == 1 or rated[0][0] - rated[1][0] >= CLOSE
                matched[to] = (-rated[0][1], "restored" if sure else "uncertain")
                if sure:
                    self.lost.discard(-rated[0][1])


class _MemoryDiff:
    """Of two consecutive memories, the sentences that are not word for word in both: which became which."""

    def __init__(self, old: Sequence[str], new: Sequence[str], left: Sequence[int], came: Sequence[int]) -> None:
        self.old = {n: weights(old[n]) for n in left}
        self.new = {n: weights(new[n]) for n in came}
        self.size_old = {n: sum(found.values()) for n, found in self.old.items()}
        self.size_new = {n: sum(found.values()) for n, found in self.new.items()}
        self.shared = dict(self._pairs())
        self.rates = {(to, n): 2 * both / (self.size_new[to] + self.size_old[n]) for (to, n), both in self.shared.items()}
        self.best_new: dict[int, float] = {}
        self.best_old: dict[int, float] = {}
        for (to, n), rate in self.rates.items():
            self.best_new[to] = max(rate, self.best_new.get(to, 0.0))
            self.best_old[n] = max(rate, self.best_old.get(n, 0.0))
        self.matched: dict[int, tuple[int, How]] = {}  # of a new sentence: the old one
        self.into: dict[int, int] = {}  # of an old sentence merged into another: the new one
        self.parents: dict[int, int] = {}  # of a new sentence that is a further part of a split one: the old one

    def _pairs(self) -> Iterator[tuple[tuple[int, int], float]]:
        """New and old sentences with rarer words in common, and the weight of all their common words."""
        postings: dict[str, list[int]] = defaultdict(list)
        for n, found in self.old.items():
            for word in found:
                postings[word].append(n)
        for to, found in self.new.items():
            known = sorted((word for word in found if word in postings), key=lambda word: (len(postings[word]), word))
            count: dict[int, float] = defaultdict(float)
            for word in known[:_TERMS_LOOKED_UP]:
                for n in postings[word]:
                    count[n] += found[word]
            for n in sorted(count, key=lambda n: (-count[n], n))[:_CANDIDATES]:
                yield (to, n), _shared(found, self.old[n])

    def match(self) -> None:
        """Match merged and split sentences first: a part resembles its whole without being the same."""
        self._merged()
        self._split()
        used = {n for n, _ in self.matched.values()} | set(self.into)
        likely = sorted(
            ((rate, to, n) for (to, n), rate in self.rates.items() if rate >= POSSIBLE), key=lambda x: (-x[0], x[1], x[2])
        )
        for rate, to, n in likely:
            if self._free(to, n, used):
                sure = rate >= SURE and not self._rivalled(likely, (to, n), used)
                self.matched[to] = (n, "reworded" if sure else "uncertain")
                used.add(n)

    def _free(self, to: int, n: int, used: Set[int]) -> bool:
        return to not in self.matched and to not in self.parents and n not in used

    def _rivalled(self, likely: Iterable[tuple[float, int, int]], pair: tuple[int, int], used: Set[int]) -> bool:
        """Whether another free pair with one of these two is about as good, and has no much better match elsewhere."""
        to, n = pair
        for rate, other_to, other_n in likely:
            if (other_to == to) != (other_n == n) and self.rates[pair] - rate < CLOSE and self._free(other_to, other_n, used):
                elsewhere = self.best_new[other_to] if other_n == n else self.best_old[other_n]
                if elsewhere - rate < CLOSE:
                    return True
        return False

    def _merged(self) -> None:
        by_new: dict[int, list[int]] = defaultdict(list)
        for (to, n), both in self.shared.items():
            if both >= INSIDE * self.size_old[n] and self.rates[to, n] == self.best_old[n]:
                by_new[to].append(n)
        used: set[int] = set()  # if a sentence occurs twice, only one occurrence takes the parts
        for to, parts in by_new.items():
            kept = _parts(self.new[to], {n: self.old[n] for n in sorted(parts) if n not in used})
            if kept:
                used.update(kept)
                main = max(kept, key=lambda n: (self.shared[to, n], -n))
                self.matched[to] = (main, "merged")
                self.into |= {n: to for n in kept if n != main}

    def _split(self) -> None:
        used = {n for n, _ in self.matched.values()} | set(self.into)
        by_old: dict[int, list[int]] = defaultdict(list)
        for (to, n), both in self.shared.items():
            if both >= INSIDE * self.size_new[to] and self.rates[to, n] == self.best_new[to] and self._free(to, n, used):
                by_old[n].append(to)
        taken: set[int] = set()
        for n, parts in by_old.items():
            kept = _parts(self.old[n], {to: self.new[to] for to in sorted(parts) if to not in taken})
            if kept:
                taken.update(kept)
                main = max(kept, key=lambda to: (self.shared[to, n], -to))
                self.matched[main] = (n, "split")
                self.parents |= {to: n for to in kept if to != main}


def _parts(whole: Mapping[str, float], parts: Mapping[int, Mapping[str, float]]) -> list[int]:
    """The parts that make up `whole` together, each adding something; empty if they do not."""
    if len(parts) < 2:
        return []
    size = sum(whole.values())
    times = Counter(word for part in parts.values() for word in part if word in whole)
    kept = [n for n, part in parts.items() if sum(whole[word] for word in part if times[word] == 1) >= OWN * size]
    covered = {word for n in kept for word in parts[n]}
    # Summed in the order of the whole: the order of a set differs between processes, and with it the last digit of the sum.
    return kept if len(kept) > 1 and sum(weight for word, weight in whole.items() if word in covered) >= WHOLE * size else []


def _verbatim(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, How]]:
    """New and old sentences with the same words, paired in order; those out of order are "moved"."""
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for n, text in enumerate(old):
        waiting[text].append(n)
    pairs = [(to, waiting[text].popleft()) for to, text in enumerate(new) if waiting.get(text)]
    in_order = _longest_rising([n for _, n in pairs])
    for number, (to, n) in enumerate(pairs):
        yield to, n, "verbatim" if number in in_order else "moved"


def _longest_rising(values: Sequence[int]) -> set[int]:
    """The places of a longest rising subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for number, value in enumerate(values):
        at = bisect_left(tails, value)
        tails[at : at + 1] = [value]
        ends[at : at + 1] = [number]
        back.append(ends[at - 1] if at else NOWHERE)
    found: set[int] = set()
    number = ends[-1] if ends else NOWHERE
    while number != NOWHERE:
        found.add(number)
        number = back[number]
    return found


def _rarest(found: Mapping[str, float]) -> list[str]:
    return sorted(found, key=lambda word: (-found[word], word))[:_TERMS_LOOKED_UP]


def _normal(text: str) -> str:
    return " ".join(words(text)).casefold() or text
