"""HTML of the Trace page. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from components.html.terms import explained
from components.trace.experiments import stands_on_wording
from readers.engine.forks.describe_edit import BeforeAndNow


def your_turn(reply: int, about: str) -> str:
    """Over a prompt that is put to a person: the number of their reply, and of `about` how many, if that is known."""
    of = f' <span class="about">of {escape(about)}</span>' if about else ""
    return f'<div class="your-turn" role="status"><p class="stage">Reply {reply:,}{of}</p></div>'


def asked(question: str) -> str:
    """The question of a prompt, above it."""
    return f'<p class="asked"><b>The question:</b> {escape(question)}</p>'


def forked(what: str, changed: str, calls: Sequence[str], *, sides: BeforeAndNow | None = None) -> str:
    """Above a fork, on one line, what it is and what was changed; opened, what it read before and reads now, if told, and where
    its calls come from."""
    told = explained(" · ".join(calls))
    stop = "" if changed.endswith((".”", ".", "…”", "?”", "!”")) else "."
    boxes = "".join(
        f'<div><p class="facts-line">{name}</p><p class="{kind}">{escape(words) or "nothing: it was left out"}</p></div>'
        for name, kind, words in zip(("before", "in this fork"), ("was", "now"), sides or (), strict=False)
    )
    beside = f'<div class="sides">{boxes}</div>' if boxes else ""
    said = f"<summary><b>{escape(what)}:</b> {escape(changed)}{stop}</summary>"
    return f'<details class="forked">{said}{beside}<p class="facts-line">{told}</p></details>'


SHOWN_WHOLE = 1_200


def left_out(words: str) -> str:
    """What was left out, as it read; of much the beginning, and the rest behind a click."""
    if len(words) <= SHOWN_WHOLE:
        return f'<div class="left-out">{escape(words)}</div>'
    first = words[:SHOWN_WHOLE].rpartition(" ")[0] or words[:SHOWN_WHOLE]
    rest = words[len(first) :]
    more = f"<details><summary>… Show the other {len(rest):,} characters</summary>{escape(rest)}</details>"
    return f'<div class="left-out">{escape(first)}{more}</div>'


class ByWords(NamedTuple):
    """A sentence of the answer, and the sentence of the text nearest to it, which may support it. `model` is the embedding model
    that the nearest was found with, besides its words."""

    answer: str
    supports: bool
    nearest: str
    model: str = ""


def stands_on(rows: Sequence[ByWords]) -> str:
    """Each sentence of the answer with the nearest sentence of the text, and whether that supports it."""
    if not rows:
        return '<p class="empty">No sentence of the answer has a word of the text.</p>'
    body = "".join(
        f'<div class="left-out"><p class="facts-line">{escape(stands_on_wording.by_words(row.supports, of, model=row.model))}</p>'
        f"<p>{escape(row.nearest)}</p></div>"
        for row in rows
        for of in [row.answer if len(rows) > 1 else ""]
    )
    return f'<div class="stands-on">{body}</div>'


def left_out_group(what: str, sentences: Sequence[tuple[str, str]]) -> str:
    """Sentences that were left out together: what came of it, and each with where it stands."""
    body = "".join(f'<p class="facts-line">{escape(where)}</p><p>{escape(words)}</p>' for where, words in sentences)
    return f'<div class="left-out group"><p><b>{escape(what)}</b></p>{body}</div>'


def verdicts(lines: Sequence[str], *, head: str = "") -> str:
    """Texts, each with what its words say and what a judge says."""
    body = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'{f"<p><b>{escape(head)}</b></p>" if head else ""}<ul class="verdicts">{body}</ul>'


def figures(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, two columns."""
    seen: set[str] = set()
    body = "".join(f"<tr><th scope='row'>{explained(name, seen=seen)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f'<table class="figures"><tbody>{body}</tbody></table>'
