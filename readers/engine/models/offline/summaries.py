"""Extractive summaries: whole sentences of the source in their order, and then the words it would be a pity to lose.

A walk or a look-up steers by these summaries, and a rare word or a name that is lost here cannot be found again. So sentences
are taken for the words they bring in that no sentence taken before has: rare ones, names, and those the source keeps coming back
to. A last sentence, `Also here: ...`, lists more of them, in their order: it holds several times as many as a sentence of the
source. Where a sentence stands counts for nothing, except between equals. Nothing is reworded.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import rarity, sentences, wanted
from readers.engine.text import split, tokens
from readers.engine.text.words import term, words

# The share of the source that is kept: at a fifth, eight summaries of 600 tokens go under one parent of 1,000 tokens without
# being compressed again. A larger share of summaries, which hold little else than rare words by then.
SHARE, SHARE_OF_SUMMARIES = 0.2, 0.5
SHORTEST = 25
# The share of a summary that is listed words, and the shortest summary (in tokens) that has a list.
LISTED, SHORTEST_WITH_LIST = 0.5, 60
RARE_ENOUGH = 0.25
NAME = 1.5
COMING_BACK = 2.0
ASKED_FOR = 5.0
# Added to a sentence's length in tokens, so that a sentence of two words is no bargain.
_OVERHEAD = 4
LIST = "Also here:"


@dataclass
class Word:
    """A term of the source: how it is written, where it first stands (counted in words), how often, and what it is worth."""

    written: str
    at: int
    worth: float = 0.0
    times: int = 0

    @property
    def value(self) -> float:
        return self.worth * (1 + COMING_BACK * math.log(self.times))


def summarise(call: Call) -> Mapping[str, str | int]:
    """Compress the `segment`; or each of the `summaries`, keeping them apart by a blank line."""
    most = call.prompt.max_tokens * 3 // 4
    segment, summaries = "\n\n".join(call.part("segment")), call.part("summaries")
    if not summaries:
        kept = [summary(segment, min(most, max(SHORTEST, int(tokens.count(segment) * SHARE))))]
    else:
        paragraphs = [paragraph for text in summaries for paragraph in text.split("\n\n") if paragraph.strip()]
        texts = paragraphs if most >= SHORTEST * len(paragraphs) else summaries
        sizes = [tokens.count(text) for text in texts]
        share = min(SHARE_OF_SUMMARIES, most / max(1, sum(sizes)))
        kept = [summary(text, int(size * share)) for text, size in zip(texts, sizes, strict=True)]
    return {call.prompt.reply.main: "\n\n".join(kept)}


def shorten(call: Call) -> Mapping[str, str | int]:
    """The gist of a `page`: sentences of it in their order, and a list. What a `question` asks for is worth more."""
    page = "\n\n".join(call.part("page"))
    room = min(call.prompt.max_tokens * 3 // 4, max(SHORTEST, int(tokens.count(page) * SHARE)))
    about = wanted(" ".join([*call.part("question"), *call.part("choices")]))
    return {call.prompt.reply.main: summary(page, room, about=frozenset(about))}


def summary(source: str, room: int, *, about: Set[str] = frozenset()) -> str:
    """Sentences of `source` in order, one at least, and a list of other words of it: `room` tokens at most. Terms it is to be
    `about` are worth more."""
    if room < SHORTEST_WITH_LIST or not any(len(word) > 1 for word in words(source)):
        return extract(source, max(1, room), about=about)[0]
    taken, left_out = extract(source, int(room * (1 - LISTED)), about=about)
    return taken + _list(left_out, room - tokens.count(taken))


def extract(source: str, room: int, *, about: Set[str] = frozenset()) -> tuple[str, list[Word]]:
    """Sentences of `source` in order that fit into `room` tokens, joined by a space; and the words that none of them has."""
    units = [piece for sentence in sentences(source) for piece in pieces(sentence, room)]
    known = _known(units)
    for t in known.keys() & about:
        known[t].worth *= ASKED_FOR
    chosen = _chosen(units, known, room)
    covered = {term(word) for n in chosen for word in words(units[n])}
    return " ".join(units[n] for n in chosen), [word for t, word in known.items() if t not in covered]


def pieces(sentence: str, room: int) -> Iterator[str]:
    """The sentence (a heading with a full stop); cut between words, or inside one, if it would not fit. A list is not cut."""
    if sentence.startswith(LIST) or tokens.count(sentence) <= room:
        yield sentence + "." * sentence[-1].isalnum()
        return
    limit, piece = max(1, room // 2 - 1), ""
    for word in sentence.split():
        for start, end in split.segments(word, limit):
            if piece and (start or tokens.count(f"{piece} {word[:end]}") > limit):
                yield f"{piece}…"
                piece = ""
            piece = f"{piece} {word[start:end]}".strip()
    yield piece


def _chosen(units: Sequence[str], known: Mapping[str, Word], room: int) -> list[int]:
    """The units taken one by one: each time the one that adds most value for its length, while one fits that adds any."""
    bags = [dict.fromkeys(term(word) for word in words(unit)) for unit in units]
    costs = [tokens.count(unit) for unit in units]
    value = {t: word.value for t, word in known.items()}
    covered: set[str] = set()
    chosen: list[int] = []

    def gain(n: int) -> float:
        return sum(value[t] for t in bags[n] if t not in covered) / (costs[n] + _OVERHEAD)

    # Gains only fall, so a unit whose gain is still what it was when it was queued is the best there is.
    queue = [(-gain(n), n) for n in range(len(units)) if not units[n].startswith(LIST)]
    heapq.heapify(queue)
    while queue:
        queued, n = heapq.heappop(queue)
        if queued == 0 and chosen:
            break
        if costs[n] > room:
            continue
        if -gain(n) > queued:
            heapq.heappush(queue, (-gain(n), n))
            continue
        chosen.append(n)
        covered.update(bags[n])
        room -= costs[n]
    return sorted(chosen) or list(range(len(units)))[:1]


def _known(units: Sequence[str]) -> dict[str, Word]:
    """The source's words by term: worth their rarity, more as a name, and more the oftener they come back."""
    known: dict[str, Word] = {}
    at = 0
    for unit in units:
        for number, written in enumerate(words(unit.removeprefix(LIST))):
            at += 1
            word = known.setdefault(term(written), Word(written, at))
            word.times += 1
            worth = rarity(written) * (NAME if number and written[0].isupper() else 1.0)
            # The capital at the head of a sentence says nothing of the word, so another way of writing it is preferred.
            if worth > word.worth or (number and word.written != written and word.written == written.capitalize()):
                word.written, word.worth = written, max(worth, word.worth)
    return known


def _list(left_out: Sequence[Word], room: int) -> str:
    """The list: the words of most value for their length that fit, in the source's order."""
    room -= tokens.count(f" {LIST}.")
    candidates = [
        (word, tokens.count(f", {_bare(word)}")) for word in left_out if word.worth >= RARE_ENOUGH and len(word.written) > 1
    ]
    taken: list[Word] = []
    for word, cost in sorted(candidates, key=lambda found: (-found[0].value / found[1], found[0].at)):
        if cost <= room:
            taken.append(word)
            room -= cost
    return f" {LIST} {', '.join(_bare(word) for word in sorted(taken, key=lambda word: word.at))}." if taken else ""


def _bare(word: Word) -> str:
    """As it is written, without a possessive ending."""
    return word.written.removesuffix("'s").removesuffix("’s")
