"""Where data lives on this machine: PALIMPSEST_HOME, or the platform's user data directory; and small files of figures there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs

LARGEST_FILE = 1 << 20  # bytes that are read of a file of figures


def home() -> Path:
    """The folder for the database and the local model. It may not exist yet."""
    return Path(os.environ.get("PALIMPSEST_HOME") or platformdirs.user_data_dir("palimpsest", appauthor=False))


def read_figures(name: str) -> dict[str, Any]:
    """The JSON object in a file of this name. What cannot be read was never measured: it is empty."""
    with suppress(OSError, ValueError, RecursionError):
        with (home() / name).open("rb") as file:
            found = json.loads(file.read(LARGEST_FILE))
        if isinstance(found, dict):
            return found
    return {}


def write_figures(name: str, figures: Mapping[str, Any]) -> None:
    """Write a file, replacing an earlier one. A process that reads it at the same time gets one of the two complete."""
    path = home() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    part.replace(path)
