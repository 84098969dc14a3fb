"""The offline model's knowledge of language: which words of a question to look for, and where sentences end.

Word rarity (`text/words.py`) is independent of the text; each task adds what the call shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

from readers.engine.models.call import Call
from readers.engine.text import split
from readers.engine.text.words import rarity, term, terms, words

# Words with which a question refers to the text or to itself. The passage that holds the answer seldom contains them.
QUESTION_WORDS = frozenset(
    terms(
        "who whom whose what which when where why how does do did was were is are been according author passage text story "
        "article narrator character following describe best likely probably option true false mean suggest refer tell happen "
        "about reason because would could should main think reader paragraph section document mention statement word answer "
        "question"
    )
)

_SHORTEST_WRAPPED_LINE = 40
_PRONOUN = regex.compile(r"(?:he|she|it|they|his|her|its|their)\b", regex.IGNORECASE)
_UNFINISHED = regex.compile(r"[^.!?…:;。！？\"”’\s][^\S\n]*\n$")


def query_terms(question: str) -> dict[str, str]:
    """The terms of a question worth looking for, in order, each with the word as written."""
    by_term: dict[str, str] = {}
    for word in words(question):
        if rarity(word) > 0 and term(word) not in QUESTION_WORDS:
            by_term.setdefault(term(word), word)
    return by_term


def question_and_choices(call: Call) -> tuple[str, tuple[str, ...]]:
    """The question and any choices of a call; its prompt has them in one part or in two."""
    if problem := call.part("problem"):
        return problem[0], problem[1:]
    return " ".join(call.part("question")), call.part("choices")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line. A hard line break inside a sentence does not end it."""
    pieces: list[str] = []
    unfinished = False
    for start, end in split.sentences(text):
        piece = text[start:end]
        if unfinished:
            pieces[-1] += piece
        else:
            pieces.append(piece)
        unfinished = len(piece) > _SHORTEST_WRAPPED_LINE and bool(_UNFINISHED.search(piece))
    return [line for line in (" ".join(piece.split()) for piece in pieces) if line]


def with_those_before(bags: Sequence[frozenset[str]], units: Sequence[str]) -> list[frozenset[str]]:
    """The terms of each sentence, and where it opens with a pronoun, those of the sentence before it, which it refers to."""
    before = [frozenset[str](), *bags]
    return [bag | before[n] if _PRONOUN.match(units[n]) else bag for n, bag in enumerate(bags)]


def join_words(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = list(names) or [""]
    return f"{', '.join(first)} and {last}" if first else last
