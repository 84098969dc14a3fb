"""Exit statuses, and the files that commands read and write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from readers.engine.errors import BadFile, BadOptions

ANSWERED, FAILED, WRONG_USE, UNANSWERED = 0, 1, 2, 3  # exit statuses
DONE = ANSWERED


def check_writable(path: Path | None) -> None:
    """Refuse a path that cannot be written, before a reading is made rather than after. Raises BadOptions."""
    if path and (path.is_dir() or not path.parent.is_dir()):
        raise BadOptions(f"{str(path)!r} cannot be written: its folder must exist, and it must not be one itself")


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write data as indented JSON. Raises BadOptions."""
    try:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None


def read_text(path: Path) -> str:
    """The text of a file, without the line break at its end. Raises BadFile."""
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"the file {str(path)!r} cannot be read as text: {error}") from None


def read_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises BadFile."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"the file {str(path)!r} cannot be read: {error.strerror}; check its name") from None


def print_json(data: Any) -> None:
    """Print data as indented JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=1))


def count(number: int, thing: str) -> str:
    """A number with its noun, such as `2 texts`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
