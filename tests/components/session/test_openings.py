"""How often the database is opened: once to draw a page, once when Start is pressed. A reading's own thread opens its own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.session import process_cache, start_runs
from components.session.samples import samples
from readers import get
from readers.engine.forks import fork
from readers.engine.forks.fork import ForkTerms
from readers.engine.models.offline import Offline
from readers.engine.record.edits import ReplyEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Run, Store, database, open_reading
from readers.engine.store.runs import Runs
from tests.support.app_pages import opened, run

READER = "memwalker"


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Openings by who opened: a page (by the hash of its script), or a thread of a reading."""
    openings: Counter[str] = Counter()
    open_database = database.open_database

    def count(path: object) -> object:
        context = get_script_run_ctx(suppress_warning=True)
        openings[context.page_script_hash if context else threading.current_thread().name.partition("-")[0]] += 1
        return open_database(path)  # type: ignore[arg-type]

    with patch.object(database, "open_database", count):
        yield openings


def a_reading(store: Store) -> Run:
    sample, reader = samples()[0], get(READER)
    spec = RunSpec(READER, reader.version, sample.questions[7].question, options={"segment_tokens": 400})
    return execute(store, create_run(store, sample.document, reader, spec).id, reader, Execution(Offline()))


def test_drawing_read_opens_the_database_once(store: Store) -> None:
    with opened("2_Read") as app, counted() as openings:
        run(app)
        assert list(openings.values()) == [1]


def test_drawing_a_reading_opens_the_database_once(store: Store) -> None:
    made = a_reading(store)
    for depth in ("simple", "full"):
        with opened("3_Trace") as app, counted() as openings:
            run(app, run=made.id, depth=depth)
            assert list(openings.values()) == [1]


def test_pressing_start_opens_the_database_once_and_once_more_to_draw_the_reading(store: Store) -> None:
    with opened("2_Read") as app:
        run(app)
        (start,) = [button for button in app.button if button.label.startswith("Start")]
        with counted() as openings:
            start.click().run()
            assert not app.exception
            assert process_cache.jobs().wait(20)
    in_the_reading = openings.pop("reading")
    assert in_the_reading == 1
    assert len(openings) == 2, openings
    assert set(openings.values()) == {1}


def test_resuming_opens_the_database_once_and_once_more_to_draw_the_reading(store: Store) -> None:
    sample, reader = samples()[0], get(READER)
    spec = RunSpec(READER, reader.version, sample.questions[7].question, options={"segment_tokens": 400})
    made = execute(store, create_run(store, sample.document, reader, spec).id, reader, Execution(Offline(), stopped=lambda: True))
    assert made.status == "cancelled"
    with opened("3_Trace") as app:
        run(app, run=made.id)
        (resume,) = [button for button in app.button if button.label == "Resume"]
        with counted() as openings:
            resume.click().run()
            assert not app.exception
            assert process_cache.jobs().wait(20)
    assert openings.pop("reading") == 1
    assert list(openings.values()) == [2]


def test_a_started_reading_is_queued_once_and_a_fork_prepared_once(store: Store) -> None:
    sample, reader = samples()[0], get(READER)
    spec = RunSpec(READER, reader.version, sample.questions[7].question, options={"segment_tokens": 400})
    with (
        patch.object(Runs, "queue", autospec=True, side_effect=Runs.queue) as queued,
        patch.object(fork, "prepare", side_effect=fork.prepare) as prepared,
    ):
        (run_id,) = start_runs.start(sample.document, spec)
        assert process_cache.jobs().wait(20)
        parent = open_reading(store, run_id)
        assert (parent.run.status, queued.call_count) == ("finished", 0)  # it is added as queued
        forked = start_runs.start_fork(parent, ReplyEdit(0, 0, "Nothing of the kind."), ForkTerms())
        assert process_cache.jobs().wait(20)
        assert (store.runs.get(forked).status, queued.call_count, prepared.call_count) == ("finished", 0, 1)
