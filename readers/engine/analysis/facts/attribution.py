"""The possible basis of an answer: for each of its sentences, the sentence of the text that is most similar in words.

It *supports* the answer only if it has enough of the answer's words, something new among them, and the kind of thing that the
question asks for; and if it or a neighbouring sentence mentions what the question asks about. Otherwise it is just the *nearest*.
Neither says that the model used it, or that it changed the answer: only a fork can show that. Words are weighed by how rare they
are in this text; for the nearest sentence, the answer's words count `ANSWER_WEIGHT` times the question's.

The rule was set on one half of the questions of MuSiQue (whole, and the steps of each), HotpotQA, 2WikiMultihopQA and QuALITY,
and on those of the samples; the other half decided only between the last three settings. On that other half, and on 36 new
questions about the samples:
  - of known answers of a few words, evidence supports 38 of 105 where one place in the articles answers, 12 of 17 of the new
    ones, and 4 of 283 that need several places or a whole story. For answers that are wrong or whose evidence was taken out of
    the text, a sentence supports 6 of 701, 5 of which are stated elsewhere in the text, and 0 of 19 of the new ones;
  - of answers that the offline model copied from the text, evidence supports 29 of 101, 28 of 51 and 8 of 217. Where the text
    has none, a sentence supports 16 of 91, 7 of 40 and 4 of 171: a sentence with the question's words may still not answer it.

With an embedding model (`forks/nearness.py`) the two rankings are fused by reciprocal rank (Cormack, Clarke and Buettcher 2009):
a sentence scores 1 / (60 + its rank) in each ranking it is in, ranks counted from 1, and the best sum is the nearest. A sentence
without a word of the answer is only in the ranking by embeddings. *Supports* is still decided by words: its threshold was
measured for words, and none was for embeddings. So the fusion decides only what is *nearest* where nothing supports. With TF-IDF
in an embedding model's place, the nearest sentence is marked evidence in 121 of 148 questions of HotpotQA (116 by words only),
118 of 150 of 2WikiMultihopQA (109) and 141 of 150 of MuSiQue (142); a model that is less informative than the words makes it
worse (by counts of letters 102, 99 and 112). No neural embedding model was measured.

Pure. The time to make an `Index` grows with the text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from readers.engine.models.offline.lexicon import kind_missing
from readers.engine.questions.grading.word_lists import AUXILIARY, FUNCTION, OF_ANSWERS, word_set
from readers.engine.questions.normalise_answer import comparable_words, is_figure
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from readers.engine.text.words import rarity, stem, term

ANSWER_WEIGHT = 3.0
OF_THE_ANSWER = 0.8  # from this share of the answer's own words on, by weight, a sentence supports it
OF_THE_QUESTION = 0.85  # and this share of what the question asks about, with the neighbouring sentences
_TELLING = 0.15  # from this rarity on, a word of a question shows its subject
_ASKS_FOR_A_KIND = frozenset({"how", "what", "which"})  # the word after it names the kind of answer: "how high", "what year"
_TELLS_NOTHING = word_set("why whose such really actually should going name named located situated happen happened occur")
_OF_TEXTS = OF_ANSWERS - {term("memory")}  # an answer speaks of the model's memory; a question asks of "a statue in memory of"
_SAME_BEGINNING = 5  # letters of a word, all but its last two, that another word may begin with: "director" and "directed"


class Index:
    """The sentences of a document and the rarity of their words."""

    def __init__(self, document: Document) -> None:
        self.text, self.spans = document.text, split.sentences(document.text)
        self.terms = [_terms(document.text[start:end]) for start, end in self.spans]
        self._in = Counter(word for terms in self.terms for word in terms)
        self._having: dict[str, list[int]] = {}
        for number, terms in enumerate(self.terms):
            for word in terms:
                self._having.setdefault(word, []).append(number)

    def weight(self, word: str) -> float:
        """How informative a word is in this text: 0 to about 1.1, for a word that does not occur in it."""
        return math.log((len(self.spans) + 1) / (self._in[word] + 0.5)) / math.log(len(self.spans) + 2)

    def beside(self, number: int) -> frozenset[str]:
        """The terms of a sentence and of those before and after it."""
        return _present(frozenset().union(*self.terms[max(0, number - 1) : number + 2]))

    def having(self, words: Iterable[str]) -> list[int]:
        """The numbers of the sentences that have any of these words, in order."""
        return sorted({number for word in words for number in self._having.get(word, ())})


@lru_cache(maxsize=2)
def index_of(document: Document) -> Index:
    """The index of a document; those made last are kept."""
    return Index(document)


class Attribution(NamedTuple):
    """A sentence of the answer, the sentence of the text nearest to it, and the share of its words there, 0 to 1. `missing`: the
    words that the question asks about and that are neither there nor in a neighbouring sentence."""

    sentence: Span
    place: Span
    share: float
    supports: bool
    missing: tuple[str, ...] = ()

    def said_of(self, what: str, *, model: str = "") -> str:
        """What the sentence of the text is to the answer, or to `what` of it: by its words, and by the embeddings of `model`, if
        one is named."""
        if self.supports:
            return f"Supports {what}, by its words"
        by = f"its words and the embeddings of {model}" if model else "its words"
        return f"Nearest to {what} by {by}, which need not mean that it is stated there"


def attributions(index: Index, question: str, answer: str, *, within: Sequence[Span] | None = None) -> list[Attribution]:
    """What is nearest to each sentence of an answer, in the whole text or `within` these places; nothing for a sentence whose
    words all do not occur there."""
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
    there = index.having(own)
    if within is not None:
        there = [n for n in there if any(a < index.spans[n].end and index.spans[n].start < b for a, b in within)]
    near = max(there, key=lambda n: _share(weights, index.terms[n]), default=None)
    if near is None:
        return None
    beside, asked = index.beside(near), _asked(question)
    about = {word: index.weight(word) for word in asked}
    supports = (
        _share(own, index.terms[near]) >= OF_THE_ANSWER
        and _share(about, _there(asked, beside)) >= OF_THE_QUESTION
        and not own.keys() <= _terms(question)
        and not kind_missing(question, index.text[slice(*index.spans[near])])
    )
    return Attribution(span, index.spans[near], _share(weights, index.terms[near]), supports, _missing(asked, beside))


def _asked(question: str) -> dict[str, str]:
    """What a question asks about: its telling words by their terms, without those that name the kind of answer."""
    words = comparable_words(question)
    about = (
        word
        for before, word in zip(("", *words), words, strict=False)
        if before not in _ASKS_FOR_A_KIND and (is_figure(word) or rarity(word) >= _TELLING)
    )
    nothing = FUNCTION | AUXILIARY | _TELLS_NOTHING
    return {stem(word): word for word in about if word not in nothing and term(word) not in _OF_TEXTS}


def _present(terms: Iterable[str]) -> frozenset[str]:
    """Terms, past forms like the others."""
    return frozenset(map(stem, terms))


def _missing(asked: Mapping[str, str], there: frozenset[str]) -> tuple[str, ...]:
    return tuple(word for about, word in asked.items() if about not in _there(asked, there))


def _there(asked: Iterable[str], there: frozenset[str]) -> frozenset[str]:
    """Those of the terms asked about that are among these, or one that begins alike."""
    return frozenset(
        word for word in asked if word in there or any(_begins_alike(*sorted((word, other), key=len)) for other in there)
    )


def _begins_alike(shorter: str, longer: str) -> bool:
    return len(shorter) >= _SAME_BEGINNING and longer.startswith(shorter[: max(_SAME_BEGINNING, len(shorter) - 2)])


def _weights(index: Index, asked: frozenset[str], words: str) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of the answer's own words, and of these and the question's together."""
    own = {word: index.weight(word) for word in _terms(words)}
    return own, {word: index.weight(word) for word in asked} | {word: ANSWER_WEIGHT * weight for word, weight in own.items()}


