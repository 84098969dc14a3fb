"""What every test of components needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(scope="session", autouse=True)
def packages_scanned_once() -> Iterator[None]:
    """Streamlit reads what each installed package says of itself, for every page that is run anew: a fifth of a second."""
    with patch.object(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests)):
        yield


@pytest.fixture(autouse=True)
def main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back afterwards: Streamlit's harness leaves its script in this place, and a process that is spawned later runs that
    first."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
