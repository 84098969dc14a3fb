"""The words that two texts share, found by rule: compared without case and endings, common words and those of grammar left out.
Pure.

A shared word says that a summary met a question or a reason. It does not say that the word made the model choose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from readers.engine.text.words import rarity, term, words

TELLING = 0.18  # a word of this rarity or more tells texts apart; "would" and "which" are below it

# Words that only hold a sentence together, of which some are rare, and titles. They say nothing of what a text is about.
_GRAMMAR = """
    although because before after unless until whereas whether while though since once whenever wherever whom whose
    himself herself itself myself yourself ourselves themselves oneself anybody anyone anything anywhere everybody
    everyone everything everywhere nobody nothing nowhere somebody someone something somewhere neither nor either both
    each every another other others such same own else above across against along amid among amongst around behind below
    beneath beside besides between beyond despite during except inside near onto outside throughout through toward towards
    under underneath upon within without already almost also always again ever even however indeed instead just merely
    moreover nevertheless never often only otherwise perhaps quite rather still therefore thus together too very yet can
    cannot could did does doing done had has have having may might must shall should will would became become becomes
    becoming been being about
    mr mrs ms miss dr sir madam
"""
GRAMMAR = frozenset(_GRAMMAR.split())


def telling(text: str, *, least: float = TELLING) -> frozenset[str]:
    """The terms of a text's words, without those that are too common."""
    return frozenset(term(word) for word in words(text) if rarity(word) >= least and word.casefold() not in GRAMMAR)


def asked_about(question: str, reason: str) -> frozenset[str]:
    """The terms of a question: its telling words, and commoner ones that the stated reason names."""
    return telling(question) | (telling(question, least=0.01) & telling(reason, least=0.01))


def shared(text: str, terms: Set[str]) -> list[str]:
    """The words of a text that have one of these terms, in lower case, each once, in order."""
    return list(dict.fromkeys(word.casefold() for word in words(text) if term(word) in terms))


def most_telling(found: Iterable[str], *, others: Iterable[Set[str]], room: int) -> str:
    """The telling words that fit into a label of `room` letters: those that the fewest `others` have first, then the rarest."""
    beside = list(others)
    ranked = sorted(
        (word for word in found if rarity(word) >= TELLING and word.casefold() not in GRAMMAR),
        key=lambda word: (sum(term(word) in terms for terms in beside), -rarity(word)),
    )
    return ", ".join(_fitting(ranked, room))


def _fitting(ranked: Iterable[str], room: int) -> Iterator[str]:
    seen: set[str] = set()
    for word in ranked:
        if term(word) not in seen and len(word) <= room:
            seen.add(term(word))
            room -= len(word) + 2
            yield word
