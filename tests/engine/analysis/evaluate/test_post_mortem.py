"""The post-mortem of readings: groups, shares with and without what cannot be told, prices and break-even, by plain sums."""

from __future__ import annotations

from statistics import median

import pytest

from readers.engine.analysis.evaluate import post_mortem
from readers.engine.analysis.evaluate.evaluated import Evaluated
from readers.engine.analysis.evaluate.post_mortem import examine
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.sufficiency import Spent, Standing, Sufficiency
from readers.engine.questions.question_set import SetQuestion
from readers.engine.report.values import Figure, Table

FOUND_IT, NEVER, OPEN = "stated", "not stated", "cannot be told"


def evaluated(reader: str, number: int) -> Evaluated:
    asked = SetQuestion(f"q{number}", f"d{number}", "?")
    return Evaluated(reader=reader, text=asked.document, question=str(number), run=f"{reader}{number}", asked=asked, tokens=900)


def fate(standing: Standing, right: bool | None, *, until: int = 0, building: int = 100, asking: int = 50) -> EvidenceFate:
    def spent(tokens: int) -> Spent:
        return Spent(tokens // 10, tokens, tokens / 1000, tokens / 2)

    stood = Sufficiency(standing, spent(building), spent(asking), 3, 2, spent(until) if standing != NEVER else None)
    return EvidenceFate("used", 0, ("in the text",), frozenset(), right, stood, ends=("alive",))


# Reader A finds in 6 of 9 that can be told, B in 3 of 10.
A = [
    *(fate(FOUND_IT, True, until=until) for until in (40, 80, 120, 90)), fate(FOUND_IT, False, until=150),
    fate(FOUND_IT, None, until=60),
    fate(NEVER, True), fate(NEVER, False), fate(NEVER, False), fate(OPEN, True, until=10),
]  # fmt: skip
B = [
    *(fate(FOUND_IT, True, until=30, building=0, asking=80) for _ in range(3)),
    *(fate(NEVER, False, building=0, asking=80) for _ in range(7)),
]
FATES = {f"{reader}{number}": one for reader, some in (("A", A), ("B", B)) for number, one in enumerate(some)}
ROWS = [evaluated(reader, number) for reader in "AB" for number in range(10)]


def shown(table: Table, row: str) -> dict[str, str]:
    cells = next(one.cells for one in table.rows if one.name == row)
    return {column.name: str(cell.content) for column, cell in zip(table.columns, cells, strict=True)}


def test_every_reading_is_in_one_group() -> None:
    table = post_mortem.found_and_right(examine(ROWS, FATES))
    found = shown(table, "A")
    assert [found[name] for name, _ in post_mortem.GROUPS.values()] == ["4", "1", "1", "2", "1", "1"]
    assert sum(int(found[name]) for name, _ in post_mortem.GROUPS.values()) == len(A)
    runs = next(one for one in table.rows if one.name == "A").cells[4].runs
    assert runs == ("A4",)


def test_the_three_shares_leave_out_what_cannot_be_told_and_say_so() -> None:
    row = next(one for one in post_mortem.found_and_right(examine(ROWS, FATES)).rows if one.name == "A")
    sufficient, with_it, without = (cell.content for cell in row.cells[:3])
    assert isinstance(sufficient, Figure)
    assert isinstance(with_it, Figure)
    assert isinstance(without, Figure)
    assert sufficient.value == pytest.approx(6 / 9)
    assert with_it.value == pytest.approx(4 / 5)  # one of the six is not graded
    assert without.value == pytest.approx(1 / 3)
    assert "60% to 70% with the 1 that cannot be told" in row.cells[0].notes
    assert sufficient.low is not None


def test_readers_that_find_more_beyond_chance_are_named() -> None:
    rows = [evaluated(reader, number) for reader in "AB" for number in range(20)]
    fates = {one.run: fate(FOUND_IT if one.reader == "A" else NEVER, True, until=1) for one in rows}
    assert post_mortem.sentences(post_mortem.compared(examine(rows, fates))) == ["A finds all evidence more often than B."]
    assert post_mortem.sentences(post_mortem.compared(examine(ROWS[:4], FATES))) == []


def test_the_price_is_the_median_of_readings_that_found_it() -> None:
    found = shown(post_mortem.price(examine(ROWS, FATES)), "A")
    untils = [40, 80, 120, 90, 150, 60]
    assert found["Tokens"] == f"{median(untils):,.0f}"
    assert found["Of all tokens, after that (%)"] == f"{100 * median(1 - until / 150 for until in untils):.1f}"
    row = next(one for one in post_mortem.price(examine(ROWS, FATES)).rows if one.name == "A")
    assert row.note == "6 of 10 readings"
    assert [str(Figure(value, unit="count")) for value in (18.5, 6.25, 1_200)] == ["18.5", "6.25", "1,200"]
    seconds = (0, 0.024, 3.26, 8, 14.6)
    assert [str(Figure(value, unit="duration")) for value in seconds] == ["0 s", "0.02 s", "3.3 s", "8 s", "15 s"]
    assert row.cells[1].notes[0] == "65 to 113"  # inclusive quartiles of the six


def test_from_how_many_questions_on_building_pays() -> None:
    """A builds for 100 (10 cents) and asks for 50, B asks for 80: at 4 questions A has cost 300 and B 320."""
    table = post_mortem.break_even(examine(ROWS, FATES))
    assert table
    assert shown(table, "A")["Cheaper than"] == "B, from 4 questions on"
    assert shown(table, "B")["Cheaper than"] == "–"
    free = {
        run: one._replace(sufficiency=one.sufficiency and one.sufficiency._replace(building=Spent(0, None, None, 0.0)))
        for run, one in FATES.items()
    }
    assert post_mortem.break_even(examine(ROWS, free)) is None


def test_a_few_readings_are_told_one_by_one() -> None:
    table = post_mortem.of_readings([("A", fate(FOUND_IT, True, until=40)), ("B", fate(NEVER, False)), ("C", fate(OPEN, True))])
    assert [shown(table, name) for name in "ABC"] == [
        {"What became of it": what, "One call had all of the evidence": at, "Tokens until then": tokens}
        for what, at, tokens in (
            ("Found, right", "step 3", "40"),
            ("Not found, not right", "–", "–"),
            ("Cannot be told", "–", "–"),
        )
    ]


def test_readings_that_were_not_followed_or_have_no_evidence_are_not_in_it() -> None:
    assert examine(ROWS, {"A0": None}) == []
    assert post_mortem.tables([]) == []
