"""The codebook: the preset is whole, every change is a version with its reason, old labels are flagged and never changed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers import READERS
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions
from readers.engine.labels.check_label import checked
from readers.engine.labels.codebook import Codebook, from_json, preset, to_json, to_review
from readers.engine.labels.codes import Code
from readers.engine.labels.label import Label, Turn
from readers.engine.labels.saturation import codes_by_reading, saturation

BOOK = Codebook((Code("A", "Wrong turn"), Code("B", "Lossy", definition="less"), Code("C", "Other")))


def label(code: str, version: int, **more: Any) -> Label:
    made = Label("0" * 32, "p", "r", "ada", "step", {"step": 1}, {"code": code, "severity": 1}, version)
    return checked(replace(made, **more))


def test_the_preset_is_the_taxonomy_whole() -> None:
    book = preset()
    kinds = {"B": 5, "N": 8, "R": 3, "M": 5, "A": 6, "S": 4, "X": 2}
    assert [code.id for code in book.codes] == [f"{kind}{n}" for kind, most in kinds.items() for n in range(1, most + 1)]
    assert list(dict.fromkeys(code.group for code in book.codes)) == [
        "Building", "Navigation", "Reading", "Memory", "Answering", "System", "Task and other",
    ]  # fmt: skip
    for code in book.codes:
        assert all((code.name, code.definition, code.example, code.near_miss)), code.id
        assert (code.since, code.changed, code.retired) == (1, 1, 0)
        assert set(code.hints) <= {reader.id for reader in READERS}, code.id
        assert code.hints or code.id == "X2"
        for words in (code.definition, code.example, code.near_miss, *code.hints.values()):
            assert words[-1] in ".'", words
            assert "!" not in words


@pytest.mark.parametrize(
    ("code", "applies"),
    [
        ("B4", {"qrmem", "memagent", "rememr1", "chain_of_agents"}), ("B5", {"memwalker", "qrmem"}),
        ("N8", {"qrmem", "rememr1", "recursive"}),
        ("N6", {"memwalker", "readagent", "qrmem"}), ("M2", {"memwalker", "memagent", "rememr1", "chain_of_agents"}),
        ("S4", {"memwalker", "readagent", "qrmem", "memagent", "rememr1", "chain_of_agents", "recursive"}),
    ],
)  # fmt: skip
def test_a_code_has_hints_for_the_readers_it_applies_to(code: str, applies: set[str]) -> None:
    assert set(preset().get(code).hints) == applies


def test_near_misses_name_codes_that_there_are() -> None:
    book = preset()
    for code in book.codes:
        for named in re.findall(r"\b[A-Z]\d\b", code.definition + code.near_miss):
            assert book.find(named), (code.id, named)
            assert named != code.id


def test_every_change_is_the_next_version_and_says_what_it_was() -> None:
    more = BOOK.add(Code("D", "Loop"), why="seen three times")
    assert (more.version, more.change.kind, more.change.codes, more.change.why) == (2, "added", ("D",), "seen three times")
    assert (more.get("D").since, more.get("D").changed) == (2, 2)
    named = more.rename("A", "Bad turn")
    assert (named.version, named.get("A").name, named.change.kind) == (3, "Bad turn", "renamed")
    gone = named.retire("C", why="nobody used it")
    assert [code.id for code in gone.in_use] == ["A", "B", "D"]
    assert [code.id for code in gone.codes] == ["A", "B", "C", "D"]
    back = gone.restore("C")
    assert back.get("C").retired == 0
    assert [book.version for book in (BOOK, more, named, gone, back)] == [1, 2, 3, 4, 5]
    assert BOOK.get("A").name == "Wrong turn"  # no book is changed


def test_labels_of_an_older_meaning_are_flagged_and_stay_as_they_are() -> None:
    old = [label("A", 1), label("B", 1), label("C", 1)]
    renamed = BOOK.rename("A", "Bad turn")
    assert to_review(renamed, old) == []
    clearer = BOOK.redefine("B", {"definition": "lacks it", "hints": {"memwalker": "look up"}}, meaning=False)
    assert to_review(clearer, old) == []
    assert to_review(BOOK.redefine("B", {"hints": {"memwalker": "look up"}}), old) == []
    other = BOOK.redefine("B", {"definition": "lacks the fact"})
    assert to_review(other, old) == [(old[1], "the meaning of B Lossy was changed in version 2, and the label is from version 1")]
    assert to_review(other, [label("B", 2)]) == []
    assert to_review(other, [label("B", 1, removed=True)]) == []
    assert to_review(BOOK.retire("C"), old) == [(old[2], "C Other was retired in version 2")]
    assert to_review(BOOK.retire("C").restore("C"), old) == []
    assert to_review(BOOK, [label("Q", 1)])[0][1] == "the codebook has no code 'Q'"
    span = checked(Label("1" * 32, "p", "r", "ada", "span", {"on": "text", "start": 0, "end": 3}, {"code": "B"}, 1))
    bare = checked(Label("2" * 32, "p", "r", "ada", "span", {"on": "text", "start": 0, "end": 3}, {}, 1))
    assert [found for found, _ in to_review(other, [span, bare])] == [span]


def test_a_merge_into_a_new_code() -> None:
    book = BOOK.merge(["A", "B"], Code("AB", "Either"), why="never told apart")
    assert [code.id for code in book.in_use] == ["C", "AB"]
    assert (book.get("A").retired, book.get("A").into) == (2, ("AB",))
    assert [why for _, why in to_review(book, [label("A", 1), label("B", 1), label("C", 1)])] == [
        "A Wrong turn became AB Either in version 2", "B Lossy became AB Either in version 2",
    ]  # fmt: skip
    assert to_review(book, [label("AB", 2)]) == []


def test_a_merge_into_a_code_that_is_there_changes_what_that_one_means() -> None:
    book = BOOK.merge(["A", "B"], "B")
    assert book.change.codes == ("A",)
    assert [why for _, why in to_review(book, [label("A", 1), label("B", 1)])] == [
        "A Wrong turn became B Lossy in version 2",
        "the meaning of B Lossy was changed in version 2, and the label is from version 1",
    ]
    assert BOOK.merge(["A"], "B") == book


def test_a_split_and_what_a_code_became_in_the_end() -> None:
    book = BOOK.split("A", [Code("A1", "Left"), Code("A2", "Right")]).split("A2", [Code("A3", "Up"), Code("A4", "Down")])
    book = book.merge(["A1", "A3"], Code("A5", "Left or up"))
    assert to_review(book, [label("A", 1)])[0][1] == "A Wrong turn became A1 Left and A2 Right in version 2"
    assert [code.id for code in book.successors("A")] == ["A5", "A4"]
    assert [code.id for code in book.successors("B")] == ["B"]
    assert book.successors("Q") == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda: BOOK.add(Code("a", "Another")), "two codes have the id 'a'"),
        (lambda: BOOK.add(Code("D", "lossy")), "two codes have the name 'lossy'"),
        (lambda: BOOK.rename("A", "  "), "a code needs its name"),
        (lambda: BOOK.rename("A", "x" * 81), "up to 80 characters, and this has 81"),
        (lambda: BOOK.rename("Q", "x"), "the codebook has no code 'Q'; it has A, B, C"),
        (lambda: BOOK.redefine("A", {"id": "Z"}), "a code's 'id' cannot be changed this way"),
        (lambda: BOOK.merge(["A"], Code("D", "D")), "merging needs two codes or more"),
        (lambda: BOOK.merge(["A"], "A"), "merging needs two codes or more"),
        (lambda: BOOK.split("A", [Code("D", "D")]), "needs two new codes or more"),
        (lambda: BOOK.retire("A").rename("A", "x"), "was retired in version 2; restore it first"),
        (lambda: BOOK.restore("A"), "is in use"),
        (lambda: BOOK.retire("A", why="x" * 2001), "the reason of a change"),
        (lambda: BOOK.add(Code("i" * 41, "x")), "the id of a code has up to 40 characters"),
    ],
)
def test_what_cannot_be_done_is_said(change: Any, says: str) -> None:
    with pytest.raises(BadOptions, match=says):
        change()


def test_a_name_is_free_again_when_its_code_is_retired() -> None:
    book = BOOK.retire("B").add(Code("D", "Lossy"))
    with pytest.raises(BadOptions, match="two codes have the name 'Lossy'"):
        book.restore("B")


def test_to_json_and_back() -> None:
    book = preset().merge(["B2", "B3"], Code("B9", "<b>Lossy & \udcff", hints={"memwalker": "see"}), why="</script>")
    codes, change = json.loads(canonical(list(to_json(book))))
    assert from_json(book.version, codes, change=change) == book
    assert book.get("B9").name == "<b>Lossy & ?"
    assert preset() == from_json(1, to_json(preset())[0])


CODE = {"id": "A", "name": "x"}


@pytest.mark.parametrize(
    "codes",
    [
        {}, [1], [{"id": "A"}], [{**CODE, "more": 1}], [{"id": 1, "name": "x"}], [{**CODE, "into": 3}], [{**CODE, "into": ["B"]}],
        [{**CODE, "changed": "1"}], [{**CODE, "since": True}], [{**CODE, "since": 0}], [{**CODE, "hints": [1]}],
        [{**CODE, "hints": {"r": 1}}], [{"id": f"A{n}", "name": f"{n}"} for n in range(501)],
    ],
)  # fmt: skip
def test_what_is_no_codebook_is_refused(codes: Any) -> None:
    with pytest.raises(BadOptions):
        from_json(1, codes)


@pytest.mark.parametrize("change", [{"kind": "eaten"}, {"kind": "added", "codes": [1]}, {"kind": "added", "into": 3}, [1]])
def test_nor_is_what_is_no_change(change: Any) -> None:
    with pytest.raises(BadOptions):
        from_json(1, [], change=change)


def test_a_circle_of_codes_ends() -> None:
    codes = (replace(BOOK.codes[0], retired=2, into=("B",)), replace(BOOK.codes[1], retired=2, into=("A", "C")), BOOK.codes[2])
    assert [code.id for code in Codebook(codes, 2).successors("A")] == ["C"]


# Saturation


def test_readings_count_in_the_order_they_were_first_done_with_the_codes_of_who_is_done() -> None:
    def turn(run: str, who: str, closed: str, standing: Any = "done", stage: int = 3) -> Turn:
        return Turn("p", run, who, stage, standing, closed=closed)

    turns = [
        turn("a", "ada", "5"), turn("a", "bo", "2"), turn("b", "ada", "1"), turn("b", "bo", "", "open"),
        turn("c", "ada", "3", "skipped"), turn("d", "ada", "4", stage=1), turn("e", "ada", "6"),
    ]  # fmt: skip
    span = {"kind": "span", "target": {"on": "text", "number": None, "start": 0, "end": 1}}
    labels = [
        label("N1", 1, run="a", at="2"), replace(label("S1", 1, run="a", annotator="bo", at="1"), **span),
        label("N1", 1, run="b"), label("B2", 1, run="b", removed=True), label("B3", 1, run="b", annotator="bo"),
        label("R1", 1, run="c"), label("R2", 1, run="d"), label("R3", 1, run="a", annotator="cy"),
    ]  # fmt: skip
    assert codes_by_reading(labels, turns) == [("N1",), ("S1", "N1"), ()]
    assert (
        saturation(codes_by_reading(labels, turns)).sentence()
        == "2 of the last 3 readings brought a new code; there are 2 in all."
    )
    assert codes_by_reading([], []) == []


def test_the_counter_tells_how_many_of_the_last_readings_brought_a_new_code() -> None:
    readings = [["A"], ["A", "B"], ["B"], [], ["C", "D"], *[["A"]] * 18]
    found = saturation(readings)
    assert (found.new, found.of, found.codes, found.which) == (1, 20, 4, ("C", "D"))
    assert found.sentence() == "1 of the last 20 readings brought a new code; there are 4 in all."
    assert saturation([*readings, ["A"], ["B"]]).new == 0
    assert saturation([["A", "B"]]).sentence() == "The one reading so far brought 2 new codes; there are 2 in all."
    assert saturation([]).sentence() == "No reading has been finished yet."


@given(st.lists(st.lists(st.sampled_from("ABCDEFG"), max_size=4), max_size=50), st.integers(1, 30))
def test_the_counter_agrees_with_looking_at_each_reading(readings: list[list[str]], last: int) -> None:
    before = [set().union(*readings[:n]) for n in range(len(readings))]
    brought = [bool(set(given) - known) for given, known in zip(readings, before, strict=True)]
    found = saturation(readings, last=last)
    assert (found.new, found.of) == (sum(brought[-last:]), min(last, len(readings)))
    assert found.codes == len(set().union(*readings))
