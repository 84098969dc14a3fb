"""The store: the database of one thread, and its tables.

Each group of tables is an attribute, made when it is first used. Every thread opens its own store.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from readers.engine.home import home
from readers.engine.record import events
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.store.batches import Batches
from readers.engine.store.classes import Classes
from readers.engine.store.database import Connection, this_worker
from readers.engine.store.deletions import Deletions
from readers.engine.store.documents import Documents, PlantedSentences
from readers.engine.store.labels.boards import Boards
from readers.engine.store.labels.codebooks import Codebooks
from readers.engine.store.labels.labels import Decisions, Labels
from readers.engine.store.labels.projects import Projects
from readers.engine.store.labels.turns import Turns
from readers.engine.store.migrations import missing_part, schema_names
from readers.engine.store.profiles import Profiles
from readers.engine.store.prompt_sets import PromptSets
from readers.engine.store.question_sets import QuestionSets
from readers.engine.store.run import Run
from readers.engine.store.run_list import RunList
from readers.engine.store.run_search import RunSearch
from readers.engine.store.run_tape import Fates, Stops
from readers.engine.store.runs import Runs
from readers.engine.store.visits import DemoUsage, Visits
from readers.engine.store.waiting_calls import WaitingCalls
from readers.engine.text.document import Document

Table = TypeVar("Table")


def _table(make: Callable[[Connection], Table]) -> cached_property[Table]:
    """A group of tables as an attribute of the store."""
    return cached_property(lambda store: make(store.connection))


class Store:
    """With a `visitor`, added items belong to them, and lists hold only what they may see: their own items and the host's."""

    documents = _table(Documents)
    planted = _table(PlantedSentences)
    runs = _table(Runs)
    run_list = _table(RunList)
    run_search = _table(RunSearch)
    waiting = _table(lambda connection: WaitingCalls(connection, this_worker()))
    fates = _table(Fates)
    stops = _table(Stops)
    prompt_sets = _table(PromptSets)
    profiles = _table(Profiles)
    question_sets = _table(QuestionSets)
    batches = _table(Batches)
    projects = _table(Projects)
    codebooks = _table(Codebooks)
    turns = _table(Turns)
    labels = _table(Labels)
    decisions = _table(Decisions)
    boards = _table(Boards)
    classes = _table(Classes)
    visits = _table(Visits)
    demo_usage = _table(DemoUsage)
    deletions = _table(Deletions)

    def __init__(self, path: Path | None = None, *, visitor: str | None = None, connection: Connection | None = None) -> None:
        self.path = path or home() / "palimpsest.db"
        self.connection = connection or Connection(self.path, visitor=visitor)

    def seen_by(self, visitor: str | None) -> Store:
        """The same open database as seen by a visitor, or without a visitor. Closing either closes both."""
        return self if visitor == self.connection.visitor else Store(self.path, connection=self.connection.seen_by(visitor))

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def schema(self) -> list[str]:
        return schema_names(self.connection.db)

    def check(self) -> str:
        """SQLite's own check of the file, and whether all of the schema is there: 'ok', or the first error found."""
        if missing := missing_part(self.connection.db):
            return f"{missing} is missing"
        return str(self.connection.execute("PRAGMA quick_check(1)").fetchone()[0])


class Reading(NamedTuple):
    """A run with its document, its trace and the records of its calls."""

    run: Run
    document: Document
    trace: Trace
    records: list[Record]


def open_reading(store: Store, run_id: str) -> Reading:
    """A reading, finished or not. Raises NotFound."""
    run = store.runs.get(run_id)
    tape = store.runs.tape(run.id)
    document = store.documents.of_run(run.id)
    with store.connection.decoding():
        trace = Trace(document, tuple(events.from_json(text) for text in tape.events()), run.question)
    return Reading(run, document, trace, tape.records())
