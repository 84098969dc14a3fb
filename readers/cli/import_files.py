"""`import`: run files, published sites, and what other tools recorded. A bad file is reported and does not stop the others."""

from __future__ import annotations

import argparse
import sys

from readers import importable
from readers.cli.output import ANSWERED, WRONG_USE
from readers.cli.progress import draw, read_file
from readers.engine.errors import BadFile, BadRunFile
from readers.engine.files.import_site import Site, find_site, import_site
from readers.engine.files.runs.import_run import import_run, save_checked
from readers.engine.store import Store


def import_files(arguments: argparse.Namespace) -> int:
    """Import the files one by one, and print the ids of the new readings."""
    from readers.cli.watch.import_traces import read_traces  # other commands do without what it loads

    status = ANSWERED
    text = read_file(arguments.text).document if arguments.text else None
    for file in arguments.files:
        try:
            with Store() as store:
                if site := find_site(file):
                    status = max(status, _import_site(store, site))
                elif found := read_traces(file, text=text, question=arguments.question):
                    readings, notes = found
                    for note in notes:
                        print(f"note: {note}", file=sys.stderr)
                    for one in readings:
                        print(save_checked(store, one).id)
                else:
                    print(import_run(store, file, str(file), readers=importable).id)
        except (BadRunFile, BadFile) as error:
            print(f"palimpsest: {error}", file=sys.stderr)
            status = WRONG_USE
    return status


def _import_site(store: Store, site: Site) -> int:
    done = import_site(store, site, readers=importable, progress=lambda n, of: draw(f"Importing · {n:,} of {of:,}"))
    draw("")
    print(*done.imported, sep="\n")
    print(*done.sentences, sep="\n", file=sys.stderr)
    return WRONG_USE if done.refused else ANSWERED
