"""What is kept of facts for all visitors: asked for once, bounded in all, and never an older state's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.session import process_cache
from components.session.process_cache import FactCache
from readers import get
from readers.engine.analysis.facts.follow import follow
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document, Span

TEXT = "Anna lit the lamp at nine. " * 40
FACTS = [Span(27 * n, 27 * n + 26) for n in range(40)]


@pytest.fixture
def reading(store: Store) -> Reading:
    reader = get("whole")
    run = create_run(store, Document.of(TEXT, title="T"), reader, RunSpec("whole", reader.version, "When?"))
    execute(store, run.id, reader, Execution(Offline()))
    return open_reading(store, run.id)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Span]:
    """The facts that were followed, each time they were."""
    seen: list[Span] = []

    def counting(reading: Reading, reader: object, facts: list[Span], *, known: KnownAnswer | None = None) -> object:
        seen.extend(facts)
        return follow(reading, get(reading.run.reader), facts, known=known)

    monkeypatch.setattr(process_cache, "follow", counting)
    return seen


def test_a_fact_is_followed_once_for_all_that_show_it(reading: Reading, asked: list[Span]) -> None:
    cache = FactCache()
    first = cache.follow(reading, FACTS[:2], None)
    assert [one.fact for one in first] == FACTS[:2]
    again = cache.follow(reading, [FACTS[1], FACTS[2], FACTS[1]], None)
    assert [one.fact for one in again] == [FACTS[1], FACTS[2], FACTS[1]]
    assert again[0] is first[1]
    assert asked == FACTS[:3]


def test_however_many_facts_are_asked_for_so_much_is_kept_and_the_oldest_goes_first(reading: Reading, asked: list[Span]) -> None:
    cache = FactCache(most=10)
    for fact in FACTS:
        cache.follow(reading, [fact], None)
        cache.follow(reading, FACTS[:1], None)  # asked for all the time, so that it stays
        assert 0 < cache.moments <= 10
    assert len(asked) == len(FACTS)
    assert len(cache.follow(reading, FACTS, None)) == len(FACTS)  # more at once than can be kept
    assert cache.moments <= 10


def test_whether_the_answer_is_right_and_the_state_of_the_reading_are_part_of_what_is_kept(
    reading: Reading, asked: list[Span]
) -> None:
    cache = FactCache()
    wrong, unknown = KnownAnswer("When?", answers=("never in all these years",)), None
    cache.follow(reading, FACTS[:1], unknown)
    cache.follow(reading, FACTS[:1], wrong)
    cache.follow(reading._replace(run=replace(reading.run, ended="2031-01-01T00:00:00+00:00")), FACTS[:1], wrong)
    assert asked == FACTS[:1] * 3


def test_a_reading_under_way_is_followed_anew_and_nothing_is_kept_of_deleted_ones(reading: Reading, asked: list[Span]) -> None:
    going = reading._replace(run=replace(reading.run, ended=None))
    for _ in range(2):
        process_cache.followed(going, FACTS[:1])
    assert len(asked) == 2
    for _ in range(2):
        process_cache.followed(reading, FACTS[:1])
    assert len(asked) == 3
    process_cache.clear()
    process_cache.followed(reading, FACTS[:1])
    assert len(asked) == 4
