"""A fate is one row of a table: every row, and one that is added here, reaches every page, export, code and command."""

from __future__ import annotations

import csv
from collections.abc import Iterator

import pytest

from components.annotate import bench_hints, results_found
from components.compare import fates
from components.html import evidence_flow as page_flow
from components.html import plot
from components.learn import lab_wording as lab
from components.lessons import recorded
from components.player import lifeline
from components.questions.flow import figure
from components.session import process_cache
from readers import get
from readers.engine.analysis.facts.evidence import together
from readers.engine.analysis.facts.fate import of_all
from readers.engine.analysis.facts.fates import (
    EXITS,
    FATES,
    OVERWRITTEN,
    STATIONS,
    TELLINGS,
    USED,
    WRONG,
    FactFate,
    Fate,
    sentence,
)
from readers.engine.analysis.facts.flow import PlantedCell, Way, flow, planted_cells
from readers.engine.analysis.facts.follow import Followed, first_loss, follow, to_json
from readers.engine.analysis.facts.life import Life
from readers.engine.analysis.facts.mending import REMEDIES
from readers.engine.analysis.facts.stages import course
from readers.engine.files.tables import flow_csv, planted_csv
from readers.engine.labels import label
from readers.engine.questions.grading import Grade, Outcome
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.run.batches import CellResult
from readers.engine.store import Reading
from readers.engine.store.batches import BatchCell
from readers.engine.text import refs
from tests.support.paths import ROOT

NEW = Fate(
    "eaten by moths",
    OVERWRITTEN,
    "Moths ate {text} at step {step}.",
    "later_lost",
    remedy="write",
    reason="Moths do not ask.",
)
ROWS = [*FATES.values(), NEW]
RECORDING = "memagent-lamp-bolts"


