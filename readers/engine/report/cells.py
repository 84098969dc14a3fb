"""CSV cells: values as text. What a spreadsheet would execute gets an apostrophe on export, and loses it on import.

Many countries' spreadsheets end a cell at `;`, and see a quotation mark only where one begins. Then a cell of ours is several,
which begin after each `;`, tab and line break in it.
"""

from __future__ import annotations

import re
from typing import Any

from readers.engine.canonical import canonical

FIELD = "field."  # before the name of a field that came with the question
SEVERAL = " | "  # between several values in one cell, as in a question file
# A formula may stand in quotation marks, or be escaped already; East Asian spreadsheets know wide signs, too.
_FORMULA = r"""(?=['"]*+[=+\-@＝＋－＠])"""
_EXECUTED = re.compile(rf"^(?=['\t\r]|{_FORMULA})|(?<=[;\t\n\r]){_FORMULA}")
_ESCAPED = re.compile(rf"^'|(?<=[;\t\n\r])'{_FORMULA}")


def escaped_cell(words: str) -> str:
    """The words of a cell, with an apostrophe wherever a spreadsheet would execute what follows."""
    return _EXECUTED.sub("'", words)


def unescaped_cell(cell: str) -> str:
    """The words that `escaped_cell` was given."""
    return _ESCAPED.sub("", cell)


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
