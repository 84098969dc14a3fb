"""The choice of readings to label: seeded, stratified, and only those that are asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from readers.engine.labels.sampling import STRATA, Candidate, Sample, choose

READERS = ("memwalker", "readagent", "memagent")
MANY = [
    Candidate(f"r{n}", f"t{n % 5}", f"q{n // 3}", READERS[n % 3], "m", ("correct", "wrong", None)[n % 7 % 3]) for n in range(90)
]


def test_a_stratified_choice_is_as_equal_as_the_strata_allow() -> None:
    few = [one for one in MANY if one.reader != "memagent"] + [one for one in MANY if one.reader == "memagent"][:2]
    chosen = set(choose(few, Sample(size=20, by="reader")))
    assert Counter(one.reader for one in few if one.run in chosen) == {"memwalker": 9, "readagent": 9, "memagent": 2}
    fates = [one._replace(fate=("used", "passed over", "")[n % 9 % 4 % 3]) for n, one in enumerate(MANY)]
    drawn = choose(fates, Sample(size=9, by="fate"))
    assert Counter(one.fate for one in fates if one.run in drawn) == {"used": 3, "passed over": 3, "": 3}
    texts = choose(MANY, Sample(size=5, by="document"))
    assert {one.document for one in MANY if one.run in texts} == {f"t{n}" for n in range(5)}


def test_only_wrong_ones_or_questions_on_which_readings_differ() -> None:
    wrong = choose(MANY, Sample(only="wrong"))
    assert wrong == tuple(one.run for one in MANY if one.by_rule == "wrong")
    unsure = [one._replace(unsure=n % 3 == 0) for n, one in enumerate(MANY)]
    assert choose(unsure, Sample(only="unsure")) == tuple(one.run for one in MANY[::3])
    assert set(choose(unsure, Sample(only="surely wrong"))) == set(wrong) - {one.run for one in MANY[::3]}
    pairs = [Candidate("a", "t", "q", "x", "m", "correct"), Candidate("b", "t", "q", "y", "m", "wrong"),
             Candidate("c", "u", "q", "x", "m", "correct"), Candidate("d", "u", "q", "y", "m", None)]  # fmt: skip
    assert choose(pairs, Sample(only="differ")) == ("a", "b")


def test_the_choice_is_on_record_in_words() -> None:
    sample = Sample("wrong", 12, "reader", 7)
    assert sample.sentence(12, 90) == (
        "12 of 90 readings: only those whose answer is wrong or partly right by rule; drawn at random, as many of each reader, "
        "under seed 7"
    )
    assert Sample().sentence(90, 90) == ""
    assert Sample("differ").sentence(30, 90).endswith("all of them")


@given(st.integers(0, 95), st.sampled_from(list(STRATA)), st.integers(0, 9), st.randoms())
def test_the_choice_does_not_depend_on_the_order_and_grows_with_the_number(
    size: int, by: str, seed: int, shuffle: object
) -> None:
    sample = Sample(size=size, by=by, seed=seed)  # type: ignore[arg-type]
    chosen = set(choose(MANY, sample))
    assert len(chosen) == min(size, len(MANY))
    mixed = list(MANY)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    assert set(choose(mixed, sample)) == chosen
    assert chosen <= set(choose(MANY, replace(sample, size=size + 1)))
