"""Headings that an imported file sets apart by its tags or styles can be told in its text, and nothing else changes."""

from __future__ import annotations

import pytest

from readers.engine.ingest import read_here
from readers.engine.text.headings import headings
from tests.support.texts_and_files.uploads import WORD, docx, epub, paragraph, text_of

STYLES = "".join(
    f'<w:style w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'
    for key, name, more in [
        ("Titel", "Title", ""),
        ("berschrift1", "heading 1", ""),
        ("berschrift2", "Heading 2", ""),
        ("Mine", "My own", '<w:basedOn w:val="berschrift2"/>'),
        ("Level", "Part of ours", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        ("Plain", "Looks like one", '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
        ("Loop", "Round", '<w:basedOn w:val="Loop"/>'),
        ("TOC", "toc 1", ""),
    ]
)


def word(*paragraphs: str) -> bytes:
    return docx("".join(paragraphs), **{"word/styles.xml": f'<w:s xmlns:w="{WORD}">{STYLES}</w:s>'})


def told(data: bytes, name: str) -> list[tuple[int, str]]:
    """The headings that the text of an imported file has, with their depths."""
    text = text_of(data, name)
    return [(one.depth, text[one.title.start : one.title.end]) for one in headings(text)]


def test_headings_of_a_word_file_are_those_of_its_styles() -> None:
    levelled = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Rope</w:t></w:r></w:p>'
    changed = paragraph("No more").replace(
        "<w:tabs>", '<w:pPrChange><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr></w:pPrChange><w:tabs>'
    )
    data = word(
        paragraph("The Ferry", "Titel"), paragraph("Boats", "TOC"), paragraph("Boats", "berschrift1"), paragraph("They float."),
        paragraph("Oars", "berschrift2"), paragraph("Sails", "Mine"), levelled, paragraph("Crew", "Level"),
        paragraph("Not one", "Plain"), paragraph("Nor this", "Loop"), paragraph("No style", "nowhere"), changed,
    )  # fmt: skip
    assert told(data, "x.docx") == [(1, "Boats"), (2, "Oars"), (2, "Sails"), (3, "Rope"), (1, "Crew")]
    blocks = text_of(data, "x.docx").split("\n\n")
    assert blocks[:5] == ["The Ferry", "Boats", "# Boats", "They float.", "## Oars"]
    assert blocks[-4:] == ["Not one", "Nor this", "No style", "No more"]


def test_headings_of_a_page_are_its_tags() -> None:
    page = (
        b"<title>T</title><h1>The<br>Ferry</h1><p>x<h2><div>Boats</div></h2><table><tr><td><h3>Oars</h3><p>y<td>z</table>"
        b"<table><tr><th><h4>k</h4><td>v</table><ul><li><h2>item</h2></ul><h2>" + b"long " * 60 + b"</h2><pre># no\nrun()</pre>"
    )
    assert told(page, "a.html") == [(1, "The Ferry"), (2, "Boats"), (3, "Oars")]
    blocks = text_of(page, "a.html").split("\n\n")
    assert blocks[4:] == ["y", "z", "k | v", "- item", ("long " * 60).strip(), "```\n# no\nrun()\n```"]


def test_headings_of_a_book_are_those_of_all_its_chapters() -> None:
    chapters: dict[str, str | bytes] = {"a": "<h1>One</h1><p>fog</p>", "b": "<h1>Two</h1><p>rain</p>"}
    assert text_of(epub(chapters), "x.epub") == "# One\n\nfog\n\n# Two\n\nrain"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (word(paragraph("Boats", "berschrift1"), paragraph("They float.")), "x.docx"),
        (b"<h1>Boats</h1><p>They float.", "a.html"),
        (epub({"a": "<h1>Boats</h1><p>They float.</p>"}), "x.epub"),
    ],
    ids=["docx", "html", "epub"],
)
def test_one_heading_alone_stays_an_ordinary_line_and_is_still_the_title(data: bytes, name: str) -> None:
    taken = read_here(data, name).document
    assert taken.text == "Boats\n\nThey float."
    assert taken.title == ("The Ferry" if name == "x.epub" else "Boats")
