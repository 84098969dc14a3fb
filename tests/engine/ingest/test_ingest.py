"""Files, uploads and pasted text become documents, or one sentence that says why not; nothing given breaks the program."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import random
import time
import unicodedata
import zipfile
import zlib
from pathlib import Path

import pypdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readers.engine.errors import BadFile
from readers.engine.ingest import extract, ingest
from readers.engine.ingest.ingest import from_bytes, from_paste, from_path

PROSE = "The ferry left at nine. Nobody on the quay had seen Mr Hale, “or so they said”.\n\nBy noon the fog had gone.\n"
FUZZ = settings(suppress_health_check=list(HealthCheck))


def zipped(parts: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return held.getvalue()


def epub(chapters: dict[str, str | bytes], *, title: str = "The Ferry", order: str = "", **others: str | bytes) -> bytes:
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in order or chapters)
    named = f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
    package = f'<package xmlns="http://www.idpf.org/2007/opf">{named}<manifest>{items}</manifest><spine>{spine}</spine></package>'
    container = '<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>'
    parts = {f"book/{name}.xhtml": text for name, text in chapters.items()}
    return zipped({"META-INF/container.xml": container, "book/content.opf": package, **parts, **others})


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def relations(**targets: str) -> str:
    links = (f'<Relationship Type="{RELATION}/{kind}" Target="{part}"/>' for kind, part in targets.items())
    return f"<Relationships>{''.join(links)}</Relationships>"


def paragraph(text: str, style: str = "") -> str:
    return f'<w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def docx(body: str, *, before: str = "", **parts: str) -> bytes:
    held = {
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/_rels/document.xml.rels": relations(styles="styles.xml", footnotes="footnotes.xml"),
        "word/styles.xml": f'<w:s xmlns:w="{WORD}"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:s>',
        "word/document.xml": f'{before}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
    }
    return zipped(held | parts)


def pdf(pages: list[str | bytes], *, title: str = "", trailer: bytes = b"") -> bytes:
    """A small PDF: a page a string; bytes are a page's own drawing operators."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", font, b"<< /Title (%s) >>" % title.encode("cp1252")]
    kids = []
    for page in pages:
        packed = zlib.compress(page if isinstance(page, bytes) else drawing(page))
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed))
        drawn = b"/Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >>" % len(objects)
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] %s >>" % drawn)
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    out = b"%PDF-1.4\n"
    table = b"0000000000 65535 f \n"
    for number, content in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    end = b"trailer << /Size %d /Root 1 0 R /Info 4 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, len(out))
    return out + b"xref\n0 %d\n" % (len(objects) + 1) + table + end


def drawing(text: str) -> bytes:
    shown = b" ".join(b"(%s) Tj T*" % line.encode("cp1252") for line in text.split("\n"))
    return b"BT /F1 11 Tf 13 TL 50 800 Td " + shown + b" ET" if text else b""


VALID = {
    "a.txt": PROSE.encode("utf-16"),
    "a.md": b"# The Ferry\nIt left.\n```\n# no heading\n```\n",
    "a.html": b"<title>Ferry</title><h1>One</h1><ol><li>left<li>came</ol><table><tr><td>a<td>b</table><pre> x</pre>",
    "a.epub": epub({"one": "<h1>One</h1><p>It left.</p>", "two": "<p>It came.</p>"}),
    "a.docx": docx(paragraph("One", "berschrift1") + "<w:tbl><w:tr><w:tc>" + paragraph("cell") + "</w:tc></w:tr></w:tbl>"),
    "a.pdf": pdf(["The ferry left", "", "and came back."], title="Ferry"),
}


def text_of(data: bytes, name: str) -> str:
    return from_bytes(data, name).document.text


def refusal(data: bytes, name: str) -> str:
    """The sentence a file is refused with; it names the file, and it comes within seconds."""
    began = time.monotonic()
    with pytest.raises(BadFile) as caught:
        from_bytes(data, name)
    assert time.monotonic() - began < 10
    assert repr(name) in str(caught.value)
    return str(caught.value)


