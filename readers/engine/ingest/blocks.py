"""The blocks of an HTML or Word document in order: headings, paragraphs, list items, table rows; and the text they make.

In the text, headings are written as in Markdown (`## Title`), so that a reader can use them. A single heading divides nothing and
stays an ordinary line. Not here: which tags and styles are headings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

FEWEST_HEADINGS = 2
LONGEST_HEADING = 200  # characters; anything longer is text set like a heading
DEEPEST = 6
_LIKE_HEADING = re.compile(r"(?m)^ {0,3}#{1,6}[ \t]")
_FENCE = "```"


class TextBlock(NamedTuple):
    """`depth`: of a heading, from 1; 0 for anything else. `verbatim`: set in lines of its own; `code`: and said to be code."""

    text: str
    depth: int = 0
    verbatim: bool = False
    code: bool = False


def text_of(blocks: Sequence[TextBlock]) -> str:
    """The blocks with blank lines between them."""
    marked = sum(_is_heading(block) for block in blocks) >= FEWEST_HEADINGS
    return "\n\n".join(_marked(block) if marked or block.code else block.text for block in blocks)


def _is_heading(block: TextBlock) -> bool:
    return block.depth > 0 and len(block.text) <= LONGEST_HEADING


def _marked(block: TextBlock) -> str:
    """A block of a text with headings or code; a comment in code is not a heading."""
    if _is_heading(block):
        return f"{'#' * min(block.depth, DEEPEST)} {' '.join(block.text.split())}"
    if block.verbatim and (block.code or _LIKE_HEADING.search(block.text)) and _FENCE not in block.text:
        return f"{_FENCE}\n{block.text}\n{_FENCE}"
    return block.text


class Blocks:
    """Collects blocks. A table row of plain cells is one block; if a cell has several blocks or a table, they stay separate."""

    def __init__(self) -> None:
        self.found: list[TextBlock] = []
        self._cells: list[list[TextBlock]] | None = None  # of the open row, unless it contains another row

    def add(self, block: TextBlock) -> None:
        if not block.text.strip():
            return
        if self._cells is None:
            self.found.append(block)
        elif self._cells:
            self._cells[-1].append(block)
        else:
            self._cells.append([block])

    def open_row(self) -> None:
        self._release()
        self._cells = []

    def open_cell(self) -> None:
        if self._cells is not None:
            self._cells.append([])

    def close_row(self) -> None:
        cells = self._cells or []
        if any(cells) and all(len(cell) <= 1 for cell in cells):
            self._cells = None
            self.found.append(TextBlock(" | ".join(" ".join(block.text for block in cell).replace("\n", " ") for cell in cells)))
        self._release()

    def _release(self) -> None:
        self.found.extend(block for cell in self._cells or [] for block in cell)
        self._cells = None
