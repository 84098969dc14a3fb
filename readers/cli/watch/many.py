"""`watch --questions`: a program reads every question of a set, one after the other, as a batch that is graded like any other.

In the command, `{text}` stands for the path of a file with the text, and `{question}` for the question. Not here: one reading
(`command.py`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from readers.cli.output import DONE, FAILED
from readers.cli.watch.program import AnswerRule
from readers.cli.watch.recording import WatchedReading
from readers.cli.watch.retelling import READER
from readers.cli.watch.watching import Led, recording, watch_program
from readers.engine.errors import BadOptions
from readers.engine.questions.question_set import SetQuestion
from readers.engine.run.batches import BatchPlan
from readers.engine.store import Run, Store
from readers.engine.store.batches import Batch, BatchCell

TEXT, QUESTION = "{text}", "{question}"


def watch_questions(arguments: argparse.Namespace) -> int:
    """Watch the command once for each question. Ctrl+C cancels the reading that it is at, and stops."""
    if not any(QUESTION in word for word in arguments.command_line):
        raise BadOptions(f"with --questions the command has {TEXT} and {QUESTION} in it: -- python agent.py {TEXT} {QUESTION}")
    with Store() as store:
        kept = store.question_sets.get(arguments.questions)
        questions = store.question_sets.questions(kept.id)
        plan = BatchPlan((Led(arguments.to, arguments.command_line).spec(""),), name=kept.name)
        numbers = range(len(questions))[: arguments.limit]
        batch = store.batches.add(plan.name, kept.id, plan.to_json(), variants=1, numbers=numbers)
        print(f"Batch {batch.id}: {kept.name}")
        with tempfile.TemporaryDirectory() as folder:
            for cell in store.batches.cells(batch.id):
                run = _watch_one(store, batch, cell, questions[cell.number], Path(folder) / "text.txt", arguments=arguments)
                if run is None or run.status == "cancelled":
                    store.batches.set_cancelled(batch.id, True)
                    return FAILED
                print(f"{cell.number + 1}/{len(numbers)}: {run.answer or run.error}", file=sys.stderr)
    print(f"`python -m readers evaluate {batch.id}` grades the answers")
    return DONE


def _watch_one(
    store: Store, batch: Batch, cell: BatchCell, asked: SetQuestion, path: Path, *, arguments: argparse.Namespace
) -> Run | None:
    """The reading of a cell; None if the batch was stopped or deleted meanwhile."""
    led, rule = Led(arguments.to, arguments.command_line), AnswerRule(arguments.answer)
    document = store.documents.get(asked.document)
    path.write_text(document.text, encoding="utf-8")
    spec = led.spec(asked.question, asked.choices)
    added = Run("", document.id, READER.id, spec.question, asdict(spec), "queued")
    run = store.batches.begin(batch.id, cell, added)
    if run is None:
        return None
    command = [word.replace(TEXT, str(path)).replace(QUESTION, asked.question) for word in arguments.command_line]

    def begin(own: Store, name: str) -> WatchedReading:
        return WatchedReading(own, document, spec, run=run)

    with recording(led.target(asked.question), begin, arguments.port) as (server, recorder):
        return watch_program(command, server, recorder, rule=rule, led=led, minutes=arguments.minutes)
