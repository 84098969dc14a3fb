"""The blocks of a text are found in its plain characters, lie one after the other, and leave no word out."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readers.engine.ingest import from_bytes
from readers.engine.text.document import Span
from readers.engine.text.structure import blocks, blocks_in, parts_in
from tests.support.texts_and_files.uploads import docx

Outline = list[tuple[str, int, list[str]]]
LINES = [
    "# A", "## B ##", "Title", "=====", "words", "- a", "  - b", "\t* c", "1. d", "2) e", "* * *", "x | y", " | z", "q | ",
    "| a | b |", "|---|:-:|", "a\\|b | c", "```", "~~~~ js", "    deep", "", " ", "Chapter 1", "1.2 Aims", "٣. ه", "灯 | 台",
]  # fmt: skip


def outline(text: str) -> Outline:
    return [(kind, depth, [text[slice(*span)] for span in words]) for _, _, kind, words, depth in blocks(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# One alone\n\nWords.", [("heading", 1, ["One alone"])]),
        ("# One #\ntext\n\nTwo\n---\n", [("heading", 1, ["One #"]), ("heading", 2, ["Two"])]),
        ("Chapter 1\n\nIt began.\n\nChapter 2\n\nIt ended.", [("heading", 2, ["Chapter 1"]), ("heading", 2, ["Chapter 2"])]),
        ("1. Apples\n\n2. Pears", [("number", 1, ["Apples"]), ("number", 1, ["Pears"])]),
        ("1. Apples\n\nAre red.\n\n2. Pears", [("heading", 1, ["1. Apples"]), ("heading", 1, ["2. Pears"])]),
        (
            "Buy:\n- ink\n  and pens\n  - red\n\n- paper",
            [("bullet", 1, ["ink\n  and pens"]), ("bullet", 2, ["red"]), ("bullet", 1, ["paper"])],
        ),
        ("It was in\n1958. That was\n- I think - late.\n\n* * *\n\n-5 degrees", []),
        (
            "Name | Age\n---|---\nAnn | 3\nBob |\nthat was all",
            [("header", 0, ["Name", "Age"]), ("rule", 0, []), ("row", 0, ["Ann", "3"]), ("row", 0, ["Bob"])],
        ),
        ("| a \\| b | |\n| c | d |", [("row", 0, ["a \\| b", ""]), ("row", 0, ["c", "d"])]),
        ("Home | About\n\nP(A|B) is not a table.", []),
        (
            "```python\n# no heading\n\n- no item\n```\n\n- item",
            [("code", 0, ["# no heading\n\n- no item"]), ("bullet", 1, ["item"])],
        ),
        ("~~~\nopen to the end", [("code", 0, ["open to the end"])]),
        ("```\nChapter 1\n\nwords\n\nChapter 2\n```", [("code", 0, ["Chapter 1\n\nwords\n\nChapter 2"])]),
    ],
)
def test_headings_lists_tables_and_code_are_found_by_how_they_are_written(text: str, found: Outline) -> None:
    assert outline(text) == found


def test_the_short_lines_of_a_text_without_other_headings_are_headings_where_they_are_few() -> None:
    article = "\n\nIt lies in the sea. " + "The tide runs past it twice a day. " * 20 + "\n\n"
    assert [words for _, _, words in outline(f"Sarn{article}Tolhaven{article}The Nab{article}")] == [
        ["Sarn"],
        ["Tolhaven"],
        ["The Nab"],
    ]
    assert outline("Who kept the light\n\nA man of sixty\n\nHe slept at noon\n\nAnd woke at six") == []


def test_what_is_imported_of_word_and_html_files_has_its_structure() -> None:
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    rows = "".join(
        f"<w:tr>{cell.format(name)}{cell.format(age)}</w:tr>" for name, age in (("Name", "Age"), ("Ann", ""), ("", "4"))
    )
    text = from_bytes(docx(f"<w:tbl>{rows}</w:tbl>"), "a.docx").document.text
    assert outline(text) == [("row", 0, ["Name", "Age"]), ("row", 0, ["Ann", ""]), ("row", 0, ["", "4"])]
    page = (
        b"<h1>A</h1><ol><li>one<li>two</ol><ul><li>dot</ul><h2>B</h2><pre><code>if x:\n    y | z\n\n    # w</code></pre>"
        b"<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    )
    assert outline(from_bytes(page, "a.html").document.text) == [
        ("heading", 1, ["A"]), ("number", 1, ["one"]), ("number", 1, ["two"]), ("bullet", 1, ["dot"]), ("heading", 2, ["B"]),
        ("code", 0, ["if x:\n    y | z\n\n    # w"]), ("row", 0, ["a", "b"]), ("row", 0, ["c", "d"]),
    ]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=14), st.integers(0, 60), st.integers(0, 60))
@example(["# A"], 1, 1)
def test_blocks_follow_each_other_and_any_part_of_a_text_keeps_its_words(lines: list[str], a: int, b: int) -> None:
    text = "\n".join(lines)
    found = blocks(text)
    for block in found:
        edges = [block.start, *(edge for span in block.words for edge in span), block.end]
        assert edges == sorted(edges)
    ends = [edge for block in found for edge in (block.start, block.end)]
    assert ends == sorted(ends)
    within = Span(min(a, b, len(text)), min(max(a, b), len(text)))
    assert all(within.start <= block.start < block.end <= within.end for block in blocks_in(text, within))
    shown = "".join(text[part.start : part.end] for part in parts_in(text, within))
    assert "".join(shown.split()) == "".join(text[slice(*within)].split())
