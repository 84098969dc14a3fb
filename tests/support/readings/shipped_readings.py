"""The readings that come with Palimpsest, as they are opened: for tests of what holds for all of them. Each is read once a
process; nothing is stored."""

from __future__ import annotations

import json
from functools import cache

import pytest

from components.replay.reading import replayed_from
from readers import offered
from readers.engine.files.runs.import_run import check_run_file
from readers.engine.store import Reading
from tests.support.paths import ROOT

FOLDER = ROOT / "assets" / "readings"
SHIPPED: tuple[str, ...] = tuple(row["file"] for row in json.loads((FOLDER / "index.json").read_text(encoding="utf-8")))
every_shipped = pytest.mark.parametrize("name", SHIPPED, ids=lambda name: name.removesuffix(".json"))


@cache
def shipped_reading(name: str) -> Reading:
    """The reading in a shipped file."""
    path = FOLDER / name
    return replayed_from(check_run_file(path, path.name, readers=offered), name).reading
