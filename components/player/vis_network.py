"""The script of vis-network, which draws the graphs of the player. It ships inside pyvis. Pure."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def vis_network() -> str:
    """The script, as it is."""
    spec = find_spec("pyvis")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")
