"""The presets of readers on the command line: their options and sampling, under what is given besides.

`auto` is the preset of every reader that cuts a text: sizes that suit the text that is read.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.prompts.options import Preset
from readers.engine.run.part_sizes import AUTO, TextLength, in_words, suited, why_limited
from readers.engine.run.reader import Reader

NONE = Preset({})


class TextToRead(NamedTuple):
    """How long the text is for which `auto` chooses, and the context window that it is read with; None for no limit."""

    length: TextLength
    window: int | None


def preset_of(reader: Reader, name: str | None, *, text: TextToRead | None = None) -> Preset:
    """A reader's preset; an empty one for None. Raises BadOptions for an unknown name, and for `auto` without a text."""
    if name is None:
        return NONE
    if name == AUTO:
        return _auto(reader, text)
    found = reader.presets.get(name)
    if found is None:
        known = ", ".join(map(repr, [*reader.presets, *([AUTO] if reader.part_size else [])])) or "none"
        raise BadOptions(f"{reader.title} has no preset {name!r}; it has {known}")
    return found


def _auto(reader: Reader, text: TextToRead | None) -> Preset:
    """The sizes that suit a text, which are printed to standard error."""
    if text is None:
        raise BadOptions("preset 'auto' suits the sizes to one text; for several texts, give the sizes with --set")
    chosen = suited(reader, text.length, window=text.window)
    told = in_words(reader, chosen.options, text.length) or f"{reader.title} does not cut a text, so there is no size to choose"
    print(f"{AUTO}: {told}", file=sys.stderr)
    if chosen.limited and text.window:
        print(f"note: {why_limited(text.window)}.", file=sys.stderr)
    return Preset(chosen.options)


def sampling(preset: Preset, arguments: argparse.Namespace) -> dict[str, Any]:
    """The temperature and top p of a spec: as given, else the preset's."""
    given = {"temperature": arguments.temperature, "top_p": arguments.top_p}
    return {**preset.sampling, **{name: value for name, value in given.items() if value is not None}}
