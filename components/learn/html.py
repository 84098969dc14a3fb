"""HTML of the page Learn. Pure strings; everything from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.html.terms import explained


def card(title: str, about: str, facts: str) -> str:
    """A lesson to choose."""
    return f'<div class="learn-card"><h3>{escape(title)}</h3><p>{explained(about)}</p><p class="size">{escape(facts)}</p></div>'


def prose(words: Sequence[str]) -> str:
    """Paragraphs of a lesson, with their terms explained once."""
    seen: set[str] = set()
    told = "".join(f"<p>{explained(each, seen=seen)}</p>" for each in words)
    return f'<div class="learn-prose">{told}</div>'


def drawn(title: str) -> str:
    """Whose drawing stands below, where there are several."""
    return f'<p class="learn-drawn">{escape(title)}</p>'


def goals(words: Sequence[str]) -> str:
    """What a learner can do afterwards."""
    told = "".join(f"<li>{escape(each)}</li>" for each in words)
    return f'<div class="learn-goals"><p>After it you can:</p><ul>{told}</ul></div>'


def part(number: int, of: int, name: str) -> str:
    """The head of a named part of a reading."""
    return f'<div class="learn-part"><p class="learn-count">Part {number} of {of}</p><h3>{escape(name)}</h3></div>'


def places(shares: Sequence[float], words: str) -> str:
    """Where in a text something stands, as marks on a strip from its beginning to its end, and in words."""
    marks = "".join(f'<i style="--at:{100 * share:.1f}%"></i>' for share in shares)
    strip = f'<span>beginning</span><span class="track">{marks}</span><span>end</span>'
    return f'<div class="learn-places"><div class="strip" aria-hidden="true">{strip}</div><p>{escape(words)}</p></div>'


def beside(words: Sequence[str], quoted: Sequence[tuple[str, str, bool]]) -> str:
    """Paragraphs of a lesson, and beside them the words that they speak of, with where they stand and whether a model wrote
    them."""
    told = "".join(
        f"<figure{' class=by-model' if by_model else ''}><figcaption>{escape(where)}</figcaption>"
        f"<blockquote>{escape(said)}</blockquote></figure>"
        for said, where, by_model in quoted
    )
    return f'<div class="learn-beside">{prose(words)}<div class="quoted">{told}</div></div>' if quoted else prose(words)


def question(words: str) -> str:
    """The question of the reading that is watched."""
    return f'<p class="learn-question">{escape(words)}</p>'


def asked(words: str) -> str:
    """The question of a prediction."""
    return f'<p class="learn-ask"><b>Before you see it.</b> {escape(words)}</p>'


def paragraphs(text: str) -> str:
    """A text as it is, a paragraph for each line that is not blank."""
    return "".join(f"<p>{escape(each)}</p>" for each in text.split("\n") if each.strip())


def option(name: str, text: str, *, long: bool) -> str:
    """What the model was offered, whole; its text was written by the model. A `long` one has more of the width than others."""
    told = paragraphs(text)
    words = f"<div class=words>{told}</div>" if told else ""
    return f'<div class="learn-option{" long" if long else ""}"><h4>{escape(name)}</h4>{words}</div>'


def revealed(right: bool, yours: str, model: str, feedback: str, reason: str) -> str:
    """What was predicted, what the model did, and why it said that it did so."""
    tone, mark, word = ("good", "◆", "As you predicted") if right else ("lost", "✕", "Not as you predicted")
    told = f"<p>You said: <b>{escape(yours)}</b>. The model: <b>{escape(model)}</b>.</p>"
    told += f"<p>{escape(feedback)}</p>" if feedback else ""
    told += f'<p class="learn-reason">The model said: “{escape(reason)}”</p>' if reason else ""
    return f'<div class="learn-told {tone}"><p class="verdict"><span aria-hidden="true">{mark}</span> {word}</p>{told}</div>'


def feedback(right: bool, words: str) -> str:
    """What a learner is told after an answer."""
    tone, mark, word = ("good", "◆", "Right") if right else ("lost", "✕", "Not quite")
    return (
        f'<div class="learn-told {tone}"><p class="verdict"><span aria-hidden="true">{mark}</span> {word}</p>'
        f"<p>{escape(words)}</p></div>"
    )


def others(choices: Sequence[tuple[str, str]]) -> str:
    """What there is to say of the answers that were not chosen, folded."""
    told = "".join(f"<dt>{escape(words)}</dt><dd>{escape(said)}</dd>" for words, said in choices)
    return f'<details class="learn-others"><summary>The other answers</summary><dl>{told}</dl></details>'


def result(lines: Sequence[str]) -> str:
    """How it went."""
    return f'<div class="learn-result">{"".join(f"<p>{escape(each)}</p>" for each in lines)}</div>'


def lab_head(words: str) -> str:
    """The head of a row of the lab's map."""
    return f'<p class="lab-head">{escape(words)}</p>'


def lab_depth(depth: float) -> str:
    """The head of a column of the lab's map."""
    return f'<p class="lab-depth">{depth:g}%</p>'


def lab_waiting(words: str) -> str:
    """A cell of the lab's map that has no reading yet."""
    return f'<p class="lab-waiting">{escape(words)}</p>'