def test_the_same_text_pasted_uploaded_and_read_from_a_file_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "ferry.txt").write_bytes(PROSE.replace("\n", "\r\n").encode("utf-8-sig"))
    read = from_path(tmp_path / "ferry.txt").document
    assert read.text == PROSE
    assert read.title == "ferry"
    assert {from_bytes(PROSE.encode(), name).document.id for name in ("x.txt", "x.md", "x")} == {read.id}
    assert from_paste(PROSE).document.id == read.id
    assert from_paste(PROSE + ".").document.id != read.id
    assert from_paste(PROSE, title="Ferry").document.title == "Ferry"


def test_a_txt_is_literal_whatever_it_contains() -> None:
    source = "# no heading\n<p>not a page</p>\n**x** \\( &amp;\n"
    assert text_of(source.encode(), "a.TXT") == source
    assert text_of(source.encode(), "notes") == source


def test_an_unknown_ending_is_read_as_text_with_a_note_and_a_binary_one_is_told_the_known_kinds() -> None:
    taken = from_bytes(PROSE.encode(), "log.of.day")
    assert taken.document.text == PROSE
    assert any(".day" in note and "epub" in note for note in taken.notes)
    assert all(kind in refusal(b"\x7fELF\0\0", "a.bin") for kind in ("txt", "md", "html", "pdf", "epub", "docx"))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "cp1252", "cp1251"])
def test_another_encoding_is_read_and_named(codec: str) -> None:
    text = "Мой дядя самых честных правил.\n" * 3 if codec == "cp1251" else PROSE + "Déjà vu – à côté du château, £5."
    taken = from_bytes(text.encode(codec), "a.txt")
    assert taken.document.text == text
    label = {"utf-16": "UTF-16", "utf-32": "UTF-32", "cp1252": "Windows-1252", "cp1251": "Windows-1251"}.get(codec)
    assert [label in note for note in taken.notes] == ([True] if label else [])


def test_western_european_is_taken_when_its_neighbours_look_as_good() -> None:
    for text in (
        "It cost £20 in all, she said.",
        "Flickan gick över ån och såg en älg.",
        "café",
        "Não, são três horas da manhã.",
    ):
        assert text_of(text.encode("cp1252"), "a.txt") == text


def test_what_can_be_no_text_is_refused_by_what_it_is() -> None:
    assert "PDF" in refusal(pdf(["x"]) + b"\0", "a.txt")
    assert "Word" in refusal(VALID["a.docx"], "a.md")
    assert "not a text" in refusal(b"abc\0def", "a.txt")
    assert "not a text" in refusal("abc".encode("utf-16-le"), "a.html")
    assert "damaged" in refusal(codecs.BOM_UTF16_LE + b"a\0b", "a.txt")
    assert "encoding" in refusal(bytes(range(129, 256)) * 40, "a.txt")


def test_empty_and_blank_are_two_refusals() -> None:
    assert "empty" in refusal(b"", "a.txt")
    for name, blank in {"a.txt": " \n\t\u3000\ufeff\u200b", "a.md": "\n\n", "a.html": "<p>&nbsp;<script>x</script>"}.items():
        assert "white space" in refusal(blank.encode(), name)
    assert "white space" in refusal(epub({"one": "<img src='x'/>", "two": ""}), "a.epub")
    for pasted, word in {"": "No text", " \n\0": "white space"}.items():
        with pytest.raises(BadFile, match=word):
            from_paste(pasted)


def test_control_characters_go_and_a_form_feed_is_a_paragraph_break() -> None:
    taken = from_paste("one\ftwo\0\x07\x1b[1m\tthree\x85four\u2029five\vsix\x7f\r\nseven\reight")
    assert taken.document.text == "one\n\ntwo[1m\tthree\nfour\n\nfive\nsix\nseven\neight"
    assert any("4" in note for note in taken.notes)
    assert from_paste(PROSE).notes == ()
    assert from_paste("\0\ufeff\ufeffone").document.text == "one"


