"""Settings of readings by the readers as they are now."""

from __future__ import annotations

from typing import Any

from readers import get
from readers.engine.run.execute import RunSpec


def current_spec(reader: str, question: str, **settings: Any) -> RunSpec:
    """The settings of a reading by this version of a reader."""
    return RunSpec(reader, get(reader).version, question, **settings)
