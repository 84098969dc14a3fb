"""What an answer may stand on: for each of its sentences, the sentence of the text that is nearest to it by words.

It *supports* the answer only above a threshold; otherwise it is just the *nearest*. Neither says that the model used it, or that
it changed the answer: only a fork can show that. Words are weighed by how rare they are in this text; those of the answer count
`ANSWER_WEIGHT` times those of the question.

The weights were set on one half of 659 questions with known answers and marked evidence. On the other half, what supports is
evidence in 15 of 16 (HotpotQA), 20 of 20 (2WikiMultihopQA), 13 of 13 (MuSiQue) and 1 of 2 (QuALITY), and what is nearest in 47 of
63, 62 of 82, 66 of 69 and 25 of 90: where an answer says it in words of its own, the nearest sentence is mostly another one.

Pure. The time to make an `Index` grows with the text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from readers.engine.questions.normalise_answer import comparable_words
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from readers.engine.text.words import term

ANSWER_WEIGHT = 3.0
SUPPORTS = 0.6  # the share of the words, by weight, from which a sentence supports the answer
OF_THE_ANSWER = 0.5  # and at least so much of the answer's own words


class Index:
    """The sentences of a document and the rarity of their words."""

    def __init__(self, document: Document) -> None:
        self.spans = split.sentences(document.text)
        self.terms = [_terms(document.text[start:end]) for start, end in self.spans]
        self._in = Counter(word for terms in self.terms for word in terms)
        self._having: dict[str, list[int]] = {}
        for number, terms in enumerate(self.terms):
            for word in terms:
                self._having.setdefault(word, []).append(number)

    def weight(self, word: str) -> float:
        """How much a word tells in this text: 0 to about 1.1, for a word that is nowhere in it."""
        return math.log((len(self.spans) + 1) / (self._in[word] + 0.5)) / math.log(len(self.spans) + 2)

    def having(self, words: Iterable[str]) -> list[int]:
        """The numbers of the sentences that have any of these words, in order."""
        return sorted({number for word in words for number in self._having.get(word, ())})


class Attribution(NamedTuple):
    """A sentence of the answer, the sentence of the text nearest to it, and the share of its words there, 0 to 1."""

    sentence: Span
    place: Span
    share: float
    supports: bool


def attributions(index: Index, question: str, answer: str) -> list[Attribution]:
    """What each sentence of an answer is nearest to; a sentence none of whose words is in the text has nothing."""
    asked = _terms(question)
    found = (_nearest(index, asked, span, answer[span.start : span.end]) for span in split.sentences(answer))
    return [one for one in found if one]


def shares(index: Index, question: str, sentence: str) -> dict[int, float]:
    """The sentences of the text that have any word of a sentence of the answer, by number, with the share of its words there."""
    own, weights = _weights(index, _terms(question), sentence)
    return {number: _share(weights, index.terms[number]) for number in index.having(own)}


def _nearest(index: Index, asked: frozenset[str], span: Span, words: str) -> Attribution | None:
    own, weights = _weights(index, asked, words)
    near = max(index.having(own), key=lambda n: _share(weights, index.terms[n]), default=None)
    if near is None:
        return None
    share = _share(weights, index.terms[near])
    supports = share >= SUPPORTS and _share(own, index.terms[near]) >= OF_THE_ANSWER
    return Attribution(span, index.spans[near], share, supports)


def _weights(index: Index, asked: frozenset[str], words: str) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of the answer's own words, and of these and the question's together."""
    own = {word: index.weight(word) for word in _terms(words)}
    return own, {word: index.weight(word) for word in asked} | {word: ANSWER_WEIGHT * weight for word, weight in own.items()}


def _share(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in terms) / total if total else 0.0


def _terms(words: str) -> frozenset[str]:
    return frozenset(map(term, comparable_words(words)))
