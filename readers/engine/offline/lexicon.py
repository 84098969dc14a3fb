"""What the offline model knows of language: how rare a word is, which words of a question to look for, where sentences end.

The rank of a word in the tokeniser's vocabulary stands for how common it is (a vocabulary is built from the commonest strings
upwards), so no word list is needed. This is coarse, and says nothing of the text at hand: the tasks add what the call shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import regex

from readers.engine import split, tokens
from readers.engine.calls import Call
from readers.engine.words import term, terms, words

# Words by which a question speaks of the text or of itself. They are seldom in the passage that holds the answer.
_FRAME = frozenset(
    terms(
        "who whom whose what which when where why how does do did was were is are been according author passage text story "
        "article narrator character following describe best likely probably option true false mean suggest refer tell happen "
        "about reason because would could should main think reader paragraph section document mention statement word answer "
        "question"
    )
)

# The natural logarithms of the ranks between which rarity rises: about 650 ("and", "his") and 163,000.
_COMMON, _RAREST = 6.5, 12.0

_LONGEST_WORD = 40
_SHORTEST_WRAPPED_LINE = 40
_UNFINISHED = regex.compile(r"[^.!?…:;。！？\"”’\s][^\S\n]*\n$")


def rarity(word: str) -> float:
    """0 for the commonest words, 1 for a word that the vocabulary does not hold whole."""
    return _rarity(word[:_LONGEST_WORD].casefold())


@lru_cache(maxsize=1 << 16)
def _rarity(word: str) -> float:
    encode = tokens.encoding().encode_ordinary
    whole = [found[0] for found in (encode(" " + word), encode(word)) if len(found) == 1]
    return min(1.0, max(0.0, (math.log(min(whole) + 1) - _COMMON) / (_RAREST - _COMMON))) if whole else 1.0


def wanted(question: str) -> dict[str, str]:
    """The terms of a question worth looking for, in order, each with the word as it stands there."""
    found: dict[str, str] = {}
    for word in words(question):
        if rarity(word) > 0 and term(word) not in _FRAME:
            found.setdefault(term(word), word)
    return found


def problem_of(call: Call) -> tuple[str, tuple[str, ...]]:
    """The question, and the choices if there are any, of a call whose prompt has them in one part or in two."""
    if problem := call.part("problem"):
        return problem[0], problem[1:]
    return " ".join(call.part("question")), call.part("choices")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; the line breaks of a text wrapped by hand do not end one."""
    found: list[str] = []
    unfinished = False
    for start, end in split.sentences(text):
        piece = text[start:end]
        if unfinished:
            found[-1] += piece
        else:
            found.append(piece)
        unfinished = len(piece) > _SHORTEST_WRAPPED_LINE and bool(_UNFINISHED.search(piece))
    return [line for line in (" ".join(piece.split()) for piece in found) if line]


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last
