"""The text of HTML, EPUB and Word files, as blocks (headings, paragraphs, list items, table rows) with blank lines between.

Whatever comes in, out comes an `Extracted` or BadFile; no file is written, no address is fetched. What bounds a hostile file:

- HTML and Word bodies are read as a stream of tags (lxml, no tree), so nesting costs no recursion; depth and seconds are bounded.
- Of a zip (EPUB, Word) only the parts that are needed are inflated, one at a time; entries, sizes and ratio are bounded, whatever
  the file declares. XML that declares entities is refused; nothing external is loaded.

Not here: PDF (`ingest.py`), the automatic numbers of Word lists, Word's headers, footers and notes (a sentence says when notes
were left out), text that a page's script would write, CDATA sections in an EPUB.
"""

from __future__ import annotations

import posixpath
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import unquote

import regex
from lxml import etree  # type: ignore[import-untyped]

from readers.engine.errors import BadFile

MAX_SECONDS = 20.0
MAX_DEPTH = 2_000
MAX_ENTRIES = 10_000
MAX_DECLARED = 1_000_000_000  # all entries of a zip, most of them pictures that are never inflated
MAX_INFLATED = 200_000_000  # the parts that are read
MAX_PACKAGE_PART = 10_000_000  # an XML part that is held as a tree
MAX_RATIO = 200
SMALL_PART = 1_000_000  # a part up to this size may be packed as tightly as it likes

_CHUNK = 16_384


@dataclass(frozen=True)
class Extracted:
    """The text of a file, the title it gives itself (or nothing), and sentences for the person."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()


class OutOfTime(BaseException):
    """A file has used up its seconds: a BaseException, which no parser's own `except Exception` swallows; `fenced` catches it."""


class Clock:
    """Raises `OutOfTime` when it is asked after its seconds are over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self, *_: object) -> None:
        if time.monotonic() > self._end:
            raise OutOfTime(f"takes over {self._seconds:.0f} seconds to read")


@contextmanager
def fenced(name: str, broken: str) -> Iterator[None]:
    """Around the call of a parser: whatever it raises becomes BadFile, saying `broken`."""
    try:
        yield
    except OutOfTime as error:
        raise BadFile(f"{name!r} {error}. Split it, or save its text as .txt.") from error
    except BadFile:
        raise
    except Exception as error:  # Parsers raise all sorts on damaged files and document none of it: their sets are open.
        raise BadFile(f"{name!r} {broken}") from error


class _Blocks:
    """Blocks in their order. A table row of plain cells is one block; where a cell holds several, or a table, they stay apart."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._cells: list[list[str]] | None = None  # of the row that is open and holds no other row

    def add(self, text: str) -> None:
        if not text.strip():
            return
        if self._cells is None:
            self.found.append(text)
        elif self._cells:
            self._cells[-1].append(text)
        else:
            self._cells.append([text])

    def open_row(self) -> None:
        self._release()
        self._cells = []

    def open_cell(self) -> None:
        if self._cells is not None:
            self._cells.append([])

    def close_row(self) -> None:
        cells = self._cells or []
        if any(cells) and all(len(cell) <= 1 for cell in cells):
            self._cells = None
            self.found.append(" | ".join(" ".join(cell).replace("\n", " ") for cell in cells))
        self._release()

    def _release(self) -> None:
        self.found.extend(block for cell in self._cells or [] for block in cell)
        self._cells = None


# --- HTML ---------------------------------------------------------------------------------------------------------------

# Not text of the page: code, menus, controls, the innards of pictures, and reading aids that repeat the words they stand over.
_NOISE = frozenset({
    "script", "style", "template", "noscript", "nav", "svg", "iframe", "object", "audio", "video", "canvas", "button", "select",
    "textarea", "input", "datalist", "rt", "rp",
})  # fmt: skip
_BLOCK = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "legend",
    "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr",
    "ul",
})  # fmt: skip
_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SPACE = regex.compile(r"[ \t\r\n\f]++")  # a no-break space is text
_BREAK = regex.compile(r" ?\v ?")
_BLANK_LINES = regex.compile(r"\n{3,}+")


