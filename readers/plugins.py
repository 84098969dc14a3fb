"""Readers of your own: found in installed packages and in PALIMPSEST_HOME/readers, and checked before anybody can choose them.

A package declares its reader by an entry point in the group `palimpsest.readers`; a folder (or a single file) in
PALIMPSEST_HOME/readers names it `READER`. Either is a class that extends `Reader`, or an instance of one. A plug-in is code
and may do everything that this program may do: install only those that you would run. A reader that cannot be used is refused
in a sentence, and everything else works without it. With PALIMPSEST_DEMO, only those that PALIMPSEST_READERS names are
loaded; without it, the variable limits which are loaded (`none`: none). Readers are found once, when this program starts. Not
here: the built-in readers (`readers/registry.py`).
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from readers.engine.errors import BadOptions, NotFound, in_words
from readers.engine.home import home
from readers.engine.models.offline.parts import lacking, overlooked
from readers.engine.prompts.options import read_options
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.narrative import Narrative
from readers.engine.record.pseudo_code import PseudoCode
from readers.engine.run.reader import Reader, ReadingState
from readers.plugin_hooks import with_guarded_hooks

GROUP = "palimpsest.readers"
NAME = "READER"
NAMED = "PALIMPSEST_READERS"
NONE = "none"
_OFF = ("", "0", "off", "no", "false")
_MODULES = "palimpsest_readers_"  # before the name of a folder's module, so that it does not hide another


@dataclass(frozen=True)
class Plugin:
    """What was found under a name: where it is from, and its reader, or why it is refused. `remarks`: what the offline model
    cannot do with its prompts, which other models can."""

    name: str
    origin: str
    reader: Reader | None = None
    problem: str = ""
    remarks: tuple[str, ...] = ()


def found(taken: Collection[str]) -> tuple[Plugin, ...]:
    """Every plug-in, in the order of their names, packages first; `taken` are the ids that others have already."""
    may, ids, plugins = _permitted(), set(taken), []
    for name, origin, load in (*_packages(), *_in_folder(folder())):
        if not may(name):
            continue
        plugin = _loaded(name, origin, load)
        if plugin.reader and plugin.reader.id in ids:
            plugin = Plugin(name, origin, problem=f"its id {plugin.reader.id!r} belongs to another reader: give it another")
        if plugin.reader:
            ids.add(plugin.reader.id)
        plugins.append(plugin)
    return tuple(plugins)


def folder() -> Path:
    """The folder of the user's own readers. It may not exist."""
    return home() / "readers"


def problem_of(reader: object) -> str:
    """What is wrong with a reader, in a sentence that says what is expected; empty if it can be used."""
    if not isinstance(reader, Reader):
        return f"it is not a reader: {NAME} must be a class that extends readers.engine.run.reader.Reader, or an instance of one"
    for check in (_names, _prompts, problem_with_options, _presets, _narrative, _state, _pseudo_code):
        if problem := check(reader):
            return problem
    return ""


def remarks_on(reader: Reader) -> tuple[str, ...]:
    """What the offline model cannot do with the reader's prompts, or does not look at: a sentence for each prompt."""
    return tuple(words for prompt in reader.prompts if (words := lacking(prompt) or overlooked(prompt)))


def _names(reader: Reader) -> str:
    problem = _missing(reader, id=str, title=str, version=int, prompts=tuple, Options=type)
    if problem:
        return problem
    if not reader.id.isascii() or not reader.id.isidentifier() or reader.id != reader.id.lower() or len(reader.id) > 40:
        return f"its id {reader.id!r} must be a word in lower-case letters, digits and _, up to 40 characters"
    if not reader.title.strip() or not reader.title.isprintable() or len(reader.title) > 60:
        return f"its title {reader.title!r} must be one line of up to 60 characters"
    if reader.version < 1:
        return (
            f"its version is {reader.version}, and must be 1 or more: raise it when its prompts or the order of its calls change"
        )
    return ""


def _missing(reader: Reader, **kinds: type) -> str:
    for name, kind in kinds.items():
        value = getattr(reader, name, None)
        if not isinstance(value, kind) or isinstance(value, bool):
            return f"its {name!r} must be {'a class' if kind is type else kind.__name__}, not {type(value).__name__}"
    return ""


