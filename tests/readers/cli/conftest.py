"""What several tests of the command line read."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "ferry.txt"
    words = "The ferry leaves at noon.\n\nThe harbour master keeps a grey parrot called Doris.\n\nNobody rows."
    path.write_text(words, encoding="utf-8")
    return path
