"""The terms of the field that Palimpsest uses, and how they are marked where they stand. Pure.

One list, `TERMS`. `explained` makes HTML of words that *we* wrote, in which the first occurrence of each term is a button with a
dotted underline; pressed with mouse, finger or key, it opens the term's explanation beside it. The browser does that by itself
(`popover`): Escape and a press elsewhere close it. The explanations are on every page once (`cards`); the player's scripts refer
to them, too (`assets/js/player/terms.js`). What a text, a model, a file or a person supplies is never marked: it does not go
through here, and what a sentence quotes of it is left out by `protected`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from html import escape
from typing import NamedTuple


class Term(NamedTuple):
    """A term: its name, the forms in which it occurs (a pattern), and what it means, in a sentence or two."""

    name: str
    forms: str
    meaning: str

    @property
    def id(self) -> str:
        return self.name.lower().replace(" ", "-")


class MarkedTerm(NamedTuple):
    """An occurrence of a term in words."""

    start: int
    end: int
    term: str


TERMS: tuple[Term, ...] = (
    Term(
        "raw",
        "raw",
        "Word for word, as the author wrote it; not through a summary, a gist or a memory.",
    ),
    Term(
        "gist",
        "gists?",
        "A short version of a page, written by the model. It replaces the page until the page is looked up.",
    ),
    Term(
        "segment",
        "segments?",
        "A piece of the text. The reader cuts the whole text into segments before it looks for an answer.",
    ),
    Term(
        "look-up",
        "look-ups?|look(?:ed|ing|s)?(?: pages?)? up",
        "Opening a page again, to see it word for word after only its gist was kept.",
    ),
    Term(
        "entity",
        "entity|entities",
        "Someone or something that the text names: a person, a place, a thing.",
    ),
    Term(
        "relation",
        "relations?",
        "How two entities are connected, in a sentence that the model wrote about a segment.",
    ),
    Term(
        "hop",
        "hops?",
        "One move along a relation, from an entity to another one.",
    ),
    Term(
        "trial",
        "trials?",
        "One try at an answer. If what the model sees is not enough, it says why, and the next trial looks further.",
    ),
    Term(
        "revert",
        "reverts?|reverted|turn(?:ed|s)? back|(?:went|go|goes) back up",
        "Going back up the tree, because the part that was opened did not answer the question.",
    ),
    Term(
        "chunk",
        "chunks?",
        "A piece of the text, about as long as the others. "
        "The reader goes through the chunks in order and keeps only its memory.",
    ),
    Term(
        "memory",
        "memory|memories",
        "Notes that the model writes and rewrites as it reads. They are all that it still has of what it read before.",
    ),
    Term(
        "worker",
        "workers?",
        "A call of the model that reads one chunk, together with the message of the worker before it.",
    ),
    Term(
        "message",
        "messages?",
        "What a worker hands on to the next: notes on all that was read so far. The text itself is not handed on.",
    ),
    Term(
        "manager",
        "managers?",
        "The last call of a chain of workers. It answers from the last message, and sees no part of the text.",
    ),
    Term(
        "callback",
        "callbacks?|look(?:ed|ing|s)? back",
        "Looking back: the model asks for a memory that it wrote earlier, and sees it again beside the next chunk.",
    ),
    Term(
        "slice",
        "slices?",
        "The stretch of the text that one reader has before it: first the whole text, below it a part. "
        "A long slice is not shown; the reader looks into it.",
    ),
    Term(
        "split",
        "splits?(?! the readers)",
        "Cutting a slice into even parts with numbers, of which the reader sees how they begin. "
        "Part 4.2 is the second piece of part 4.",
    ),
    Term(
        "peek",
        "peek(?:s|ed)?",
        "A look at a short stretch of a slice, word for word: its beginning, its end or a place between.",
    ),
    Term(
        "search for words",
        "search for words|searched",
        "Looking for words in a slice by rule. The places that have them are shown word for word, the best few.",
    ),
    Term(
        "ask below",
        "ask(?:s|ed)? below",
        "Handing a part and a question to a fresh reader below, which sees nothing else. Only its answer comes back.",
    ),
    Term(
        "score",
        "scores?|scored",
        "How well something fits what is looked for. The word beside it says how clear it was to take or to leave it: "
        "clear, close (within 5%) or equal.",
    ),
    Term(
        "fork",
        "fork(?:s|ed)?",
        "A copy of a reading with one thing changed. What comes before the change is taken over; the rest is read again.",
    ),
    Term(
        "evidence",
        "evidence",
        "The places of the text that stood word for word before the model when it answered.",
    ),
    Term(
        "distractor",
        "distractors?",
        "A place of the text that speaks for a wrong answer, as the author of the question marked it.",
    ),
    Term(
        "stated reason",
        "stated reasons?",
        "The reason that the model gave. It is what the model said, not proof of why it chose.",
    ),
    Term(
        "misread",
        "misread",
        "The model’s reply did not have the form that was asked for, so it could not be used.",
    ),
    Term(
        "fallback",
        "fallbacks?|fell back|stood in",
        "What a rule of the reader does instead when no reply of the model can be used.",
    ),
    Term(
        "token",
        "tokens?",
        "A word or a piece of a word: the unit in which models count text. 100 tokens are about 75 English words.",
    ),
    Term(
        "context window",
        "context windows?",
        "The most text that a model can take at once, its reply included, counted in tokens.",
    ),
    Term(
        "temperature",
        "temperature",
        "How much chance there is in a model’s replies. At 0 it nearly always gives the same reply.",
    ),
    Term(
        "BM25",
        "BM25|TF-IDF",
        "A rule that scores a text by the words it shares with the question; rarer words count more.",
    ),
    Term(
        "ROUGE-L",
        "ROUGE-L",
        "How alike two texts are, from 0 to 1, by the words that both have in the same order.",
    ),
    Term(
        "embedding",
        "embeddings?",
        "A text as a list of numbers, made by a model so that texts of like meaning get like numbers.",
    ),
    Term(
        "codebook",
        "codebook",
        "The list of codes that annotators give to steps, each with what it means and an example.",
    ),
    Term(
        "agreement",
        "agreement",
        "How far annotators who label the same readings independently give the same labels.",
    ),
    Term(
        "batch",
        "batch(?:es)?",
        "All questions of a set, each read with the readers and models that were chosen.",
    ),
)
BY_ID = {term.id: term for term in TERMS}
_QUOTED = re.compile("“.*”", re.DOTALL)  # from the first quotation mark to the last: what is quoted may hold marks itself


@cache
def _forms() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{_group(term.id)}>\\b(?:{term.forms})\\b)" for term in TERMS), re.IGNORECASE)


def _group(term_id: str) -> str:
    return term_id.replace("-", "_")


def marks(words: str, *, protected: Iterable[str] = ()) -> list[MarkedTerm]:
    """The first occurrence of each term in words of ours, in order; none in a quotation, nor in any of the `protected` words."""
    ours = _without(words, protected)
    found: dict[str, MarkedTerm] = {}
    for match in _forms().finditer(ours):
        term_id = str(match.lastgroup).replace("_", "-")
        found.setdefault(term_id, MarkedTerm(*match.span(), term_id))
    return list(found.values())


def _without(words: str, protected: Iterable[str]) -> str:
    """The same words with blanks, as long, for what is quoted and protected."""
    words = _QUOTED.sub(lambda match: "\0" * len(match[0]), words)
    for each in sorted({part for part in protected if part.strip()}, key=len, reverse=True):
        words = words.replace(each, "\0" * len(each))
    return words


def explained(words: str, *, protected: Iterable[str] = (), seen: set[str] | None = None) -> str:
    """HTML of words that we wrote, in which terms are marked, except those `seen` in the same block; adds its own to them.

    Not for the inside of a link, a button or a `summary`.
    """
    parts, at = [], 0
    seen = set() if seen is None else seen
    for start, end, term_id in marks(words, protected=protected):
        if term_id in seen:
            continue
        seen.add(term_id)
        parts += [escape(words[at:start]), _button(words[start:end], f"term-{term_id}", BY_ID[term_id].meaning)]
        at = end
    return "".join(parts) + escape(words[at:])


def with_meaning(words: str, meaning: str) -> str:
    """HTML of words with a meaning of their own, which opens in the same way as that of a term."""
    card = f"meaning-{blake2b(f'{words}: {meaning}'.encode(), digest_size=6).hexdigest()}"
    return _button(words, card, meaning) + _card(card, escape(meaning))


def _button(words: str, card: str, meaning: str) -> str:
    return f'<button type="button" class="term" popovertarget="{card}" title="{escape(meaning)}">{escape(words)}</button>'


def _card(card: str, inside: str) -> str:
    return f'<span class="term-card" id="{card}" popover>{inside}</span>'


def cards() -> str:
    """The explanations of all terms, hidden until one is opened. Every page has them once."""
    return "".join(_card(f"term-{term.id}", f"<b>{escape(term.name)}:</b> {escape(term.meaning)}") for term in TERMS)


def with_terms(help_words: str, *others: str) -> str:
    """Help for a field of a form, as Markdown: the words, then what the terms in them and in the `others` (its label) mean."""
    return "\n\n".join([help_words, *_meanings(help_words, *others)])


def _meanings(*words: str) -> Iterator[str]:
    found = dict.fromkeys(mark.term for each in words for mark in marks(each))
    yield from (f"**{BY_ID[term_id].name}**: {BY_ID[term_id].meaning}" for term_id in found)
