"""`prompts`: print a reader's prompts, and save, list and delete prompt sets."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from readers import get
from readers.cli.output import DONE, print_json
from readers.engine.errors import BadFile, NotFound
from readers.engine.models.tokenizer_files import wording_note
from readers.engine.prompts.prompt_sets import prompt_set, templates_in_code
from readers.engine.run.execute import RunSpec, changed_templates, edited_prompts, in_effect
from readers.engine.run.reader import Reader
from readers.engine.store import Store
from readers.engine.store.prompt_sets import PromptSet


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
        print_json(templates_in_code(_read(arguments.from_code, "code"), arguments.from_code.name, reader.prompts))
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


def _prompt_file(path: Path) -> dict[str, str]:
    return prompt_set(_read(path, "prompt set"), path.name)


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"the {what} {str(path)!r} cannot be read: {error.strerror}") from None


def _saved(reader: Reader) -> list[PromptSet]:
    with Store() as store:
        return store.prompt_sets.of_reader(reader.id)
