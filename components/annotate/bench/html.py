"""The HTML of the head of a reading on the bench. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.annotate.bench.wording import Choice
from components.html.markup import verdict_line
from components.html.words.wording import AnswerVerdict


def choice_list(choices: Sequence[Choice]) -> str:
    """The choices, with the one that was chosen and the right ones marked in words."""
    return f'<ul class="bench-choices" aria-label="Choices">{"".join(map(_line, choices))}</ul>'


def _line(choice: Choice) -> str:
    marks = [name for name, on in (("chosen", choice.chosen), ("right", choice.right)) if on]
    told = "".join(f'<em class="mark-{name}">{"✓ right" if name == "right" else "chosen"}</em> ' for name in marks)
    words = escape(choice.words)
    return f'<li class="{" ".join(f"is-{mark}" for mark in marks)}" title="{words}"><b>({choice.letter})</b> {told}{words}</li>'


def known_line(answer: str, verdict: AnswerVerdict) -> str:
    """The known answer, unless it is marked among the choices, and how the reading compares with it."""
    said = f'<p class="said"><span class="by">known answer</span> {escape(answer)}</p>' if answer else ""
    return f'<div class="bench-known">{said}{verdict_line(verdict)}</div>'
