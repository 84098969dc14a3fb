"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum as F-measures (Lin 2004), and LongBench's ROUGE-L. Pure.

"As published" equals the result of the `rouge-score` package without stemming, to the last digit: it knows only the letters a to
z and digits. Over everything asked, all letters count, and a script without spaces counts by characters. LongBench uses another
package, `rouge`, which compares words as typed and counts each word once. They are computed here and not by these packages:
ROUGE-L was here already (`text/rouge.py`), and `rouge-score` would bring six more, one of which takes two seconds to import. Not
here: stemming, and Chinese cut into words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import score
from readers.engine.questions.scores.score import NOT_APPLICABLE, Score, Scored, best, counted_lines, scored
from readers.engine.text.rouge import longest_f1, rouge_words

Words = Sequence[str]
Tokenizer = Callable[[str], Words]
_ASCII = re.compile(r"[a-z0-9]+")
_FIRST_LINES = ("samsum",)  # LongBench's task of which only the first line of a reply counts
_SMALL = 1e-8  # the term that the `rouge` package adds to the divisor


def _ascii_words(text: str) -> list[str]:
    return _ASCII.findall(text.lower())


def _grams(words: Words, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


def _of_grams(one: Words, other: Words, n: int) -> float:
    given, wanted = _grams(one, n), _grams(other, n)
    shared = (given & wanted).total()
    return 2 * shared / (given.total() + wanted.total()) if shared else 0.0


def _rouge(answer: str, known: KnownAnswer, measure: Callable[[str, str, Tokenizer], float]) -> Scored:
    if not known.answerable:
        return NOT_APPLICABLE

    def over(words: Tokenizer) -> float:
        return best(answer, known, lambda one, other: measure(one, other, words))

    return scored(over(rouge_words), over(_ascii_words), score.ASCII_ONLY)


def rouge_1(answer: str, known: KnownAnswer) -> Scored:
    """The F-measure of single words, each as often as it occurs in both."""
    return _rouge(answer, known, lambda one, other, words: _of_grams(words(one), words(other), 1))


def rouge_2(answer: str, known: KnownAnswer) -> Scored:
    """The F-measure of pairs of neighbouring words."""
    return _rouge(answer, known, lambda one, other, words: _of_grams(words(one), words(other), 2))


def rouge_l(answer: str, known: KnownAnswer) -> Scored:
    """The F-measure of the longest common subsequence of words."""
    return _rouge(answer, known, lambda one, other, words: longest_f1(words(one), words(other)))


def rouge_lsum(answer: str, known: KnownAnswer) -> Scored:
    """The F-measure of the union of common subsequences, line by line of the known answer with every line of the answer."""
    return _rouge(answer, known, _summary_f1)


def _summary_f1(answer: str, wanted: str, words: Tokenizer) -> float:
    lines, wanted_lines = ([words(line) for line in text.split("\n")] for text in (answer, wanted))
    left = Counter(word for line in lines for word in line)
    wanted_left = Counter(word for line in wanted_lines for word in line)
    total = left.total() + wanted_left.total()
    hits = 0
    for wanted_line in wanted_lines:
        shared = {at for line in lines for at in common_places(wanted_line, line)}
        for word in (wanted_line[at] for at in sorted(shared)):
            if left[word] > 0 and wanted_left[word] > 0:
                hits += 1
                left[word] -= 1
                wanted_left[word] -= 1
    return 2 * hits / total if hits else 0.0


def common_places(one: Words, other: Words, *, from_one: bool = True) -> list[int]:
    """The places in `one` of a longest common subsequence. If there are several, the one found from the ends by a step back in
    `one` where either step is possible; with `from_one` False, by a step back in `other`."""
    lengths = [[0] * (len(other) + 1)]
    for word in one:
        row, above = [0], lengths[-1]
        for at, there in enumerate(other):
            row.append(above[at] + 1 if word == there else max(above[at + 1], row[at]))
        lengths.append(row)
    found: list[int] = []
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif lengths[i][j - 1] == lengths[i - 1][j]:
            i, j = (i - 1, j) if from_one else (i, j - 1)
        else:
            i, j = (i, j - 1) if lengths[i][j - 1] > lengths[i - 1][j] else (i - 1, j)
    return found[::-1]


def longbench_rouge(answer: str, known: KnownAnswer) -> Scored:
    """ROUGE-L; as published, of the distinct words of sentences cut at full stops, as typed."""
    if not known.answerable:
        return NOT_APPLICABLE
    answer = counted_lines(answer, known, _FIRST_LINES)
    value = best(answer, known, lambda one, other: longest_f1(rouge_words(one), rouge_words(other)))
    return scored(value, best(answer, known, _distinct_f1), score.AS_TYPED, score.DISTINCT_WORDS)


def _distinct_f1(answer: str, wanted: str) -> float:
    sentences, wanted_sentences = ([one.split() or [""] for one in text.split(".") if one] for text in (answer, wanted))
    if not sentences or not wanted_sentences:
        return 0.0
    shared = {
        wanted_one[at]
        for wanted_one in wanted_sentences
        for one in sentences
        for at in common_places(wanted_one, one, from_one=False)
    }
    precision, recall = (len(shared) / len({word for one in of for word in one}) for of in (sentences, wanted_sentences))
    return 2 * precision * recall / (precision + recall + _SMALL)


_PACKAGE = "Lin 2004; as published: the package rouge-score 0.1.2 without stemming"

ROUGE = (
    Score("rouge_1", "ROUGE-1", _PACKAGE, rouge_1),
    Score("rouge_2", "ROUGE-2", _PACKAGE, rouge_2),
    Score("rouge_l", "ROUGE-L", _PACKAGE, rouge_l),
    Score("rouge_lsum", "ROUGE-Lsum", f"{_PACKAGE}; InfiniteBench, get_score_one_longbook_sum_eng", rouge_lsum),
    Score("longbench_rouge", "ROUGE-L (LongBench)", "Bai et al. 2024, LongBench, metrics.py, rouge_score", longbench_rouge),
)
