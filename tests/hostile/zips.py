"""Zips that are no books: bombs, nested and lying ones, names that lead elsewhere, and XML that reads other files."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from tests.hostile.case import Case, cases
from tests.support.texts_and_files.uploads import WORD, docx, epub, paragraph, relations, zipped

SECRET = "/etc/passwd"
_INCLUSION = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="{SECRET}"/>'
_DOCUMENT = f'<w:document xmlns:w="{WORD}"><w:body>{{}}</w:body></w:document>'


def word(document: str, *, before: str = "") -> bytes:
    """A Word file with this main part."""
    return zipped({"_rels/.rels": relations(officeDocument="word/document.xml"), "word/document.xml": before + document})


def entities(kind: str) -> str:
    """A DTD that multiplies, or reads another file."""
    if kind == "laughs":
        lines = [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
        return f'<!DOCTYPE d [<!ENTITY l0 "ha">{"".join(lines)}]>'
    if kind == "one large":
        return f'<!DOCTYPE d [<!ENTITY l9 "{"x" * 100_000}">]>'
    if kind == "parameter":
        return f'<!DOCTYPE d [<!ENTITY % p SYSTEM "file://{SECRET}">%p;]>'
    if kind == "external DTD":
        return '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/d.dtd">'
    return f'<!DOCTYPE d [<!ENTITY l9 SYSTEM "file://{SECRET}">]>'


def lying(data: bytes, size: int, claimed: int) -> bytes:
    """The zip with another size in its directory and headers."""
    return data.replace(struct.pack("<I", size), struct.pack("<I", claimed))


def overlapping(count: int, size: int, ending: str = "xml") -> bytes:
    """A zip whose entries are all the same bytes."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(bytes(size)) + packed.flush()
    crc = zlib.crc32(bytes(size))
    head = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(body), size, 5, 0) + b"0.xml" + body
    entries = b""
    for number in range(count):
        name = f"{number}.{ending}".encode()
        entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(body), size, len(name), 0, 0, 0, 0, 0, 0)
        entries += entry + name
    return head + entries + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(entries), len(head), 0)


def encrypted(data: bytes) -> bytes:
    """The zip with the mark of a password on each entry."""
    found = bytearray(data)
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        start = found.find(mark)
        while start >= 0:
            found[start + at] |= 1
            start = found.find(mark, start + 4)
    return bytes(found)


def quine() -> bytes:
    """A zip in a zip in a zip."""
    data = zipped({"a.xhtml": "<p>in the innermost</p>"})
    for _ in range(30):
        data = zipped({"inner.zip": data})
    return data


def deep(depth: int) -> str:
    return "<w:tbl><w:tr><w:tc>" * depth + paragraph("x") + "</w:tc></w:tr></w:tbl>" * depth


def chapters_again(times: int) -> bytes:
    return epub({"a": "<p>" + "again and again " * 20_000}, order="a" * times)


def book(chapter: str | bytes) -> bytes:
    return epub({"a": chapter})


def linked(href: str) -> bytes:
    """A book whose chapter lies elsewhere."""
    container = '<container><rootfiles><rootfile full-path="content.opf"/></rootfiles></container>'
    item = f'<item id="a" href="{href}" media-type="application/xhtml+xml"/>'
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{item}</manifest><spine><itemref idref="a"/></spine></package>'
    )
    return zipped({"META-INF/container.xml": container, "content.opf": package})


def container(inside: str) -> bytes:
    return zipped({"META-INF/container.xml": f"<container>{inside}</container>"})


def in_utf_16() -> bytes:
    document = '<?xml version="1.0" encoding="utf-16"?>' + _DOCUMENT.format(paragraph("x"))
    return zipped({"_rels/.rels": relations(officeDocument="d.xml"), "d.xml": document.encode("utf-16")})


def named(name: str) -> bytes:
    return zipped({"mimetype": "application/epub+zip", name: "x"})


def method(number: int) -> bytes:
    parts = zipfile.ZipFile(io.BytesIO(epub({"a": "<p>x</p>"})))
    return zipped({name: parts.read(name) for name in parts.namelist()}, number)


