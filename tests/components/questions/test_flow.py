"""The flow of the evidence in rows, as a picture, as tables and as CSV."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import pairwise

import pytest

from components.html import evidence_flow as page_flow
from components.html.evidence_flow import SLOT, THICK, FlowRow, shape
from components.questions.flow import figure
from readers.engine.analysis.facts.fates import EXITS, FATES, STATIONS, VERDICTS
from readers.engine.analysis.facts.flow import Band, Flow, flow
from readers.engine.files.tables import INTERVAL, flow_csv
from readers.engine.models import catalogue
from tests.engine.analysis.facts.test_flow import WAYS
from tests.support.specs import current_spec

WHOLE = current_spec("whole", "", model="a")
VARIANTS = (WHOLE, replace(WHOLE, model="b"), replace(WHOLE, reader="memwalker"), replace(WHOLE, reader="memwalker", model="b"))


def test_between_any_two_columns_stands_every_reading_once() -> None:
    by_column, ribbons, _ = shape(flow(WAYS))
    for column in range(len(STATIONS)):
        assert sum(one.height for one in ribbons if one.column == column) == pytest.approx(THICK)
    for lanes in by_column:
        assert sum(lane.height for lane in lanes) == pytest.approx(THICK)
        for upper, lower in pairwise(lanes):
            assert upper.y + (upper.height if isinstance(upper.at, Band) else max(upper.height, SLOT)) < lower.y


def test_a_band_leaves_and_enters_its_places_within_them() -> None:
    by_column, ribbons, _ = shape(flow(WAYS))
    for ribbon in ribbons:
        ends = ((ribbon.column, ribbon.left), (ribbon.column + 1, ribbon.right))
        for column, y in ends:
            inside = [lane for lane in by_column[column] if lane.y - 0.01 <= y <= lane.y + lane.height + 0.01]
            assert any(lane.at in (ribbon.band, *ribbon.band) for lane in inside), (ribbon, column)


def test_a_click_anywhere_on_a_band_or_place_finds_its_key_and_the_chosen_one_has_a_frame() -> None:
    row = FlowRow("variant0", "Reader <b>", flow(WAYS))
    keys = {row.key_of(at) for at in (*row.flow.places, *row.flow.bands)}
    chosen = row.key_of(Band("reached", "summarised away"))
    drawn = figure([row, row], chosen=chosen, theme="dark")
    (points,) = drawn["data"]
    assert set(points["customdata"]) == keys == {one.key for one in page_flow.choices([row])}
    assert "Reader &lt;b&gt;, Reached → summarised away: 2 of 9 readings" in points["text"]
    assert sum(one["line"]["width"] == 2 for one in drawn["layout"]["shapes"]) == 2  # in both rows
    assert all(one["font"]["size"] == 13 for one in drawn["layout"]["annotations"])


def test_right_answers_count_the_lucky_ones_and_the_picture_says_which_of_them_it_draws() -> None:
    row = FlowRow("all0", "All", flow(WAYS))
    told = shown([row])
    assert (told["Right"].split()[0], told["Of these, lucky"].split()[0]) == ("3", "1")
    words = [one["text"] for one in figure([row], chosen="", theme="light")["layout"]["annotations"]]
    assert {"2 right, not lucky", "1 lucky"} <= {*words}
    without = FlowRow("all0", "All", flow([one for one in WAYS if one.run != "d"]))
    assert without.called("right") == "right"


def test_no_count_beside_the_flow_has_the_name_of_one_in_it_and_what_is_not_settled_is_said() -> None:
    perhaps = WAYS[7]._replace(run="j", evidence=WAYS[7].evidence._replace(ends=("dead", "unclear")))
    told = page_flow.tellings([*WAYS, perhaps])
    assert not {one.name.lower() for one in told[1:]} & {*EXITS, *VERDICTS}
    assert [(one.name, one.runs) for one in told if one.key == "lucky"] == [("Lucky", ("d",))]
    assert told[0].about.endswith("; in 1 more, the words do not settle that")
    assert page_flow.ended(WAYS[4].evidence) == "never opened"
    several = WAYS[4].evidence._replace(ends=("alive", "dead", "unclear"))
    assert page_flow.ended(several).replace("\N{NO-BREAK SPACE}", " ") == "never opened · had 1 of 3"


def test_every_word_for_what_became_of_the_evidence_has_a_meaning() -> None:
    words = dict(page_flow.key())
    assert {one.lower() for one in words} >= {*EXITS, *[*STATIONS][1:]}
    assert all(words.values())
    assert all(fate.id in words[fate.exit.id.capitalize()] for fate in FATES.values() if fate.id != fate.exit.id)


def shown(rows: list[FlowRow]) -> dict[str, str]:
    """The first row of both tables, by column."""
    tables = page_flow.tables(rows)
    return {column.name: str(cell.content) for one in tables for column, cell in zip(one.columns, one.rows[0].cells, strict=True)}


def test_a_row_says_which_stages_its_readings_do_not_have() -> None:
    whole = Flow({}, {}, frozenset(STATIONS) - {"carried", "opened"}, 0)
    drawn = figure([FlowRow("a", "Whole", whole)], chosen="", theme="light")
    assert drawn["layout"]["annotations"][-1]["text"] == "<b>Whole</b> · nothing is carried or opened"
    assert shown([FlowRow("a", "Whole", whole)])["Carried"] == "has none"


def test_rows_are_grouped_by_reader_by_model_and_together() -> None:
    ways = [WAYS[:2], WAYS[2:4], WAYS[4:6], []]
    assert page_flow.slices(VARIANTS) == ["variant", "reader", "model", "all"]
    assert page_flow.slices(VARIANTS[:1]) == ["variant"]
    named = {
        by: {row.name: row.flow.total for row in page_flow.rows(ways, VARIANTS, ["1", "2", "3", "4"], by)}
        for by in page_flow.slices(VARIANTS)
    }
    assert named == {
        "variant": {"1": 2, "2": 2, "3": 2},
        "reader": {"Whole text": 4, "MemWalker": 2},
        "model": {catalogue.title("a"): 4, catalogue.title("b"): 2},
        "all": {"All readings": 6},
    }


def test_shares_have_their_interval_and_tables_have_every_count() -> None:
    row = FlowRow("a", "All", flow(WAYS))
    assert page_flow.telling_fact(3, 9) == "3 of 9 readings, 33% (12% to 65%)"
    assert shown([row])["Reached"] == "8 · 89% (57% to 98%)"
    assert shown([row])["Overwritten"] == "1 · 11% (2% to 43%)"


def test_the_counts_are_csv_with_intervals_and_no_formula() -> None:
    rows = list(csv.DictReader(flow_csv([("=cmd", flow(WAYS))]).splitlines()))
    one = next(row for row in rows if row["to"] == "summarised away")
    assert one == {
        "readers": "'=cmd", "from": "reached", "to": "summarised away", "readings": "2", "of": "9", "share": "0.2222",
        "low": "0.0632", "high": "0.5474", "interval": INTERVAL,
    }  # fmt: skip
    assert sum(int(row["readings"]) for row in rows if row["from"] == "in the text") == 9
