"""A page of ReadAgent's beside its gist: what the gist kept and what the page adds, by an alignment of their words. Pure.

The words are aligned in order, without case and endings. A rare word that both have counts as kept wherever it stands. A gist
that says the same in other words seems to have kept less than it did. Not here: which page is opened when (`readagent.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from components.player.text.shared_words import asked_about, shared, telling
from components.player.text.word_diff import can_align
from readers.engine.text.words import WORD, term

Runs = list[tuple[str, str]]


class _PageWords(NamedTuple):
    """The words of a text: where they are, and their terms."""

    text: str
    spans: Sequence[tuple[int, int]]
    terms: Sequence[str]


def beside(gist: str, page: str, *, question: str = "", why: str = "") -> dict[str, Any]:
    """Both texts in runs of (words, kind), and figures of the rarer words.

    In the gist, `kept` words are the page's and `own` ones are not in the page. In the page, `kept` words are in the gist too,
    and `met` ones are words of the question that only the page has.
    """
    left, right = _words(gist), _words(page)
    here, there = telling(gist), telling(page)
    asked = asked_about(question, why)
    gist_kept, page_kept = _aligned(left, right, here & there)
    return {
        "gist": _runs(left, {**_kind("own", left, here - set(right.terms)), **dict.fromkeys(gist_kept, "kept")}),
        "page": _runs(right, {**_kind("met", right, asked - set(left.terms)), **dict.fromkeys(page_kept, "kept")}),
        "rare": len(there),
        "kept": len(here & there),
        "met": shared(gist, asked),
        "adds": shared(page, asked - set(left.terms)),
    }


def _words(text: str) -> _PageWords:
    found = list(WORD.finditer(text))
    return _PageWords(text, [match.span() for match in found], [term(match[0]) for match in found])


def _aligned(left: _PageWords, right: _PageWords, both: Set[str]) -> tuple[set[int], set[int]]:
    """The numbers of the words on either side that are in the other text, too: aligned runs with a rarer word in them, and the
    rarer words themselves."""
    kept = tuple({n for n, one in enumerate(side.terms) if one in both} for side in (left, right))
    if can_align(left.terms, right.terms):
        matcher = SequenceMatcher(None, left.terms, right.terms, autojunk=False)
        for block in matcher.get_matching_blocks():
            if any(left.terms[block.a + n] in both for n in range(block.size)):
                kept[0].update(range(block.a, block.a + block.size))
                kept[1].update(range(block.b, block.b + block.size))
    return kept[0], kept[1]


def _kind(kind: str, words: _PageWords, terms: Set[str]) -> dict[int, str]:
    """The words that have one of these terms, by number."""
    return {n: kind for n, one in enumerate(words.terms) if one in terms}


def _runs(words: _PageWords, kinds: dict[int, str]) -> Runs:
    """The whole text in runs of one kind; what lies between two words of one kind is theirs."""
    return list(_joined(words, kinds))


def _joined(words: _PageWords, kinds: dict[int, str]) -> Iterator[tuple[str, str]]:
    at, kind, until = 0, "", 0
    for n, (start, end) in enumerate(words.spans):
        now = kinds.get(n, "")
        if now != kind:
            edge = until if kind else start
            yield from [(words.text[at:edge], kind)] if edge > at else []
            yield from [(words.text[edge:start], "")] if kind and now and start > edge else []
            at, kind = (start if now else edge), now
        until = end
    edge = until if kind else len(words.text)
    yield from [(words.text[at:edge], kind)] if edge > at else []
    yield from [(words.text[edge:], "")] if edge < len(words.text) else []
