"""HTML of Home. Pure. Everything that is not markup of this module is escaped by markupsafe."""

from __future__ import annotations

from markupsafe import Markup

from components.html.terms import explained


def lead(title: str, words: str) -> Markup:
    """What the whole thing is."""
    return Markup('<div class="lead"><h1>{}</h1><p>{}</p></div>').format(title, explained(words))


def method(title: str, sentence: str) -> Markup:
    """A way of reading, in a sentence."""
    return Markup('<div class="method"><h3>{}</h3><p>{}</p></div>').format(title, sentence)


def recorded_question(question: str, title: str) -> Markup:
    """A question that recorded readings answer, and its text."""
    return Markup('<div class="card recorded"><p class="question-text">{}</p><p class="size">{}</p></div>').format(
        question, title
    )


def recording(reader: str, watch: str) -> Markup:
    """A recorded reading: who reads, and what to watch for."""
    return Markup('<p class="recording"><b>{}</b> {}</p>').format(reader, explained(watch))


def card(title: str, size: str, about: str, question: str) -> Markup:
    """A sample text with a question of it."""
    return Markup('<div class="card"><h3>{}</h3><p class="size">{}</p><p>{}</p><p class="question-text">{}</p></div>').format(
        title, size, about, question
    )
