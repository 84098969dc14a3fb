"""Texts that are hard to cut, count or decode; files that are two kinds at once; and names that lead elsewhere."""

from __future__ import annotations

import random

from tests.hostile.case import Case, cases
from tests.support.texts_and_files.uploads import VALID, pdf

_PROSE = "The ferry left at nine. Мой дядя самых честных правил. 船は九時に出た。"


def noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


_TEXTS = [
    ("49.9 MB of !", lambda: b"!" * 49_900_000),
    ("one line of 49 MB", lambda: b"a" * 49_000_000),
    ("49 MB of blanks and a letter", lambda: b" " * 49_000_000 + b"x"),
    ("49 MB of line breaks and a letter", lambda: b"\n" * 49_000_000 + b"x"),
    ("49 MB of words", lambda: b"word " * 9_800_000),
    ("49 MB of carriage returns", lambda: b"x\r" * 24_500_000),
    ("control characters", lambda: b"x" + bytes(range(1, 32)) * 500_000),
    ("accents on one letter", lambda: b"a" + "\u0301".encode() * 5_000_000),
    ("letters of Hangul in parts", lambda: "\u1112\u1161\u11ab".encode() * 1_000_000),
    ("one family of a million", lambda: "👩\u200d".encode() * 1_000_000),
    ("flags", lambda: "🇦".encode() * 1_000_000),
    ("marks that turn the line", lambda: "\u202e\u2066x".encode() * 1_000_000),
    ("only invisible", lambda: "\u200b\ufeff\u2060".encode() * 1_000_000),
    ("UTF-16 without a mark", lambda: _PROSE.encode("utf-16-le") * 1_000),
    ("UTF-16, the other way round", lambda: _PROSE.encode("utf-16-be") * 1_000),
    ("UTF-32 without a mark", lambda: _PROSE.encode("utf-32-le") * 1_000),
    ("halves of characters in UTF-8", lambda: b"x \xed\xa0\x80 \xed\xb0\x80 y" * 1_000),
    ("halves of characters in UTF-16", lambda: b"\xff\xfe" + b"x\0\x00\xd8y\0\x00\xdc" * 1_000),
    ("half a UTF-32", lambda: b"\xff\xfe\0\0x\0\0"),
    ("numbers beyond Unicode", lambda: b"\xff\xfe\0\0" + b"\xff\xff\xff\x7f" * 1_000),
    ("overlong UTF-8", lambda: b"\xc0\xae\xc0\xae/" * 1_000),
    ("only a mark", lambda: b"\xef\xbb\xbf"),
    ("nothing", lambda: b""),
    ("zeros", lambda: bytes(10_000_000)),
    ("noise", lambda: noise(20_000_000)),
    ("noise without zeros", lambda: noise(20_000_000).replace(b"\0", b"\x81")),
    ("letters of no encoding", lambda: bytes(range(129, 256)) * 150_000),
    ("one long line in an old encoding", lambda: "é".encode("cp1252") * 20_000_000),
    ("half of an escape of ISO 2022", lambda: b"\x1b$B" * 1_000_000),
]  # fmt: skip
_MARKDOWN = [
    ("a million headings", lambda: b"# x\n" * 1_000_000),
    ("lines under lines", lambda: b"x\n===\n" * 2_000_000),
    ("fences that do not end", lambda: b"```\n" * 2_000_000),
    ("a heading of 20 MB", lambda: b"# " + b"x" * 20_000_000),
    ("brackets within brackets", lambda: b"[" * 20_000_000),
    ("a title of 20 MB", lambda: b"---\ntitle: " + b"x" * 20_000_000 + b"\n---\nx"),
]
_PDF_AND_ZIP = pdf(["I am a PDF"]) + VALID["a.docx"]
_TWO_KINDS = [
    ("a PDF before a zip, as PDF", "pdf", lambda: _PDF_AND_ZIP),
    ("a PDF before a zip, as Word", "docx", lambda: _PDF_AND_ZIP),
    ("a PDF before a zip, as text", "txt", lambda: _PDF_AND_ZIP),
    ("a page in a PDF, as page", "html", lambda: b"%PDF-1.4 <h1>page</h1>" + pdf(["x"])),
    ("a page before a PDF, as PDF", "pdf", lambda: b"<html><h1>page</h1>" * 100 + pdf(["x"])),
    ("a book named Word", "docx", lambda: VALID["a.epub"]),
    ("a Word file named book", "epub", lambda: VALID["a.docx"]),
    ("a PDF named book", "epub", lambda: VALID["a.pdf"]),
    ("a zip named PDF", "pdf", lambda: VALID["a.epub"]),
    ("a picture and a script", "html", lambda: b"GIF89a/*" + b"\0" * 100 + b"*/=1;alert(1)"),
    ("a program", "txt", lambda: b"\x7fELF\2\1\1" + bytes(200)),
    ("a compressed text", "txt", lambda: b"\x1f\x8b\x08\x00" + noise(1_000)),
]  # fmt: skip
_NAMES = (
    "../../../../etc/passwd.txt", "/etc/passwd", "C:\\windows\\x.txt", "con.pdf", ".pdf", "x.pdf\0.txt", "\x1b]0;owned\x07.txt",
    "\ud800.txt", "x" * 5_000 + ".txt", "<script>alert(1)</script>.txt", "\u202etxt.exe", "", "..", "[x](http://127.0.0.1:9).txt",
)  # fmt: skip
SLOW = frozenset({
    "49.9 MB of !", "one line of 49 MB", "49 MB of blanks and a letter", "49 MB of line breaks and a letter", "49 MB of words",
    "49 MB of carriage returns", "control characters", "accents on one letter", "letters of Hangul in parts",
    "one family of a million", "flags", "marks that turn the line", "only invisible", "noise", "noise without zeros",
    "letters of no encoding", "one long line in an old encoding", "half of an escape of ISO 2022", "a million headings",
    "lines under lines", "fences that do not end", "a heading of 20 MB", "brackets within brackets", "a title of 20 MB",
})  # fmt: skip

CASES: list[Case] = [
    *cases("text", "txt", _TEXTS, slow=SLOW),
    *cases("Markdown", "md", _MARKDOWN, slow=SLOW),
    *(Case("two kinds", title, f"x.{ending}", make) for title, ending, make in _TWO_KINDS),
    *(Case("name", ascii(name[:40]), name, lambda: _PROSE.encode()) for name in _NAMES),
]
