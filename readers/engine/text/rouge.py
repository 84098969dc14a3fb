"""ROUGE-L: how much of two short texts is the same words in the same order (Lin, 2004), as an F-measure from 0 to 1.

For English it is what the `rouge-score` package gives without stemming, to the last digit. Letters that package does not know are
words here, too, and a script written without spaces counts by characters. Not for long texts: a pair takes the product of their
words, less what a machine word does at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import regex

_ALONE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
_WORD = regex.compile(rf"[{_ALONE}]|[\p{{L}}\p{{M}}\p{{N}}--[{_ALONE}]]+", regex.V1)


def rouge_l(a: str, b: str) -> float:
    """The F-measure of the longest common subsequence of words; 0 where one has no words."""
    return _score(_words(a), _words(b))


class Nearest:
    """Texts kept so far, asked for how near a new one comes to the nearest of them. Most are ruled out by counting words."""

    def __init__(self) -> None:
        self._kept: list[list[str]] = []
        self._holding: dict[str, list[tuple[int, int]]] = defaultdict(list)

    @property
    def size(self) -> int:
        return len(self._kept)

    def keep(self, text: str) -> None:
        words = _words(text)
        for word, count in Counter(words).items():
            self._holding[word].append((len(self._kept), count))
        self._kept.append(words)

    def score(self, text: str) -> float:
        """The highest ROUGE-L of `text` with any kept one; 0 if there is none."""
        words = _words(text)
        shared: Counter[int] = Counter()
        for word, count in Counter(words).items():
            for number, there in self._holding.get(word, ()):
                shared[number] += min(count, there)
        best = 0.0
        # No common subsequence is longer than the words two texts share.
        most = sorted(
            ((_f(count, len(words), len(self._kept[n])), n) for n, count in shared.items()), key=lambda m: (-m[0], m[1])
        )
        for bound, number in most:
            if bound <= best:
                break
            best = max(best, _score(self._kept[number], words))
        return best


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _score(a: Sequence[str], b: Sequence[str]) -> float:
    return _f(_common(a, b), len(b), len(a))


def _f(common: int, words: int, others: int) -> float:
    if not common:
        return 0.0
    precision, recall = common / words, common / others
    return 2 * precision * recall / (precision + recall)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest common subsequence, a row of the table in one number: a zero bit is a step upwards."""
    at: dict[str, int] = defaultdict(int)
    for place, word in enumerate(a):
        at[word] |= 1 << place
    whole = (1 << len(a)) - 1
    row = whole
    for word in b:
        met = row & at.get(word, 0)
        row = (row + met | row - met) & whole
    return len(a) - row.bit_count()
