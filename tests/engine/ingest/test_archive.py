"""EPUB and Word files are read in order; hostile and damaged archives are refused."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

from readers.engine.ingest import archive, read_here
from tests.support.texts_and_files.uploads import VALID, WORD, docx, epub, paragraph, refusal, text_of, zipped


def test_an_epub_is_read_in_the_order_of_its_spine() -> None:
    chapters: dict[str, str | bytes] = {
        "b": "<html><head><title/></head><body><h1>Two</h1><p>fog&#160;gone</p></body></html>",
        "a": '<?xml version="1.0" encoding="iso-8859-1"?><p>café</p>'.encode("latin-1"),
    }
    taken = read_here(epub(chapters, order="abax"), "x.epub")
    assert taken.document.text == "café\n\nTwo\n\nfog\xa0gone"
    assert taken.document.title == "The Ferry"
    assert read_here(epub({"b": "<title>T</title><h1>Two</h1>"}, title=""), "x.epub").document.title == "T"


def test_an_epub_without_a_chapter_says_so_and_a_protected_one_is_refused() -> None:
    parts = zipfile.ZipFile(io.BytesIO(epub({"a": "<p>one</p>", "b": "<p>two</p>"})))
    kept = {name: parts.read(name) for name in parts.namelist() if not name.endswith("b.xhtml")}
    assert any("1 of the book's 2" in note for note in read_here(zipped(kept), "x.epub").notes)
    lock = "<encryption><CipherReference URI='book/{}'/></encryption>"
    assert "DRM" in refusal(zipped(kept | {"META-INF/encryption.xml": lock.format("a.xhtml")}), "x.epub")
    assert text_of(zipped(kept | {"META-INF/encryption.xml": lock.format("font.otf")}), "x.epub") == "one"


def test_a_word_document_is_read_in_order_with_its_tables() -> None:
    row = "<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    change = "<w:p><w:ins><w:r><w:t>put</w:t></w:r></w:ins><w:del><w:r><w:br/></w:r></w:del><w:r><w:t>!</w:t></w:r></w:p>"
    control = f"<w:sdt><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>"
    table = row.format(paragraph("a"), paragraph("b")) + row.format(paragraph("c") + paragraph("d"), paragraph("e"))
    taken = read_here(docx(paragraph("Die Fähre", "berschrift1") + table + change + control), "x.docx")
    assert taken.document.text.split("\n\n") == ["Die Fähre", "a | b", "c", "d", "e", "put!", "in a control"]
    assert taken.document.title == "Die Fähre"
    assert taken.notes == ()
    notes = {"word/footnotes.xml": f'<w:footnotes xmlns:w="{WORD}">{paragraph("a note")}</w:footnotes>'}
    assert "footnotes" in read_here(docx(paragraph("x"), **notes), "x.docx").notes[0]


def test_a_file_that_python_docx_wrote_is_read() -> None:
    word = pytest.importorskip("docx").Document()
    word.core_properties.title = "The Ferry"
    word.add_heading("One", 1)
    word.add_paragraph("It left\tat nine.")
    for number, cell in enumerate(word.add_table(2, 2)._cells):
        cell.text = f"cell {number}"
    held = io.BytesIO()
    word.save(held)
    taken = read_here(held.getvalue(), "x.docx").document
    assert (taken.title, taken.text) == ("The Ferry", "One\n\nIt left\tat nine.\n\ncell 0 | cell 1\n\ncell 2 | cell 3")


@pytest.mark.slow
def test_zip_bombs_are_not_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "unpacks" in refusal(epub({"a": b" " * 30_000_000}), "x.epub")  # by its ratio
    assert "unpacks" in refusal(docx("", **{"word/styles.xml": "<a>" + " " * 30_000_000 + "</a>"}), "x.docx")
    assert "unpacks" in refusal(zipped({str(number): "" for number in range(11_000)}), "x.docx")
    monkeypatch.setattr(archive, "MAX_INFLATED", 20_000)
    noise = random.Random(1).randbytes(15_000).hex()
    assert "unpacks" in refusal(epub({"a": noise}), "x.epub")  # one part by its declared size
    assert "unpacks" in refusal(epub(dict.fromkeys("abc", noise[:9_000])), "x.epub")  # all parts together
    monkeypatch.setattr(archive, "MAX_DECLARED", 20_000)
    assert "unpacks" in refusal(epub({"a": "x"}, picture=noise), "x.epub")


def test_a_part_of_a_zip_that_is_longer_than_it_declares_is_damaged() -> None:
    data = epub({"a": "<p>" + "long " * 1_000})
    true, false = (5_003).to_bytes(4, "little"), (50).to_bytes(4, "little")
    assert data.count(true) == 2
    assert "damaged" in refusal(data.replace(true, false), "x.epub")


def test_xml_that_declares_entities_is_refused_and_never_expanded(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret", encoding="utf-8")
    laughs = '"ha">' + "".join(f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 12))
    for first in (laughs, f'SYSTEM "file://{tmp_path}/secret">'):
        declared = f"<!DOCTYPE r [<!ENTITY a0 {first}]>"
        assert "XML entities" in refusal(docx(paragraph("&a11;"), before=declared), "x.docx")
        assert "XML entities" in refusal(docx(paragraph("x"), **{"word/styles.xml": f"{declared}<r>&a0;</r>"}), "x.docx")
        assert "XML entities" in refusal(epub({"a": "x"}, **{"book/content.opf": f"{declared}<r>&a0;</r>"}), "x.epub")
        assert "damaged" in refusal(epub({"a": "x"}, **{"book/content.opf": f"{declared}<r b='&a11;'>&a11;</r>"}), "x.epub")
        assert text_of(epub({"a": f"{declared}<p>one &a0; &a11;</p>"}), "x.epub") == "one &a0; &a11;"


def test_locked_and_damaged_archives_are_distinguished() -> None:
    assert "old format" in refusal(b"\xd0\xcf\x11\xe0" + bytes(500), "x.docx")
    locked = bytearray(epub({"a": "<p>one</p>"}))
    for at in [at for at in range(len(locked)) if locked[at : at + 4] == b"PK\x01\x02"]:
        locked[at + 8] |= 1
    assert "password" in refusal(bytes(locked), "x.epub")
    for name in ("x.epub", "x.docx"):
        assert "damaged" in refusal(b"no zip at all", name)
        assert "damaged" in refusal(VALID["a" + name[1:]][:-40], name)
        assert "damaged" in refusal(zipped({}), name)
    parts = zipfile.ZipFile(io.BytesIO(VALID["a.epub"]))
    unbounded = zipped({name: parts.read(name) for name in parts.namelist()}, zipfile.ZIP_BZIP2)
    assert "damaged" in refusal(unbounded, "x.epub")
