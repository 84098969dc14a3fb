"""What every test of components needs."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back afterwards: Streamlit's harness leaves its script in this place, and a process that is spawned later runs that
    first."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