def test_half_a_surrogate_pair_is_replaced_and_two_halves_are_joined() -> None:
    taken = from_paste("a\ud800b \ud83d\ude00 \udc00", title="t\ud800")
    assert taken.document.text == "a\ufffdb 😀 \ufffd"
    assert taken.document.title == "t\ufffd"
    assert any("damaged" in note for note in taken.notes)
    assert text_of(codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", "a.txt") == "a\ufffdb"


def test_a_million_accents_on_one_letter_do_not_hang() -> None:
    began = time.monotonic()
    text = from_paste("a" + "\u0301\u0323" * 500_000).document.text
    assert time.monotonic() - began < 10
    assert text.count("\u0323") + text.count("\u0301") >= 999_000


@FUZZ
@given(st.text(st.characters()))
def test_a_canonical_text_is_stable_clean_and_encodable(text: str) -> None:
    try:
        first = from_paste(text).document
    except BadFile:
        return
    assert from_paste(first.text).document.id == first.id == from_bytes(first.text.encode(), "a.txt").document.id
    assert unicodedata.is_normalized("NFC", first.text)
    assert not any(unicodedata.category(char) == "Cc" for char in first.text if char not in "\n\t")


def test_too_many_bytes_are_refused_at_the_limit_and_not_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert ingest.MAX_BYTES == 50_000_000
    monkeypatch.setattr(ingest, "MAX_BYTES", 40)
    assert text_of(b"a" * 40, "a.txt")
    assert "MB" in refusal(b"a" * 41, "a.txt")
    (tmp_path / "a.txt").write_bytes(b"a" * 41)
    with pytest.raises(BadFile, match="MB"):
        from_path(tmp_path / "a.txt")
    with pytest.raises(BadFile, match="million"):
        from_paste("a" * 41)


def test_too_many_tokens_are_refused_and_a_short_text_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ingest.MAX_TOKENS == 5_000_000
    calls: list[int] = []
    monkeypatch.setattr(ingest.tokens, "count", lambda text: calls.append(len(text)) or len(text.split()))
    monkeypatch.setattr(ingest, "MAX_TOKENS", 40)
    assert text_of(b"a b " * 10, "a.txt")
    assert calls == []
    assert text_of(b"word " * 40, "a.txt")
    assert calls == [200]
    for name in ("a.txt", "a.md"):
        assert "40 tokens" in refusal(b"word " * 41, name)


def test_markdown_stays_as_written_with_blank_lines_around_headings() -> None:
    source = "a *b* [c](d)\n# One #\nx\n## Two\n### Three\n\ny\n\nSet\n===\nz\n- li\n#tag\n***\n"
    expected = "a *b* [c](d)\n\n# One #\n\nx\n\n## Two\n\n### Three\n\ny\n\nSet\n===\n\nz\n- li\n#tag\n***\n"
    assert text_of(source.encode(), "a.md") == expected
    assert text_of(expected.encode(), "a.md") == expected
    fenced = "```python\n# comment\n~~~\n```\nz\n~~~~\n# no\n~~~\n# no\n"
    assert text_of(fenced.encode(), "a.markdown") == fenced


def test_markdowns_title_is_its_settings_or_its_first_heading_or_its_name() -> None:
    assert from_bytes(b"---\ntitle: 'The Ferry'\n---\n# One\n", "a.md").document.title == "The Ferry"
    assert from_bytes(b"x\n\n## *One* ##\n# Two\n", "a.md").document.title == "One"
    assert from_bytes(b"One\n---\nx", "a.md").document.title == "One"
    assert from_bytes(b"plain", "my.notes.md").document.title == "my.notes"


def test_html_keeps_headings_paragraphs_items_and_rows_as_blocks() -> None:
    page = (
        "<!doctype html><head><title> The\n Ferry &amp; Co </title><style>p{}</style><body hidden><nav><li>menu</nav><h1>One</h1>"
        "bare <b>te</b>xt<p>first<br>second<ul><li>a<li>b<ol start=3><li>x<li>y</ol></ul><table><tr><th>k<th>v<tr><td>1<td>"
        "<p>2</p></table><table><tr><td><p>left</p><p>column</p><td>right</table><pre>\n  a\n   b</pre><script>no()</script>"
        "<p hidden>no<p>&lt;end&gt;"
    )
    taken = from_bytes(page.encode(), "a.html")
    blocks = ["One", "bare text", "first\nsecond", "- a", "- b", "3. x", "4. y", "k | v", "1 | 2", "left", "column", "right"]
    assert taken.document.text.split("\n\n") == [*blocks, "  a\n   b", "<end>"]
    assert taken.document.title == "The Ferry & Co"
    assert from_bytes(b"<h2>Only</h2>x", "a.htm").document.title == "Only"


def test_a_page_in_the_encoding_it_declares_is_read_so() -> None:
    page = "<meta charset='windows-1251'><p>Да</p>"
    taken = from_bytes(page.encode("cp1251"), "a.html")
    assert taken.document.text == "Да"
    assert "Windows-1251" in taken.notes[0]
    assert text_of(page.encode(), "a.html") == "Да"  # what is UTF-8 is UTF-8, whatever it declares
    assert text_of(b"<meta charset='punycode'><p>d\xe9j\xe0", "a.html") == "déjà"


def test_text_longer_than_one_piece_that_is_fed_comes_out_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<p>héllo <b>wörld</b> &amp; “all”</p><table><tr><td>é<td>ü</table>" * 20
    whole = extract.html(page, "a.html").text
    for size in (1, 2, 3, 7, 100):
        monkeypatch.setattr(extract, "_CHUNK", size)
        assert extract.html(page, "a.html").text == whole


def test_html_nested_a_hundred_thousand_deep_is_refused_and_as_many_attributes_are_no_burden() -> None:
    assert text_of(b"<p " + b" ".join(b"a%d=1" % number for number in range(100_000)) + b">x", "a.html") == "x"
    assert "deep" in refusal(b"<div>" * 100_000 + b"x" + b"</div>" * 100_000, "a.html")
    assert text_of(b"<div>" * 1_500 + b"x", "a.html") == "x"


def test_hostile_html_runs_out_of_time_and_not_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "MAX_SECONDS", 0.05)
    assert "takes over" in refusal(b"<b>" * 1_900 + b"</i>" * 5_000_000, "a.html")
    assert "takes over" in refusal(b"<table><tr><td>" * 600 + b"<p>x" * 1_000_000, "a.html")


