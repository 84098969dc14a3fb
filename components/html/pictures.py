"""Small pictures in HTML: where a text is cut, and what a reading covered of it. Pure: strings, all of it escaped.

The pictures of the Trace page are its player's (`player/pictures`).
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from components.html import document
from components.html.terms import explained
from readers.engine.report.values import Cell, Row, Table, columns
from readers.engine.text.document import Span
from readers.engine.text.shorten import shorten

MOST_STRIPES = 400
Shares = Sequence[tuple[float, float]]
CoveredShare = tuple[float, float, int]  # a part of a text, in shares of it, and its state: 1 represented, 2 shown raw
TallyRow = tuple[str, str, Sequence[int]]  # something that was counted: its words, a note on it, a count for each column
FIRST_WORDS = 60


def axis(marks: Sequence[tuple[float, str]]) -> Markup:
    """The shared axis over the reading maps of several readings: from the beginning of a text to its end, with its headings as
    ticks, each at its share of the text."""
    ticks = Markup("").join(Markup('<i style="left:{:.3f}%" title="{}"></i>').format(100 * at, words) for at, words in marks)
    return Markup('<div class="axis" aria-hidden="true"><span>beginning of the text</span><span>end</span>{}</div>').format(ticks)


def small_map(covered: Sequence[CoveredShare], answer: Shares, gold: Shares, *, stated: bool, told: str) -> Markup:
    """A text from left to right: hatched where it was represented, solid where it was shown raw; on it what the `answer` rests
    on, as diamonds where the answer is `stated` and hollow where the text is only nearest to it; below it the known places.
    `told` is the same in words."""
    cells = Markup("").join(
        Markup('<i class="{}" style="left:{:.3f}%;width:{:.3f}%"></i>').format(
            "raw" if state == 2 else "stood-for", 100 * start, 100 * (end - start)
        )
        for start, end, state in covered
    )
    known = Markup("").join(Markup('<b class="gold" style="left:{:.3f}%">◇</b>').format(50 * (a + b)) for a, b in gold)
    found = Markup("").join(
        Markup('<b style="left:{:.3f}%">{}</b>').format(50 * (a + b), "◆" if stated else "◇") for a, b in answer
    )
    return Markup('<div class="small-map" role="img" aria-label="{}"><div class="bar">{}</div>{}{}</div>').format(
        told, cells, known, found
    )


def small_map_legend(*, gold: bool) -> Markup:
    meanings = {"raw": "shown raw", "stood-for": "through a summary or memory", "none": "not covered", "evidence": "evidence"}
    meanings["nearest"] = "on the map: nearest to the answer, which need not be stated there"
    if gold:
        meanings["gold"] = "below it: known place"
    signs = {"evidence": "◆", "nearest": "◇", "gold": "◇"}
    items = Markup("").join(
        Markup('<span><i class="map-key {}">{}</i><span>{}</span></span>').format(kind, signs.get(kind, ""), explained(words))
        for kind, words in meanings.items()
    )
    return Markup('<p class="legend">{}</p>').format(items)


def stripes(sizes: Sequence[int], first: int, last: int) -> Markup:
    """The parts of a text side by side, each as wide as it is long; those from `first` up to `last` are shown below."""
    shown = sizes[:MOST_STRIPES]
    cells = Markup("").join(
        Markup('<i class="{}" style="flex-grow:{}" title="part {}: {:,} tokens"></i>').format(
            "on" if first <= n < last else "", size, n + 1, size
        )
        for n, size in enumerate(shown)
    )
    told = f"{len(sizes):,} parts; parts {first + 1:,} to {last:,} are shown below"
    return Markup('<div class="stripes" role="img" aria-label="{}">{}</div>').format(told, cells)


def cut_text(text: str, cuts: Sequence[Span], sizes: Sequence[int], first: int, most: int) -> tuple[str, int]:
    """The text from part number `first` on, some `most` characters of it, with a line where each part begins; and the part that
    comes after."""
    out: list[str] = []
    used, number = 0, first
    while number < len(cuts) and (used < most or number == first):
        span = cuts[number]
        end = min(span.end, span.start + 2 * most)
        title = f"Part {number + 1:,}"
        out.append(Markup('<p class="cut"><b>{}</b> <span>{:,} tokens</span></p>').format(title, sizes[number]))
        out += document.paragraphs(text, Span(span.start, end))
        if end < span.end:
            out.append(Markup('<p class="gap">⋯ the rest of this part is not shown</p>'))
        used += end - span.start
        number += 1
    return (Markup('<div class="text cuts">{}</div>').format(Markup("").join(out)), number)


def parts_table(text: str, cuts: Sequence[Span], sizes: Sequence[int]) -> Table:
    """Every part with its tokens and its first words."""
    rows = [
        Row(f"{number:,}", [Cell(f"{size:,}"), Cell(shorten(text[span.start : min(span.end, span.start + 200)], FIRST_WORDS))])
        for number, (span, size) in enumerate(zip(cuts, sizes, strict=True), 1)
    ]
    return Table("The parts", columns("tokens", "begins"), rows, head="part")


def tally(head: Sequence[str], rows: Sequence[TallyRow], of: Sequence[int]) -> Markup:
    """How often each of several things occurred: each count as filled squares out of `of`, and as a number. `head` names the
    columns."""
    titles = Markup("").join(Markup('<th scope="col">{}</th>').format(title) for title in head)
    body = Markup("").join(
        Markup('<tr><th scope="row"><span class="words">{}</span>{}</th>{}</tr>').format(
            words,
            Markup("<small>{}</small>").format(note) if note else "",
            Markup("").join(Markup("<td>{}</td>").format(_squares(count, most)) for count, most in zip(counts, of, strict=True)),
        )
        for words, note, counts in rows
    )
    return Markup('<div class="wide"><table class="tally"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>').format(
        titles, body
    )


def _squares(count: int, of: int) -> Markup:
    drawn = Markup("").join(Markup('<i class="{}"></i>').format("on" if n < count else "") for n in range(of))
    return Markup('<span class="squares" aria-hidden="true">{}</span><b>{:,} of {:,}</b>').format(drawn, count, of)
