"""What is given on the command line for one or several readers: options, presets and prompt sets, each for all or for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readers import READERS, get
from readers.cli.settings.presets import TextToRead, preset_of
from readers.cli.settings.prompts import prompt_set_of
from readers.engine.errors import BadOptions
from readers.engine.prompts.options import Preset
from readers.engine.run.part_sizes import AUTO
from readers.engine.run.reader import Reader

ALL = "all"  # every method, without the baselines


def named_readers(ids: Sequence[str]) -> list[Reader]:
    """The readers with these ids, each once; the first there is for none. Raises NotFound."""
    methods = [reader.id for reader in READERS if not reader.baseline]
    wanted = [one for named in ids or methods[:1] for one in (methods if named == ALL else [named])]
    return [get(reader_id) for reader_id in dict.fromkeys(wanted)]


def presets(readers: Sequence[Reader], named: Sequence[str], *, text: TextToRead | None = None) -> dict[str, Preset]:
    """The preset of each reader, by its id; `auto` is for all of them, and needs the `text`.

    Raises BadOptions for another one that could be any reader's, or is unknown.
    """
    for_all = AUTO if AUTO in named else None
    found = _of_readers(readers, [name for name in named if name != AUTO], "--preset")
    return {reader.id: preset_of(reader, name or for_all, text=text) for reader, name in found.items()}


def prompt_sets(readers: Sequence[Reader], named: Sequence[str]) -> dict[str, dict[str, str]]:
    """The templates for each reader, by its id. Raises BadOptions for a set that could be any reader's, NotFound or BadFile."""
    of_readers = _of_readers(readers, named, "--prompts")
    return {reader.id: {} if name is None else prompt_set_of(reader, name) for reader, name in of_readers.items()}


def options(presets: Mapping[str, Preset], settings: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The options of each reader, by its id: its preset's, and over them what is given as [READER.]NAME=VALUE.

    Raises BadOptions for what is not given so, or for a reader that is not among them.
    """
    given: dict[str, dict[str, Any]] = {reader_id: dict(preset.options) for reader_id, preset in presets.items()}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOptions(f"--set takes NAME=VALUE, not {setting!r}")
        of, dot, option = name.strip().rpartition(".")
        if dot and of not in given:
            raise BadOptions(f"--set {setting!r} is for {of!r}, which is none of the readers here: {', '.join(given)}")
        for reader_id in [of] if dot else list(given):
            given[reader_id][option] = value.strip()
    return given


def _of_readers(readers: Sequence[Reader], named: Sequence[str], argument: str) -> dict[Reader, str | None]:
    """What is given as [READER=]NAME, for each reader; None for nothing. Raises BadOptions for what could be any reader's."""
    found: dict[Reader, str | None] = dict.fromkeys(readers)
    for one in named:
        owner, equals, name = one.partition("=")
        own = [reader for reader in readers if equals and reader.id == owner]
        if not own and len(found) > 1:
            raise BadOptions(f"{argument} {one!r}: say which reader's it is, as in {readers[0].id}={one}")
        found[own[0] if own else readers[0]] = name if own else one
    return found
