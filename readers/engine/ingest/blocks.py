"""The blocks of an HTML or Word document in order: headings, paragraphs, list items, table rows."""

from __future__ import annotations


class Blocks:
    """Collects blocks. A table row of plain cells is one block; if a cell has several blocks or a table, they stay separate."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._cells: list[list[str]] | None = None  # of the open row, unless it contains another row

    def add(self, text: str) -> None:
        if not text.strip():
            return
        if self._cells is None:
            self.found.append(text)
        elif self._cells:
            self._cells[-1].append(text)
        else:
            self._cells.append([text])

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
            self.found.append(" | ".join(" ".join(cell).replace("\n", " ") for cell in cells))
        self._release()

    def _release(self) -> None:
        self.found.extend(block for cell in self._cells or [] for block in cell)
        self._cells = None