def _share(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in terms) / total if total else 0.0


def _terms(words: str) -> frozenset[str]:
    return frozenset(map(term, comparable_words(words)))


RANK_CONSTANT = 60
Scores = Mapping[int, float]


def fused(index: Index, question: str, answer: str, compared: Mapping[Span, Mapping[Span, float]]) -> list[Attribution]:
    """What each sentence of an answer is nearest to, with the scores of an embedding model. A sentence that the model did not
    compare keeps its result by words."""
    by_words = {one.sentence: one for one in attributions(index, question, answer)}
    numbers = {place: number for number, place in enumerate(index.spans)}
    found: list[Attribution] = []
    for sentence in sorted({*by_words, *compared}):
        own = by_words.get(sentence)
        scores = {numbers[place]: score for place, score in compared.get(sentence, {}).items() if place in numbers}
        if own and (own.supports or not scores):
            found.append(own)
        elif scores:
            found.append(_nearest_by_both(index, sentence, shares(index, question, answer[slice(*sentence)]), scores))
    return found


def _nearest_by_both(index: Index, sentence: Span, by_words: Scores, by_embeddings: Scores) -> Attribution:
    sums = fuse(by_words, by_embeddings)
    near = max(sorted(sums), key=sums.__getitem__)
    return Attribution(sentence, index.spans[near], by_words.get(near, 0.0), supports=False)


def fuse(*rankings: Scores) -> dict[int, float]:
    """The sum of reciprocal ranks of everything that is in any ranking; of equal scores the first number comes first."""
    sums: dict[int, float] = {}
    for scores in rankings:
        for rank, number in enumerate(sorted(scores, key=lambda n: (-scores[n], n)), 1):
            sums[number] = sums.get(number, 0.0) + 1 / (RANK_CONSTANT + rank)
    return sums
