"""The text of an EPUB book: the chapters of its spine in order, each read as HTML.

Not here: CDATA sections, and books with copy protection, which are refused.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

import regex

from readers.engine import on_first_use
from readers.engine.errors import BadFile
from readers.engine.ingest.archive import DAMAGED, Archive, part_at, text_of_first
from readers.engine.ingest.blocks import text_of
from readers.engine.ingest.guard import Clock, Extracted, Kind
from readers.engine.ingest.html import page_of

if TYPE_CHECKING:
    from lxml import etree
else:
    etree = on_first_use.module("lxml.etree")

_DECLARED = regex.compile(rb"<\?xml[^>]{0,100}encoding=[\"']([\w.-]{1,40})")
_DEFINITIONS = regex.compile(r"<!DOCTYPE[^\[>]{0,500}\[[^\]]*\]\s*>")
_PROLOGUE = 20_000


def extract_epub(data: bytes, name: str) -> Extracted:
    """The chapters of a book, in the order of its spine."""
    archive = Archive(data, name)
    roots = (root.get("full-path", "") for root in archive.xml("META-INF/container.xml").iter("{*}rootfile"))
    package = part_at("", next(roots, ""))
    book = archive.xml(package)
    chapters = _spine(book, posixpath.dirname(package))
    if _locked(archive) & set(chapters):
        raise BadFile(f"{name!r} is copy-protected (DRM), so its text cannot be read. Use a copy without protection.")
    present = [chapter for chapter in chapters if chapter in archive]
    if not present:
        raise BadFile(f"{name!r} {DAMAGED}")
    clock = Clock()
    read = [page_of(_chapter(archive.read(chapter)), name, clock=clock) for chapter in present]
    missing = len(chapters) - len(present)
    notes = (f"{missing} of the book's {len(chapters)} parts are in its list but not in the file.",) if missing else ()
    titles = [text_of_first(book, "{http://purl.org/dc/elements/1.1/}title"), *(page.title or page.heading for page in read)]
    text = text_of([block for page in read for block in page.blocks.found])
    return Extracted(text, next(filter(None, titles), ""), notes)


def _spine(book: etree._Element, folder: str) -> list[str]:
    """The chapters in reading order, each once, without the table of contents and without parts that are not pages."""
    items = {item.get("id"): item for item in book.iter("{*}item")}
    pages = (items.get(entry.get("idref")) for entry in book.iter("{*}itemref"))
    return list(dict.fromkeys(part_at(folder, page.get("href", "")) for page in pages if page is not None and _is_chapter(page)))


def _is_chapter(item: etree._Element) -> bool:
    return "html" in item.get("media-type", "html") and "nav" not in item.get("properties", "").split()


def _locked(archive: Archive) -> set[str]:
    """The encrypted parts. Fonts are often encrypted in a book without protection."""
    if "META-INF/encryption.xml" not in archive:
        return set()
    return {part_at("", link.get("URI", "")) for link in archive.xml("META-INF/encryption.xml").iter("{*}CipherReference")}


def _chapter(data: bytes) -> str:
    """The decoded chapter, without its entities. EPUB allows UTF-8 and UTF-16; an older book may declare another encoding."""
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    latin = declared is not None and declared[1].lower() in (b"iso-8859-1", b"windows-1252")
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "cp1252" if latin else "utf-8", "replace")
    return _DEFINITIONS.sub("", text[:_PROLOGUE], count=1) + text[_PROLOGUE:]


EPUB = Kind(("epub",), extract_epub)
