"""What an answer stands on, tried on readings whose model answers by sentences it is known to need."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers import get
from readers.engine.errors import BadOptions, Diverged
from readers.engine.forks import stands_on
from readers.engine.forks.experiments import Sampling, experiments_of
from readers.engine.forks.fork import fork
from readers.engine.forks.group_search import Count, Group, NotAskedError, Plan, SearchResult, search
from readers.engine.forks.stands_on import Tried, Tries, price_tries, sentence, tried, try_answer, usual_sampling
from readers.engine.models.call import Call, Reply
from readers.engine.record.edits import LEFT_OUT, PromptEdit
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted

FIRST, SECOND = "The keeper was called Hale.", "Old Hale kept the lamp at Campion."
FILLER = [f"On day {n} it rained on the pier." for n in range(14)]
TEXT = " ".join([*FILLER[:3], FIRST, *FILLER[3:12], SECOND, *FILLER[12:]])
QUESTION = "Who kept the lamp?"


def by(needs: Callable[[str], bool]) -> Scripted:
    """A model that answers `Hale` to a prompt that has what it needs."""
    return Scripted(lambda call: "Hale" if needs(call.messages[0]["content"]) else "nobody knows")


def read(store: Store, model: Scripted, reader: str = "whole") -> Reading:
    method = get(reader)
    spec = RunSpec(method.id, method.version, QUESTION)
    run = execute(store, create_run(store, Document.of(TEXT), method, spec).id, method, Execution(model, concurrency=1))
    assert run.answer == "Hale", run.error
    return open_reading(store, run.id)


def tries(store: Store, reading: Reading, model: Scripted, sampling: Sampling | None = None) -> Tried:
    """The result of a search that was executed to its end."""
    run = try_answer(store, reading, get(reading.run.reader), sampling or usual_sampling(reading))
    done = execute(store, run.id, get(run.reader), Execution(model, concurrency=1))
    assert done.status == "finished", done.error
    return tried(done, open_reading(store, done.id).trace)


def test_the_sentence_an_answer_stands_on_is_found_with_its_place_and_counted(store: Store) -> None:
    model = by(lambda prompt: FIRST in prompt)
    reading = read(store, model)
    found = tries(store, reading, model)
    (group,) = found.groups
    assert (group.words, group.came, group.instead) == ((FIRST,), Count(3, 3), "nobody knows")
    assert [one.place for one in group.sentences] == [(TEXT.index(FIRST), TEXT.index(FIRST) + len(FIRST))]
    assert sentence(found.search) == "leaving out one sentence changed the answer in 3 of 3"
    (made,) = experiments_of(store, reading.run.id)
    assert (made.reader, len(made.runs)) == ("tries", 1)
    assert made.runs[0].answer == sentence(found.search)
    price = price_tries(reading, get("whole"), usual_sampling(reading))
    assert price.of == found.sentences == 16
    assert price.calls.low <= found.search.calls <= price.calls.high == 60
    assert store.runs.listed() == [reading.run]


def test_sentences_that_say_it_twice_change_it_only_together(store: Store) -> None:
    model = by(lambda prompt: FIRST in prompt or SECOND in prompt)
    found = tries(store, read(store, model), model)
    assert [group.words for group in found.groups] == [(FIRST, SECOND)]
    assert sentence(found.search) == "leaving out 2 sentences, only together, changed the answer in 3 of 3"


def test_an_answer_known_by_heart_and_one_that_differs_by_itself(store: Store) -> None:
    model = by(lambda prompt: True)
    reading = read(store, model)
    assert sentence(tries(store, reading, model).search) == "leaving out all of it changed the answer in 0 of 3"
    left = [False, False, True]
    coin = by(lambda prompt: left.pop())
    found = tries(store, reading, coin)
    assert sentence(found.search) == "asked unchanged, the answer changed in 2 of 3: it differs by itself"
    assert left == []


def test_of_many_groups_the_sentence_tells_the_first() -> None:
    group = Group((1,), Count(3, 3), together=False)
    found = SearchResult(Count(0, 3), Count(3, 3), (group,) * 5, "out of calls", 60)
    assert sentence(found).count("changed the answer in 3 of 3") == 3
    assert sentence(found).endswith("; 2 more")


def test_a_prompt_keeps_its_question_and_shows_one_mark_for_neighbours(store: Store) -> None:
    seen: list[Call] = []

    def reply(call: Call) -> str:
        seen.append(call)
        return "Hale" if FIRST in call.messages[0]["content"] else "nobody"

    reading = read(store, Scripted(reply))
    tries(store, reading, Scripted(reply))
    whole = next(call.messages[0]["content"] for call in seen if LEFT_OUT in call.messages[0]["content"])
    assert whole.count(LEFT_OUT) == 1
    assert QUESTION in whole
    assert not any(words in whole for words in (FIRST, *FILLER))


def test_what_was_written_from_the_text_is_left_out_too(store: Store) -> None:
    memory = "It rained a lot. Hale kept the lamp. There was a pier."

    def reply(call: Call) -> str:
        if call.prompt.task == "update_memory":
            return call.prompt.reply.render({"memory": memory, "text": memory})
        return (
            call.prompt.reply.render({"answer": "Hale", "text": "Hale"})
            if "Hale kept" in call.messages[0]["content"]
            else "nobody"
        )

    reading = read(store, Scripted(reply), "memagent")
    found = tries(store, reading, Scripted(reply))
    (group,) = found.groups
    assert group.words == ("Hale kept the lamp.",)
    assert group.sentences[0].place is None


def test_an_interrupted_search_shows_what_it_has_and_resumes_without_repeating_a_call(store: Store) -> None:
    model = by(lambda prompt: FIRST in prompt)
    reading = read(store, model)
    run = try_answer(store, reading, get("whole"), Sampling(3))
    asked: list[Call] = []

    class Stopping:
        def complete(self, call: Call) -> Reply:
            asked.append(call)
            return model.complete(call)

    def stopped() -> bool:
        return len(asked) >= 6

    cut = execute(store, run.id, get(run.reader), Execution(Stopping(), concurrency=1, stopped=stopped))
    assert cut.status == "cancelled"
    part = tried(cut, open_reading(store, run.id).trace)
    assert (part.search.end, part.groups, part.search.noise) == ("unfinished", (), Count(0, 3))
    assert sentence(part.search) == "no sentence has been found yet"
    before = len(asked)
    done = execute(store, run.id, get(run.reader), Execution(Stopping(), concurrency=1))
    whole = tried(done, open_reading(store, run.id).trace)
    assert whole.groups[0].words == (FIRST,)
    assert 0 < before < len(asked)
    assert len(asked) == whole.search.calls


def test_a_search_by_an_earlier_rule_keeps_its_verdicts_and_is_not_resumed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Scripted(lambda call: "Hale" if FIRST in call.messages[0]["content"] else "HALE")  # the same by the present rule
    reading = read(store, model)
    with monkeypatch.context() as earlier:
        earlier.setattr(Tries, "version", 1)
        earlier.setattr(stands_on, "same", lambda first, second, choices: first == second)
        found = tries(store, reading, model)
        begun = try_answer(store, reading, get("whole"), Sampling(3))
    made = next(one for one in experiments_of(store, reading.run.id) if one.runs[0].id != begun.id).runs[0]
    assert found.groups[0].words == (FIRST,)
    assert tried(made, open_reading(store, made.id).trace) == found
    with pytest.raises(Diverged, match="made by version 1 of What an answer stands on"):
        execute(store, begun.id, get(begun.reader), Execution(model, concurrency=1))


def test_the_most_calls_are_kept(store: Store) -> None:
    model = by(lambda prompt: FIRST in prompt)
    found = tries(store, read(store, model), model, Sampling(3, max_calls=5))
    assert (found.search.end, found.groups) == ("out of calls", ())
    assert found.search.calls <= 5
    assert sentence(found.search) == "the calls were used up before one was found"


def test_what_cannot_be_tried_is_refused_with_the_reason(store: Store) -> None:
    model = by(lambda prompt: True)
    reading = read(store, model)
    for sampling, why in (
        (Sampling(0), "must be from 1 to 20"),
        (Sampling(3, max_calls=5_000), "most calls must be from 1 to 1,000"),
    ):
        with pytest.raises(BadOptions, match=why):
            try_answer(store, reading, get("whole"), sampling)
    answering = max(reading.trace.asked)
    edited = fork(store, reading, get("whole"), PromptEdit(answering, ({"role": "user", "content": "Who?"},)))
    execute(store, edited.id, get("whole"), Execution(model, concurrency=1))
    with pytest.raises(BadOptions, match="was edited by a person"):
        try_answer(store, open_reading(store, edited.id), get("whole"), Sampling(3))
    unanswered = Reading(reading.run, reading.document, type(reading.trace)(reading.document, ()), [])
    with pytest.raises(BadOptions, match="has no answer from a model"):
        try_answer(store, unanswered, get("whole"), Sampling(3))
    assert experiments_of(store, reading.run.id) == []


Changes = Callable[[frozenset[int]], bool]


def found(changes: Changes, size: int = 40, *, repeats: int = 3, budget: int = 200) -> SearchResult:
    return search(Plan(size, repeats, budget), lambda left_out, times: [changes(left_out)] * times)


def groups(one: SearchResult) -> list[tuple[int, ...]]:
    return [group.sentences for group in one.groups]


def test_one_sentence_is_found_with_a_logarithm_of_calls_and_counted() -> None:
    one = found(lambda out: 17 in out, size=1_000)
    assert one.groups[0] == ((17,), Count(3, 3), False)
    assert (len(one.groups), one.end, one.noise) == (1, "settled", Count(0, 3))
    assert one.calls <= 2 * 3 + 2 + 2 * math.ceil(math.log2(1_000))


def test_of_two_that_are_both_needed_each_is_found() -> None:
    one = found(lambda out: bool({3, 31} & out))
    assert groups(one) == [(3,), (31,)]
    assert one.end == "settled"
    assert not any(group.together for group in one.groups)


def test_either_of_two_is_enough_so_they_change_it_only_together() -> None:
    one = found(lambda out: {3, 31} <= out)
    assert one.groups == (((3, 31), Count(3, 3), True),)
    assert one.end == "settled"


def test_a_sentence_and_a_pair_are_both_found() -> None:
    one = found(lambda out: 8 in out or {3, 31} <= out)
    assert sorted(groups(one)) == [(3, 31), (8,)]


def test_what_is_known_by_heart_stands_on_nothing_and_costs_few_calls() -> None:
    one = found(lambda out: False, size=5_000)
    assert (one.groups, one.end, one.everything, one.calls) == ((), "nothing changes it", Count(0, 3), 6)


def test_an_answer_that_changes_by_itself_half_of_the_time_is_not_searched() -> None:
    coin = cycle([True, False])
    one = search(Plan(40, 4, 100), lambda left_out, times: [next(coin) for _ in range(times)])
    assert (one.noise, one.groups, one.end, one.calls) == (Count(2, 4), (), "differs by itself", 4)


def test_over_a_noise_floor_a_trial_is_repeated_until_it_stands_out() -> None:
    asked: list[frozenset[int]] = []
    chance = cycle([True, False, False, False, False])

    def ask(left_out: frozenset[int], times: int) -> Sequence[bool]:
        asked.extend([left_out] * times)
        return [5 in left_out or next(chance) for _ in range(times)]

    one = search(Plan(16, 5, 300), ask)
    assert (one.noise, groups(one), one.end) == (Count(1, 5), [(5,)], "settled")
    assert one.groups[0].came == Count(5, 5)
    assert max(asked.count(left_out) for left_out in set(asked)) == 5
    assert asked.count(frozenset(range(16))) == 4  # it was settled then


def test_the_bound_on_calls_is_kept_and_what_was_found_by_then_is_told() -> None:
    whole = found(lambda out: bool({3, 31} & out))
    for budget in range(whole.calls):
        part = found(lambda out: bool({3, 31} & out), budget=budget)
        assert part.calls <= budget
        assert part.end == "out of calls"
        assert groups(part) == groups(whole)[: len(part.groups)]


def test_a_search_whose_replies_are_not_all_there_yet_says_so() -> None:
    left = [6]

    def ask(left_out: frozenset[int], times: int) -> Sequence[bool]:
        left[0] -= times
        if left[0] < 0:
            raise NotAskedError
        return [17 in left_out] * times

    one = search(Plan(40, 3, 200), ask)
    assert (one.end, one.groups, one.noise, one.everything) == ("unfinished", (), Count(0, 3), Count(1, 1))


@given(st.data())
def test_every_group_changes_the_answer_and_none_of_its_sentences_can_be_spared(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 24))
    needs = data.draw(st.lists(st.frozensets(st.integers(0, size - 1), min_size=1, max_size=3), max_size=3))

    def changes(out: frozenset[int]) -> bool:
        return any(need <= out for need in needs)

    one = found(changes, size, budget=2_000)
    assert one.end == ("settled" if needs else "nothing changes it")
    for group in map(frozenset, groups(one)):
        assert changes(group)
        assert not any(changes(group - {number}) for number in group)
    assert not changes(frozenset(range(size)) - frozenset(number for group in groups(one) for number in group))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_of_very_few_sentences_the_last_is_found(size: int) -> None:
    assert groups(found(lambda out: size - 1 in out, size)) == [(size - 1,)]
