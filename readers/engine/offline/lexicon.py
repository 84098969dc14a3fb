"""How rare a word is, and which words of a question may be looked for: the offline model's only knowledge of language.

The rank of a word in the tokeniser's vocabulary stands for how common it is (a vocabulary is built from the commonest strings
upwards), so no word list is needed. This is coarse, and knows nothing of the document; the callers add what the call itself tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import regex

from readers.engine import split, tokens
from readers.engine.words import term, words

# Words a question uses to speak about the text or about itself. They are seldom in the passage that holds the answer.
_FRAME = frozenset(
    map(
        term,
        ["who", "whom", "whose", "what", "which", "when", "where", "why", "how", "does", "do", "did", "was", "were", "is", "are", "been", "according", "author", "passage", "text", "story", "article", "narrator", "character", "following", "describe", "describes", "best", "likely", "probably", "option", "true", "false", "mean", "suggest", "refer", "tell", "happen", "about", "reason", "because", "would", "could", "should", "main", "think", "reader", "paragraph", "section", "document", "mention", "statement", "word", "answer", "question"],
    )
)
# Ranks below e^6.5 (about 650) are words like "the" and "and"; a word of several tokens is as rare as any.
_COMMON, _RAREST = 6.5, 12.0


@lru_cache(maxsize=1 << 16)
def rarity(word: str) -> float:
    """0 for the commonest words, 1 for a word the vocabulary does not hold whole."""
    found = tokens.encoding().encode_ordinary(" " + word.casefold())
    rank = math.log(found[0] + 1) if len(found) == 1 else _RAREST
    return min(1.0, max(0.0, (rank - _COMMON) / (_RAREST - _COMMON)))


def wanted(question: str) -> dict[str, str]:
    """The terms of a question worth looking for, in order, each with the word as it stands there."""
    found: dict[str, str] = {}
    for word in words(question):
        if rarity(word) > 0 and term(word) not in _FRAME:
            found.setdefault(term(word), word)
    return found


def weights(surface: Iterable[str]) -> dict[str, float]:
    """Each word's term with its rarity."""
    return {term(word): rarity(word) for word in surface}


_MID_SENTENCE_BREAK = regex.compile(r"[^.!?…:;。！？\"”’\n]\n$")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; a line break inside a sentence (a text wrapped by hand) does not cut it."""
    found: list[str] = []
    open_ended = False
    for start, end in split.sentences(text):
        piece = text[start:end]
        if open_ended:
            found[-1] += piece
        else:
            found.append(piece)
        open_ended = bool(_MID_SENTENCE_BREAK.search(piece))
    return [line for line in (" ".join(piece.split()) for piece in found) if line]


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last
