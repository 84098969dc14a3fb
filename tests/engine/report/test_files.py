"""No cell that a spreadsheet reads is a formula, wherever that spreadsheet takes cells to end; and the words come back."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readers.engine.report.files import escaped_cell, unescaped_cell

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
WORDS = st.text(st.sampled_from("=+-@＝＠;,\t\n\r'\" a1"), max_size=12)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@given(first=WORDS, second=WORDS)
@example(first="a;=1+1", second="")
@example(first="a\n=1+1", second="")
@example(first='a;"=1+1;b', second="")
@example(first="a;", second="=1")
def test_no_cell_is_a_formula_in_any_country(delimiter: str, first: str, second: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerow([escaped_cell(first), escaped_cell(second)])
    for row in csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter):
        assert not any(cell.startswith(FORMULA) for cell in row), row


@given(WORDS)
@example("a;'=1")
@example("a;''\"=1")
def test_the_words_of_a_cell_come_back(words: str) -> None:
    assert unescaped_cell(escaped_cell(words)) == words


@pytest.mark.parametrize("words", ["a; b = c", "well-kept; x=1", "it's", 'he said: "no"; she left', "one\ntwo"])
def test_usual_words_stay_as_they_are(words: str) -> None:
    assert escaped_cell(words) == words
