"""The presets of readers on the command line: their options and sampling, under what is given besides."""

from __future__ import annotations

import argparse
from typing import Any

from readers.engine.errors import BadOptions
from readers.engine.prompts.options import Preset
from readers.engine.run.reader import Reader

NONE = Preset({})


def preset_of(reader: Reader, name: str | None) -> Preset:
    """A reader's preset; an empty one for None. Raises BadOptions for an unknown name."""
    if name is None:
        return NONE
    found = reader.presets.get(name)
    if found is None:
        known = ", ".join(map(repr, reader.presets)) or "none"
        raise BadOptions(f"{reader.title} has no preset {name!r}; it has {known}")
    return found


def sampling(preset: Preset, arguments: argparse.Namespace) -> dict[str, Any]:
    """The temperature and top p of a spec: as given, else the preset's."""
    given = {"temperature": arguments.temperature, "top_p": arguments.top_p}
    return {**preset.sampling, **{name: value for name, value in given.items() if value is not None}}
