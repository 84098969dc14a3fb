"""What the command line sets for readers: presets, options and prompt sets, each for all readers or as `READER.name` for one; and
`prompts`, which prints a reader's prompts, and saves, lists and deletes prompt sets.

`auto` is the preset of every reader that cuts a text: sizes that suit the text that is read.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from readers import READERS, get, origin, plugin_trial
from readers.cli.output import DONE, print_json, read_bytes
from readers.engine.errors import BadOptions, NotFound
from readers.engine.models.tokenizer_files import wording_note
from readers.engine.prompts.options import Preset
from readers.engine.prompts.prompt_sets import prompt_set, templates_in_code
from readers.engine.run.execute import RunSpec, changed_templates, edited_prompts, in_effect
from readers.engine.run.part_sizes import AUTO, TextLength, in_words, suited, why_limited
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from readers.engine.store.prompt_sets import PromptSet

NONE = Preset({}, reply_form=None)


class TextToRead(NamedTuple):
    """How long the text is for which `auto` chooses, and the context window that it is read with; None for no limit."""

    length: TextLength
    window: int | None


def preset_of(reader: Reader, name: str | None, *, text: TextToRead | None = None) -> Preset:
    """A reader's preset; an empty preset for None. Raises BadOptions for an unknown name, and for `auto` without a text."""
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
        raise BadOptions("preset 'auto' fits the sizes to a text, and there is none here")
    chosen = suited(reader, text.length, window=text.window)
    told = in_words(reader, chosen.options, text.length) or f"{reader.title} does not cut a text, so there is no size to choose"
    print(f"{AUTO}: {told}", file=sys.stderr)
    if chosen.limited and text.window:
        print(f"note: {why_limited(text.window)}.", file=sys.stderr)
    return Preset(chosen.options, reply_form=None)


def sampling(preset: Preset, arguments: argparse.Namespace) -> dict[str, Any]:
    """The temperature, top p and reply form of a spec: as given, else the preset's, else the profile's."""
    given = {"temperature": arguments.temperature, "top_p": arguments.top_p, "reply_form": arguments.reply_form}
    return {**arguments.profile_sampling, **preset.terms, **{name: value for name, value in given.items() if value is not None}}


ALL = "all"  # every method, without the baselines


def named_readers(ids: Sequence[str]) -> list[Reader]:
    """The readers with these ids, each once; the first there is for none. Raises NotFound."""
    methods = [reader.id for reader in READERS if not reader.baseline]
    wanted = [one for named in ids or methods[:1] for one in (methods if named == ALL else [named])]
    return [get(reader_id) for reader_id in dict.fromkeys(wanted)]


def presets(readers: Sequence[Reader], named: Sequence[str], *, text: TextToRead | None = None) -> dict[str, Preset]:
    """The preset of each reader, by its id; `auto` is for all readers, and needs the `text`.

    Raises BadOptions for another one that could be any reader's, or is unknown.
    """
    for_all = AUTO if AUTO in named else None
    found = _of_readers(readers, [name for name in named if name != AUTO], "--preset")
    return {reader.id: preset_of(reader, name or for_all, text=text) for reader, name in found.items()}


def auto_readers(readers: Sequence[Reader], named: Sequence[str]) -> tuple[frozenset[str], list[str]]:
    """The readers, by id, whose sizes suit each text: those for which `auto` is named; and the other names. Raises BadOptions."""
    found = _of_readers(readers, [name for name in named if name != AUTO], "--preset")
    usual = AUTO if AUTO in named else None
    others = [name for name in named if name.rpartition("=")[2] != AUTO]
    return frozenset(reader.id for reader, name in found.items() if (name or usual) == AUTO), others


def prompt_sets(readers: Sequence[Reader], named: Sequence[str]) -> dict[str, dict[str, str]]:
    """The templates for each reader, by its id. Raises BadOptions for a set that could be any reader's, NotFound or BadFile."""
    of_readers = _of_readers(readers, named, "--prompts")
    return {reader.id: {} if name is None else prompt_set_of(reader, name) for reader, name in of_readers.items()}


def options(presets: Mapping[str, Preset], settings: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The options of each reader, by its id: its preset's, overridden by those given as [READER.]NAME=VALUE.

    Raises BadOptions for another form, or for a reader that is not one of these.
    """
    given: dict[str, dict[str, Any]] = {reader_id: dict(preset.options) for reader_id, preset in presets.items()}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOptions(f"--set takes NAME=VALUE, not {setting!r}")
        of, dot, option = name.strip().rpartition(".")
        if dot and of not in given:
            raise BadOptions(f"--set {setting!r} is for {of!r}, which is not one of the readers here: {', '.join(given)}")
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
            raise BadOptions(f"{argument} {one!r}: name its reader, as in {readers[0].id}={one}")
        found[own[0] if own else readers[0]] = name if own else one
    return found


def prompts(arguments: argparse.Namespace) -> int:
    reader = get(arguments.reader)
    if arguments.save:
        name, file = arguments.save
        templates = _prompt_file(Path(file))
        edited_prompts(reader, templates)
        with Store() as store:
            saved = store.prompt_sets.save(reader.id, name, templates)
        print(f"Saved. Read with it: python -m readers read FILE --reader {reader.id} --prompts {shlex.quote(saved.name)} ...")
    elif arguments.from_code:
        print_json(templates_in_code(read_bytes(arguments.from_code, "code"), arguments.from_code.name, reader.prompts))
    elif arguments.list:
        for saved in _saved(reader):
            print(f"{saved.name}: {', '.join(saved.templates) or 'no prompt'}")
    elif arguments.delete is not None:
        with Store() as store:
            store.prompt_sets.delete(reader.id, arguments.delete)
        print(f"Deleted {arguments.delete!r}.")
    else:
        words = {prompt.id: prompt.template for prompt in reader.prompts}
        print_json(words)
    return DONE


def prompt_set_of(reader: Reader, named: str) -> dict[str, str]:
    """The templates of a prompt set: from a file with this name, or else from the saved set. Raises NotFound or BadFile."""
    if os.path.exists(named):  # unlike Path.exists, it accepts any string
        return changed_templates(reader, _prompt_file(Path(named)))
    saved = {one.name: one.templates for one in _saved(reader)}
    if named not in saved:
        known = f"saved are {', '.join(map(repr, saved))}" if saved else "none is saved"
        raise NotFound(f"there is no file {named!r}, and no saved prompt set of {reader.title} by this name; {known}")
    return changed_templates(reader, saved[named])


def print_wording_note(reader: Reader, spec: RunSpec) -> None:
    """Say on standard error if a published checkpoint gets prompts in another wording than its own. Raises BadOptions."""
    if note := wording_note(in_effect(reader, spec).options, reader.prompts, spec.prompts):
        print(f"note: {note}", file=sys.stderr)


def print_failures(readers: Iterable[Reader]) -> None:
    """Report on standard error which of the user's own readers raise errors in a trial."""
    own = dict.fromkeys(reader for reader in readers if origin(reader.id))
    for failure in [failure for reader in own for failure in plugin_trial.failures(reader)]:
        print(f"warning: {failure}", file=sys.stderr)


def _prompt_file(path: Path) -> dict[str, str]:
    return prompt_set(read_bytes(path, "prompt set"), path.name)


def _saved(reader: Reader) -> list[PromptSet]:
    with Store() as store:
        return store.prompt_sets.of_reader(reader.id)
