"""Where a reading opens: readings in which a fact is lost, passed over, read or used, by a walk, look-ups and a memory."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.follow import Followed
from readers.engine.analysis.opening import opening
from readers.engine.labels.project import OPENINGS
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text.document import Document
from tests.readers.every_reader.test_fates import MEMORIES, OTHERS, PAGES, WALKS, Case, followed, read

# The innermost names of the steps at which a reading opens, in the order of `OPENINGS`.
OPENED = [
    (WALKS[0], ("segments", "root", "2.2", "root", "2.2")),  # used: there is no loss
    (WALKS[2], ("segments", "root", "2.2", "2.2", "2.1")),  # opened, then left
    (WALKS[4], ("segments", "root", "root", "level 1", "1.1")),  # lost in a summary; never opened
    (PAGES[1], ("page 0", "request", "request", "request", "answer")),  # used from its gist
    (MEMORIES[3], ("chunk 1", "chunk 1", "chunk 5", "chunk 8", "answer")),  # overwritten
    (OTHERS[4], ("fit", "fit", "fit", "fit", "answer")),  # cut off
]


@pytest.mark.parametrize(("case", "names"), OPENED, ids=str)
def test_a_reading_opens_where_the_project_says(case: Case, names: tuple[str, ...]) -> None:
    trace = read(case)
    lived, came, told = followed(trace, case.reader, question=case.question)
    facts = [Followed(lived, came, told)]
    steps = [trace.steps[opening(trace, opens_at, followed=facts)] for opens_at in OPENINGS]
    assert tuple(step.names[-1] for step in steps) == names
    assert steps[1].phase != BUILD


def test_without_known_facts_a_reading_opens_at_its_first_decision_and_an_empty_one_at_its_start() -> None:
    trace = read(MEMORIES[3])
    first = opening(trace, "first decision")
    assert [opening(trace, opens_at) for opens_at in ("known place", "first loss")] == [first, first]  # type: ignore[arg-type]
    nothing = Trace(Document.of("A lamp.", title="A"), ())
    assert {opening(nothing, opens_at) for opens_at in OPENINGS} == {0}
