"""The two levels of a codebook: what may stand under what, what a change does to it, and how it is counted."""

from __future__ import annotations

from typing import Any

import pytest

from readers.engine.errors import BadOptions
from readers.engine.labels.codebook import Codebook, Source, begun, codes_hash, from_json, to_json
from readers.engine.labels.codes import Code, code_to_json, in_order, narrower
from readers.engine.labels.counts import ALL, CodesByStep, LabelledRun, by_group, by_kind, with_broader
from readers.engine.labels.label import Label

BOOK = Codebook(
    (Code("A", "Lost"), Code("B", "Found"), Code("A1", "Lost early", parent="A"), Code("A2", "Lost late", parent="A"))
)


def under(book: Codebook) -> dict[str, str]:
    return {code.id: code.parent for code in book.codes if code.parent}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: BOOK.add(Code("C", "x", parent="Z")), "which is not another code"),
        (lambda: BOOK.add(Code("C", "x", parent="C")), "which is not another code"),
        (lambda: BOOK.add(Code("C", "x", parent="A1")), "which is under another code itself"),
        (lambda: BOOK.redefine("A", {"parent": "B"}), "'A1 Lost early' cannot be under 'A Lost'"),
        (lambda: BOOK.retire("B").add(Code("C", "x", parent="B")), "which was retired"),
        (lambda: from_json(1, [{"id": "A", "name": "x", "parent": 3}]), "the parent of a code is text"),
    ],
)
def test_a_code_stands_under_one_in_use_that_stands_under_none(change: Any, says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        change()


def test_moving_a_code_under_another_asks_for_no_review() -> None:
    moved = BOOK.redefine("B", {"parent": "A"})
    assert under(moved) == {"B": "A", "A1": "A", "A2": "A"}
    assert moved.get("B").changed == 1


def test_what_stood_under_a_code_that_goes_follows_a_merge_and_otherwise_stands_alone() -> None:
    assert under(BOOK.retire("A")) == {}
    assert under(BOOK.merge(["A"], "B")) == {"A1": "B", "A2": "B"}
    assert under(BOOK.merge(["A", "B"], Code("C", "Both"))) == {"A1": "C", "A2": "C"}
    assert under(BOOK.merge(["A"], "A1")) == {"A2": "A1"}
    assert under(BOOK.split("A", [Code("C", "x"), Code("D", "y")])) == {}
    gone = BOOK.retire("A1").retire("A")
    assert under(gone.restore("A1").restore("A")) == {}
    assert under(BOOK.retire("A1").redefine("A2", {"parent": ""}).redefine("A", {"parent": "B"}).restore("A1")) == {"A": "B"}


def test_codes_from_elsewhere_stand_only_under_codes_that_are_here() -> None:
    source = Source("P", 1, "2026-01-01", "0")
    added = Codebook((Code("A", "Lost"),)).include([Code("X", "x", parent="A"), Code("Y", "y", parent="Q")], source)
    assert under(added) == {"X": "A"}
    assert under(begun([*BOOK.codes])) == under(BOOK)
    assert under(begun(code for code in BOOK.codes if code.id != "A")) == {}


def test_codes_are_listed_below_the_code_they_stand_under() -> None:
    assert [code.id for code in in_order(BOOK.codes)] == ["A", "A1", "A2", "B"]
    assert [code.id for code in in_order(BOOK.codes[1:])] == ["B", "A1", "A2"]
    assert {code: [one.id for one in below] for code, below in narrower(BOOK.retire("A2").codes).items()} == {"A": ["A1"]}


def test_a_codebook_without_levels_is_stored_and_hashed_as_before() -> None:
    assert "parent" not in code_to_json(Code("A", "x"))
    assert len(codes_hash([Code("A", "x")])) == 64
    assert from_json(1, to_json(BOOK)[0]) == BOOK


def test_a_broader_code_counts_what_stands_under_it_each_reading_and_step_once() -> None:
    def given(run: str, step: int, code: str) -> Label:
        return Label(f"{run}{step}{code}", "p", run, "Ann", "step", {"step": step}, {"code": code, "severity": 1, "note": ""})

    about = [LabelledRun(run, "memwalker", "m", ("walk", "answer")) for run in ("r", "s", "t")]
    labels = [given("r", 1, "A1"), given("r", 1, "A2"), given("r", 2, "A"), given("s", 1, "B"), given("t", 1, "A2")]
    plain = CodesByStep(labels, about, done=[(run, "Ann") for run in ("r", "s", "t")])
    wider = with_broader(plain, under(BOOK))

    def counted(found: CodesByStep) -> dict[str, int]:
        table = by_group(found, lambda one: one.reader, (str, str), key="", title="")
        return {row.key: len(table.at(row.key, ALL).runs) for row in table.rows}

    assert counted(plain) == {"A": 1, "A1": 1, "A2": 2, "B": 1}
    assert counted(wider) == {"A": 2, "A1": 1, "A2": 2, "B": 1}
    assert str(by_kind(wider, (str, str), key="", title="").at("A", "walk").content).startswith("2 of ")
    assert plain.codes["r", 1] == ("A1", "A2"), "what was given stays"
