"""`questions`: import, list and delete question sets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from readers.cli.output import DONE, print_json, read_bytes
from readers.engine.errors import BadFile
from readers.engine.ingest import Ingested, from_path
from readers.engine.questions.import_questions import MOST_FILES, TextSources, complete_set, read_questions
from readers.engine.store import Store
from readers.engine.text.document import Document
from readers.engine.text.phrases import counted


def import_set(arguments: argparse.Namespace) -> int:
    if len(arguments.files) > MOST_FILES:
        raise BadFile(f"{MOST_FILES} files can be imported at once; give fewer")
    with Store() as store:
        files = [(path.name, read_bytes(path)) for path in arguments.files]
        imported = read_questions(files, _text_sources(store, [path.parent for path in arguments.files]), name=arguments.name)
        for note in imported.notes:
            print(f"note: {note}", file=sys.stderr)
        stored = store.question_sets.add(complete_set(imported))
    print(f"{stored.id}  {counted(stored.questions, 'question')} on {counted(stored.documents, 'text')}: {stored.name}")
    return DONE


def _text_sources(store: Store, folders: Sequence[Path]) -> TextSources:
    """Texts in the folders of the files, and those of the library."""

    def beside(name: str) -> Ingested | None:
        path = next((folder / name for folder in folders if (folder / name).is_file()), None)
        return from_path(path) if path else None

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