class _Page:
    """Takes the tags of an HTML page as they come."""

    def __init__(self, name: str) -> None:
        self.blocks = _Blocks()
        self.title = ""
        self.heading = ""
        self._name = name
        self._pieces: list[str] = []
        self._depth = self._skipped = self._pre = 0
        self._lists: list[int | None] = []
        self._marker = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadFile(f"{self._name!r} nests its tags over {MAX_DEPTH:,} deep, as no page does. Save its text as .txt.")
        if self._skipped or _is_noise(tag, attributes):
            self._skipped += 1
        elif tag == "br":
            self._pieces.append("\v")
        elif tag in _BLOCK:
            self._flush()
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
        elif tag in _BLOCK:
            text = self._flush(to_blocks=tag != "title")
            if tag == "title":
                self.title = self.title or text
            elif tag in _HEADING:
                self.heading = self.heading or text
            self._close(tag)

    def data(self, text: str) -> None:
        if not self._skipped:
            self._pieces.append(text.replace("\r\n", "\n").replace("\n", "\v") if self._pre else text)

    def close(self) -> None:
        self._flush()

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "tr":
            self.blocks.open_row()
        elif tag in ("td", "th"):
            self.blocks.open_cell()
        elif tag == "pre":
            self._pre += 1
        elif tag == "ol":
            start = attributes.get("start") or "1"
            self._lists.append(int(start) if regex.fullmatch(r"\d{1,6}", start) else 1)
        elif tag in ("ul", "menu", "dir"):
            self._lists.append(None)
        elif tag == "li":
            self._marker = self._next_marker()

    def _close(self, tag: str) -> None:
        if tag == "tr":
            self.blocks.close_row()
        elif tag == "pre":
            self._pre -= 1
        elif tag in ("ol", "ul", "menu", "dir"):
            self._lists.pop()
        elif tag == "li":
            self._marker = ""

    def _next_marker(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _flush(self, *, to_blocks: bool = True) -> str:
        """End the block that is being collected, and return it."""
        text = "".join(self._pieces)
        self._pieces.clear()
        text = text.replace("\v", "\n") if self._pre else _BREAK.sub("\n", _SPACE.sub(" ", text))
        text = _BLANK_LINES.sub("\n\n", text).strip("\n" if self._pre else None)
        if text.strip() and to_blocks:
            self.blocks.add(self._marker + text)
            self._marker = ""
        return text


def _is_noise(tag: str, attributes: dict[str, str]) -> bool:
    hidden = "hidden" in attributes and tag not in ("html", "body")
    return tag in _NOISE or hidden or attributes.get("role") == "navigation"


def html(text: str, name: str, *, clock: Clock | None = None) -> Extracted:
    """An HTML page: headings, paragraphs, list items and table rows; scripts, styles, menus and what is marked hidden go."""
    if not text.strip():
        return Extracted("")
    page = _Page(name)
    with fenced(name, "is not a page that can be read. Open it in a browser and save its text as .txt."):
        parser = etree.HTMLParser(target=page, encoding="utf-8", huge_tree=True)
        _feed(parser, text.encode("utf-8", "replace"), clock or Clock(MAX_SECONDS))
    return Extracted("\n\n".join(page.blocks.found), page.title or page.heading)


def _feed(parser: etree._FeedParser, data: bytes, clock: Clock) -> None:
    for start in range(0, len(data), _CHUNK):
        clock.check()
        parser.feed(data[start : start + _CHUNK])
    parser.close()


# --- zip and XML ----------------------------------------------------------------------------------------------------------

_DAMAGED = "is damaged or is not really of the kind its ending says. Open it in the program it came from and save it again."


class _Archive:
    """The parts of a zip file, inflated one at a time and never past the bounds."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._left = MAX_INFLATED
        if data.count(b"PK\x01\x02") > MAX_ENTRIES:  # counted first: listing a million entries takes long by itself
            raise self._bomb()
        with fenced(name, _DAMAGED):
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._parts = {part.filename: part for part in self._zip.infolist()}
        if sum(part.file_size for part in self._parts.values()) > MAX_DECLARED:
            raise self._bomb()

    def __contains__(self, part: str) -> bool:
        return part in self._parts

    def read(self, part: str) -> bytes:
        info = self._parts.get(part)
        if info is None:
            raise BadFile(f"{self.name!r} {_DAMAGED}")
        if info.flag_bits & 1:
            raise BadFile(f"{self.name!r} is locked with a password. Unlock it in the program it came from and save it again.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others inflate without a bound
            raise BadFile(f"{self.name!r} {_DAMAGED}")
        tight = info.file_size > SMALL_PART and info.file_size > MAX_RATIO * max(1, info.compress_size)
        if tight or info.file_size > self._left:
            raise self._bomb()
        with fenced(self.name, _DAMAGED), self._zip.open(info) as stream:
            data = stream.read(self._left + 1)
        if len(data) > self._left:
            raise self._bomb()
        self._left -= len(data)
        return data

    def xml(self, part: str) -> etree._Element:
        """A small part as a tree."""
        data = self.read(part)
        if len(data) > MAX_PACKAGE_PART:
            raise self._bomb()
        with fenced(self.name, _DAMAGED):
            root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
            dtd = root.getroottree().docinfo.internalDTD
            declares = dtd is not None and any(True for _ in dtd.iterentities())
        if declares:
            raise _with_entities(self.name)
        return root

    def _bomb(self) -> BadFile:
        return BadFile(f"{self.name!r} unpacks to far more than a book holds, so it was not opened. Save its text as .txt.")


def _with_entities(name: str) -> BadFile:
    return BadFile(f"{name!r} holds definitions (XML entities) that no such file needs and that can do harm. Save it as .txt.")


def _first(root: etree._Element, tag: str) -> str:
    """The text of the first element of that name; nothing when there is none."""
    return next((element.text or "" for element in root.iter(tag)), "").strip()


def _part(folder: str, link: str) -> str:
    """The part that `link` in a file of `folder` leads to."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(link.partition("#")[0]))).lstrip("/")


# --- EPUB ---------------------------------------------------------------------------------------------------------------

_DECLARED = regex.compile(rb"<\?xml[^>]{0,100}encoding=[\"']([\w.-]{1,40})")
_DEFINITIONS = regex.compile(r"<!DOCTYPE[^\[>]{0,500}\[[^\]]*\]\s*>")
_PROLOGUE = 20_000


def epub(data: bytes, name: str) -> Extracted:
    """An e-book's chapters in the order of its spine, each read as HTML."""
    archive = _Archive(data, name)
    roots = (root.get("full-path", "") for root in archive.xml("META-INF/container.xml").iter("{*}rootfile"))
    package = _part("", next(roots, ""))
    book = archive.xml(package)
    chapters = _spine(book, posixpath.dirname(package))
    if _locked(archive) & set(chapters):
        raise BadFile(f"{name!r} is copy-protected (DRM), so its text cannot be read. Use a copy without protection.")
    present = [chapter for chapter in chapters if chapter in archive]
    if not present:
        raise BadFile(f"{name!r} {_DAMAGED}")
    clock = Clock(MAX_SECONDS)
    read = [html(_chapter(archive.read(chapter)), name, clock=clock) for chapter in present]
    missing = len(chapters) - len(present)
    notes = (f"{missing} of the book's {len(chapters)} parts are in its list but not in the file.",) if missing else ()
    titles = [_first(book, "{http://purl.org/dc/elements/1.1/}title"), *(chapter.title for chapter in read)]
    return Extracted("\n\n".join(chapter.text for chapter in read if chapter.text), next(filter(None, titles), ""), notes)


def _spine(book: etree._Element, folder: str) -> list[str]:
    """The chapters in reading order, each once, without the list of contents and whatever is no page."""
    items = {item.get("id"): item for item in book.iter("{*}item")}
    pages = (items.get(entry.get("idref")) for entry in book.iter("{*}itemref"))
    return list(dict.fromkeys(_part(folder, page.get("href", "")) for page in pages if page is not None and _is_chapter(page)))


def _is_chapter(item: etree._Element) -> bool:
    return "html" in item.get("media-type", "html") and "nav" not in item.get("properties", "").split()


def _locked(archive: _Archive) -> set[str]:
    """The parts that are encrypted; fonts often are in a book that is not protected."""
    if "META-INF/encryption.xml" not in archive:
        return set()
    return {_part("", link.get("URI", "")) for link in archive.xml("META-INF/encryption.xml").iter("{*}CipherReference")}


def _chapter(data: bytes) -> str:
    """EPUB allows UTF-8 and UTF-16 only; an older book may declare another. A chapter's own entities are never expanded."""
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    latin = declared is not None and declared[1].lower() in (b"iso-8859-1", b"windows-1252")
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "cp1252" if latin else "utf-8", "replace")
    return _DEFINITIONS.sub("", text[:_PROLOGUE], count=1) + text[_PROLOGUE:]


