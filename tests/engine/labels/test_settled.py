"""One value per reading for each question: decisions first, then what all gave; and people beside the rule."""

from __future__ import annotations

import pytest

from readers.engine.labels import settled
from readers.engine.labels.counts import ALL
from readers.engine.labels.label import BUILDING, NO_STEP, Decision, Label
from readers.engine.labels.settled import DIFFER, Settled
from readers.engine.report.slices import Slice
from readers.engine.report.values import Cell

DONE = {("r1", "Ada"), ("r1", "Ben"), ("r2", "Ada"), ("r2", "Ben"), ("r3", "Ada")}


def label(run: str, name: str, field: str, value: object, **more: object) -> Label:
    return Label(f"{run}{name}{field}", "p", run, name, "reading", {"field": field}, {"value": value, **more})


def step(number: object) -> dict[str, object]:
    return {"step": number, "confidence": 2, "words": ""}


def code(run: str, name: str, at: int, severity: int) -> Label:
    return Label(f"{run}{name}{at}", "p", run, name, "step", {"step": at}, {"code": "N1", "severity": severity})


def phase(run: str, number: int) -> str | None:
    return "walk" if number < 9 else None


def found(labels: list[Label], *decisions: Decision, field: str = "outcome") -> Settled:
    return settled.settled(field, labels, decisions, done=DONE, phase_of=phase)


LABELS = [
    label("r1", "Ada", "outcome", "wrong"),
    label("r1", "Ben", "outcome", "correct"),
    label("r2", "Ada", "outcome", "wrong"),
    label("r2", "Ben", "outcome", "wrong"),
    label("r3", "Ada", "outcome", "correct"),
    label("r3", "Ben", "outcome", "wrong"),  # not finished
]


def test_readings_on_which_annotators_differ_are_open_until_they_are_decided() -> None:
    assert found(LABELS) == Settled({"r2": "wrong", "r3": "correct"}, open=("r1",))
    decided = [Decision("p", "r1", {"field": "outcome"}, {"value": "partly"}, "", "Lea"),
               Decision("p", "r2", {"field": "outcome"}, {"value": "correct"}, "", "Lea")]  # fmt: skip
    values = {"r1": "partly", "r2": "correct", "r3": "correct"}
    assert found(LABELS, *decided) == Settled(values, frozenset({"r1", "r2"}))


@pytest.mark.parametrize("value", [{"value": "perfect"}, {"value": None}, {}, {"codes": []}])
def test_a_decision_that_cannot_be_read_settles_nothing(value: dict[str, object]) -> None:
    assert found(LABELS, Decision("p", "r1", {"field": "outcome"}, value, "", "Lea")).open == ("r1",)
    assert found(LABELS, Decision("p", "r1", {"field": "path"}, {"value": "lost"}, "", "Lea")).open == ("r1",)


def test_a_decisive_step_counts_by_its_phase_and_two_steps_of_one_phase_still_differ() -> None:
    labels = [label("r1", "Ada", "decisive", step(3)), label("r1", "Ben", "decisive", step(4)),
              label("r2", "Ada", "decisive", step(BUILDING)), label("r2", "Ben", "decisive", step(BUILDING)),
              label("r3", "Ada", "decisive", step(12))]  # fmt: skip
    assert found(labels, field="decisive") == Settled({"r2": "build", "r3": "unknown step"}, open=("r1",))
    decided = Decision("p", "r1", {"field": "decisive"}, {"value": {"step": 4}}, "", "Lea")
    assert found(labels, decided, field="decisive").values["r1"] == "walk"
    none = Decision("p", "r1", {"field": "decisive"}, {"value": {"step": NO_STEP}}, "", "Lea")
    assert found(labels, none, field="decisive").values["r1"] == NO_STEP


def test_a_reading_is_as_bad_as_its_worst_step() -> None:
    labels = [code("r1", "Ada", 2, 1), code("r1", "Ben", 2, 3), code("r2", "Ada", 5, 2), code("r3", "Ben", 1, 3)]
    assert settled.severities(labels, done=DONE).values == {"r1": "3", "r2": "2"}


def test_a_table_has_shares_of_the_readings_with_a_value_and_the_readings_behind_them() -> None:
    values = Settled({"r1": "wrong", "r2": "wrong", "r3": "correct", "r4": "correct"})
    by = Slice("Reader", {"r1": "b", "r2": "a", "r3": "a"}.get, str.upper)
    made = settled.table("outcome", values, by, key="reader", phase_title=str)
    assert (made.key, [row.name for row in made.rows]) == ("outcome-reader", ["Correct", "Wrong"])
    assert [(one.name, one.note) for one in made.columns] == [("All", "4 readings"), ("A", "2 readings"), ("B", "1 reading")]
    cell = made.at("wrong", "a")
    assert (str(cell.content), cell.runs) == ("1 of 2", ("r2",))
    assert made.at("correct", "b") == Cell()
    assert made.at("wrong", ALL).runs == ("r1", "r2")


def test_people_beside_the_rule_with_their_agreement_and_what_the_rule_leaves_open() -> None:
    people = Settled({f"r{n}": "wrong" if n % 2 else "correct" for n in range(10)})
    rule = {f"r{n}": "wrong" if n % 2 or n == 8 else "correct" for n in range(9)} | {"r9": None, "r77": "wrong"}
    beside = settled.beside_rule(people, rule)
    assert beside.silent == ("r9",)
    assert beside.disagreements == ("r8",)
    assert beside.agreement.value == pytest.approx(8 / 9)
    assert beside.agreement.readings == 9
    assert beside.kappa.value == pytest.approx(1 - (1 / 9) / (1 - (5 * 4 + 4 * 5) / 81))
    assert beside.pairs["correct", "wrong"] == ("r8",)
    table = settled.rule_table("outcome", beside)
    assert [[str(cell.content) for cell in row.cells] for row in table.rows] == [
        ["1", "4", "1"], ["0", "–", "4"], ["1", "4", "5"],
    ]  # fmt: skip
    assert table.at("correct", DIFFER).runs == table.at(ALL, DIFFER).runs == ("r8",)
    assert table.at("correct", "correct").small == ["agree"]


def test_a_value_that_the_rule_never_gives_has_a_row_and_no_column() -> None:
    beside = settled.beside_rule(Settled({"r1": "partly", "r2": "wrong"}), {"r1": "wrong", "r2": "wrong"})
    table = settled.rule_table("outcome", beside)
    assert ([row.name for row in table.rows], [one.name for one in table.columns]) == (
        ["Partly correct", "Wrong", "All"], ["They differ", "Wrong"],
    )  # fmt: skip
