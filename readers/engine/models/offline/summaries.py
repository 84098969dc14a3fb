"""Extractive summaries: whole sentences of the source in order, then a list of words that should not get lost.

A walk or a look-up navigates by these summaries, and a rare word or name missing here cannot be found again. So sentences are
selected for the words they add that no selected sentence has: rare words, names, and words the source repeats. A final sentence,
`Also here: ...`, lists more of them in order; it holds several times as many as a sentence of the source does. A sentence's
position matters only as a tie-breaker. Nothing is reworded.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from readers.engine.models.call import Call
from readers.engine.models.offline.lexicon import query_terms, sentences
from readers.engine.text import split, tokens
from readers.engine.text.words import rarity, term, words

# The share of the source that is kept, by a gist and by a summary. A walk that has taken the wrong summary has lost the answer,
# so a summary keeps more: half of its source, if the prompt leaves room for that.
GIST_SHARE, SHARE = 0.2, 0.5
MIN_SUMMARY = 25
# The share of a summary given to the word list, and the shortest summary (in tokens) that has one.
LIST_SHARE, MIN_ROOM_FOR_LIST = 0.5, 60
MIN_RARITY = 0.25
NAME_WEIGHT = 1.5
REPETITION_WEIGHT = 2.0
QUESTION_WEIGHT = 5.0
# Added to a sentence's length in tokens, so that a two-word sentence is not favoured.
_LENGTH_OVERHEAD = 4
LIST_INTRO = "Also here:"


@dataclass
class SourceWord:
    """A term of the source: its spelling, its first position (counted in words), its value for one occurrence, and its count."""

    written: str
    position: int
    worth: float = 0.0
    count: int = 0

    @property
    def value(self) -> float:
        return self.worth * (1 + REPETITION_WEIGHT * math.log(self.count))


def summarise(call: Call) -> Mapping[str, str | int]:
    """Compress the `segment`; or each of the `summaries`, separated by a blank line."""
    most = call.prompt.max_tokens * 3 // 4
    segment, summaries = "\n\n".join(call.part("segment")), call.part("summaries")
    if not summaries:
        compressed = [summary(segment, min(most, max(MIN_SUMMARY, int(tokens.count(segment) * SHARE))))]
    else:
        paragraphs = [paragraph for text in summaries for paragraph in text.split("\n\n") if paragraph.strip()]
        texts = paragraphs if most >= MIN_SUMMARY * len(paragraphs) else summaries
        sizes = [tokens.count(text) for text in texts]
        share = min(SHARE, most / max(1, sum(sizes)))
        compressed = [summary(text, int(size * share)) for text, size in zip(texts, sizes, strict=True)]
    return {call.prompt.reply.main: "\n\n".join(compressed)}


def shorten(call: Call) -> Mapping[str, str | int]:
    """The gist of a `page`: some of its sentences in order, and a word list. Words of the `question` count for more."""
    page = "\n\n".join(call.part("page"))
    room = min(call.prompt.max_tokens * 3 // 4, max(MIN_SUMMARY, int(tokens.count(page) * GIST_SHARE)))
    about = query_terms(" ".join([*call.part("question"), *call.part("choices")]))
    return {call.prompt.reply.main: summary(page, room, about=frozenset(about))}


# A reading is rehearsed before it is read, with each option that somebody tries, and its summaries are mostly the same.
@lru_cache(maxsize=512)
def summary(source: str, room: int, *, about: frozenset[str] = frozenset()) -> str:
    """At least one sentence of `source`, in order, and a list of its other words, within `room` tokens. Terms in `about` count
    for more."""
    if room < MIN_ROOM_FOR_LIST or not any(len(word) > 1 for word in words(source)):
        return extract(source, max(1, room), about=about)[0]
    extracted, left_out = extract(source, int(room * (1 - LIST_SHARE)), about=about)
    return extracted + _word_list(left_out, room - tokens.count(extracted))


def extract(source: str, room: int, *, about: Set[str] = frozenset()) -> tuple[str, list[SourceWord]]:
    """Sentences of `source` in order that fit into `room` tokens, joined by a space; and the words that none of them contains."""
    units = [piece for sentence in sentences(source) for piece in pieces(sentence, room)]
    known = _source_words(units)
    for t in known.keys() & about:
        known[t].worth *= QUESTION_WEIGHT
    chosen = _select(units, known, room)
    covered = {term(word) for n in chosen for word in words(units[n])}
    return " ".join(units[n] for n in chosen), [word for t, word in known.items() if t not in covered]


def pieces(sentence: str, room: int) -> Iterator[str]:
    """The sentence (a heading gets a full stop); if it does not fit, cut between words, or inside a long one. A list is never
    cut."""
    if sentence.startswith(LIST_INTRO) or tokens.count(sentence) <= room:
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


def _select(units: Sequence[str], known: Mapping[str, SourceWord], room: int) -> list[int]:
    """The sentences to keep: repeatedly the sentence that adds most value for its length, as long as one that fits adds any."""
    bags = [dict.fromkeys(term(word) for word in words(unit)) for unit in units]
    costs = [tokens.count(unit) for unit in units]
    value = {t: word.value for t, word in known.items()}
    covered: set[str] = set()

    def gain(n: int) -> float:
        return sum(value[t] for t in bags[n] if t not in covered) / (costs[n] + _LENGTH_OVERHEAD)

    offered = [n for n in range(len(units)) if not units[n].startswith(LIST_INTRO)]
    chosen = choose_by_gain(offered, gain, costs, room, take=lambda n: covered.update(bags[n]))
    return sorted(chosen) or list(range(len(units)))[:1]


def choose_by_gain(
    offered: Iterable[int], gain: Callable[[int], float], costs: Sequence[int], room: int, *, take: Callable[[int], None]
) -> list[int]:
    """Repeatedly the item that gains most now, as long as one that fits into the room gains anything. `take` is called with each;
    this can only decrease gains, so an item whose gain has not changed since it was queued is the best."""
    chosen: list[int] = []
    queue = [(-gain(n), n) for n in offered]
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
        take(n)
        room -= costs[n]
    return chosen


def _source_words(units: Sequence[str]) -> dict[str, SourceWord]:
    """The source's words by term. Each is worth its rarity, more if it is a name, and more the more often it occurs."""
    known: dict[str, SourceWord] = {}
    at = 0
    for unit in units:
        for number, written in enumerate(words(unit.removeprefix(LIST_INTRO))):
            at += 1
            word = known.setdefault(term(written), SourceWord(written, at))
            word.count += 1
            worth = rarity(written) * (NAME_WEIGHT if number and written[0].isupper() else 1.0)
            # The capital at the start of a sentence says nothing about the word, so another spelling is preferred.
            if worth > word.worth or (number and word.written != written and word.written == written.capitalize()):
                word.written, word.worth = written, max(worth, word.worth)
    return known


def _word_list(left_out: Sequence[SourceWord], room: int) -> str:
    """The list: the words with most value for their length that fit, in source order."""
    room -= tokens.count(f" {LIST_INTRO}.")
    candidates = [
        (word, tokens.count(f", {_without_possessive(word)}"))
        for word in left_out
        if word.worth >= MIN_RARITY and len(word.written) > 1
    ]
    listed: list[SourceWord] = []
    for word, cost in sorted(candidates, key=lambda found: (-found[0].value / found[1], found[0].position)):
        if cost <= room:
            listed.append(word)
            room -= cost
    return (
        f" {LIST_INTRO} {', '.join(_without_possessive(word) for word in sorted(listed, key=lambda word: word.position))}."
        if listed
        else ""
    )


def _without_possessive(word: SourceWord) -> str:
    """The word as written, without a possessive ending."""
    return word.written.removesuffix("'s").removesuffix("’s")
