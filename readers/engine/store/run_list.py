"""The list of runs: filtered, sorted and counted; names, notes and tags; deleting many; adding an imported run.

A page of the list takes two queries, one for the rows and one for their figures; no whole run is loaded. The list holds only what
the visitor may see. Who may change a run is decided elsewhere (`components/session/access.py`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from readers.engine.canonical import canonical, encodable
from readers.engine.errors import BadOptions, NotFound
from readers.engine.faults import UNREADABLE
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.no_answer_given import none_given, shown_outcome
from readers.engine.record.edits import models_called
from readers.engine.record.journal import Record
from readers.engine.store.database import AT_WORK, TITLE_OF_RUN, Connection, is_interrupted, now, placeholders
from readers.engine.store.documents import insert_document, prepare_document
from readers.engine.store.run import UNREADABLE_RUN, Deleted, Run, delete_runs, held_by, runs_by_id, with_samples
from readers.engine.store.run_tape import Copied, copy, insert_stops
from readers.engine.teaching.stops import Stop
from readers.engine.text.document import Document

LONGEST_NAME, LONGEST_NOTE, LONGEST_TAG, MOST_TAGS = 120, 4_000, 40, 20
UNDER_WAY = "under_way"
SORTS = ("newest", "oldest", "title", "question", "cost", "calls", "time")

_ORDER = {
    "newest": "runs.created DESC, runs.rowid DESC",
    "oldest": "runs.created, runs.rowid",
    "title": f"folded({TITLE_OF_RUN}), runs.created DESC, runs.rowid DESC",
    "question": "folded(question), runs.created DESC, runs.rowid DESC",
    "cost": "cost DESC NULLS LAST, runs.created DESC, runs.rowid DESC",
    "calls": "live DESC NULLS LAST, runs.created DESC, runs.rowid DESC",
    "time": "seconds DESC NULLS LAST, runs.created DESC, runs.rowid DESC",
}
# The same figures as in `analysis/measures.py`: comparing texts is not a call to a model, but may cost; one unknown price makes
# the sum unknown.
_FIGURES = """SELECT run, sum(paid AND task != 'score') AS live, sum(origin NOT IN ('live', 'edited')) AS reused,
    sum(CASE WHEN paid THEN coalesce(tokens_in, 0) + coalesce(tokens_out, 0) ELSE 0 END) AS tokens,
    CASE WHEN sum(paid AND cost_usd IS NULL) THEN NULL ELSE sum(CASE WHEN paid THEN cost_usd ELSE 0.0 END) END AS cost
    FROM (SELECT *, origin = 'live' AND reply IS NOT NULL AS paid FROM calls)"""
_WORDS = " || ' ' || ".join(f"coalesce({column}, '')" for column in ("question", "answer", TITLE_OF_RUN, "name", "note"))


@dataclass(frozen=True)
class RunFilter:
    """Which runs to list, and in what order; an empty string means any. `state` is an outcome, a status, or `under_way`.
    Samples of experiments are left out unless asked for."""

    words: str = ""
    reader: str = ""
    model: str = ""
    document: str = ""
    state: str = ""
    tag: str = ""
    forks: bool | None = None
    samples: bool = False
    sort: str = "newest"


class Figures(NamedTuple):
    """What a run took: live calls, reused replies, tokens in and out, US dollars (None: unknown)."""

    calls: int = 0
    reused: int = 0
    tokens: int = 0
    cost: float | None = 0.0


class ListedRun(NamedTuple):
    """A run as lists show it."""

    run: Run
    title: str
    tags: tuple[str, ...]
    figures: Figures


class Facets(NamedTuple):
    """What the list can be filtered by. `documents` are titles by id; `samples` counts the samples of experiments."""

    readers: tuple[str, ...]
    models: tuple[str, ...]
    documents: dict[str, str]
    tags: tuple[str, ...]
    samples: int


class RunList:
    """Ids that do not exist are ignored, unless a method says otherwise."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.db.create_function("folded", 1, _folded, deterministic=True)
        connection.db.create_function("models", 1, _models, deterministic=True)
        connection.db.create_function("state", 5, _state)

    # Finding

    def find(self, wanted: RunFilter, *, limit: int = 20, offset: int = 0) -> list[ListedRun]:
        """One page of the runs that match, in order. Raises BadOptions for an unknown order."""
        return self.listed(self.ids(wanted, limit=limit, offset=offset))

    def listed(self, ids: Sequence[str]) -> list[ListedRun]:
        """These runs as lists show them, in this order."""
        runs = {run.id: run for run in runs_by_id(self._connection, ids, unreadable=True)}
        titles = dict(self._connection.select_in(f"SELECT runs.id, {TITLE_OF_RUN} FROM {_TABLES} WHERE runs.id IN ({{}})", ids))
        tags, figures = self.tags(ids), self.figures(ids)
        return [
            ListedRun(run, titles.get(run.id, ""), tags.get(run.id, ()), figures.get(run.id, Figures()))
            for run_id in ids
            if (run := runs.get(run_id))
        ]

    def ids(self, wanted: RunFilter, *, limit: int = -1, offset: int = 0) -> list[str]:
        """The ids of the runs that match, in order; all by default. Raises BadOptions for an unknown order."""
        if wanted.sort not in _ORDER:
            raise BadOptions(f"readings are sorted by {', '.join(SORTS)}, not by {wanted.sort[:40]!r}")
        counted = (
            f"LEFT JOIN ({_FIGURES} GROUP BY run) AS figures ON figures.run = runs.id" if wanted.sort in ("cost", "calls") else ""
        )
        where, given = self._wanted(wanted)
        sql = f"SELECT runs.id FROM {_TABLES} {counted} {where} ORDER BY {_ORDER[wanted.sort]} LIMIT ? OFFSET ?"
        return [run_id for (run_id,) in self._ask(sql, (*given, limit, offset))]

    def count(self, wanted: RunFilter) -> int:
        where, given = self._wanted(wanted)
        return int(self._ask(f"SELECT count(*) FROM {_TABLES} {where}", given)[0][0])

    def facets(self) -> Facets:
        """What the visible runs can be filtered by."""
        seen, given = self._wanted(RunFilter(samples=True))
        models = self._ask(f"SELECT DISTINCT value FROM {_TABLES}, json_each(models(spec)) {seen} ORDER BY 1", given)
        readers = self._ask(f"SELECT DISTINCT reader FROM {_TABLES} {seen} ORDER BY 1", given)
        documents = self._ask(
            f"SELECT DISTINCT runs.document, {TITLE_OF_RUN} AS own FROM {_TABLES} {seen} ORDER BY folded(own)", given
        )
        tags = self._ask(f"SELECT DISTINCT tag FROM {_TABLES} JOIN tags ON tags.run = runs.id {seen} ORDER BY folded(tag)", given)
        samples = self._ask(f"SELECT count(experiment) FROM {_TABLES} {seen}", given)
        first = tuple(tuple(str(row[0]) for row in rows if row[0]) for rows in (readers, models, tags))
        return Facets(first[0], first[1], dict(documents), first[2], int(samples[0][0]))

    def runs(self, ids: Collection[str]) -> list[Run]:
        """Runs by their whole ids, in no order."""
        return runs_by_id(self._connection, ids)

    def children(self, ids: Collection[str], *, reader: str) -> list[Run]:
        """The runs that one reader made from these runs, such as ratings of their answers; oldest first."""
        found = self._connection.select_in("SELECT id, reader FROM runs WHERE parent IN ({})", ids)
        runs = self.runs([run_id for run_id, by in found if by == reader])
        return sorted(runs, key=lambda run: (run.created, run.id))

    def figures(self, ids: Collection[str]) -> dict[str, Figures]:
        """The figures of the runs that made any call, by id."""
        rows = self._connection.select_in(f"{_FIGURES} WHERE run IN ({{}}) GROUP BY run", ids)
        return {run: Figures(int(live), int(reused), int(tokens), cost) for run, live, reused, tokens, cost in rows}

    def spent_in(self, batch: str) -> tuple[int, float]:
        """The live calls of the runs of a batch, and the cost in US dollars of those whose cost is known."""
        each = f"{_FIGURES} WHERE run IN (SELECT run FROM batch_runs WHERE batch = ?) GROUP BY run"
        (calls, cost), *_ = self._ask(f"SELECT coalesce(sum(live), 0), coalesce(sum(cost), 0.0) FROM ({each})", (batch,))
        return int(calls), float(cost)

    def last_replies(self, ids: Collection[str]) -> dict[str, str]:
        """The last reply of a model in each run, by id: what its answer was taken from."""
        last = "SELECT run, reply, max(seq * 1000 + attempt) FROM calls WHERE reply IS NOT NULL AND task != 'score'"
        rows = self._connection.select_in(f"{last} AND run IN ({{}}) GROUP BY run", ids)
        return {run: reply for run, reply, _ in rows}

    def _wanted(self, wanted: RunFilter) -> tuple[str, tuple[Any, ...]]:
        """The WHERE clause of a list, with the visitor's rights, and its values."""
        terms: list[tuple[str, tuple[Any, ...]]] = [
            (f"instr(folded({_WORDS}), ?) > 0", (word,)) for word in encodable(wanted.words).casefold().split()[:20]
        ]
        for column in ("reader", "document"):
            if value := getattr(wanted, column):
                terms.append((f"runs.{column} = ?", (value,)))
        if wanted.model:
            terms.append(("EXISTS (SELECT 1 FROM json_each(models(spec)) WHERE value = ?)", (wanted.model,)))
        if wanted.state:
            terms.append(("state(status, outcome, worker, answer, spec) = ?", (wanted.state,)))
        if wanted.tag:
            terms.append(("EXISTS (SELECT 1 FROM tags WHERE tags.run = runs.id AND tag = ?)", (wanted.tag,)))
        if wanted.forks is not None:
            terms.append(("(parent IS NOT NULL OR edit IS NOT NULL) = ?", (wanted.forks,)))
        if not wanted.samples:
            terms.append(("experiment IS NULL", ()))
        where, seen = self._connection.visible("runs", *(term for term, _ in terms))
        return where, (*(value for _, values in terms for value in values), *seen)

    def _ask(self, sql: str, given: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(sql, given))

    # Names, notes, tags

    def rename(self, run_id: str, name: str) -> None:
        """Name a run, in up to 120 characters; an empty name removes it. Raises BadOptions and NotFound."""
        self._put(run_id, "name", name_of(name) or None)

    def set_note(self, run_id: str, note: str) -> None:
        """Write a note on a run, up to 4,000 characters; an empty one removes it. Raises BadOptions and NotFound."""
        tidy = encodable(note).replace("\0", "").strip()
        if len(tidy) > LONGEST_NOTE:
            raise BadOptions(f"a note has up to {LONGEST_NOTE:,} characters, and this one has {len(tidy):,}; shorten it")
        self._put(run_id, "note", tidy or None)

    def _put(self, run_id: str, column: str, value: str | None) -> None:
        with self._connection.writing():
            if not self._connection.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, run_id)).rowcount:
                raise NotFound(f"there is no reading {run_id!r}; it may have been deleted already")

    def tag(self, ids: Iterable[str], tag: str) -> int:
        """Tag runs; how many did not have the tag yet. Raises BadOptions for an invalid tag, or for more than 20 on a run."""
        tidy = tag_of(tag)
        added = 0
        with self._connection.writing():
            for run_id in ids:
                had = {one for (one,) in self._connection.execute("SELECT tag FROM tags WHERE run = ?", (run_id,))}
                if tidy not in had and len(had) >= MOST_TAGS:
                    raise BadOptions(
                        f"a reading has up to {MOST_TAGS} tags, and reading {run_id!r} has that many; remove one first"
                    )
                sql = "INSERT OR IGNORE INTO tags (run, tag) SELECT id, ? FROM runs WHERE id = ?"
                added += self._connection.execute(sql, (tidy, run_id)).rowcount
        return added

    def untag(self, ids: Iterable[str], tag: str) -> int:
        """Remove a tag from runs; how many had it."""
        with self._connection.writing():
            return sum(
                self._connection.execute("DELETE FROM tags WHERE run = ? AND tag = ?", (run_id, tag)).rowcount for run_id in ids
            )

    def tags(self, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The tags of the runs that have any, by id, in alphabetical order."""
        found: dict[str, list[str]] = {}
        for run, tag in self._connection.select_in("SELECT run, tag FROM tags WHERE run IN ({})", ids):
            found.setdefault(run, []).append(tag)
        return {run: tuple(sorted(tags, key=lambda tag: (tag.casefold(), tag))) for run, tags in found.items()}

    # Adding and deleting

    def delete(self, ids: Iterable[str]) -> Deleted:
        """Delete several runs, each with its samples, if nothing prevents it."""
        return delete_runs(self._connection, ids)

    def undeletable(self, ids: Iterable[str]) -> list[str]:
        """Those that cannot be deleted now, because they, one of their samples, or a fork that copies from them is running."""
        anything = self._ask(f"SELECT 1 FROM runs WHERE status IN ({placeholders(AT_WORK)}) LIMIT 1", AT_WORK)
        return [run_id for run_id in ids if held_by(self._connection, run_id)] if anything else []

    def samples_of(self, ids: Collection[str]) -> list[str]:
        """The samples that would be deleted with these runs, in addition to those named."""
        named = set(ids)
        sql = "SELECT DISTINCT parent FROM runs WHERE experiment IS NOT NULL AND parent IN ({})"
        parents = [run_id for (run_id,) in self._connection.select_in(sql, named)]
        found = (one for parent in parents for one in with_samples(self._connection, parent) if one not in named)
        return list(dict.fromkeys(found))

    def add_imported(
        self,
        run: Run,
        document: Document,
        *,
        records: Sequence[Record],
        prompts: Sequence[Prompt],
        events: Sequence[str],
        stops: Sequence[Stop],
    ) -> str:
        """Add a whole run that was read from a file, in one transaction, with its calls and events and a person's marks at its
        steps. Returns its id: the run's own if it has one, else a new one. A run already stored under its id is unchanged.
        Nothing is checked here."""
        added = now()
        ended = None if run.status == "interrupted" else added
        prepare_document(self._connection, document)
        with self._connection.writing():
            if run.id and self._connection.execute("SELECT 1 FROM runs WHERE id = ?", (run.id,)).fetchone():
                return run.id
            parent = self._parent(run, records)
            run = replace(
                run, id=run.id or secrets.token_hex(5), parent=parent, created=added, started=added, ended=ended, taken_in=True
            )
            insert_document(self._connection, document)
            columns = {**run.__dict__, "spec": json.dumps(run.spec), "edit": json.dumps(run.edit) if run.edit else None}
            columns["evidence"] = json.dumps(run.evidence) if run.outcome == "answered" else None
            sql = f"INSERT INTO runs ({', '.join(columns)}) VALUES ({placeholders(columns)})"
            self._connection.execute(sql, tuple(columns.values()))
            self._connection.own(run.id)
            self._connection.execute_many(
                "INSERT OR IGNORE INTO prompts (hash, id, task, wording) VALUES (?, ?, ?, ?)",
                [(prompt.hash, prompt.id, prompt.task, canonical(prompt.wording)) for prompt in prompts],
            )
            copy(self._connection, run.id, "", Copied(0, tuple(records)))
            rows = [(run.id, n, body) for n, body in enumerate(events)]
            self._connection.execute_many("INSERT INTO events (run, n, body) VALUES (?, ?, ?)", rows)
            insert_stops(self._connection, run.id, stops)
        return run.id

    def _parent(self, run: Run, records: Sequence[Record]) -> str | None:
        """The parent that an imported fork names, if it is here, the visitor may see it, and the fork's calls before the change
        are this parent's."""
        sql = "SELECT 1 FROM runs WHERE id = ? AND document = ?"
        there = self._connection.execute(sql, (run.parent, run.document)).fetchone()
        if not there or run.parent is None or run.fork_at is None or not self._connection.may_see(run.parent):
            return None
        sql = "SELECT seq, attempt, asked, reply FROM calls WHERE run = ? AND seq < ? AND reply IS NOT NULL"
        theirs = {tuple(row) for row in self._connection.execute(sql, (run.parent, run.fork_at))}
        copied = {
            (one.seq, one.attempt, one.asked, one.reply) for one in records if one.seq < run.fork_at and one.reply is not None
        }
        return run.parent if copied <= theirs else None


_TABLES = "runs JOIN documents ON documents.id = runs.document"


def name_of(name: str) -> str:
    """A run's name with its blanks tidied. Raises BadOptions."""
    tidy = " ".join(encodable(name).split())
    if len(tidy) > LONGEST_NAME or not tidy.isprintable():
        raise BadOptions(f"a reading's name has up to {LONGEST_NAME} characters, all of them printable; choose another")
    return tidy


def tag_of(tag: str) -> str:
    """A tag with its blanks tidied, 1 to 40 characters long. Raises BadOptions."""
    tidy = " ".join(encodable(tag).split())
    if not 1 <= len(tidy) <= LONGEST_TAG or not tidy.isprintable():
        raise BadOptions(f"a tag has 1 to {LONGEST_TAG} characters, all of them printable; choose another")
    return tidy


def _folded(words: str | None) -> str:
    return (words or "").casefold()


def _models(spec: str) -> str:
    try:
        return json.dumps(models_called(json.loads(spec)))
    except UNREADABLE:
        return "[]"


def _state(status: str, outcome: str | None, worker: str | None, answer: str | None, spec: str) -> str:
    """The state of a run in one word: its outcome as shown, if it has one."""
    if status in AT_WORK:
        return "interrupted" if is_interrupted(status, worker) else UNDER_WAY
    if status != "finished" or not outcome:
        return status
    # Most answers give an answer: the spec is parsed only if the words by themselves say that there is none.
    try:
        choices = json.loads(spec).get("choices") or () if none_given(outcome, answer) else ()
    except UNREADABLE:
        return UNREADABLE_RUN
    return shown_outcome(outcome, answer, choices=choices) or status
