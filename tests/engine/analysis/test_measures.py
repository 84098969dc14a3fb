"""The methods' own figures: one number of each measure, evidence where it passed, and their means in a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers import get
from readers.engine.analysis import measures as analysis
from readers.engine.analysis.evaluate.scores import ScoredReading, scores_of, with_figures
from readers.engine.analysis.facts import evidence
from readers.engine.analysis.facts.evidence import EvidenceFate, Wanted
from readers.engine.analysis.measures import FIGURES, NAMES, Measure, chips, figures, measures_of
from readers.engine.models.offline import Offline
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.question_set import QuestionField
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span
from tests.support.readings.shipped_readings import every_shipped, shipped_reading

TEXT = "Anna lit the lamp at nine. The ferry left at noon with forty barrels. " * 12
KNOWN = KnownAnswer("When did it leave?", (), ("noon",), (Span(27, 69),))


def test_lists_by_step_are_one_number_and_what_is_missing_is_left_out() -> None:
    measures = {
        **dict.fromkeys(NAMES), "calls_live": 3, "calls_reused": 2, "stray": True, "recovered": False, "cost_usd": 0.0,
        "compression_rate": {"before": 0.9, "after": 0.75}, "memory_kept": [0.5, None, 1.0], "memory_tokens": [10, 40, 30],
        "recalls": [{"step": 2, "distance": 1}, {"step": 5, "distance": 4}],
    }  # fmt: skip
    assert figures(measures) == {
        "stray": 1, "recovered": 0, "compression_rate": 0.75, "memory_kept": 0.75, "memory_tokens": 40, "callbacks": 2,
        "callback_distance": 2.5, "calls": 5, "cost_usd": 0,
    }  # fmt: skip
    assert figures({**measures, "recalls": []})["callbacks"] == 0
    assert "callback_distance" not in figures({**measures, "recalls": []})


def test_the_chips_are_the_measures_that_have_one_in_words_those_with_a_mark_first() -> None:
    found = {
        **dict.fromkeys(NAMES), "outcome": "answered", "calls_live": 1, "calls_reused": 0, "read_fraction": 0.25, "reverts": 2,
        "recalls": [{"step": 2, "distance": 1}], "cost_usd": 0.5, "seconds": 4.0,
    }  # fmt: skip
    expected = [
        "25% read raw",
        "turned back 2 times",
        "looked back once",
        "1 call",
        "$0.50",
        "4.0 seconds",
    ]
    assert [words for _, words, _ in chips(found)] == expected
    under_way = {**found, "outcome": None, "calls_live": 2, "calls_reused": 3, "reverts": 0, "recalls": [], "cost_usd": 0.0}
    assert [words for _, words, _ in chips({**under_way, "seconds": None})] == ["2 calls, 3 reused"]


def test_a_measure_with_a_chip_is_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Measure("doubts", "Doubts", chip=lambda found: ("?", f"{found['doubts']} doubts", ""))
    monkeypatch.setattr(analysis, "MEASURES", {**analysis.MEASURES, "doubts": new})
    found = {**dict.fromkeys(NAMES), "calls_live": 1, "calls_reused": 0, "doubts": 3}
    assert chips(found)[0] == ("?", "3 doubts", "")


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        (("in the text",), {"evidence_raw": 0, "evidence_carried": 0, "evidence_answering": 0}),
        (("in the text", "reached", "carried"), {"evidence_raw": 1, "evidence_carried": 1, "evidence_answering": 0}),
    ],
)
def test_evidence_is_where_it_passed(passed: tuple[str, ...], expected: dict[str, float]) -> None:
    possible = frozenset({"in the text", "reached", "carried", "in the answering call", "used"})
    fate = EvidenceFate("overwritten", 1, passed, possible, ends=("dead",))
    assert figures({}, fate) == expected
    writes_nothing = fate._replace(possible=possible - {"carried"})  # type: ignore[arg-type]
    assert "evidence_carried" not in figures({}, writes_nothing)


@pytest.mark.parametrize(("reader_id", "own"), [("memagent", {"memory_kept", "memory_tokens"}), ("whole", set())])
def test_figures_of_a_reading_stand_in_a_table(store: Store, reader_id: str, own: set[str]) -> None:
    reader = get(reader_id)
    options = {"chunk_tokens": 64} if reader_id == "memagent" else {}
    run = create_run(store, Document.of(TEXT), reader, RunSpec(reader_id, reader.version, "When did it leave?", options=options))
    execute(store, run.id, reader, Execution(Offline()))
    reading = open_reading(store, run.id)
    _, fate = next(evidence.make_fates(store, [Wanted(store.runs.get(run.id), KNOWN)], get))
    found = figures(measures_of(reading, reader, known=KNOWN), fate)
    assert set(found) <= set(FIGURES)
    assert {"calls", "tokens_processed", "evidence_raw", "evidence_answering", *own} <= set(found)
    assert found["evidence_raw"] == 1
    assert found["tokens_processed"] == sum(one.tokens_in or 0 for one in reading.records)
    cell = scores_of([with_figures(ScoredReading("a", "t", str(n)), found) for n in range(2)]).cell("a", "calls")
    assert cell is not None
    assert cell.asked.value == found["calls"]


def test_what_a_questions_file_says_besides_leaves_its_saved_fates_alone(store: Store) -> None:
    run = create_run(store, Document.of(TEXT), get("whole"), RunSpec("whole", get("whole").version, "When?"))
    more = replace(KNOWN, fields=(QuestionField("task", "qa1"),))
    assert Wanted(run, KNOWN).stamp == Wanted(run, more).stamp


@every_shipped
def test_calls_are_counted_by_where_their_replies_came_from(name: str) -> None:
    """What a person replied is neither a call nor reused."""
    records = shipped_reading(name).records
    asked, reused = analysis.calls_counted(records)
    theirs = [record for record in records if record.origin == "edited"]
    compared = [record for record in records if record.task == "score" and record.origin == "live"]
    assert asked + reused + len(theirs) + len(compared) == sum(record.reply is not None for record in records)
    assert reused == sum(record.origin in ("cached", "replayed", "inherited") for record in records)
