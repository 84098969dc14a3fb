"""The parts of a zip file from an untrusted source, inflated within bounds.

The number of entries, their sizes and their compression are bounded, no matter what the file declares. XML that declares entities
is refused; nothing external is loaded. Nothing is written to disk, so the names in a zip have no effect.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import unquote

from readers.engine import on_first_use
from readers.engine.errors import BadFile
from readers.engine.ingest.guard import guarded

if TYPE_CHECKING:
    from lxml import etree
else:
    etree = on_first_use.module("lxml.etree")

MAX_ENTRIES = 10_000
MAX_DECLARED = 1_000_000_000  # all entries of a book, most of them pictures that are never inflated
MAX_INFLATED = 200_000_000  # the parts that are read
MAX_PACKAGE_PART = 10_000_000  # an XML part that is parsed to a tree
MAX_RATIO = 200
SMALL_PART = 1_000_000  # a part up to this size may have any compression ratio

DAMAGED = "is damaged or is not really of the kind its ending says. Open it in the program it came from and save it again."
ENTRY = b"PK\x01\x02"  # begins each entry of a zip's directory
_PIECE = 1 << 20


def has_too_many_entries(data: bytes) -> bool:
    """Whether a zip lists over 10,000 files. They are counted in its bytes, because listing a million entries takes long."""
    return data.count(ENTRY) > MAX_ENTRIES


def is_bounded(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry can be inflated piece by piece: stored or deflated. A piece of the other kinds may be of any size."""
    return entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def inflated(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    """The contents of an entry, piece by piece; it ends soon after `most` bytes, so a total above `most` means that the entry is
    too large."""
    with archive.open(entry) as stream:
        total = 0
        while total <= most and (piece := stream.read(_PIECE)):
            total += len(piece)
            yield piece


class Archive:
    """The parts of a zip file, inflated one at a time within the bounds."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._left = MAX_INFLATED
        if has_too_many_entries(data):
            raise self._bomb()
        with guarded(name, DAMAGED):
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._parts = {part.filename: part for part in self._zip.infolist()}
        if sum(part.file_size for part in self._parts.values()) > MAX_DECLARED:
            raise self._bomb()

    def __contains__(self, part: str) -> bool:
        return part in self._parts

    def read(self, part: str) -> bytes:
        """The contents of a part. Raises BadFile if it is missing, locked, damaged or over the bounds."""
        info = self._parts.get(part)
        if info is None:
            raise BadFile(f"{self.name!r} {DAMAGED}")
        if info.flag_bits & 1:
            raise BadFile(f"{self.name!r} is locked with a password. Unlock it in the program it came from and save it again.")
        if not is_bounded(info):
            raise BadFile(f"{self.name!r} {DAMAGED}")
        tight = info.file_size > SMALL_PART and info.file_size > MAX_RATIO * max(1, info.compress_size)
        if tight or info.file_size > self._left:
            raise self._bomb()
        with guarded(self.name, DAMAGED):
            data = b"".join(inflated(self._zip, info, self._left))
        if len(data) > self._left:
            raise self._bomb()
        self._left -= len(data)
        return data

    def xml(self, part: str) -> etree._Element:
        """A small part, parsed to a tree."""
        data = self.read(part)
        if len(data) > MAX_PACKAGE_PART:
            raise self._bomb()
        with guarded(self.name, DAMAGED):
            root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
            dtd = root.getroottree().docinfo.internalDTD
            declares = dtd is not None and any(True for _ in dtd.iterentities())
        if declares:
            raise with_entities(self.name)
        return root

    def _bomb(self) -> BadFile:
        return BadFile(f"{self.name!r} unpacks to far more than a book contains, so it was not opened. Save its text as .txt.")


def with_entities(name: str) -> BadFile:
    """The refusal of a file with XML that declares entities."""
    return BadFile(f"{name!r} contains definitions (XML entities) that no such file needs and that can do harm. Save it as .txt.")


def text_of_first(root: etree._Element, tag: str) -> str:
    """The text of the first element with this tag; empty if there is none."""
    return next((element.text or "" for element in root.iter(tag)), "").strip()


def part_at(folder: str, link: str) -> str:
    """The path of the part to which `link`, in a file of `folder`, leads."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(link.partition("#")[0]))).lstrip("/")
