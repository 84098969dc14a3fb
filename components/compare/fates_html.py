"""HTML of the table "Where did it die?". Pure strings; everything from outside is escaped.

A real table: each cell says in words what its mark shows. The line between the marks is drawn by the style sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from components.compare.fate_rows import HEADS, TITLE, TOLD_BY, FateRow, StageCell
from components.html import markup

_SIGNS = {"altered": "≠", "unclear": "?", "used": "◆", "lost": "✕"}
_LEGEND = (
    ("raw", "", "raw"),
    ("written", "", "in words the model wrote"),
    ("lost", "✕", "ringed: lost here; a click goes there"),
    ("used", "◆", "used"),
    ("none", "", "not there"),
    ("unclear", "?", "unclear"),
)


def fact(words: str, where: str, rows: Sequence[FateRow]) -> str:
    """A fact: its words, where it stands, and a row for each reading."""
    head = (
        f'<p class="fact-words">“{escape(words)}”</p><p class="fact-place"><span aria-hidden="true">◆</span> {escape(where)}</p>'
    )
    heads = "".join(f'<th scope="col" class="stage-head">{escape(name)}</th>' for name in HEADS.values())
    top = (
        f'<tr><th scope="col"><span class="visually-hidden">reading</span></th>{heads}<th scope="col" class="fate">fate</th></tr>'
    )
    body = "".join(map(_row, rows))
    label = escape(f"{TITLE} {words}")
    box = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
    return f'<div class="fact-head">{head}</div>{box}<table class="fates"><thead>{top}</thead><tbody>{body}</tbody></table></div>'


def legend() -> str:
    """What the marks mean, and how it is told."""
    items = "".join(f'<span class="{mark}">{_mark(mark, sign)}{escape(words)}</span>' for mark, sign, words in _LEGEND)
    return f'<p class="legend fates-legend">{items}<span>{escape(TOLD_BY)}</span></p>'


def _mark(mark: str, sign: str) -> str:
    return f'<i class="stage-mark {mark}" aria-hidden="true">{sign}</i>'


def _row(row: FateRow) -> str:
    number = f'<span class="number" aria-hidden="true">{row.number}</span>'
    name = f'<span class="visually-hidden">Reading {row.number}: </span>{escape(row.name)}'
    reading = f'<th scope="row"><div>{number}<span>{name}</span></div></th>'
    return f"<tr>{reading}{''.join(_cells(row))}{_fate(row)}</tr>"


def _cells(row: FateRow) -> Iterable[str]:
    stages = row.fate.stages
    lines = [_line(stage.came) for stage in stages[1:]]
    for stage, link, left, right in zip(stages, row.links, ["", *lines], [*lines, ""], strict=True):
        line = f"{f' from-{left}' if left else ''}{f' to-{right}' if right else ''}"
        caption = f'<span class="stage-name">{escape(stage.name)}</span>' if stage.name else ""
        yield f'<td class="stage{line}{" decided" if stage.decided else ""}">{_stage(stage, link)}{caption}</td>'


def _line(came: bool) -> str:
    return "solid" if came else "dotted"


def _stage(stage: StageCell, link: str) -> str:
    mark = _mark(stage.mark, _SIGNS.get(stage.mark, ""))
    if stage.step is None or stage.mark == "none":
        return f'<span class="stage-at">{mark}<span class="visually-hidden">{escape(stage.said)}</span></span>'
    said = f"{stage.said}, step {stage.step:,}"
    words = f'<span class="visually-hidden">{escape(said)}</span>'
    return f'<a class="stage-at" href="{escape(link)}" target="_self" title="{escape(said)}">{mark}{words}</a>'


def _fate(row: FateRow) -> str:
    chips = "".join(map(markup.draw_chip, row.chips))
    kind = f"<b>{escape(row.fate.kind)}</b>" if row.fate.kind else ""
    return f'<td class="fate"><p class="chips">{chips}{kind}</p><p>{escape(row.fate.sentence)}</p></td>'
