"""Small pictures in HTML: where a text is cut, and what a reading covered of it. Pure: strings, all of it escaped.

The pictures of the Trace page are its player's (`player/pictures`).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from components.html import document
from components.html.terms import explained
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.text.document import Span
from readers.engine.text.shorten import shorten

MOST_STRIPES = 400
Shares = Sequence[tuple[float, float]]
CoveredShare = tuple[float, float, int]  # a part of a text, in shares of it, and its state: 1 stood for, 2 shown raw
TallyRow = tuple[str, str, Sequence[int]]  # something that was counted: its words, a note on it, a count for each column
FIRST_WORDS = 60


def axis(marks: Sequence[tuple[float, str]]) -> str:
    """The shared axis over the reading maps of several readings: from the beginning of a text to its end, with its headings as
    ticks, each at its share of the text."""
    ticks = "".join(f'<i style="left:{100 * at:.3f}%" title="{escape(words)}"></i>' for at, words in marks)
    return f'<div class="axis" aria-hidden="true"><span>beginning of the text</span><span>end</span>{ticks}</div>'


def small_map(covered: Sequence[CoveredShare], evidence: Shares, gold: Shares, *, told: str) -> str:
    """A text from left to right: hatched where something stood for it, solid where it was shown raw; the evidence as diamonds,
    the known places as hollow ones. `told` is the same in words."""
    cells = "".join(
        f'<i class="{"raw" if state == 2 else "stood-for"}" style="left:{100 * start:.3f}%;width:{100 * (end - start):.3f}%"></i>'
        for start, end, state in covered
    )
    known = "".join(f'<b class="gold" style="left:{50 * (a + b):.3f}%">◇</b>' for a, b in gold)
    found = "".join(f'<b style="left:{50 * (a + b):.3f}%">◆</b>' for a, b in evidence)
    return f'<div class="small-map" role="img" aria-label="{escape(told)}"><div class="bar">{cells}</div>{known}{found}</div>'


def small_map_legend(*, gold: bool) -> str:
    meanings = {"raw": "shown raw", "stood-for": "through a summary or memory", "none": "not covered", "evidence": "evidence"}
    if gold:
        meanings["gold"] = "known place"
    signs = {"evidence": "◆", "gold": "◇"}
    items = "".join(
        f'<span><i class="map-key {kind}">{signs.get(kind, "")}</i><span>{explained(words)}</span></span>'
        for kind, words in meanings.items()
    )
    return f'<p class="legend">{items}</p>'


def stripes(sizes: Sequence[int], first: int, last: int) -> str:
    """The parts of a text side by side, each as wide as it is long; those from `first` up to `last` are the ones shown below."""
    shown = sizes[:MOST_STRIPES]
    cells = "".join(
        f'<i class="{"on" if first <= n < last else ""}" style="flex-grow:{size}" title="part {n + 1}: {size:,} tokens"></i>'
        for n, size in enumerate(shown)
    )
    told = f"{len(sizes):,} parts; parts {first + 1:,} to {last:,} are shown below"
    return f'<div class="stripes" role="img" aria-label="{told}">{cells}</div>'


def cut_text(text: str, cuts: Sequence[Span], sizes: Sequence[int], first: int, most: int) -> tuple[str, int]:
    """The text from part number `first` on, some `most` characters of it, with a line where each part begins; and the part that
    comes after."""
    out: list[str] = []
    used, number = 0, first
    while number < len(cuts) and (used < most or number == first):
        span = cuts[number]
        end = min(span.end, span.start + 2 * most)
        title = f"Part {number + 1:,}"
        out.append(f'<p class="cut"><b>{title}</b> <span>{sizes[number]:,} tokens</span></p>')
        out += document.paragraphs(text, Span(span.start, end))
        if end < span.end:
            out.append('<p class="gap">⋯ the rest of this part is not shown</p>')
        used += end - span.start
        number += 1
    return f'<div class="text cuts">{"".join(out)}</div>', number


def parts_table(text: str, cuts: Sequence[Span], sizes: Sequence[int]) -> Table:
    """Every part with its tokens and its first words."""
    rows = [
        Row(f"{number:,}", [Cell(f"{size:,}"), Cell(shorten(text[span.start : min(span.end, span.start + 200)], FIRST_WORDS))])
        for number, (span, size) in enumerate(zip(cuts, sizes, strict=True), 1)
    ]
    return Table("The parts", columns("tokens", "begins"), rows, head="part")


def tally(head: Sequence[str], rows: Sequence[TallyRow], of: Sequence[int]) -> str:
    """How often each of several things came: each count as so many filled squares of `of`, and as a number. `head` names the
    columns."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head)
    body = "".join(
        f'<tr><th scope="row"><span class="words">{escape(words)}</span>{f"<small>{escape(note)}</small>" if note else ""}</th>'
        f"{''.join(f'<td>{_squares(count, most)}</td>' for count, most in zip(counts, of, strict=True))}</tr>"
        for words, note, counts in rows
    )
    return f'<div class="wide"><table class="tally"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>'


def _squares(count: int, of: int) -> str:
    drawn = "".join(f'<i class="{"on" if n < count else ""}"></i>' for n in range(of))
    return f'<span class="squares" aria-hidden="true">{drawn}</span><b>{count:,} of {of:,}</b>'
