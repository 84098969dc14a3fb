"""The text of a Word document: headings, paragraphs and table rows in order.

The body is read as a stream of tags, without a tree. Not here: the automatic numbers of lists, headers, footers, footnotes and
endnotes (a note says if footnotes or endnotes were left out).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from readers.engine import on_first_use
from readers.engine.errors import BadFile
from readers.engine.ingest.archive import DAMAGED, Archive, part_at, text_of_first, with_entities
from readers.engine.ingest.blocks import Blocks, TextBlock, text_of
from readers.engine.ingest.guard import MAX_DEPTH, Clock, Extracted, Kind, feed, guarded

if TYPE_CHECKING:
    from lxml import etree
else:
    etree = on_first_use.module("lxml.etree")

_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
# Not text: tracked deletions, styles before a tracked change, the second copy of each text box, and ruby annotations.
_NOISE = frozenset({"del", "moveFrom", "pPrChange", "Fallback", "rt"})


class _Body:
    """Collects the blocks of a Word document from its tags, by local name, which both variants of the format share."""

    def __init__(self, name: str, styles: Mapping[str, Style]) -> None:
        self.blocks = Blocks()
        self.heading = ""
        self._name = name
        self._styles = styles
        self._paragraphs: list[list[str]] = []  # a text box is a paragraph inside a paragraph
        self._style = NO_STYLE
        self._level: int | None = None  # the depth that a paragraph has for itself
        self._depth = self._skipped = 0
        self._in_text = False

    def doctype(self, *_: object) -> None:
        raise with_entities(self._name)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadFile(f"{self._name!r} {DAMAGED}")
        local = tag.rpartition("}")[2]
        if self._skipped or local in _NOISE:
            self._skipped += 1
        elif local == "t":
            self._in_text = True
        elif local == "p":
            self._paragraphs.append([])
            self._style, self._level = NO_STYLE, None
        elif local == "pStyle":
            self._style = self._styles.get(val(attributes), NO_STYLE)
        elif local == "outlineLvl":
            self._level = depth_of_level(val(attributes))
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
            self.blocks.add(TextBlock(text, self._style.depth if self._level is None else self._level))
            if self._style.may_be_title:
                self.heading = self.heading or text
            self._style, self._level = NO_STYLE, None
        elif local == "tr":
            self.blocks.close_row()

    def data(self, text: str) -> None:
        if self._in_text and not self._skipped and self._paragraphs:
            self._paragraphs[-1].append(text)

    def close(self) -> None:
        """Nothing to do: the result is in `blocks`."""


def extract_docx(data: bytes, name: str) -> Extracted:
    """The paragraphs and tables of a Word document in order, with tracked insertions and without tracked deletions."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        message = "is locked with a password or in Word's old format. Open it in Word and save it as .docx without a password."
        raise BadFile(f"{name!r} {message}")
    archive = Archive(data, name)
    package = _related(archive, "")
    main = package.get("officeDocument", "")
    parts = _related(archive, main)
    named = parts.get("styles", "")
    body = _Body(name, styles(archive.xml(named)) if named in archive else {})
    with guarded(name, DAMAGED):
        parser = etree.XMLParser(target=body, resolve_entities=False, no_network=True, load_dtd=False)
        feed(parser, archive.read(main), Clock())
    core = package.get("core-properties", "")
    title = text_of_first(archive.xml(core), "{http://purl.org/dc/elements/1.1/}title") if core in archive else ""
    left = [kind for kind in ("footnotes", "endnotes") if _has_text(archive, parts.get(kind, ""))]
    notes = (f"The {' and '.join(left)} of this document were left out; its main text was read.",) if left else ()
    return Extracted(text_of(body.blocks.found), title or body.heading, notes)


def _related(archive: Archive, part: str) -> dict[str, str]:
    """The parts that a part refers to, by kind of relation."""
    folder, file = posixpath.split(part)
    listing = posixpath.join(folder, "_rels", f"{file}.rels")
    if listing not in archive:
        return {}
    links = [link for link in archive.xml(listing).iter("{*}Relationship") if link.get("TargetMode") != "External"]
    return {link.get("Type", "").rpartition("/")[2]: part_at(folder, link.get("Target", "")) for link in links}


def _has_text(archive: Archive, part: str) -> bool:
    return part in archive and any((element.text or "").strip() for element in archive.xml(part).iter("{*}t"))


if TYPE_CHECKING:
    from lxml import etree

_BODY_TEXT = 9  # the outline level of text that is not a heading
_MOST_BASES = 10  # how far a style is followed to those it is based on


class Style(NamedTuple):
    """`name`: the same in every language of Word, in lower case; `depth`: of the headings in this style, 0 if they are not
    headings."""

    name: str = ""
    depth: int = 0

    @property
    def may_be_title(self) -> bool:
        return self.name == "title" or self.name.startswith("heading")


NO_STYLE = Style()


def styles(root: etree._Element) -> dict[str, Style]:
    """The styles by their ids."""
    found: dict[str, Style] = {}
    bases: dict[str, str] = {}
    for style in root.iter("{*}style"):
        key = next((value for name, value in style.attrib.items() if name.endswith("}styleId")), "")
        name, level, base = (_said(style, tag) for tag in ("name", "outlineLvl", "basedOn"))
        found[key] = Style(name.lower(), depth_of_level(level) if level else _depth_in(name.lower()))
        if base and not level:
            bases[key] = base
    return {key: style._replace(depth=_depth(key, found, bases)) for key, style in found.items()}


def depth_of_level(level: str) -> int:
    """An outline level, which counts from 0, as the depth of a heading; 0 for body text."""
    number = int(level) if level.isdecimal() and len(level) == 1 else _BODY_TEXT
    return number + 1 if number < _BODY_TEXT else 0


def val(attributes: Mapping[str, str]) -> str:
    """The value of a property; empty if unset."""
    return next((value for key, value in attributes.items() if key.endswith("}val")), "")


def _said(style: etree._Element, tag: str) -> str:
    return next((val(dict(element.attrib)) for element in style.iter(f"{{*}}{tag}")), "")


def _depth(key: str, found: Mapping[str, Style], bases: Mapping[str, str]) -> int:
    """The depth of a style's headings: its own, or that of the nearest style it is based on."""
    for _ in range(_MOST_BASES):
        depth = found.get(key, NO_STYLE).depth
        if depth or key not in bases:
            return depth
        key = bases[key]
    return 0


def _depth_in(name: str) -> int:
    """The depth in the name of one of Word's own heading styles, `heading 2`; 0 for any other."""
    number = name.removeprefix("heading ")
    return int(number) if number != name and number.isdecimal() and len(number) == 1 else 0


DOCX = Kind(("docx",), extract_docx)
