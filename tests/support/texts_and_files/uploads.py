"""Small EPUB, Word and PDF files for the tests, and what becomes of them."""

from __future__ import annotations

import io
import time
import zipfile
import zlib

import pytest

from readers.engine.errors import BadFile
from readers.engine.ingest import read_here

PROSE = "The ferry left at nine. Nobody on the quay had seen Mr Hale, “or so they said”.\n\nBy noon the fog had gone.\n"


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
    return read_here(data, name).document.text


def refusal(data: bytes, name: str) -> str:
    """The sentence a file is refused with; it names the file, and it comes within seconds."""
    began = time.monotonic()
    with pytest.raises(BadFile) as caught:
        read_here(data, name)
    assert time.monotonic() - began < 10
    assert repr(name) in str(caught.value)
    return str(caught.value)
