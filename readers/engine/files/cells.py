"""CSV cells: values as text. What a spreadsheet would execute gets an apostrophe on export, and loses it on import."""

from __future__ import annotations

from typing import Any

from readers.engine.canonical import canonical

FIELD = "field."  # before the name of a field that came with the question
SEVERAL = " | "  # between several values in one cell, as in a question file
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")  # beginnings of a cell that a spreadsheet executes, or that was escaped


def escaped_cell(words: str) -> str:
    """The words of a cell, with an apostrophe before them where a spreadsheet would execute them."""
    return f"'{words}" if words.startswith(_FORMULA) else words


def unescaped_cell(cell: str) -> str:
    """The words that `escaped_cell` was given."""
    return cell[1:] if cell.startswith("'") else cell


def cell_text(value: Any) -> str:
    """A value as the text of a CSV cell: nothing for None, lists of strings joined, other data as JSON."""
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return escaped_cell(SEVERAL.join(value))
    if isinstance(value, dict | list):
        return escaped_cell(canonical(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else escaped_cell(str(value))
