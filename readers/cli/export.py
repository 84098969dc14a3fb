"""`export`: write a reading as a run file or a replay, a reading or batch for training or for Inspect.

Not here: what the files hold (`engine/files`, `components/replay`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from readers import get
from readers.cli.output import ANSWERED, check_writable, print_json, write_json
from readers.cli.show import known_answer
from readers.engine.errors import BadOptions, NotFound
from readers.engine.files.runs import export_inspect, export_training
from readers.engine.files.runs.export_training import TrainingGroup
from readers.engine.files.runs.run_file import run_file
from readers.engine.run import batches
from readers.engine.store import Run, Store

REPLAY, INSPECT = "html", "eval"
FORMATS = ("json", REPLAY, *export_training.SHAPES, INSPECT)


def export(arguments: argparse.Namespace) -> int:
    check_writable(arguments.out)
    first, *others = arguments.run
    if others and arguments.format != REPLAY:
        raise BadOptions(f"only a replay can have several readings: add --format {REPLAY}, or name one reading")
    with Store() as store:
        if arguments.format == REPLAY:
            _write_lines(_file_named(arguments.out), [_replay(store, arguments.run)])
            return ANSWERED
        if arguments.format == INSPECT:
            return _export_log(store, first, arguments.out)
        if arguments.format != FORMATS[0]:
            lines = export_training.lines(store, _groups(store, first), shape=arguments.format)
            _write_lines(arguments.out, lines)
            return ANSWERED
        run = store.runs.get(first)
        data = run_file(store, run.id, get(run.reader), known=known_answer(store, run))
    if arguments.out:
        write_json(arguments.out, data)
    else:
        print_json(data)
    return ANSWERED


def _export_log(store: Store, named: str, path: Path | None) -> int:
    """Write a batch, or a reading, as a log of Inspect."""
    if path is None or path.suffix != export_inspect.ENDING:
        raise BadOptions(f"a log is a zip, which Inspect knows by its name: name it with -o, such as -o {named}.eval")
    try:
        batch = store.batches.get(named)
    except NotFound:
        run = _run(store, named)
        log = export_inspect.of_run(run, known_answer(store, run), store.documents.of_run(run.id).title)
    else:
        log = export_inspect.of_batch(store, batch, get)
    export_inspect.write(store, log, path, get)
    size = path.stat().st_size / 1_000_000
    print(f"{len(log.entries):,} readings, {size:.1f} MB; open it with: inspect view --log-dir {path.parent}")
    return ANSWERED


def _replay(store: Store, named: Iterable[str]) -> str:
    # Imported only here: the player's pictures load modules that no other command needs.
    from components.replay.file import replay_file
    from components.replay.reading import replayed

    runs = [store.runs.get(one) for one in named]
    return replay_file([replayed(store, run.id, known=known_answer(store, run)) for run in runs])


def _file_named(path: Path | None) -> Path:
    if path is None:
        raise BadOptions("a replay is a page to open, not to print: name its file with -o FILE.html")
    return path


def _groups(store: Store, named: str) -> list[TrainingGroup]:
    """The groups of a batch, or of a reading. Raises BadOptions if no reading has a reward, NotFound if neither a run nor a batch
    has this id."""
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
        return store.runs.get(named)
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
