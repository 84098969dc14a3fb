"""`export`: write a reading as a run file, or a reading or batch for training or for Inspect. Not here: what the files hold
(`engine/files`)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from readers import get
from readers.cli.output import ANSWERED, check_writable, print_json, write_json
from readers.cli.show import known_answer
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files import export_inspect, export_training
from readers.engine.files.export_training import Group
from readers.engine.files.run_file import run_file
from readers.engine.run import batches
from readers.engine.store import Run, Store

INSPECT = "eval"
FORMATS = ("json", *export_training.SHAPES, INSPECT)


def export(arguments: argparse.Namespace) -> int:
    check_writable(arguments.out)
    with Store() as store:
        if arguments.format == INSPECT:
            return _export_log(store, arguments)
        if arguments.format != FORMATS[0]:
            lines = export_training.lines(store, _groups(store, arguments.run), shape=arguments.format)
            _write_lines(arguments.out, lines)
            return ANSWERED
        run = store.run(arguments.run)
        data = run_file(store, run.id, get(run.reader), known=known_answer(store, run))
    if arguments.out:
        write_json(arguments.out, data)
    else:
        print_json(data)
    return ANSWERED


def _export_log(store: Store, arguments: argparse.Namespace) -> int:
    """Write a batch, or a reading, as a log of Inspect."""
    path: Path | None = arguments.out
    if path is None or path.suffix != export_inspect.ENDING:
        raise BadOptions(f"a log is a zip, which Inspect knows by its name: name it with -o, such as -o {arguments.run}.eval")
    try:
        batch = store.batches.get(arguments.run)
    except NotFound:
        run = _run(store, arguments.run)
        log = export_inspect.of_run(run, known_answer(store, run), store.document_of(run.id).title)
    else:
        log = export_inspect.of_batch(store, batch, get)
    export_inspect.write(store, log, path, get)
    size = path.stat().st_size / 1_000_000
    print(f"{len(log.entries):,} readings, {size:.1f} MB; open it with: inspect view --log-dir {path.parent}")
    return ANSWERED


def _groups(store: Store, named: str) -> list[Group]:
    """The groups of a batch, or of a reading. Raises BadOptions if nothing of it has a reward, NotFound if there is neither."""
    try:
        batch = store.batches.get(named)
    except NotFound:
        run = _run(store, named)
        groups, told = export_training.group_of(run, known_answer(store, run)), ""
    else:
        found = batches.results(store, batch)
        groups, told = export_training.groups_of(batch.id, found), str(export_training.left_out(found))
    if not groups:
        why = "a reading must have come to an end, and a question set must know the answer to its question"
        raise BadOptions(f"nothing in {named!r} has a reward: {why}")
    if told:
        print(f"note: {told}.", file=sys.stderr)
    return groups


def _run(store: Store, named: str) -> Run:
    try:
        return store.run(named)
    except NotFound:
        listed = "`python -m readers batches` and `python -m readers runs` list them all"
        raise NotFound(f"there is neither one batch nor one reading that begins with {named!r}; {listed}") from None


def _write_lines(path: Path | None, lines: Iterable[str]) -> None:
    if path is None:
        for line in lines:
            print(line, end="")
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        raise BadOptions(f"{str(path)!r} cannot be written: {error.strerror}") from None