# --- Word ---------------------------------------------------------------------------------------------------------------

_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
# Not text: what a tracked change took away, a second copy of each text box, the reading aids over Asian letters.
_WORD_NOISE = frozenset({"del", "moveFrom", "Fallback", "rt"})


class _Body:
    """Takes the tags of a Word document as they come; by their local names, which both forms of the format share."""

    def __init__(self, name: str, styles: dict[str, str]) -> None:
        self.blocks = _Blocks()
        self.heading = ""
        self._name = name
        self._styles = styles
        self._paragraphs: list[list[str]] = []  # a text box is a paragraph inside a paragraph
        self._style = ""
        self._depth = self._skipped = 0
        self._in_text = False

    def doctype(self, *_: object) -> None:
        raise _with_entities(self._name)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadFile(f"{self._name!r} {_DAMAGED}")
        local = tag.rpartition("}")[2]
        if self._skipped or local in _WORD_NOISE:
            self._skipped += 1
        elif local == "t":
            self._in_text = True
        elif local == "p":
            self._paragraphs.append([])
            self._style = ""
        elif local == "pStyle":
            value = next((value for key, value in attributes.items() if key.endswith("}val")), "")
            self._style = self._styles.get(value, "")
        elif local == "tr":
            self.blocks.open_row()
        elif local == "tc":
            self.blocks.open_cell()
        elif local in _MARKS and self._paragraphs:
            self._paragraphs[-1].append(_MARKS[local])

    def end(self, tag: str) -> None:
        self._depth -= 1
        local = tag.rpartition("}")[2]
        if self._skipped:
            self._skipped -= 1
        elif local == "t":
            self._in_text = False
        elif local == "p" and self._paragraphs:
            text = "".join(self._paragraphs.pop()).strip()
            self.blocks.add(text)
            if self._style == "title" or self._style.startswith("heading"):
                self.heading = self.heading or text
            self._style = ""
        elif local == "tr":
            self.blocks.close_row()

    def data(self, text: str) -> None:
        if self._in_text and not self._skipped and self._paragraphs:
            self._paragraphs[-1].append(text)

    def close(self) -> None:
        """All is in `blocks`."""