def _prompts(reader: Reader) -> str:
    for prompt in reader.prompts:
        if not isinstance(prompt, Prompt):
            return f"its prompts must be made with Prompt(...), not {type(prompt).__name__}"
        if not prompt.id.startswith(f"{reader.id}."):
            return f"the id of its prompt {prompt.id!r} must begin with {f'{reader.id}.'!r}, so that no two readers share one"
    ids = [prompt.id for prompt in reader.prompts]
    return "" if len(set(ids)) == len(ids) else f"two of its prompts have the same id: {', '.join(ids)}"


def problem_with_options(reader: Reader) -> str:
    """What is wrong with its options, or with the option that its `part_size` names; empty if nothing is."""
    if not is_dataclass(reader.Options):
        return "its Options must be a dataclass (an empty one for a reader without options)"
    try:
        json.dumps(asdict(read_options(reader.Options, asdict(reader.Options()))), allow_nan=False)
    except (BadOptions, TypeError, NameError, ValueError, RecursionError) as error:
        return f"its options cannot be used as they are by default: {error}"
    names = [field.name for field in fields(reader.Options)]
    size = reader.part_size
    named = [size.option, size.least, size.room, size.memory] if size else []
    lacking = [name for name in named if name and name not in names]
    return f"its part_size names the option {lacking[0]!r}, which it does not have" if lacking else ""


def _presets(reader: Reader) -> str:
    for name, preset in reader.presets.items():
        try:
            read_options(reader.Options, preset.options)
        except BadOptions as error:
            return f"its preset {name!r} cannot be used: {error}"
    return ""


def _narrative(reader: Reader) -> str:
    if not isinstance(reader.narrative, Narrative):
        return "its narrative must be a Narrative, not its class"
    for name, default in vars(Narrative).items():
        if name[0] == "_" or not isinstance(default, dict | str):
            continue
        kind = Mapping if isinstance(default, dict) else str
        if not isinstance(value := getattr(reader.narrative, name), kind):
            return f"its narrative's {name!r} must be {type(default).__name__}, not {type(value).__name__}"
    return ""


def _state(reader: Reader) -> str:
    if not isinstance(reader.State, type) or not issubclass(reader.State, ReadingState):
        return "its State must be a class that extends readers.engine.run.reader.ReadingState"
    return ""


def _pseudo_code(reader: Reader) -> str:
    if reader.pseudo_code is None:
        return ""
    if not isinstance(reader.pseudo_code, PseudoCode):
        return "its pseudo_code must be a PseudoCode, not its class, or None"
    try:
        reader.pseudo_code.as_data()
    except NotFound as error:
        return str(error)
    except (AttributeError, TypeError) as error:
        return f"its pseudo_code cannot be shown: {error}"
    return ""


def _loaded(name: str, origin: str, load: Callable[[], object]) -> Plugin:
    """Load one. This is third-party code: its errors become sentences, and what it prints is kept out of a command's output."""
    try:
        with redirect_stdout(sys.stderr):
            what = load()
            reader = what() if isinstance(what, type) else what
            problem = problem_of(reader)
            if problem or not isinstance(reader, Reader):
                return Plugin(name, origin, problem=problem)
            return Plugin(name, origin, with_guarded_hooks(reader), remarks=remarks_on(reader))
    except (Exception, SystemExit) as error:
        return Plugin(name, origin, problem=f"it cannot be loaded: {in_words(error)}")


def _permitted() -> Callable[[str], bool]:
    """Which plug-ins may be loaded, by name."""
    named = os.environ.get(NAMED)
    demo = os.environ.get("PALIMPSEST_DEMO", "").strip().lower() not in _OFF
    if named is None:
        return lambda name: not demo
    names = {word.strip() for word in named.split(",")} - {NONE, ""}
    return lambda name: name in names


def _packages() -> Iterator[tuple[str, str, Callable[[], object]]]:
    """The entry points of installed packages."""
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        yield point.name, _package(point), point.load


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name} {point.dist.version}" if point.dist else f"package {point.module}"


def _in_folder(where: Path) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """The folders with an `__init__.py`, and the single files, in a folder."""
    try:
        paths = sorted(where.iterdir())
    except OSError:
        return
    for path in paths:
        file = path / "__init__.py" if path.is_dir() else path
        if path.name[0] not in "._" and file.suffix == ".py" and file.is_file():
            yield path.stem, str(path), partial(_reader_of, path, file)


def _reader_of(path: Path, file: Path) -> object:
    return getattr(_module(path, file), NAME, None)


def _module(path: Path, file: Path) -> Any:
    """The module of a folder or file, under a unique name; `from .other import ...` works inside a folder."""
    name = f"{_MODULES}{path.stem}"
    inside = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