_EPUBS = [
    ("a bomb of one chapter", lambda: book(b" " * 150_000_000)),
    ("a bomb of many chapters", lambda: epub({f"c{n}": " " * 4_000_000 for n in range(60)}, order="")),
    ("a chapter read a thousand times", lambda: chapters_again(1_000)),
    ("a chapter read a million times", lambda: chapters_again(1_000_000)),
    ("zips thirty deep", quine),
    ("ten thousand entries too many", lambda: zipped({str(number): "" for number in range(20_000)})),
    ("entries over the same bytes", lambda: overlapping(5_000, 10_000_000)),
    ("a size that is too small", lambda: lying(book("<p>" + "long " * 1_000), 5_003, 50)),
    ("a size of 4 GB", lambda: lying(book("<p>" + "long " * 1_000), 5_003, 0xFFFFFFFE)),
    ("a password", lambda: encrypted(book("<p>x</p>"))),
    ("cut in half", lambda: (data := book("<p>x</p>" * 50))[: len(data) // 2]),
    ("only its end", lambda: b"PK\5\6" + bytes(18)),
    ("a directory in the middle of nowhere", lambda: book("<p>x</p>")[:-12] + b"\xff" * 12),
    ("bzip2", lambda: method(zipfile.ZIP_BZIP2)),
    ("lzma", lambda: method(zipfile.ZIP_LZMA)),
    ("a name that climbs", lambda: named("../../../../tmp/owned")),
    ("an absolute name", lambda: named("/etc/cron.d/owned")),
    ("a name with backslashes", lambda: named("..\\..\\owned")),
    ("a name of 60,000 characters", lambda: named("x" * 60_000)),
    ("a chapter that is a file of the server", lambda: linked(f"../../../..{SECRET}")),
    ("a chapter that is an address", lambda: linked("http://127.0.0.1:9/x")),
    ("a chapter that is a file address", lambda: linked(f"file://{SECRET}")),
    ("a package that is itself", lambda: container('<rootfiles><rootfile full-path="META-INF/container.xml"/></rootfiles>')),
    ("a package of 12 MB", lambda: container("<rootfiles/>" * 1_000_000)),
    ("a chapter with laughing entities", lambda: book(entities("laughs") + "<p>&l9;</p>")),
    ("a chapter that reads a file", lambda: book(entities("file") + "<p>&l9;</p>")),
    ("a chapter in UTF-7", lambda: book('<?xml version="1.0" encoding="utf-7"?><p>+ADw-script+AD4-</p>')),
    ("a chapter with tags a million deep", lambda: book("<b>" * 1_000_000)),
]  # fmt: skip
_WORDS = [
    ("a bomb of styles", lambda: docx("", **{"word/styles.xml": "<a>" + " " * 100_000_000 + "</a>"})),
    ("laughing entities", lambda: word(_DOCUMENT.format("&l9;"), before=entities("laughs"))),
    ("one large entity, many times", lambda: word(_DOCUMENT.format("&l9;" * 10_000), before=entities("one large"))),
    ("an entity that reads a file", lambda: word(_DOCUMENT.format(paragraph("&l9;")), before=entities("file"))),
    ("a parameter entity", lambda: word(_DOCUMENT.format(paragraph("x")), before=entities("parameter"))),
    ("a DTD on a server", lambda: word(_DOCUMENT.format(paragraph("x")), before=entities("external DTD"))),
    ("an inclusion", lambda: word(_DOCUMENT.format(_INCLUSION))),
    ("tables a thousand deep", lambda: docx(deep(1_000))),
    ("tables a hundred thousand deep", lambda: docx(deep(100_000))),
    ("a million paragraphs", lambda: docx("<w:p/>" * 1_000_000)),
    ("a million rows", lambda: docx("<w:tbl>" + "<w:tr><w:tc/></w:tr>" * 700_000 + "</w:tbl>")),
    ("a hundred thousand attributes", lambda: docx("<w:p " + " ".join(f'a{n}="x"' for n in range(100_000)) + "/>")),
    ("a hundred thousand namespaces", lambda: docx("<w:p " + " ".join(f'xmlns:a{n}="u{n}"' for n in range(100_000)) + "/>")),
    ("an attribute of 20 MB", lambda: docx(f'<w:p w:a="{"xy" * 10_000_000}"/>')),
    ("a comment that does not end", lambda: docx("<!--" + "-x" * 3_000_000)),
    ("UTF-16 within", in_utf_16),
    ("relations that lead in a circle", lambda: zipped({"_rels/.rels": relations(officeDocument="_rels/.rels")})),
    ("relations to a file of the server", lambda: zipped({"_rels/.rels": relations(officeDocument=f"../../../..{SECRET}")})),
    ("an empty zip", lambda: zipped({})),
]  # fmt: skip
SLOW = frozenset({
    "a bomb of one chapter", "a bomb of many chapters", "a chapter read a million times", "entries over the same bytes",
    "a bomb of styles", "a million paragraphs", "a million rows", "one large entity, many times", "a hundred thousand namespaces",
    "a chapter with tags a million deep", "a package of 12 MB", "an attribute of 20 MB", "a hundred thousand attributes",
})  # fmt: skip

CASES: list[Case] = [*cases("EPUB", "epub", _EPUBS, slow=SLOW), *cases("Word", "docx", _WORDS, slow=SLOW)]