def test_an_epub_is_read_in_the_order_of_its_spine() -> None:
    chapters: dict[str, str | bytes] = {
        "b": "<html><head><title/></head><body><h1>Two</h1><p>fog&#160;gone</p></body></html>",
        "a": '<?xml version="1.0" encoding="iso-8859-1"?><p>café</p>'.encode("latin-1"),
    }
    taken = from_bytes(epub(chapters, order="abax"), "x.epub")
    assert taken.document.text == "café\n\nTwo\n\nfog\xa0gone"
    assert taken.document.title == "The Ferry"
    assert from_bytes(epub({"b": "<title>T</title><h1>Two</h1>"}, title=""), "x.epub").document.title == "T"


def test_an_epub_without_a_chapter_says_so_and_a_protected_one_is_refused() -> None:
    parts = zipfile.ZipFile(io.BytesIO(epub({"a": "<p>one</p>", "b": "<p>two</p>"})))
    kept = {name: parts.read(name) for name in parts.namelist() if not name.endswith("b.xhtml")}
    assert any("1 of the book's 2" in note for note in from_bytes(zipped(kept), "x.epub").notes)
    lock = "<encryption><CipherReference URI='book/{}'/></encryption>"
    assert "DRM" in refusal(zipped(kept | {"META-INF/encryption.xml": lock.format("a.xhtml")}), "x.epub")
    assert text_of(zipped(kept | {"META-INF/encryption.xml": lock.format("font.otf")}), "x.epub") == "one"


