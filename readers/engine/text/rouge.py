"""ROUGE-L: the overlap of two short texts in words and word order (Lin, 2004), as an F-measure from 0 to 1.

For English it equals the `rouge-score` package without stemming, to the last digit. Letters that the package does not know are
words here, and a script without spaces counts by characters. Not for long texts: the time grows with the product of their words,
divided by the bits of a machine word.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import regex

_ALONE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
_WORD = regex.compile(rf"[{_ALONE}]|[\p{{L}}\p{{M}}\p{{N}}--[{_ALONE}]]+", regex.V1)


def rouge_l(a: str, b: str) -> float:
    """The F-measure of the longest common subsequence of words; 0 if a text has no words."""
    return longest_f1(rouge_words(a), rouge_words(b))


class Nearest:
    """A collection of texts that finds the highest ROUGE-L of a new text with any of them. Counting words rules most out."""

    def __init__(self) -> None:
        self._kept: list[list[str]] = []
        self._holding: dict[str, list[tuple[int, int]]] = defaultdict(list)

    @property
    def size(self) -> int:
        return len(self._kept)

    def keep(self, text: str) -> None:
        words = rouge_words(text)
        for word, count in Counter(words).items():
            self._holding[word].append((len(self._kept), count))
        self._kept.append(words)

    def score(self, text: str) -> float:
        """The highest ROUGE-L of `text` with any text of the collection; 0 if it is empty."""
        words = rouge_words(text)
        shared: Counter[int] = Counter()
        for word, count in Counter(words).items():
            for number, there in self._holding.get(word, ()):
                shared[number] += min(count, there)
        best = 0.0
        # A common subsequence is never longer than the number of shared words.
        most = sorted(
            ((_f(count, len(words), len(self._kept[n])), n) for n, count in shared.items()), key=lambda m: (-m[0], m[1])
        )
        for bound, number in most:
            if bound <= best:
                break
            best = max(best, longest_f1(self._kept[number], words))
        return best


def rouge_words(text: str) -> list[str]:
    """The words of a text in order, in lower case; each character of a script without spaces is one."""
    return _WORD.findall(text.lower())


def longest_f1(a: Sequence[str], b: Sequence[str]) -> float:
    """The F-measure of the longest common subsequence of two lists of words."""
    return _f(_common(a, b), len(b), len(a))


def _f(common: int, words: int, others: int) -> float:
    if not common:
        return 0.0
    precision, recall = common / words, common / others
    return 2 * precision * recall / (precision + recall)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest common subsequence; each row of the table is one integer, in which a zero bit is a step up."""
    at: dict[str, int] = defaultdict(int)
    for place, word in enumerate(a):
        at[word] |= 1 << place
    whole = (1 << len(a)) - 1
    row = whole
    for word in b:
        met = row & at.get(word, 0)
        row = (row + met | row - met) & whole
    return len(a) - row.bit_count()
