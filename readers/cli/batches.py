"""The command line for many questions at once: question sets taken in and listed, batches begun, watched, listed and resumed.

    python -m readers questions import FILE...     and questions, questions delete SET
    python -m readers batch SET --reader R --model M --set name=value ...     and batches, batches ID, batch-resume ID

A batch is stopped by Ctrl+C, and goes on with `batch-resume`. Exit status as everywhere: 0 all readings came to an end, 2 wrong
use or bad input, 1 something failed or was stopped. Not here: what a batch does (`engine/batches.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from readers import READERS, get
from readers.engine.errors import BadFile, BadOptions
from readers.engine.ingest import Ingested, from_path
from readers.engine.models import catalogue
from readers.engine.questions.import_questions import MOST_FILES, TextSources, complete_set, read_questions
from readers.engine.run import batches
from readers.engine.run.batches import BatchExecution, BatchPlan, BatchProgress, CellResult
from readers.engine.run.execute import DEFAULT_CONCURRENCY, Execution, RunSpec
from readers.engine.run.jobs import Jobs, configured_at_once
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch
from readers.engine.text.document import Document

DONE, FAILED = 0, 1
LOOK = 0.2
BLANK = "\r\033[K"

Command = Callable[[str, Any, str], argparse.ArgumentParser]


def add_commands(command: Command) -> None:
    """Hook the commands in; `command` makes one by its name, its function and a line of help."""
    _questions_arguments(command("questions", list_sets, "List the question sets, or take one in."))
    _batch_arguments(command("batch", begin, "Let readers read all questions of a set."))
    lister = command("batches", list_batches, "List the batches, or the readings of one.")
    lister.add_argument("batch", nargs="?", help="the id of a batch")
    lister.add_argument("--json", action="store_true", help="as JSON")
    resumer = command("batch-resume", resume, "Go on with a batch that was stopped, was killed, or had failures.")
    resumer.add_argument("batch")
    _working_arguments(resumer)


def _questions_arguments(sub: argparse.ArgumentParser) -> None:
    acts = sub.add_subparsers(metavar="ACT")
    importer = acts.add_parser("import", help="take in files of questions as one set; prints its id")
    importer.add_argument("files", nargs="+", type=Path, metavar="FILE", help="jsonl, csv or json; texts may lie beside them")
    importer.add_argument("--name", default="", help="what to call the set")
    importer.set_defaults(command=take_in)
    deleter = acts.add_parser("delete", help="delete a set; its texts and readings stay")
    deleter.add_argument("set", help="its id or name")
    deleter.set_defaults(command=delete_set)
    sub.add_argument("--json", action="store_true", help="as JSON")


def _batch_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("set", help="the id or name of a question set")
    sub.add_argument("--reader", action="append", default=[], help=f"several may be given: {', '.join(r.id for r in READERS)}")
    sub.add_argument("--model", action="append", default=[], metavar="ID", help="several may be given")
    sub.add_argument("--set", dest="settings", action="append", default=[], metavar="[READER.]NAME=VALUE",
                     help="an option of all the readers, or of one of them")  # fmt: skip
    sub.add_argument("--api-base", metavar="URL", help="the base URL of a server of your own")
    sub.add_argument("--temperature", type=float, default=0.0, metavar="T")
    sub.add_argument("--max-calls", type=_positive, metavar="N", help="stop a reading before more live calls than this")
    sub.add_argument("--max-cost", type=float, metavar="USD", help="stop a reading when this much is spent")
    sub.add_argument("--no-cache", action="store_true", help="ask again what earlier readings of the same text have asked")
    sub.add_argument("--no-choices", action="store_true", help="do not show the readers the choices")
    sub.add_argument("--limit", type=_positive, metavar="N", help="only the first N questions")
    sub.add_argument("--name", default="", help="what to call the batch")
    sub.add_argument("--price", action="store_true", help="only tell what it will take")
    _working_arguments(sub)


def _working_arguments(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--concurrency", type=_positive, default=DEFAULT_CONCURRENCY, metavar="N", help="calls of a reading at once")
    sub.add_argument("--at-once", type=_positive, metavar="N", help="readings at once")


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word} is not 1 or more")
    return number


# Question sets


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def take_in(arguments: argparse.Namespace) -> int:
    if len(arguments.files) > MOST_FILES:
        raise BadFile(f"{MOST_FILES} files are taken in at once; give fewer")
    with Store() as store:
        files = [(path.name, _bytes(path)) for path in arguments.files]
        found = read_questions(files, around(store, [path.parent for path in arguments.files]), name=arguments.name)
        for note in found.notes:
            print(f"note: {note}", file=sys.stderr)
        kept = store.question_sets.add(complete_set(found))
    print(f"{kept.id}  {_count(kept.questions, 'question')} on {_count(kept.documents, 'text')}: {kept.name}")
    return DONE


def around(store: Store, folders: Sequence[Path]) -> TextSources:
    """Texts that lie in the folders of the files, and those of the library."""

    def beside(name: str) -> Ingested | None:
        found = next((folder / name for folder in folders if (folder / name).is_file()), None)
        return from_path(found) if found else None

    def library(named: str) -> list[Document]:
        return [store.document(shelved.id) for shelved in store.documents() if named in (shelved.id, shelved.title)]

    return TextSources(beside, library)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"the file {str(path)!r} cannot be read: {error.strerror}; check its name") from None


def list_sets(arguments: argparse.Namespace) -> int:
    with Store() as store:
        sets = store.question_sets.listed()
    if arguments.json:
        print(json.dumps([one._asdict() for one in sets], ensure_ascii=False, indent=1))
    elif not sets:
        print("No question sets yet. Take one in with: python -m readers questions import FILE")
    for one in [] if arguments.json else sets:
        when = one.created[:16].replace("T", " ")
        print(f"{one.id}  {when}  {_count(one.questions, 'question'):<16} {_count(one.documents, 'text'):<12} {one.name}")
    return DONE


def delete_set(arguments: argparse.Namespace) -> int:
    with Store() as store:
        kept = store.question_sets.get(arguments.set)
        store.question_sets.delete(kept.id)
    print(f"Deleted {kept.name!r}.")
    return DONE


# Batches


def begin(arguments: argparse.Namespace) -> int:
    plan = _plan(arguments)
    with Store() as store:
        kept = store.question_sets.get(arguments.set)
        asked = store.question_sets.questions(kept.id)[: arguments.limit]
        _tell_price(batches.price(store, asked, plan, readers=get))
        if arguments.price:
            return DONE
        batch = batches.add(store, kept.id, plan, readers=get, numbers=range(len(asked)))
        print(f"Batch {batch.id}: {kept.name}")
        return _work(store, batch, arguments)


def resume(arguments: argparse.Namespace) -> int:
    with Store() as store:
        batch = store.batches.get(arguments.batch)
        return _work(store, batch, arguments)


def _plan(arguments: argparse.Namespace) -> BatchPlan:
    """Every reader with every model."""
    readers = [get(id) for id in arguments.reader or [READERS[0].id]]
    given: dict[str, dict[str, str]] = {reader.id: {} for reader in readers}
    for setting in arguments.settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOptions(f"--set takes NAME=VALUE, not {setting!r}")
        of, dot, option = name.strip().rpartition(".")
        if dot and of not in given:
            raise BadOptions(f"--set {setting!r} is for {of!r}, which is none of the readers of this batch")
        for id in [of] if dot else list(given):
            given[id][option] = value.strip()
    caps = {"max_calls": arguments.max_calls, "max_cost": arguments.max_cost}
    variants = tuple(
        RunSpec(
            reader.id, reader.version, "", options=given[reader.id], model=model, api_base=arguments.api_base,
            temperature=arguments.temperature, caps=caps, reuse=not arguments.no_cache,
        )
        for reader in readers
        for model in arguments.model or [catalogue.default_model()]
    )  # fmt: skip
    return BatchPlan(variants, not arguments.no_choices, arguments.name)


def _tell_price(price: batches.BatchPrice) -> None:
    cost = (
        "unknown"
        if price.cost is None
        else "nothing"
        if not price.cost.high
        else f"${price.cost.low:,.2f} to ${price.cost.high:,.2f}"
    )
    low, high = round(price.calls.low), round(price.calls.high)
    more = "at least " if price.open_end else ""
    calls = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    print(
        f"{_count(price.readings, 'reading')} on {_count(price.texts, 'text')}: {more}{calls} calls, cost {more}{cost}",
        file=sys.stderr,
    )
    for problem in price.problems:
        print(f"note: {problem}", file=sys.stderr)


def _work(store: Store, batch: Batch, arguments: argparse.Namespace) -> int:
    """Work on a batch to its end, telling how far it is; Ctrl+C stops it."""
    jobs = Jobs(at_once=(arguments.at_once or max(1, configured_at_once() - 1)) + 1)  # a batch leaves one place free

    def execution(run: Run) -> Execution:
        return Execution(catalogue.open_models(RunSpec.from_json(run.spec).models), concurrency=arguments.concurrency)

    batches.start(jobs, batch.id, BatchExecution(get, execution, path=store.path))
    try:
        while jobs.is_following(batch.id):
            _tell(batches.progress(store, batch.id))
            time.sleep(LOOK)
    except KeyboardInterrupt:
        batches.cancel(jobs, store, batch.id)
        jobs.wait(10)
    if sys.stderr.isatty():
        print(BLANK, end="", file=sys.stderr)
    return _print_results(store, batch)


def _tell(progress: BatchProgress) -> None:
    if sys.stderr.isatty():
        failed = progress.failed + progress.refused
        told = f"{progress.done:,} of {progress.total:,} read, {progress.going:,} going, {failed:,} failed"
        print(f"{BLANK}{told}", end="", file=sys.stderr, flush=True)


def _print_results(store: Store, batch: Batch) -> int:
    plan, found = BatchPlan.of(batch.plan), batches.results(store, batch)
    progress = batches.progress(store, batch.id)
    for number, variant in enumerate(plan.variants):
        own = [one for one in found if one.cell.variant == number]
        counts = Counter(one.grade.outcome.replace("_", " ") for one in own if one.grade)
        told = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items())) or "nothing judged"
        print(f"{get(variant.reader).title} · {catalogue.title(variant.model)}: {told}")
    print(f"{progress.done:,} of {progress.total:,} readings came to an end.")
    print(f"Each of them: python -m readers batches {batch.id}")
    if progress.resumable:
        failed = progress.failed + progress.refused
        print(f"palimpsest: {failed:,} failed, {progress.stopped + progress.left:,} were not read to the end", file=sys.stderr)
        print(f"`python -m readers batch-resume {batch.id}` goes on from there, and asks nothing twice.", file=sys.stderr)
    return FAILED if progress.resumable else DONE


def list_batches(arguments: argparse.Namespace) -> int:
    with Store() as store:
        if arguments.batch:
            _list_readings(batches.results(store, store.batches.get(arguments.batch)), as_json=arguments.json)
            return DONE
        rows = [(batch, batches.progress(store, batch.id)) for batch in store.batches.listed()]
    if arguments.json:
        print(json.dumps([_row(batch, progress) for batch, progress in rows], ensure_ascii=False, indent=1))
    elif not rows:
        print("No batches yet. Begin one with: python -m readers batch SET --reader ...")
    for batch, progress in [] if arguments.json else rows:
        when = batch.created[:16].replace("T", " ")
        print(f"{batch.id}  {when}  {progress.done:>5,} of {progress.total:,} read, {progress.resumable:,} open  {batch.name}")
    return DONE


def _row(batch: Batch, progress: BatchProgress) -> dict[str, Any]:
    about = {"id": batch.id, "name": batch.name, "question_set": batch.question_set, "created": batch.created}
    return {**about, "cancelled": batch.cancelled, **progress._asdict()}


def _list_readings(found: Sequence[CellResult], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_result(one) for one in found], ensure_ascii=False, indent=1))
    for one in [] if as_json else found:
        stands = one.grade.outcome.replace("_", " ") if one.grade else one.run.status if one.run else "not read"
        reader = one.run.reader if one.run else "-"
        line = f"{one.cell.run or '-':<10}  {reader:<10} {stands:<16} {one.question.question[:80]}"
        print(line + (f"\n{'':<12}{' '.join(one.problem.split())}" if one.problem else ""))


def _result(one: CellResult) -> dict[str, Any]:
    run = one.run
    return {
        "key": one.question.key, "question": one.question.question, "document": one.question.document,
        "variant": one.cell.variant,
        "run": one.cell.run, "status": run.status if run else None, "outcome": run.outcome if run else None,
        "answer": run.answer if run else None,
        "error": (run.error if run else None) or one.problem or None,
        "not_gone_on": one.cell.error if run and one.problem else None,
        "known": list(one.question.answers),
        "judged": one.grade._asdict() if one.grade else None,
    }  # fmt: skip
