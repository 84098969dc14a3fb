"""Which sentence of the text is nearest to a sentence of the answer, by its words and by an embedding model together.

The two rankings are fused by reciprocal rank (Cormack, Clarke and Buettcher 2009): a sentence scores 1 / (60 + its rank) in
each ranking it is in, ranks counted from 1, and the best sum is the nearest. A sentence without a word of the answer is in the
ranking of the embeddings alone.

*Supports* stays as the words have it (`attribution.py`): its threshold was measured for words, and none was for embeddings. So
the fusion decides only what is *nearest* where nothing supports. With TF-IDF in an embedding model's place, what is nearest is
marked evidence in 121 of 148 questions of HotpotQA (by the words alone 116), 118 of 150 of 2WikiMultihopQA (109) and 141 of 150
of MuSiQue (142); a model that tells less than the words makes it worse (by counts of letters 102, 99 and 112). No neural
embedding model was measured.

Pure; not here: how the embeddings come about
(`readers/engine/forks/nearness.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readers.engine.analysis.facts.stands_on.attribution import Attribution, Index, attributions, shares
from readers.engine.forks.nearness import ComparedSentence
from readers.engine.text.document import Span

RANK_CONSTANT = 60
Scores = Mapping[int, float]


def fused(index: Index, question: str, answer: str, compared: Sequence[ComparedSentence]) -> list[Attribution]:
    """What each sentence of an answer is nearest to, with the scores of an embedding model. A sentence that the model did not
    compare keeps what it has by its words."""
    by_words = {one.sentence: one for one in attributions(index, question, answer)}
    compared_with = {one.sentence: one.scores for one in compared}
    numbers = {place: number for number, place in enumerate(index.spans)}
    found: list[Attribution] = []
    for sentence in sorted({*by_words, *compared_with}):
        own = by_words.get(sentence)
        scores = {numbers[place]: score for place, score in compared_with.get(sentence, {}).items() if place in numbers}
        if own and (own.supports or not scores):
            found.append(own)
        elif scores:
            found.append(_nearest(index, sentence, shares(index, question, answer[slice(*sentence)]), scores))
    return found


def _nearest(index: Index, sentence: Span, by_words: Scores, by_embeddings: Scores) -> Attribution:
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
