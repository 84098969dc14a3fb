"""Cells of a CSV file that a spreadsheet would execute: escaped with an apostrophe on export, and unescaped on import."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")  # beginnings of a cell that a spreadsheet executes, or that was escaped


def escaped_cell(words: str) -> str:
    """The words of a cell, with an apostrophe before them where a spreadsheet would execute them."""
    return f"'{words}" if words.startswith(_FORMULA) else words


def unescaped_cell(cell: str) -> str:
    """The words that `escaped_cell` was given."""
    return cell[1:] if cell.startswith("'") else cell