def test_a_word_document_is_read_in_order_with_its_tables() -> None:
    row = "<w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr>"
    change = "<w:p><w:ins><w:r><w:t>put</w:t></w:r></w:ins><w:del><w:r><w:br/></w:r></w:del><w:r><w:t>!</w:t></w:r></w:p>"
    control = f"<w:sdt><w:sdtContent>{paragraph('in a control')}</w:sdtContent></w:sdt>"
    table = row.format(paragraph("a"), paragraph("b")) + row.format(paragraph("c") + paragraph("d"), paragraph("e"))
    taken = from_bytes(docx(paragraph("Die Fähre", "berschrift1") + table + change + control), "x.docx")
    assert taken.document.text.split("\n\n") == ["Die Fähre", "a | b", "c", "d", "e", "put!", "in a control"]
    assert taken.document.title == "Die Fähre"
    assert taken.notes == ()
    notes = {"word/footnotes.xml": f'<w:footnotes xmlns:w="{WORD}">{paragraph("a note")}</w:footnotes>'}
    assert "footnotes" in from_bytes(docx(paragraph("x"), **notes), "x.docx").notes[0]


def test_a_file_that_python_docx_wrote_is_read() -> None:
    word = pytest.importorskip("docx").Document()
    word.core_properties.title = "The Ferry"
    word.add_heading("One", 1)
    word.add_paragraph("It left\tat nine.")
    for number, cell in enumerate(word.add_table(2, 2)._cells):
        cell.text = f"cell {number}"
    held = io.BytesIO()
    word.save(held)
    taken = from_bytes(held.getvalue(), "x.docx").document
    assert (taken.title, taken.text) == ("The Ferry", "One\n\nIt left\tat nine.\n\ncell 0 | cell 1\n\ncell 2 | cell 3")


def test_zip_bombs_are_not_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "unpacks" in refusal(epub({"a": b" " * 30_000_000}), "x.epub")  # by its ratio
    assert "unpacks" in refusal(docx("", **{"word/styles.xml": "<a>" + " " * 30_000_000 + "</a>"}), "x.docx")
    assert "unpacks" in refusal(zipped({str(number): "" for number in range(11_000)}), "x.docx")
    monkeypatch.setattr(extract, "MAX_INFLATED", 20_000)
    noise = random.Random(1).randbytes(15_000).hex()
    assert "unpacks" in refusal(epub({"a": noise}), "x.epub")  # one part by its declared size
    assert "unpacks" in refusal(epub(dict.fromkeys("abc", noise[:9_000])), "x.epub")  # all parts together
    monkeypatch.setattr(extract, "MAX_DECLARED", 20_000)
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


def test_locked_and_damaged_archives_are_told_apart() -> None:
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


def test_a_pdf_is_read_page_by_page_and_names_its_empty_pages() -> None:
    taken = from_bytes(pdf(["Page one\nsecond line", "", "", "Page four", ""], title="The Ferry"), "x.pdf")
    assert taken.document.text == "Page one\nsecond line\n\nPage four"
    assert taken.document.title == "The Ferry"
    assert taken.notes == ("Of 5 pages, these hold no text (they are empty, or pictures): 2-3, 5.",)
    assert from_bytes(pdf(["x"], title="Microsoft Word - x.doc"), "essay.pdf").document.title == "essay"
    for damage in ((b"/Info 4 0 R", b"/Info [5 6]"), (b"/Title ()", b"/Title [1]")):
        assert from_bytes(pdf(["x"]).replace(*damage), "essay.pdf").document.title == "essay"
    assert "OCR" in refusal(pdf(["", ""]), "x.pdf")


def test_words_divided_at_a_lines_end_are_put_together() -> None:
    page = "The light-\nhouse stood. A light-house, his mother-\nin-law said, by the har-\nbour, 1914-\n1918, and Anne-\nMarie."
    expected = "The light-house\nstood. A light-house, his mother-in-law\nsaid, by the harbour,\n1914-\n1918, and Anne-\nMarie."
    assert text_of(pdf([page]), "x.pdf") == expected


