"""Run files from an untrusted zip: counted before they are unpacked, and measured meanwhile. Pure.

The sizes that a zip declares are not trusted: a file is unpacked piece by piece, and abandoned once it, or all files together,
exceed the limit. Nothing is written to disk, so names in the zip have no effect. Zips inside a zip are not opened.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from readers.engine.errors import BadRunFile
from readers.engine.ingest.archive import MAX_ENTRIES, has_too_many_entries, inflated, is_bounded

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError, MemoryError)

Waiting = tuple[str, Callable[[], bytes]]  # the name of a file, and a function that unpacks it


@dataclass
class Room:
    """The limits for all zips of one import: the number of files, and the bytes of each and of all together."""

    files: int
    each: int
    bytes: int


def is_zip(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def run_files(data: bytes, name: str, room: Room, *, endings: tuple[str, ...] = (".json",)) -> list[Waiting]:
    """The run files of a zip, or its files with other `endings`, each unpacked when its function is called. Raises BadRunFile if
    the zip is broken, or has no such files or too many; unpacking raises it as well if a file is too large or broken."""
    if has_too_many_entries(data):
        raise BadRunFile(f"{name!r} was not opened: it lists more than {MAX_ENTRIES:,} files")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        found = [entry for entry in archive.infolist() if _wanted(entry.filename, endings)]
    except _BROKEN:
        raise BadRunFile(f"{name!r} was not opened: it is not a complete zip. Export it again, and import the new file") from None
    if not found:
        raise BadRunFile(f"{name!r} has no run files in it: none of its files ends in .json")
    if len(found) > room.files:
        raise BadRunFile(
            f"{name!r} was not opened: it holds {len(found):,} run files, and {room.files:,} more can be imported at once. "
            "Unpack it, and import the files in parts"
        )
    room.files -= len(found)
    return [(f"{name}, {entry.filename}", partial(unpacked, archive, entry, room)) for entry in found]


def _wanted(path: str, endings: tuple[str, ...]) -> bool:
    """Whether this is a file with such an ending, and not a hidden file of the operating system such as `__MACOSX/._a.json`."""
    return path.lower().endswith(endings) and not path.rsplit("/", 1)[-1].startswith(".")


def unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: Room) -> bytes:
    """An entry of a zip. Raises BadRunFile if it is broken, has no bound, or takes more than there is room for."""
    if not is_bounded(entry):
        raise BadRunFile(
            f"{entry.filename[-60:]!r} was not unpacked: its kind of compression has no bound. Zip it in the usual way (deflate)"
        )
    found = bytearray()
    most = min(room.each, room.bytes)
    try:
        for piece in inflated(archive, entry, most):
            found += piece
    except _BROKEN:
        raise BadRunFile(f"{entry.filename[-60:]!r} cannot be unpacked: it is broken or locked by a password") from None
    finally:
        room.bytes = max(0, room.bytes - len(found))
    if len(found) > most:
        of = "it" if most == room.each else "with it, all that was unpacked"
        raise BadRunFile(f"{entry.filename[-60:]!r} was not imported: {of} comes to over {most // 1_000_000:,} MB")
    return bytes(found)
