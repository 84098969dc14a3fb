"""Run files out of a zip that nobody vouches for: counted and measured before and while they are unpacked. Pure.

What a zip says of itself is not believed: a file is unpacked a stretch at a time, and given up once it, or all of them together,
come to more than is allowed. Nothing is written to disk, so names in the zip lead nowhere. Zips inside a zip are not opened.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from readers.engine.errors import BadRunFile

MOST_ENTRIES = 10_000  # of any kind; a list of more is not even read
_STRETCH = 1 << 20
_ENTRY = b"PK\x01\x02"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError, MemoryError)

Waiting = tuple[str, Callable[[], bytes]]  # a file's name, and what gives its bytes


@dataclass
class Room:
    """What may come out of the zips that are given at once: so many files, and so many bytes of each and of all together."""

    files: int
    each: int
    bytes: int


def is_zip(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def run_files(data: bytes, name: str, room: Room) -> list[Waiting]:
    """The run files of a zip, each unpacked when it is called for. Raises BadRunFile where it is no whole zip or has none, or
    more than there is room for; and so does a file that is too large, or broken."""
    if data.count(_ENTRY) > MOST_ENTRIES:
        raise BadRunFile(f"{name!r} was not opened: it lists more than {MOST_ENTRIES:,} files")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        found = [entry for entry in archive.infolist() if _wanted(entry.filename)]
    except _BROKEN:
        raise BadRunFile(f"{name!r} was not opened: it is no whole zip. Save it once more, and give that") from None
    if not found:
        raise BadRunFile(f"{name!r} has no run files in it: none of its files ends in .json")
    if len(found) > room.files:
        raise BadRunFile(
            f"{name!r} was not opened: it holds {len(found):,} run files, and {room.files:,} more can be taken in at once. "
            "Unpack it, and give them in parts"
        )
    room.files -= len(found)
    return [(f"{name}, {entry.filename}", partial(_unpacked, archive, entry, room)) for entry in found]


def _wanted(path: str) -> bool:
    """Not what systems put beside files: `__MACOSX/._a.json`."""
    return path.lower().endswith(".json") and not path.rsplit("/", 1)[-1].startswith(".")


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: Room) -> bytes:
    found = bytearray()
    most = min(room.each, room.bytes)
    try:
        with archive.open(entry) as stream:
            while stretch := stream.read(_STRETCH):
                found += stretch
                if len(found) > most:
                    break
    except _BROKEN:
        raise BadRunFile(f"{entry.filename[-60:]!r} cannot be unpacked: it is broken or locked by a password") from None
    finally:
        room.bytes = max(0, room.bytes - len(found))
    if len(found) > most:
        of = "it" if most == room.each else "with it, all that was unpacked"
        raise BadRunFile(f"{entry.filename[-60:]!r} was not taken in: {of} comes to over {most // 1_000_000:,} MB")
    return bytes(found)
