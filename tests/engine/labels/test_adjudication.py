"""Adjudication: what annotators agree on, what a key decides, what is left, and the reason of a reading."""

from __future__ import annotations

from typing import Any

import pytest

from readers.engine.labels import adjudication
from readers.engine.labels.adjudication import REASON, WITHDRAWN, Compared
from readers.engine.labels.label import BUILDING, NO_STEP, Decision, Label

RUN = "r1"


def about(run: str, name: str, field: str, value: Any) -> Label:
    if field == "decisive":
        value = {"step": value, "confidence": 2, "words": ""}
    return Label(f"{run}{name}{field}", "p", run, name, "reading", {"field": field}, {"value": value})


def code(run: str, name: str, step: int, code: str) -> Label:
    return Label(f"{run}{name}{step}{code}", "p", run, name, "step", {"step": step}, {"code": code, "severity": 2, "note": ""})


def decided(target: dict[str, Any], value: dict[str, Any], *, revision: int = 1, reason: str = "", run: str = RUN) -> Decision:
    return Decision("p", run, target, value, reason, "Lea", revision)


LABELS = [
    *(about(RUN, name, "outcome", value) for name, value in (("Ben", "partly"), ("Ada", "wrong"))),
    *(about(RUN, name, "support", "proves") for name in ("Ada", "Ben")),
    *(about(RUN, name, "decisive", step) for name, step in (("Ada", 4), ("Ben", NO_STEP))),
    about(RUN, "Ben", "fate", "unused"),
    *(code(RUN, name, 4, code_id) for name, code_id in (("Ada", "N1"), ("Ada", "B2"), ("Ben", "N2"))),
    code(RUN, "Ada", 6, "N4"),
    *(code(RUN, name, 7, "R1") for name in ("Ada", "Ben")),
    about(RUN, "Cai", "outcome", "correct"),  # not done: no part of it
]
DONE = {(RUN, "Ada"), (RUN, "Ben")}


def asked(*decisions: Decision) -> dict[str, Compared]:
    return {one.name: one for one in adjudication.compared(LABELS, done=DONE, decisions=decisions)}


def test_what_annotators_agree_on_is_told_from_what_they_do_not() -> None:
    every = asked()
    assert list(every) == ["outcome", "support", "decisive", "fate", "step.4", "step.6", "step.7"]
    assert [one.name for one in adjudication.disputed(every.values())] == ["outcome", "decisive", "step.4", "step.6"]
    assert every["outcome"].values == {"Ada": "wrong", "Ben": "partly"}
    assert every["step.6"].values == {"Ada": frozenset({"N4"}), "Ben": frozenset()}
    assert adjudication.annotators(every.values()) == ("Ada", "Ben")


def test_one_side_is_taken_whole_and_nothing_that_is_agreed_is_touched() -> None:
    every = asked()
    assert adjudication.one_side(every.values(), "Ada") == {
        "outcome": {"value": "wrong"},
        "decisive": {"value": {"step": 4}},
        "step.4": {"codes": ["B2", "N1"]},
        "step.6": {"codes": ["N4"]},
    }
    assert adjudication.one_side(every.values(), "Ben")["step.6"] == {"codes": []}
    assert adjudication.one_side(every.values(), "Cai") == {}


def test_both_takes_every_code_that_somebody_gave_and_leaves_single_values_open() -> None:
    assert adjudication.all_sides(asked().values()) == {"step.4": {"codes": ["B2", "N1", "N2"]}, "step.6": {"codes": ["N4"]}}


def test_a_decision_counts_until_it_is_withdrawn() -> None:
    every = asked(
        decided({"field": "outcome"}, {"value": "wrong"}, revision=2),
        decided({"field": "outcome"}, {"value": "partly"}),
        decided({"step": 4}, {"codes": ["N1"]}),
        decided({"step": 4}, dict(WITHDRAWN), revision=2),
        decided({"step": 7}, {"codes": ["R2"]}),
    )
    assert every["outcome"].decision is not None
    assert every["outcome"].decision.value == {"value": "wrong"}
    assert [one.name for one in adjudication.undecided(every.values())] == ["decisive", "step.4", "step.6"]
    assert "step.7" in [one.name for one in adjudication.disputed(every.values())]  # decided, although all agree


def test_the_next_reading_is_the_next_with_something_to_decide_and_round() -> None:
    runs = ("a", "b", "c", "d")
    labels = [about(run, name, "outcome", value) for run in "abd" for name, value in (("Ada", "wrong"), ("Ben", "partly"))]
    done = {(run, name) for run in runs for name in ("Ada", "Ben")}
    choice = decided({"field": "outcome"}, {"value": "wrong"}, run="b")
    every = adjudication.compared(labels, done=done, decisions=[choice])
    assert [adjudication.next_undecided(every, runs, here) for here in ("a", "b", "c", "d", "")] == ["d", "d", "d", "a", "a"]
    assert adjudication.next_undecided([one for one in every if one.run == "a"], runs, "a") is None


@pytest.mark.parametrize(
    ("subject", "stored", "valid"),
    [
        ("outcome", {"value": "wrong"}, True),
        ("outcome", {"value": "wrong", "more": 1}, False),
        ("outcome", {"value": "<b>"}, False),
        ("outcome", {}, True),
        ("decisive", {"value": {"step": 9}}, True),
        ("decisive", {"value": {"step": 10}}, False),
        ("decisive", {"value": {"step": BUILDING}}, True),
        ("decisive", {"value": {"step": "later"}}, False),
        ("step", {"codes": ["N1"]}, True),
        ("step", {"codes": []}, True),
        ("step", {"codes": ["N2", "N1"]}, False),
        ("step", {"codes": ["X"]}, False),
        ("step", {"value": "wrong"}, False),
    ],
)
def test_a_decision_holds_a_value_of_its_question(subject: str, stored: dict[str, Any], valid: bool) -> None:
    assert adjudication.is_value(subject, stored, steps=9, codes=("N1", "N2")) is valid


def test_the_reason_of_a_reading_is_the_reason_of_each_of_its_decisions_without_one() -> None:
    made = [
        decided(dict(REASON), {}, reason="Ada"),
        decided({"field": "outcome"}, {"value": "wrong"}, reason="its own"),
        decided({"step": 4}, {"codes": []}),
        decided(dict(REASON), {}, revision=2, reason="Ada read on."),
        decided(dict(REASON), {}, reason=" ", run="r2"),
        decided({"step": 4}, {"codes": []}, run="r2"),
    ]
    assert list(adjudication.reasons(made)) == [RUN]
    assert [(one.run, one.target, one.reason) for one in adjudication.with_reasons(made)] == [
        (RUN, {"field": "outcome"}, "its own"),
        (RUN, {"step": 4}, "Ada read on."),
        (RUN, dict(REASON), "Ada read on."),
        ("r2", {"step": 4}, ""),
    ]