@pytest.fixture(autouse=True)
def new_row() -> Iterator[None]:
    """The table with one row more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FATES, NEW.id, NEW)
        yield


@pytest.fixture(scope="module")
def reading() -> Reading:
    return recorded.reading(RECORDING)


@pytest.fixture(scope="module")
def known() -> KnownAnswer:
    found = recorded.known_answer(RECORDING)
    assert found is not None
    return found


@pytest.fixture(params=ROWS, ids=lambda row: row.id)
def row(request: pytest.FixtureRequest) -> Fate:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def evidence(reading: Reading, known: KnownAnswer) -> Life:
    return follow(reading, get(reading.run.reader), known.evidence[:1], known=known)[0].life


@pytest.fixture
def followed(reading: Reading, evidence: Life, row: Fate) -> Followed:
    """The evidence of a recorded reading, as if it had this fate."""
    ref = refs.wrote(min(evidence.texts))
    came = FactFate(row.id, 3, ref, before=ref, words=("bolts",))
    return Followed(evidence, came, sentence(came, reading.trace, get(reading.run.reader).names(reading.trace)))


def test_a_row_is_whole(row: Fate) -> None:
    assert row.remedy in REMEDIES or (not row.remedy and row.reason)
    assert row.code in ("", *label.FATES)
    assert row.exit is EXITS[row.exit.id]


def test_the_documents_name_every_fate_with_its_code() -> None:
    table = [line.strip("| ").split(" | ") for line in (ROOT / "docs/facts.md").read_text(encoding="utf-8").splitlines()]
    codes = {fate: cells[-1] for cells in table if len(cells) == 3 for fate in cells[0].split("; ")}
    assert {row.id: label.FATES.get(row.code, "none") for row in ROWS[:-1]}.items() <= codes.items()


def test_every_exit_and_code_belongs_to_a_fate() -> None:
    assert {row.exit.id for row in FATES.values()} == set(EXITS)
    assert {row.code for row in FATES.values()} - {""} == set(label.FATES)
    for one in EXITS.values():
        assert one.station in ("", *STATIONS)
        assert one.telling in ("", *TELLINGS)
        assert one.colour in plot.inks("light")


def test_where_no_step_lost_it_or_the_words_do_not_tell_no_step_is_said_to_have_gone_wrong() -> None:
    undecided = {row.id for row in FATES.values() if not row.decides}
    assert undecided == {"never read", "never offered", "cannot be told", "in view", "used"}
    assert [row.id for row in FATES.values() if row.end == "unclear"] == ["cannot be told"]
    assert {row.id for row in FATES.values() if row.end == "alive"} == {
        "in view, declined",
        "in view, not used",
        "in view",
        "used",
    }


def test_the_sentence_is_the_rows_and_is_shown_and_exported(followed: Followed, row: Fate) -> None:
    assert followed.sentence.endswith(".")
    assert "{" not in followed.sentence
    (exported,) = to_json([followed])
    assert (exported["fate"], exported["step"], exported["sentence"]) == (row.id, 3, followed.sentence)
    if row is NEW:
        assert followed.sentence == "Moths ate the memory after chunk 4 at step 4."


def test_the_player_and_compare_show_it(reading: Reading, followed: Followed, row: Fate) -> None:
    (line,) = lifeline.lines(reading, [followed])
    assert line["fate"] == {
        "kind": row.id[:1].upper() + row.id[1:], "step": 3, "sentence": followed.sentence, "end": row.end,
        "mends": row.exit.id not in ("used", "perhaps used"),
    }  # fmt: skip
    assert bool(line["carriers"]["died"]) == (row.end == "dead")
    shown = fates.fact_table("A", "B", [fates.row(1, reading, followed, name="R", chips=(), link=lambda step: f"to {step}")])
    assert f"<b>{row.id}</b>" in shown
    assert shown.count("from-solid") == max(0, course(reading.trace, followed.life, followed.fate).reached)
    assert (f'title="{row.id}, step 4"' in shown) == bool(row.exit.station)


def test_a_loss_opens_the_bench_there_and_its_code_is_suggested(
    reading: Reading, known: KnownAnswer, followed: Followed, row: Fate, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (first_loss([followed]) is not None) == (row.decides and row.end == "dead")
    monkeypatch.setattr(process_cache, "followed", lambda *_, **__: [followed])
    suggested = bench_hints.suggested_fate(reading, known)
    assert (suggested and (suggested.fate, suggested.step, suggested.decides)) == (
        (row.code, 4, row.decides) if row.code else None
    )
    codes = results_found.which_codes()
    (part,) = (part for part in codes.split("; ") if f"“{row.id}”" in part)
    assert f"{label.FATES.get(row.code, 'No code')}: “" in part


def test_it_is_counted_drawn_and_exported(reading: Reading, followed: Followed, row: Fate) -> None:
    evidence = together([followed], reading, None)
    assert evidence is not None
    way = Way("r", evidence, "wrong")
    assert way.telling == row.exit.telling
    assert evidence.in_view == (row.end != "dead")
    drawn = page_flow.FlowRow("all0", "All", flow([way]))
    lines = list(csv.DictReader(flow_csv([("All", drawn.flow)]).splitlines()))
    assert ("wrong", row.exit.id) == (lines[-1]["to"], lines[-1]["from"])
    colours = {one["fillcolor"] for one in figure([drawn], chosen="", theme="light")["layout"]["shapes"]}
    assert plot.inks("light")[row.exit.colour] in colours
    grade = Grade("wrong", "")
    at, asked = BatchCell(0, 0, "d", reading.run.id, None, "finished", None), SetQuestion("q", "d", "?")
    result = CellResult(at, asked, reading.run, grade)
    cell = PlantedCell(0, 100, 50.0, WRONG, evidence, result)
    assert lab.cell(cell) == (f"✕ {row.exit.cell}", "lost")
    assert f"**{row.exit.cell}**" in lab.MEANINGS
    (exported,) = csv.DictReader(planted_csv([cell], ["All"]).splitlines())
    assert (exported["found"], exported["lost_at"]) == ("lost", "" if row.exit is USED else row.exit.id)


@pytest.mark.parametrize(
    ("grade", "found"), [("correct", "found"), ("partly", "partly"), ("wrong", "lost"), (None, "unfinished")]
)
def test_a_planted_fact_that_is_not_followed_yet_counts_as_in_view(reading: Reading, grade: Outcome | None, found: str) -> None:
    fields = (QuestionField("text_tokens", "100"), QuestionField("depth", "50"))
    at = BatchCell(0, 0, "d", reading.run.id, None, "finished", None)
    result = CellResult(at, SetQuestion("q", "d", "?", fields=fields), reading.run, Grade(grade, "") if grade else None)
    (cell,) = planted_cells([result], {})
    assert (cell.found, cell.lost_at) == (found, "")


def test_the_least_far_of_several_is_by_the_order_of_the_rows(row: Fate) -> None:
    later = [FactFate(one, 0) for one in list(FATES)[list(FATES).index(row.id) :]]
    least = of_all(reversed(later))
    assert least is not None
    assert least.kind == row.id
