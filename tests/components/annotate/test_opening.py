"""Where the bench opens a reading: at the step in the address, else as the project says, but not by an answer that is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.annotate import bench
from components.session import address
from readers import get
from readers.engine.labels.project import OPENINGS, Project, Settings
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document, Span

FACT = "The ferry left at noon with forty barrels."
TEXT = "Nobody saw it go, for the fog was thick. " * 60 + FACT + " Anna lit the lamp at nine." * 40


@pytest.fixture
def reading(store: Store) -> Reading:
    """A reading chunk by chunk, with the fact in neither the first chunk nor the last."""
    reader = get("memagent")
    spec = RunSpec("memagent", reader.version, "When did the ferry leave?", options={"chunk_tokens": 200, "memory_tokens": 64})
    run = create_run(store, Document.of(TEXT, title="T"), reader, spec)
    execute(store, run.id, reader, Execution(Offline()))
    return open_reading(store, run.id)


def test_a_reading_opens_as_the_project_says_unless_the_address_names_a_step(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = TEXT.index(FACT)
    known = KnownAnswer("When?", (), ("noon",), (Span(start, start + len(FACT)),))
    where = Project("p", "Ferries", "2026-01-01", Settings(start_stage=3))
    by_setting = {one: replace(where, settings=replace(where.settings, opens_at=one)) for one in OPENINGS}
    monkeypatch.setattr(address, "step", lambda: None)
    seen = {one: bench.opening(project, reading, known) for one, project in by_setting.items()}
    hidden = {one: bench.opening(project, reading, None) for one, project in by_setting.items()}
    last = len(reading.trace.steps) - 1
    assert (seen["beginning"], seen["first decision"], seen["answer"]) == (0, 0, last)
    assert 0 < seen["known place"] < last
    assert hidden == {**seen, "known place": 0, "first loss": 0}  # for who may not see the known answer yet
    monkeypatch.setattr(address, "step", lambda: 2)
    assert bench.opening(where, reading, known) == 2