def test_a_locked_pdf_is_refused_and_one_with_an_empty_password_is_read() -> None:
    def locked(password: str) -> bytes:
        writer, held = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["The ferry left."]))), io.BytesIO()
        writer.encrypt(password, "owner", algorithm="RC4-128")
        writer.write(held)
        return held.getvalue()

    assert "locked with a password" in refusal(locked("secret"), "x.pdf")
    assert text_of(locked(""), "x.pdf") == "The ferry left."
    keys = b"/O <%s> /U <%s> /OE <%s> /UE <%s> /Perms <%s>" % (b"00" * 48, b"00" * 48, b"00" * 32, b"00" * 32, b"00" * 16)
    standard = b"/CF << /StdCF << /CFM /AESV3 >> >> /StmF /StdCF /StrF /StdCF"
    modern = b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 5 /R 5 /P -4 /Length 256 %s %s >>" % (standard, keys)
    assert any(word in refusal(pdf(["x"], trailer=modern), "x.pdf") for word in ("encrypted", "locked"))


def test_a_damaged_page_is_named_and_the_others_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "PDF_OPERATORS", 2_000)
    monkeypatch.setattr(ingest, "PDF_STREAM", 50_000)
    data = pdf(["one", b"BT /F1 11 Tf " + b"(x) Tj " * 2_000 + b"ET", b" " * 60_000, "four"])
    taken = from_bytes(data, "x.pdf")
    assert taken.document.text == "one\n\nfour"
    assert taken.notes == ("Of 4 pages, these are damaged and could not be read: 2-3.",)
    assert "damaged" in refusal(pdf([b" " * 60_000]), "x.pdf")


def test_hostile_pdfs_are_bounded_in_pages_and_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = pdf([b"BT /F1 11 Tf " + b"(x) Tj " * 20_000 + b"ET"])
    monkeypatch.setattr(ingest, "PDF_SECONDS", 0.05)
    assert "takes over" in refusal(b"%PDF-1.4\n" + b"startxref\n0\n" * 200_000, "x.pdf")
    looks: list[object] = []
    monkeypatch.setattr(extract.Clock, "check", lambda *seen: looks.append(seen))
    assert text_of(slow, "x.pdf")
    assert len(looks) > 20_000  # at every operator
    monkeypatch.setattr(ingest, "MAX_PAGES", 4)
    assert "pages" in refusal(pdf(["x"] * 5), "x.pdf")


def taken_or_refused(data: bytes, name: str) -> None:
    """Nothing else can happen to a file; any other exception fails the test."""
    with contextlib.suppress(BadFile):
        text = text_of(data, name)
        assert text.strip()
        assert text.encode()


@pytest.mark.parametrize("name", [*VALID, "a.xyz", "a"])
@FUZZ
@given(data=st.binary(max_size=400))
def test_random_bytes_are_taken_or_refused(name: str, data: bytes) -> None:
    taken_or_refused(data, name)
    taken_or_refused(VALID.get(name, b"")[:60] + data, name)


@pytest.mark.parametrize("name", VALID)
@FUZZ
@given(data=st.data())
def test_truncated_and_flipped_files_are_taken_or_refused(name: str, data: st.DataObject) -> None:
    held = bytearray(VALID[name])
    assert text_of(bytes(held), name)
    for at, value in data.draw(st.lists(st.tuples(st.integers(0, len(held) - 1), st.integers(0, 255)), max_size=6)):
        held[at] = value
    taken_or_refused(bytes(held[: data.draw(st.integers(1, len(held)))]), name)
    taken_or_refused(bytes(held), name)


NAMES = ["", ".", "..", "/", ".txt", "a" * 300 + ".txt", "C:\\old\\essay.txt", "../../x.txt", "a\0\n.txt", "\ud800.md"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_will_do(name: str) -> None:
    title = from_bytes(b"text", name).document.title
    assert title
    assert len(title) <= 100
    assert not set(title) & set("/\\\n\0")


def test_paths_that_lead_to_no_file_are_each_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    paths = {tmp_path / "none.txt": "no file", tmp_path: "folder", tmp_path / "pipe.txt": "ordinary", "a\0b": "no file"}
    for path, word in {**paths, "x" * 5_000: "cannot be read"}.items():
        with pytest.raises(BadFile, match=word):
            from_path(path)
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(BadFile, match="permissions"):
        from_path(tmp_path / "mine.txt")
