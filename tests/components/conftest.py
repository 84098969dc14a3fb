"""What every test of components needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.support.app_pages import quick_harness


@pytest.fixture(scope="session", autouse=True)
def pages_drawn_quickly() -> Iterator[None]:
    with quick_harness():
        yield


@pytest.fixture(autouse=True)
def main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back afterwards: Streamlit's harness leaves its script in this place, and a process that is spawned later runs that
    first."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
