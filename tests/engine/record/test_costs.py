"""Costs split into building and asking, and the number of questions from which one run is cheaper: sums worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.engine.forks.fork import fork
from readers.engine.models.offline import Offline
from readers.engine.record.costs import CheapestFrom, CostComparison, Costs, Tally, cheapest, compare_costs, costs, unit_for
from readers.engine.record.edits import ReplyEdit, RerunEdit
from readers.engine.record.journal import Record
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import COMMIT, parts_of, walker


def record(seq: int, *, shared: bool, sent: int | None = 100, usd: float | None = 0.01) -> Record:
    """An answered call that sent this many tokens, received ten and cost this much."""
    called = Record(seq, 0, "", "", "p", "summarise", shared, "[]", "", 0, "live", "m", reply="yes")
    return replace(called, tokens_in=sent, tokens_out=10, cost_usd=usd)


def spent(building: str, asking: str) -> Costs:
    """The costs of a run that takes these dollars to build and to ask, and 1,000 times as many tokens."""
    tallies = [Tally(1, int(Fraction(usd) * 1000), 0, Fraction(usd)) for usd in (building, asking)]
    return Costs(*tallies)


def test_calls_with_shared_prompts_are_building_and_all_others_asking() -> None:
    found = costs([record(0, shared=True), record(1, shared=True), record(2, shared=False, sent=30, usd=0.002)])
    assert found.building == Tally(2, 200, 20, Fraction(2, 100))
    assert found.asking == Tally(1, 30, 10, Fraction(2, 1000))
    assert found.total(3, "dollars") == Fraction("0.026")
    assert found.total(3, "tokens") == 220 + 3 * 40


def test_a_failed_call_costs_nothing_and_a_comparison_is_not_a_call() -> None:
    failed = replace(record(0, shared=True), reply=None, tokens_in=None, cost_usd=None)
    compared = replace(record(1, shared=False), task="score")
    assert costs([failed, compared]) == Costs(Tally(0, 0, 0, Fraction(0)), Tally(0, 100, 10, Fraction(1, 100)))


def test_a_reply_edited_by_a_person_costs_nothing_even_in_forks_of_the_fork(store: Store) -> None:
    reader = MemWalker()
    spec = RunSpec("memwalker", reader.version, "Where is it?", options={"segment_tokens": 64, "max_children": 3})
    run = execute(store, create_run(store, parts_of(9), reader, spec).id, reader, Execution(Offline()))
    found = [open_reading(store, run.id)]
    for edit in (ReplyEdit(2, 0, "It is all about kettles."), ReplyEdit(5, 0, "And about pans."), RerunEdit(1)):
        made = execute(store, fork(store, found[-1], reader, edit).id, reader, Execution(Offline()))
        found.append(open_reading(store, made.id))
    edited = [[record.seq for record in reading.records if record.origin == "edited"] for reading in found]
    assert edited == [[], [2], [2, 5], [2, 5]]
    for reading, without in zip(found, edited, strict=True):
        told = costs(reading.records)
        assert told.total(1, "dollars") == 0
        tokens = sum((r.tokens_in or 0) + (r.tokens_out or 0) for r in reading.records)
        assert told.total(1, "tokens") == tokens > 0
        assert told.building.calls + told.asking.calls == len(reading.records) - len(without)


@pytest.mark.parametrize("usd", [None, float("nan"), float("inf")])
def test_an_unknown_price_makes_only_its_own_sum_unknown(usd: float | None) -> None:
    found = costs([record(0, shared=True), record(1, shared=True, usd=usd), record(2, shared=False)])
    assert found.building == Tally(2, 200, 20, None)
    assert found.asking.dollars == Fraction(1, 100)
    assert found.total(1, "dollars") is None
    assert costs([record(0, shared=True, sent=None)]).total(1, "tokens") is None


def test_reused_calls_count_at_their_full_price(store: Store) -> None:
    reader, found = MemWalker(), []
    for _ in range(2):
        spec = RunSpec("memwalker", reader.version, "Where is it?", options={"segment_tokens": 64, "max_children": 3})
        run = create_run(store, parts_of(9), reader, spec)
        execute(store, run.id, reader, Execution(walker([0, 0, COMMIT])))
        found.append(open_reading(store, run.id))
    first, second = found
    assert {record.origin for record in second.records} == {"cached", "live"}
    priced = [[replace(record, tokens_in=7, cost_usd=0.5) for record in reading.records] for reading in found]
    assert costs(priced[0]) == costs(priced[1])
    assert costs(second.records).building.calls == sum(record.origin == "cached" for record in second.records)
    assert costs(first.records).asking.calls == 3  # two choices and the answer


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (("1", "0.1"), ("0", "0.3"), (1, -1, 6)),  # 1 + 0.1 n < 0.3 n from n > 5 on
        (("0", "0.3"), ("1", "0.1"), (-1, 1, 6)),  # the same, reversed
        (("1", "0.1"), ("0", "0.31"), (1, -1, 5)),  # n > 1 / 0.21 = 4.76
        (("0.2", "0.1"), ("0", "0.3"), (0, -1, 2)),  # equal for one question
        (("1", "0.1"), ("1", "0.2"), (-1, -1, None)),  # cheaper from the first question on
        (("2", "0.2"), ("1", "0.2"), (1, 1, None)),  # never cheaper
        (("0", "0.1"), ("5", "0.2"), (-1, -1, None)),
        (("1", "0.1"), ("1", "0.1"), (0, 0, None)),
        (("100", "0.1"), ("0", "0.10001"), (1, -1, 10_000_001)),
    ],
)  # fmt: skip
def test_the_number_of_questions_from_which_one_run_is_cheaper(
    one: tuple[str, str], other: tuple[str, str], found: tuple[int, int, int]
) -> None:
    assert compare_costs(spent(*one), spent(*other)) == CostComparison("dollars", *found)


def test_without_prices_tokens_decide_and_without_tokens_nothing_does() -> None:
    tokens = Costs(Tally(1, 1000, 0, None), Tally(1, 90, 10, Fraction(0)))
    free = Costs(Tally(1, 0, 0, Fraction(0)), Tally(1, 200, 100, Fraction(0)))
    assert compare_costs(tokens, free) == CostComparison("tokens", 1, -1, 6)
    assert unit_for([free, free]) == "tokens"  # neither costs anything
    unknown = Costs(Tally(1, None, 5, None), Tally(1, 1, 1, None))
    assert compare_costs(unknown, free) is None
    nothing = costs([])
    assert compare_costs(nothing, nothing) is None


amounts = st.integers(0, 60).map(lambda n: str(Fraction(n, 10)))


@given(st.tuples(amounts, amounts), st.tuples(amounts, amounts))
def test_the_break_even_point_is_where_counting_puts_it(one: tuple[str, str], other: tuple[str, str]) -> None:
    a, b = spent(*one), spent(*other)
    found = compare_costs(a, b)
    gaps = [(a.total(n, "dollars") or 0) - (b.total(n, "dollars") or 0) for n in range(1, 90)]
    signs = [(gap > 0) - (gap < 0) for gap in gaps]
    if not found:
        assert not any(signs)
        return
    assert found.first == signs[0]
    turns = found.break_even or 1
    assert all(sign == found.last for sign in signs[turns - 1 :])
    assert turns == 1 or signs[turns - 2] != found.last


def test_the_cheapest_of_several_changes_where_their_lines_cross() -> None:
    found = [spent("1", "0.1"), spent("0.6", "0.15"), spent("0", "0.3"), spent("5", "0.1")]
    assert cheapest(found) == [
        CheapestFrom("dollars", 1, (2,)),
        CheapestFrom("dollars", 5, (1,)),
        CheapestFrom("dollars", 9, (0,)),
    ]
    assert cheapest([spent("0", "0.2"), spent("0.1", "0.2"), spent("0", "0.2")]) == [CheapestFrom("dollars", 1, (0, 2))]
    assert cheapest([*found, spent("0", "0")])[0] == CheapestFrom("dollars", 1, (4,))
    nothing = Tally(0, None, None, None)
    assert cheapest([*found, Costs(nothing, nothing)]) == []


lines = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), min_size=2, max_size=6)


@given(lines)
def test_at_every_number_of_questions_no_other_run_is_cheaper(given_lines: list[tuple[int, int]]) -> None:
    found = [spent(str(building), str(asking)) for building, asking in given_lines]
    stages = cheapest(found)
    if not stages:
        assert not any(sum(line) for line in given_lines)
        return
    for questions in range(1, 40):
        stage = [stage for stage in stages if stage.questions <= questions][-1]
        amounts = [one.total(questions, "dollars") or 0 for one in found]
        assert all(amounts[n] == min(amounts) for n in stage.best)
