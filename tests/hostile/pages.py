"""HTML pages and PDFs that a parser chokes on: depth, loops, amplification, and single steps that take minutes."""

from __future__ import annotations

import zlib

from tests.hostile.case import Case, cases
from tests.support.texts_and_files.uploads import drawing, pdf


def stream(content: bytes, *, filters: bytes = b"/FlateDecode", packed: bytes | None = None) -> bytes:
    """A PDF of one page with this content, compressed unless it comes `packed`."""
    body = zlib.compress(content, 9) if packed is None else packed
    return objects(b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(body), filters, body))


def objects(
    content: bytes, *, page: bytes = b"", pages: bytes = b"", more: tuple[bytes, ...] = (), trailer: bytes = b""
) -> bytes:
    """A PDF written by hand: 1 catalog, 2 pages, 3 page, 4 content, 5 and on what else is given."""
    font = b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    page = page or b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R %s >>" % font
    parts = (b"<< /Type /Catalog /Pages 2 0 R >>", pages or b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", page, content, *more)
    out, table = b"%PDF-1.7\n", b"0000000000 65535 f \n"
    for number, part in enumerate(parts, 1):
        table += b"%010d 00000 n \n" % len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    end = b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (len(parts) + 1, trailer, len(out))
    return out + b"xref\n0 %d\n" % (len(parts) + 1) + table + end


def shown(text: bytes = b"(x) Tj") -> bytes:
    return b"BT /F1 11 Tf " + text + b" ET"


def with_font(cmap: bytes, text: bytes = b"<0001> Tj") -> bytes:
    """A page in a font whose table to Unicode is this."""
    packed = zlib.compress(b"/CIDInit /ProcSet findresource begin begincmap\n" + cmap + b"\nendcmap", 9)
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [] >>"
    table = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
    body = shown(text)
    return objects(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body), page=page, more=(font, table))


def letters(last: bytes) -> bytes:
    """A range of a table to Unicode."""
    return b"1 beginbfrange\n<0000> %s <0041>\nendbfrange\n" % last


def a_letter_that_is_a_book() -> bytes:
    return with_font(b"1 beginbfchar\n<0001> <" + b"0041" * 100_000 + b">\nendbfchar", b"<" + b"0001" * 5_000 + b"> Tj")


def form_that_draws_itself() -> bytes:
    inner = b"/F Do (x) Tj " * 10
    kind = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>"
    form = b"<< " + kind + b" /Length %d >>\nstream\n%s\nendstream"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>"
    return objects(b"<< /Length 5 >>\nstream\n/F Do\nendstream", page=page, more=(form % (len(inner), inner),))


def shared_content(pages: int) -> bytes:
    """Many pages of one content, so that the file is small and the text is not."""
    data = pdf([drawing("again and again " * 20_000)])
    return data.replace(b"/Kids [6 0 R]", b"/Kids [" + b"6 0 R " * pages + b"]").replace(b"/Count 1", b"/Count %d" % pages)


def filters_in_a_row(times: int) -> bytes:
    body = bytes(10_000_000)
    for _ in range(times):
        body = zlib.compress(body, 9)
    return stream(b"", filters=b"[" + b"/FlateDecode " * times + b"]", packed=body)


def run_lengths() -> bytes:
    return stream(b"", filters=b"/RunLengthDecode", packed=b"\x81 " * 500_000 + b"\x80")


