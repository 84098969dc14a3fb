"""`runs`, `search` and `show`: list stored readings, find words in them, and print them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from readers import get
from readers.cli.output import ANSWERED, one_line, print_json
from readers.engine.analysis.measures import chips, measures_of
from readers.engine.analysis.narrate import ENDINGS, narrate
from readers.engine.analysis.passages import in_readings, passages_in
from readers.engine.errors import BadOptions
from readers.engine.files.runs.run_file import read_run_file
from readers.engine.models import catalogue
from readers.engine.models.call import LENGTH
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.no_answer_given import NONE_GIVEN
from readers.engine.record.edits import models_called
from readers.engine.record.narrative import reason_in_plain_words
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.store.run_list import RunFilter
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import counted, some, times
from readers.engine.text.search import Sought
from readers.engine.text.shorten import shorten

EXCERPT = 300


def list_runs(arguments: argparse.Namespace) -> int:
    with Store() as store:
        rows = [_row(run) for run in store.runs.listed(unreadable=True)]
    if arguments.json:
        print_json(rows)
    elif not rows:
        print('No readings yet. Start with: python -m readers read FILE --question "..."')
    for row in [] if arguments.json else rows:
        ended = row["status"] if row["status"] != "finished" else row["shown_outcome"]
        when, question = row["created"][:16].replace("T", " "), one_line(row["question"])[:80]
        unchecked = f"  ({row['unchecked']})" if row["unchecked"] else ""
        print(f"{row['id']}  {when}  {row['reader']:<10} {ended:<12} {question}{unchecked}")
    return ANSWERED


def _row(run: Run) -> dict[str, Any]:
    keys = ("id", "status", "outcome", "shown_outcome", "reader", "question", "document", "parent", "created")
    return {key: getattr(run, key) for key in keys} | {"unchecked": run.unchecked_in_words}


PASSAGES = 4  # of a reading; all of them as JSON


def search(arguments: argparse.Namespace) -> int:
    """Print the readings that hold the words, each with its passages. Raises BadOptions."""
    sought = Sought.of(" ".join(f'"{words}"' if " " in words else words for words in arguments.words))
    if not sought.phrases:
        raise BadOptions("search takes words to look for, or a phrase in quotation marks")
    with Store() as store:
        listed = store.run_list.ids(RunFilter())
        found = [run_id for part in in_readings(store, sought, listed) for run_id in part]
        first = found[: arguments.limit]
        rows = [_row(store.runs.get(run_id)) | {"passages": passages_in(store, run_id, sought)} for run_id in first]
    if arguments.json:
        data = [row | {"passages": [one._asdict() for one in row["passages"]]} for row in rows]
        print_json({"readings": len(found), "searched": len(listed), "found": data})
        return ANSWERED
    for row in rows:
        print(f"{row['id']}  {row['reader']:<10} {one_line(row['question'])[:80]}")
        for one in row["passages"][:PASSAGES]:
            print(f"  {f'step {one.step}':>9}  {one.whose:<18} {one.words}{f' ({times(one.times)})' if one.times > 1 else ''}")
        if (more := len(row["passages"]) - PASSAGES) > 0:
            print(f"{'':>11}  and {some(more, 'more passage')}")
    left = f"; the first {arguments.limit:,} are listed, --limit lists more" if len(found) > arguments.limit else ""
    print(f"Found in {counted(len(found), 'reading')} of {len(listed):,}{left}.", file=sys.stderr)
    return ANSWERED


def show(arguments: argparse.Namespace) -> int:
    reading = _open(arguments.run)
    run, document, trace, records = reading
    model = ", then ".join(map(catalogue.title, models_called(run.spec)))
    reader = get(run.reader)
    print(f"{run.question}\n{reader.called(run.spec.get('options', {}))} · {model} · {document.title} · {run.status}")
    earlier = run.as_recorded_in_words(reader.title, reader.version)
    print(f"{earlier}\n" if earlier else "")
    sentences = narrate(trace, reader)
    for step, sentence in zip(trace.steps, sentences, strict=True):
        print(f"{step.number + 1:>4}  {' › '.join(map(reader.narrative.step, step.names)):<22} {sentence}")
    print()
    if run.status == "finished":
        print_result(reading)
    elif run.error:
        print(f"Stopped: {run.error}")
    figures = measures_of(reading, reader) | {"seconds": None}  # a run file has no times
    print(" · ".join(words for _, words, _ in chips(figures)))
    thoughts, cut = sum(bool(record.thoughts) for record in records), sum(record.finish == LENGTH for record in records)
    if thoughts or cut:
        print(f"{thoughts} replies came with thoughts, {cut} were cut off for their length (`export` writes them out)")
    return ANSWERED


def _open(name: str) -> Reading:
    """A reading by id, or from a run file."""
    if name.endswith(".json"):
        return read_run_file(Path(name))
    with Store() as store:
        return open_reading(store, name)


def known_answer(store: Store, run: Run) -> KnownAnswer | None:
    """What a question set knows of the answer to a reading's question."""
    asked = store.question_sets.question_of(run)
    return KnownAnswer.of(asked) if asked else None


def print_result(reading: Reading) -> None:
    """Print the answer of a finished reading and its evidence, or why there is no answer."""
    run = reading.run
    if run.shown_outcome == NONE_GIVEN:
        print(f"No answer given. The answer says that there is none: {run.answer}")
    elif run.outcome == "answered":
        print(f"Answer: {run.answer}")
        print("Evidence:" if run.evidence else "Evidence: none in the answering call.")
        called = get(run.reader).names(reading.trace)
        for start, end in run.evidence:
            own, pages = called.get(refs.place(start, end), ""), reading.document.pages_of(Span(start, end))
            where = ", ".join(filter(None, (own, pages))) or "the text"
            print(f"  {where}, characters {start} to {end}: “{shorten(reading.document.text[start:end], EXCERPT)}”")
    else:
        print(f"No answer. {ENDINGS[run.outcome or 'no_answer']}: {reason_in_plain_words(run.error or '')}.")
    print(f"Reading: {run.id}   (step by step: python -m readers show {run.id})")
