"""`questions`: import, list and delete question sets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from readers.cli.output import DONE, print_json
from readers.cli.progress import read_file
from readers.engine.errors import BadFile, BadOptions
from readers.engine.ingest import Ingested
from readers.engine.questions.files import is_questions
from readers.engine.questions.import_benchmarks import Selection
from readers.engine.questions.import_questions import MOST_PATHS, complete_set, of_benchmarks, read_questions
from readers.engine.questions.question_importer import TextSources
from readers.engine.store import Store
from readers.engine.store.question_sets import ListedSet
from readers.engine.text.document import Document
from readers.engine.text.phrases import counted

WHOLE = Selection()  # every question
STORIES = "tmp"  # the folder in which NarrativeQA's script puts the stories


def import_set(arguments: argparse.Namespace) -> int:
    selection = Selection(arguments.first, tuple(_field_value(words) for words in arguments.only))
    with Store() as store:
        stored = import_files(store, arguments.files, name=arguments.name, selection=selection)
    print(f"{stored.id}  {counted(stored.questions, 'question')} on {counted(stored.documents, 'text')}: {stored.name}")
    return DONE


def import_files(store: Store, files: Sequence[Path], *, name: str = "", selection: Selection = WHOLE) -> ListedSet:
    """Import files and folders as one set, and say on standard error what was recognised and skipped."""
    paths = [file for path in files for file in _files_of(path)]
    if len(paths) > MOST_PATHS:
        raise BadFile(f"{MOST_PATHS:,} files can be imported at once; give fewer")
    sources = _text_sources(store, list(dict.fromkeys(path.parent for path in paths)))
    imported = read_questions([(path.name, path) for path in paths], sources, name=name, selection=selection)
    for found in imported.recognised:
        published = f"; published with {', '.join(found.scores)}" if found.scores else ""
        amount = f"{counted(found.questions, 'question')} on {counted(found.texts, 'text')}"
        print(f"recognised: {found.name}, {amount}{published}", file=sys.stderr)
    for note in imported.notes:
        print(f"note: {note}", file=sys.stderr)
    return store.question_sets.add(complete_set(imported))


def _files_of(path: Path) -> list[Path]:
    """The file itself; of a folder those in it and below it that hold questions."""
    if not path.is_dir():
        return [path]
    files = sorted(islice((file for file in path.rglob("*") if file.is_file()), MOST_PATHS))
    found = of_benchmarks(files) or [file for file in files if is_questions(file.name)]
    if not found:
        raise BadFile(f"no file in the folder {str(path)!r} holds questions")
    return found


def _field_value(words: str) -> tuple[str, str]:
    name, sign, value = words.partition("=")
    if not sign or not name.strip():
        raise BadOptions(f"--only {words[:60]!r} is not NAME=VALUE, such as difficult=1")
    return name.strip(), value.strip()


def _text_sources(store: Store, folders: Sequence[Path]) -> TextSources:
    """Texts in the folders of the files, and those of the library."""

    def beside(name: str) -> Ingested | None:
        paths = (folder / part / name for folder in folders for part in ("", STORIES))
        path = next((path for path in paths if path.is_file()), None)
        return read_file(path) if path else None

    def library(named: str) -> list[Document]:
        return [store.document(shelved.id) for shelved in store.documents() if named in (shelved.id, shelved.title)]

    return TextSources(beside, library)


def list_sets(arguments: argparse.Namespace) -> int:
    with Store() as store:
        sets = store.question_sets.listed()
    if arguments.json:
        print_json([one._asdict() for one in sets])
    elif not sets:
        print("No question sets yet. Import one with: python -m readers questions import FILE")
    for one in [] if arguments.json else sets:
        when = one.created[:16].replace("T", " ")
        print(f"{one.id}  {when}  {counted(one.questions, 'question'):<16} {counted(one.documents, 'text'):<12} {one.name}")
    return DONE


def delete_set(arguments: argparse.Namespace) -> int:
    with Store() as store:
        stored = store.question_sets.get(arguments.set)
        store.question_sets.delete(stored.id)
    print(f"Deleted {stored.name!r}.")
    return DONE
