"""HTML of Home. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from html import escape

from components.html.terms import explained


def lead(title: str, words: str) -> str:
    """What the whole thing is."""
    return f'<div class="lead"><h1>{escape(title)}</h1><p>{explained(words)}</p></div>'


def method(title: str, sentence: str) -> str:
    """A way of reading, in a sentence."""
    return f'<div class="method"><h3>{escape(title)}</h3><p>{escape(sentence)}</p></div>'


def recorded_question(question: str, title: str) -> str:
    """A question that recorded readings answer, and its text."""
    return f'<div class="card recorded"><p class="question-text">{escape(question)}</p><p class="size">{escape(title)}</p></div>'


def recording(reader: str, watch: str) -> str:
    """A recorded reading: who reads, and what to watch for."""
    return f'<p class="recording"><b>{escape(reader)}</b> {explained(watch)}</p>'


def card(title: str, size: str, about: str, question: str) -> str:
    """A sample text with a question of it."""
    return (
        f'<div class="card"><h3>{escape(title)}</h3><p class="size">{escape(size)}</p><p>{escape(about)}</p>'
        f'<p class="question-text">{escape(question)}</p></div>'
    )