_PDFS = [
    ("millions of arguments to one operator", lambda: stream(b"1 " * 9_000_000 + b"Td")),
    ("millions of names", lambda: stream(b"/A " * 6_000_000)),
    ("arrays within arrays", lambda: stream(b"[" * 900_000 + b"BT")),
    ("millions of arrays", lambda: stream(b"[ ] " * 4_000_000 + b"BT")),
    ("dictionaries within dictionaries", lambda: stream(b"<</A " * 100_000)),
    ("brackets within brackets", lambda: stream(shown(b"(" * 9_000_000 + b") Tj"))),
    ("a string of escapes", lambda: stream(shown(b"(" + b"\\n" * 5_000_000 + b") Tj"))),
    ("comments", lambda: stream(b"%\n" * 5_000_000 + shown())),
    ("a picture that does not end", lambda: stream(b"BI ID " + b"E " * 5_000_000)),
    ("hundreds of thousands of pictures", lambda: stream(b"BI /W 1 ID x EI " * 100_000)),
    ("a hexadecimal string of 18 MB", lambda: stream(b"<" + b"4" * 18_000_000 + b"> Tj")),
    ("a number of a million digits", lambda: stream(b"9" * 1_000_000 + b" 0 Td")),
    ("a number with a million signs", lambda: stream(b"-" * 1_000_000 + b"1 0 Td")),
    ("a million operators", lambda: stream(shown(b"(x) Tj " * 900_000))),
    ("a stack of states", lambda: stream(b"q " * 900_000)),
    ("a bomb", lambda: stream(bytes(500_000_000))),
    ("filters in a row", lambda: filters_in_a_row(200)),
    ("run lengths", run_lengths),
    ("a filter that is none", lambda: stream(b"x", filters=b"/Nothing")),
    ("a table of letters for all there could be", lambda: with_font(letters(b"<FFFFFFFF>"))),
    ("a table of letters a hundred thousand times", lambda: with_font(letters(b"<FFFF>") * 100_000)),
    ("a letter that is a book", a_letter_that_is_a_book),
    ("a form that draws itself", form_that_draws_itself),
    ("pages that are their own parent", lambda: objects(b"", pages=b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>")),
    ("a page that is its own content", lambda: objects(b"", page=b"<< /Type /Page /Parent 3 0 R /Contents 3 0 R >>")),
    ("a content that is as long as itself", lambda: objects(b"<< /Length 4 0 R >>\nstream\nx\nendstream")),
    ("a table of places that leads to itself", lambda: objects(b"<< >>", trailer=b"/Prev 9")),
    ("objects in themselves", lambda: objects(b"<< /Type /ObjStm /N 1000000 /First 10 /Length 9 >>\nstream\n4 0 4 0 4")),
    ("four billion pages", lambda: objects(b"", pages=b"<< /Type /Pages /Count 4294967295 /Kids [3 0 R] >>")),
    ("one page a million times", lambda: shared_content(1_000_000)),
    ("one page four thousand times", lambda: shared_content(4_000)),
    ("beginnings without an end", lambda: b"%PDF-1.4\n" + b"startxref\n0\n" * 200_000),
    ("a million objects and no table", lambda: b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n<<>>\n" % n for n in range(1_000_000))),
    ("only its first line", lambda: b"%PDF-1.7\n"),
    ("a key that is none", lambda: pdf(["x"], trailer=b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 99 /R 99 >>")),
    ("cut in half", lambda: (data := pdf(["The ferry left"] * 50))[: len(data) // 2]),
]  # fmt: skip
_HTML = [
    ("tags a million deep", lambda: b"<div>" * 1_000_000),
    ("lists a hundred thousand deep", lambda: b"<ol><li>" * 100_000),
    ("tables a hundred thousand deep", lambda: b"<table><tr><td>" * 100_000),
    ("formatting that does not end", lambda: b"<b><i><p>" * 200_000),
    ("49 MB of <", lambda: b"<" * 49_000_000),
    ("49 MB of a tag that does not end", lambda: b"<a " + b"x " * 24_500_000),
    ("a million headings", lambda: b"<h1>x</h1>" * 1_000_000),
    ("millions of letters by number", lambda: b"&#65;" * 9_000_000),
    ("letters that there are none of", lambda: b"<p>&#x110000;&#xd800;&#0;&#x1b;&bogus;x"),
    ("a comment that does not end", lambda: b"x<!--" + b"-" * 20_000_000),
    ("a script that does not end", lambda: b"x<script>" + b"</scrip" * 5_000_000),
    ("a hundred thousand attributes", lambda: b"<p " + b" ".join(b'a%d="x"' % n for n in range(100_000)) + b">x"),
    ("an attribute of 40 MB", lambda: b'<p title="' + b"x" * 40_000_000 + b'">x'),
    ("entities of its own", lambda: b'<!DOCTYPE html [<!ENTITY l SYSTEM "file:///etc/passwd">]><p>&l;x'),
    ("UTF-7", lambda: b"<meta charset=utf-7><p>+ADw-script+AD4-alert(1)"),
    ("an encoding that is none", lambda: b"<meta charset='" + b"x" * 2_000 + b"'><p>x"),
    ("NUL in its tags", lambda: b"<p\0>x</p\0>"),
    ("a frame and an address", lambda: b"<base href='http://127.0.0.1:9/'><iframe src='file:///etc/passwd'></iframe><p>x"),
    ("one word of 49 MB", lambda: b"<p>" + b"x" * 49_000_000),
]  # fmt: skip
SLOW = frozenset({
    "millions of arguments to one operator", "millions of names", "millions of arrays", "brackets within brackets", "comments",
    "a picture that does not end", "hundreds of thousands of pictures", "a hexadecimal string of 18 MB", "a million operators",
    "a stack of states", "a bomb", "filters in a row", "a table of letters for all there could be", "a string of escapes",
    "a table of letters a hundred thousand times", "one page a million times", "one page four thousand times",
    "beginnings without an end", "a million objects and no table", "a letter that is a book", "a number of a million digits",
    "49 MB of <", "49 MB of a tag that does not end", "a million headings", "millions of letters by number",
    "a script that does not end", "an attribute of 40 MB", "one word of 49 MB", "a comment that does not end", "run lengths",
    "tags a million deep", "lists a hundred thousand deep", "tables a hundred thousand deep", "formatting that does not end",
    "dictionaries within dictionaries", "a number with a million signs", "arrays within arrays",
})  # fmt: skip

CASES: list[Case] = [*cases("PDF", "pdf", _PDFS, slow=SLOW), *cases("HTML", "html", _HTML, slow=SLOW)]
