"""What an answer may stand on: for each of its sentences, the sentence of the text that is nearest to it by words.

It *supports* the answer only above a threshold, and if what the question asks about stands in it or in a sentence beside it;
otherwise it is just the *nearest*. Neither says that the model used it, or that it changed the answer: only a fork can show that.
Words are weighed by how rare they are in this text; those of the answer count `ANSWER_WEIGHT` times those of the question.

The weights were set on one half of 659 questions with known answers and marked evidence. On the other half, what supports is
evidence in 15 of 16 (HotpotQA), 20 of 20 (2WikiMultihopQA), 13 of 13 (MuSiQue) and 1 of 2 (QuALITY), and what is nearest in 47 of
63, 62 of 82, 66 of 69 and 25 of 90: where an answer says it in words of its own, the nearest sentence is mostly another one.

That was before the words of the question were asked for, which `python -m tests.facts.support` measures: it takes the support
from answers to what the text does not say, and from those whose sentence says it in other words than the question.

Pure. The time to make an `Index` grows with the text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from readers.engine.questions.grading.word_lists import AUXILIARY, FUNCTION, OF_ANSWERS, stem
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from readers.engine.text.words import rarity, term

ANSWER_WEIGHT = 3.0
SUPPORTS = 0.6  # the share of the words, by weight, from which a sentence supports the answer
OF_THE_ANSWER = 0.5  # and at least so much of the answer's own words
OF_THE_QUESTION = 0.8  # and so much of what the question asks about, with the sentences beside it
_TELLING = 0.15  # the rarity from which a word of a question says what it is about
_ASKS_FOR_A_KIND = frozenset({"how", "what", "which"})  # the word after it names the kind of answer: "how high", "what year"


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

    def beside(self, number: int) -> frozenset[str]:
        """The terms of a sentence and of those before and after it."""
        return _present(frozenset().union(*self.terms[max(0, number - 1) : number + 2]))

    def having(self, words: Iterable[str]) -> list[int]:
        """The numbers of the sentences that have any of these words, in order."""
        return sorted({number for word in words for number in self._having.get(word, ())})


class Attribution(NamedTuple):
    """A sentence of the answer, the sentence of the text nearest to it, and the share of its words there, 0 to 1. `missing`: the
    words that the question asks about and that stand neither there nor beside it."""

    sentence: Span
    place: Span
    share: float
    supports: bool
    missing: tuple[str, ...] = ()


def attributions(index: Index, question: str, answer: str, *, within: Sequence[Span] | None = None) -> list[Attribution]:
    """What each sentence of an answer is nearest to, in the whole text or `within` these places; a sentence none of whose words
    is there has nothing."""
    found = (_nearest(index, question, answer, span, within=within) for span in split.sentences(answer))
    return [one for one in found if one]


def not_in(question: str, words: str) -> tuple[str, ...]:
    """The words that a question asks about and that are not among these."""
    return _missing(_asked(question), _present(_terms(words)))


def shares(index: Index, question: str, sentence: str) -> dict[int, float]:
    """The sentences of the text that have any word of a sentence of the answer, by number, with the share of its words there."""
    own, weights = _weights(index, _terms(question), sentence)
    return {number: _share(weights, index.terms[number]) for number in index.having(own)}


def _nearest(index: Index, question: str, answer: str, span: Span, *, within: Sequence[Span] | None) -> Attribution | None:
    own, weights = _weights(index, _terms(question), answer[span.start : span.end])
    there = [n for n in index.having(own) if within is None or _is_in(index.spans[n], within)]
    near = max(there, key=lambda n: _share(weights, index.terms[n]), default=None)
    if near is None:
        return None
    share, beside, asked = _share(weights, index.terms[near]), index.beside(near), _asked(question)
    about = {word: index.weight(word) for word in asked}
    enough = not any(about.values()) or _share(about, beside) >= OF_THE_QUESTION
    supports = enough and share >= SUPPORTS and _share(own, index.terms[near]) >= OF_THE_ANSWER
    return Attribution(span, index.spans[near], share, supports, _missing(asked, beside))


def _is_in(sentence: Span, places: Sequence[Span]) -> bool:
    return any(sentence.start < end and start < sentence.end for start, end in places)


def _asked(question: str) -> dict[str, str]:
    """What a question asks about: its telling words by their terms, without those that name the kind of answer."""
    words = comparable_words(question)
    about = (
        word
        for before, word in zip(("", *words), words, strict=False)
        if before not in _ASKS_FOR_A_KIND and (is_figure(word) or rarity(word) >= _TELLING)
    )
    return {stem(word): word for word in about if word not in FUNCTION | AUXILIARY and term(word) not in OF_ANSWERS}


def _present(terms: Iterable[str]) -> frozenset[str]:
    """Terms, past forms like the others."""
    return frozenset(map(stem, terms))


def _missing(asked: Mapping[str, str], there: frozenset[str]) -> tuple[str, ...]:
    return tuple(word for about, word in asked.items() if about not in there)


def _weights(index: Index, asked: frozenset[str], words: str) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of the answer's own words, and of these and the question's together."""
    own = {word: index.weight(word) for word in _terms(words)}
    return own, {word: index.weight(word) for word in asked} | {word: ANSWER_WEIGHT * weight for word, weight in own.items()}


def _share(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in terms) / total if total else 0.0


def _terms(words: str) -> frozenset[str]:
    return frozenset(map(term, comparable_words(words)))