def docx(data: bytes, name: str) -> Extracted:
    """A Word document's paragraphs and tables in their order, with tracked insertions and without tracked deletions."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        message = "is locked with a password or in Word's old format. Open it in Word and save it as .docx without a password."
        raise BadFile(f"{name!r} {message}")
    archive = _Archive(data, name)
    package = _related(archive, "")
    main = package.get("officeDocument", "")
    parts = _related(archive, main)
    body = _Body(name, _style_names(archive, parts.get("styles", "")))
    with fenced(name, _DAMAGED):
        parser = etree.XMLParser(target=body, resolve_entities=False, no_network=True, load_dtd=False)
        _feed(parser, archive.read(main), Clock(MAX_SECONDS))
    core = package.get("core-properties", "")
    title = _first(archive.xml(core), "{http://purl.org/dc/elements/1.1/}title") if core in archive else ""
    left = [kind for kind in ("footnotes", "endnotes") if _has_text(archive, parts.get(kind, ""))]
    notes = (f"The {' and '.join(left)} of this document were left out; its main text was read.",) if left else ()
    return Extracted("\n\n".join(body.blocks.found), title or body.heading, notes)


def _related(archive: _Archive, part: str) -> dict[str, str]:
    """What a part refers to: the kind of relation -> the part at its other end."""
    folder, file = posixpath.split(part)
    listing = posixpath.join(folder, "_rels", f"{file}.rels")
    if listing not in archive:
        return {}
    links = [link for link in archive.xml(listing).iter("{*}Relationship") if link.get("TargetMode") != "External"]
    return {link.get("Type", "").rpartition("/")[2]: _part(folder, link.get("Target", "")) for link in links}


def _style_names(archive: _Archive, part: str) -> dict[str, str]:
    """The style ids of a document -> the names that are the same in every language of Word, in lower case."""
    if part not in archive:
        return {}
    found = {}
    for style in archive.xml(part).iter("{*}style"):
        ids = [value for key, value in style.attrib.items() if key.endswith("}styleId")]
        names = [value for element in style.iter("{*}name") for key, value in element.attrib.items() if key.endswith("}val")]
        found.update({key: names[0].lower() for key in ids[:1] if names})
    return found


def _has_text(archive: _Archive, part: str) -> bool:
    return part in archive and any((element.text or "").strip() for element in archive.xml(part).iter("{*}t"))
