"""Downloads one large file whose size and SHA-256 are known, and resumes what was cut off.

The file grows beside its place under another name and is moved there once it is complete and correct; until then nothing is. Not
here: which file, and what to say where it cannot be had (`fetch.py`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import httpx

from readers.engine.errors import BadFile, BadOptions

MAX_TRIES = 5  # in a row that bring nothing new
FIRST_WAIT = 1.0
TIMEOUT = 30.0  # seconds without a byte
SPARE_BYTES = 50_000_000
PARTIAL, OUT_OF_RANGE = 206, 416
_NO_WAY = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL)

Progress = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes there are in all."""


class Unreachable(BadOptions):
    """The server cannot be reached, or does not give the file. What has been downloaded stays for the next try."""


@dataclass(frozen=True)
class Expected:
    """A file as it must be."""

    path: Path
    bytes: int
    sha256: str

    @property
    def part(self) -> Path:
        """Where it grows."""
        return self.path.with_name(f"{self.path.name}.part")


def download(url: str, expected: Expected, *, progress: Progress = lambda here, all_: None) -> None:
    """Download the file, from where an earlier try was cut off. Raises Unreachable, BadFile for another file than expected, and
    BadOptions if the disk has no room."""
    expected.part.parent.mkdir(parents=True, exist_ok=True)
    if _size(expected.part) > expected.bytes:
        expected.part.unlink()
    check_room(expected)
    most, in_vain = _size(expected.part), 0
    while most < expected.bytes:
        problem = _try(url, expected, progress)
        in_vain = 0 if _size(expected.part) > most else in_vain + 1
        most = max(most, _size(expected.part))
        if in_vain == MAX_TRIES:
            raise Unreachable(problem or f"{url} has fewer bytes than expected")
        if in_vain:
            time.sleep(FIRST_WAIT * 2 ** (in_vain - 1))
    move_if_correct(expected)


def _try(url: str, expected: Expected, progress: Progress) -> str:
    """One request; returns what cut it off, if anything did. Raises Unreachable where another try would not help."""
    try:
        _fetch_rest(url, expected, progress)
    except httpx.HTTPStatusError as error:
        raise Unreachable(f"{error.request.url.host} answered {error.response.status_code} for {url}") from None
    except _NO_WAY as error:
        raise Unreachable(f"{url} cannot be reached: {str(error) or type(error).__name__}") from None
    except httpx.HTTPError as error:
        return f"{url} was cut off: {str(error) or type(error).__name__}"
    except OSError as error:
        raise BadOptions(f"{str(expected.part)!r} cannot be written: {error.strerror}; check the disk") from None
    return ""


def check_room(expected: Expected) -> None:
    """Raises BadOptions if the disk has no room for the rest of the file."""
    needed = expected.bytes - _size(expected.part) + SPARE_BYTES
    folder = expected.part.parent
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BadOptions(
            f"{expected.path.name!r} needs {needed / 1e6:,.0f} MB of disk, and {str(folder)!r} has {free / 1e6:,.0f} MB left; "
            "free some, or set PALIMPSEST_HOME to a folder on another disk"
        )


def move_if_correct(expected: Expected) -> None:
    """Move the complete file to its place. One with another size or checksum is deleted: raises BadFile."""
    size = _size(expected.part)
    if size == expected.bytes and checksum(expected.part) == expected.sha256:
        os.replace(expected.part, expected.path)
        return
    expected.part.unlink()
    what = "the wrong checksum" if size == expected.bytes else f"{size:,} bytes instead of {expected.bytes:,}"
    raise BadFile(f"{expected.path.name!r} has {what} and was discarded; it was damaged or is another file, so fetch it again")


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch_rest(url: str, expected: Expected, progress: Progress) -> None:
    """One request for what is missing. A server that does not continue in the middle sends everything, and it begins anew."""
    part = expected.part
    start = _size(part)
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
    with httpx.stream("GET", url, headers=headers, follow_redirects=True, timeout=TIMEOUT) as answer:
        partial = answer.status_code == PARTIAL
        continues = partial and answer.headers.get("content-range", "").startswith(f"bytes {start}-")
        if start and (answer.status_code == OUT_OF_RANGE or (partial and not continues)):
            part.unlink()
            return
        answer.raise_for_status()
        with part.open("ab" if continues else "wb") as file:
            _write(answer, file, expected, progress)


def _write(answer: httpx.Response, file: BinaryIO, expected: Expected, progress: Progress) -> None:
    """Write what arrives, and stop at the first byte too many."""
    for chunk in answer.iter_raw():  # as it arrives: nothing that did is lost by a cut
        file.write(chunk)
        here = file.tell()
        progress(min(here, expected.bytes), expected.bytes)
        if here > expected.bytes:
            return


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0
