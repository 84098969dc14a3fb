"""Files without a parser: plain text, and Markdown. The bytes of a text are decoded by byte order mark, as UTF-8, as declared, or
in the encoding that fits best; guessing one other than UTF-8 can err, so a note names the guess.

A Markdown file stays as written, except that headings get blank lines around them: nothing is lost or moved (links, emphasis,
code, tables). Models read Markdown well, a pasted and an uploaded text are the same document, and there is no parser to attack.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import regex

from readers.engine import on_first_use
from readers.engine.errors import BadFile
from readers.engine.ingest.clean import check_tokens
from readers.engine.ingest.guard import Extracted, Kind, guarded

if TYPE_CHECKING:
    import charset_normalizer
else:
    charset_normalizer = on_first_use.module("charset_normalizer")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),  # before UTF-16: its mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_WESTERN = "cp1252"
# The encodings that are guessed, as found in old documents, and their names for the user.
_ENCODINGS = {
    _WESTERN: "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "iso8859_2": "ISO 8859-2 (Central European)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "mac_roman": "Mac Roman (Western European)",
    "cp932": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp949": "Korean (EUC-KR)",
}
# Declared encoding -> the superset that browsers use instead.
_WIDER = {
    "ascii": _WESTERN,
    "iso8859_1": _WESTERN,
    "iso8859_9": "cp1254",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
_CHARSET = re.compile(rb"(?i)(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{1,40})")
# How much worse than the best guess (in charset-normalizer's measure of mess) Western European may be and still be chosen: it is
# by far the most frequent encoding, and ties with its neighbours on short texts.
_WESTERN_HANDICAP = 0.065
_SWAPPED = regex.compile(r"\p{Ll}\p{Lu}")  # two Cyrillic encodings have capitals and small letters swapped
_SAMPLE = 200_000
_NO_TEXT = "a picture, a program or the like: choose another file"
_FOREIGN = (
    (b"%PDF", "a PDF: let its name end in .pdf"),
    (b"PK\x03\x04", "a Word file, an e-book or another zip: let its name end in .docx or .epub if it is one"),
    (b"\xd0\xcf\x11\xe0", "an old Office file: open it there and save it as .docx"),
)


def decoded(data: bytes, shown: str, *, declared: str = "") -> Extracted:
    """The text of `data`, with a note if it is not UTF-8. `declared` is tried after UTF-8. Raises BadFile for a binary file."""
    for mark, codec, label in _MARKS:
        if data.startswith(mark):
            return Extracted(_marked(data, codec, shown), notes=(_note(label),) if codec != "utf-8" else ())
    if b"\0" in data:
        kind = next((kind for magic, kind in _FOREIGN if data.startswith(magic)), _NO_TEXT)
        raise BadFile(f"{shown!r} is not a text: it looks like {kind}. Or open it in its program and save it as .txt (UTF-8).")
    for codec in chain(("utf-8", declared), _guesses(data, shown)):
        try:
            if codec:
                return Extracted(data.decode(codec), notes=(_note(_ENCODINGS[codec]),) if codec != "utf-8" else ())
        except UnicodeDecodeError:
            continue
    raise BadFile(f"{shown!r} is in an unknown text encoding. Open it in an editor and save it as UTF-8.")


def _marked(data: bytes, codec: str, shown: str) -> str:
    try:
        return data.decode(codec, "surrogatepass")
    except UnicodeDecodeError as error:
        raise BadFile(f"{shown!r} begins as {codec.upper()} but is damaged. Open it in an editor, save it as UTF-8.") from error


def _note(label: str) -> str:
    return f"The text is not in UTF-8; it was read as {label}. If its letters look wrong, save the file as UTF-8 and take that."


def _guesses(data: bytes, shown: str) -> Iterator[str]:
    """The possible encodings of `data`, the likeliest first."""
    with guarded(shown, "is in an unknown text encoding. Open it in an editor and save it as UTF-8."):
        found = list(charset_normalizer.from_bytes(_sample(data), cp_isolation=list(_ENCODINGS)))
    best = found[0].chaos if found else 0.0
    if any(_WESTERN in match.could_be_from_charset for match in found if match.chaos <= best + _WESTERN_HANDICAP):
        yield _WESTERN
    found.sort(key=lambda match: (match.chaos > best, len(_SWAPPED.findall(str(match)))))
    yield from (match.encoding for match in found if match.encoding in _ENCODINGS)


def _sample(data: bytes) -> bytes:
    """A sample of the lines that are not ASCII, which distinguish encodings; all of `data` if the first one is longer."""
    sample: list[bytes] = []
    room = _SAMPLE
    for line in data.split(b"\n"):
        if not line.isascii():
            room -= len(line)
            if room < 0:
                break
            sample.append(line)
    return b"\n".join(sample) or data


def declared_encoding(data: bytes) -> str:
    """The encoding that an HTML page declares, if it is known here; else empty."""
    match = _CHARSET.search(data, 0, 2_048)
    if match is None:
        return ""
    try:
        codec = codecs.lookup(match[1].decode("ascii", "replace")).name.replace("-", "_")
    except LookupError:
        return ""
    codec = _WIDER.get(codec, codec)
    return codec if codec in _ENCODINGS else ""


# A line that opens or ends a code block, is a heading, or makes a heading of the line above it.
_MARK = re.compile(
    r"(?m)^ {0,3}(?:(?P<fence>`{3,}|~{3,})(?P<rest>.*)|(?P<heading>#{1,6}(?:[ \t].*)?)|(?P<under>={2,}|-{3,})[ \t]*)$"
)


def extract_markdown(data: bytes, shown: str) -> Extracted:
    """The text, with the title from its front matter or its first heading."""
    found = decoded(data, shown)
    text = found.text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    check_tokens(text, shown)  # before searching for headings, of which a hostile text may consist
    title = _front_title(text.split("\n", 100)[:100])
    gaps = [0]  # positions where a blank line is missing
    for heading, start, end in _headings(text):
        title = title or heading.strip("#*_` \t\n=-")
        gaps += [at for at in (start, end) if at > gaps[-1] and _touches(text, at)]
    pieces = (text[start:end] for start, end in pairwise([*gaps, len(text)]))
    return Extracted("\n".join(pieces), title, found.notes)


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Each heading outside code blocks, with the start and end of its lines (after the line break)."""
    fence = ""
    for match in _MARK.finditer(text):
        start, end = match.start(), min(match.end() + 1, len(text))
        if match["fence"]:
            closes = match["fence"].startswith(fence) and not match["rest"].strip()
            fence = "" if fence and closes else fence or match["fence"]
        elif not fence and match["heading"]:
            yield match["heading"], start, end
        elif not fence and (above := text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]).strip():
            yield above, start - len(above), end


def _touches(text: str, at: int) -> bool:
    """Whether the lines before and after `at` are both non-blank."""
    after = text.find("\n", at)
    before = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at]
    return bool(before.strip() and text[at : after if after >= 0 else len(text)].strip())


def _front_title(lines: list[str]) -> str:
    """The title in the front matter: the settings at the very top, between two lines of dashes."""
    if lines[0].rstrip() != "---":
        return ""
    settings: list[str] = []
    for line in lines[1:100]:
        if line.rstrip() in ("---", "..."):
            named = [setting.partition(":")[2] for setting in settings if setting.startswith("title:")]
            return named[0].strip(" \t\"'") if named else ""
        settings.append(line)
    return ""


TXT = Kind(("txt",), decoded, parser=False)
MARKDOWN = Kind(("md", "markdown"), extract_markdown, parser=False)
