"""HTML of Home. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from html import escape

from components.html.terms import explained


def lead(title: str, words: str) -> str:
    """What the whole thing is."""
    return f'<div class="lead"><h1>{escape(title)}</h1><p>{explained(words)}</p></div>'


def specimen(question: str, picture: str, answer: str) -> str:
    """A small reading on show; `picture` is HTML."""
    by = '<p class="by">answer, written by the offline model (no neural network)</p>'
    return (
        f'<figure class="specimen"><figcaption>{escape(question)}</figcaption>{picture}'
        f'<div class="answer">{by}<p class="words">{escape(answer)}</p></div></figure>'
    )


def recording(watch: str, question: str, facts: str) -> str:
    """A reading by a real model: what to watch for, its question, and what read which text."""
    return (
        f'<div class="card recording"><p class="question-text">{escape(question)}</p><p>{explained(watch)}</p>'
        f'<p class="size">{escape(facts)}</p></div>'
    )


def card(title: str, size: str, about: str, question: str) -> str:
    """A sample text with a question of it."""
    return (
        f'<div class="card"><h3>{escape(title)}</h3><p class="size">{escape(size)}</p><p>{escape(about)}</p>'
        f'<p class="question-text">{escape(question)}</p></div>'
    )
