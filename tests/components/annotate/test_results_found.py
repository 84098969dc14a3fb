"""The fate that the rules find beside people's: agreement, disagreements that open at the deciding step, and nothing hidden."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from components.annotate import choose_readings, results_found
from readers import get
from readers.engine.analysis.hints import hints
from readers.engine.labels.codebook import preset
from readers.engine.labels.label import BY_RULE
from readers.engine.labels.project import HOST, Project, Settings
from readers.engine.labels.sampling import Sample
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionSet, SetQuestion
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document, Span
from tests.support import labelled_projects
from tests.support.app_pages import html, links
from tests.support.labelled_projects import done, field, keep

pytestmark = pytest.mark.slow  # whole pages, over real readings

FACT = "The ferry left at noon with forty barrels."
TEXT = f"Anna lit the lamp at nine and went home. {FACT} " + "Nobody saw it go, for the fog was thick. " * 40
QUESTION = "When did the ferry leave?"


def read(store: Store, keep_end: str) -> str:
    """A reading in which half the text is cut off; its id."""
    reader = get("whole")
    spec = RunSpec("whole", reader.version, QUESTION, options={"window_tokens": 128, "keep": keep_end})
    run = create_run(store, Document.of(TEXT, title="The ferry"), reader, spec)
    execute(store, run.id, reader, Execution(Offline()))
    return run.id


def first_hint(store: Store, run: str) -> str:
    return next((one.kind for one in hints(open_reading(store, run), get("whole"))), "")


def project(store: Store, runs: list[str], fates: list[str]) -> Project:
    """These readings, with a known place of the answer and the fates that Ada gave them."""
    document = store.documents.get(store.runs.get(runs[0]).document)
    start = TEXT.index(FACT)
    asked = SetQuestion(
        "q1", document.id, QUESTION, answers=("noon",), answerable=True, evidence=(Span(start, start + len(FACT)),)
    )
    store.question_sets.add(QuestionSet("Ferries", (asked,), (document,)))
    chosen = Settings(lead="Lea", start_stage=3, share=1.0)
    where = store.projects.create("Ferries", chosen, runs=runs, book=preset(), by="Lea")
    store.projects.join(where.id, "Ada")
    labels = [field(where, run, "Ada", "fate", fate) for run, fate in zip(runs, fates, strict=True)]
    keep(store, where, labels, [done(where, run, "Ada") for run in runs])
    return where


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results_found, "WAIT", 30.0)


def test_disagreements_are_listed_and_open_at_the_step_that_decided(store: Store) -> None:
    runs = [read(store, "right"), read(store, "left"), read(store, "right"), read(store, "left")]
    where = project(store, runs[:3], ["never_indexed", "later_lost", "used"])
    store.projects.add_readings(where.id, runs[3:], HOST)
    accepted = field(where, runs[3], "Ada", "fate", "used")  # of the rule's suggestion, so it says nothing of the rule
    accepted = replace(accepted, value={**accepted.value, "suggested": BY_RULE})
    keep(store, where, [accepted], [done(where, runs[3], "Ada")])
    page = labelled_projects.page(where, "Lea", "results", cell=json.dumps(["rule-fate", "all readings", "differ"]))
    shown = html(page)
    assert "Never indexed: “cut off” or “never read”" in shown  # the codes of people, and the rules' fates
    assert "They agree on 1 of 3" in shown
    assert "people: Extracted, then lost · rule: Used · step 2" in shown
    assert "people: Used · rule: Never indexed · step 1" in shown
    assert {f"run={runs[1]}&at=2", f"run={runs[2]}&at=1"} <= {query for _, query in links(page)}
    sample = Sample(size=2, by="fate")  # the next time nobody waits, and a sample can be drawn by what was found
    chosen = choose_readings.candidates(store, tuple(map(store.runs.get, runs)), sample)
    assert [one.fate for one in chosen] == ["cut off", "used", "cut off", ""]
    hinted = choose_readings.candidates(store, tuple(map(store.runs.get, runs)), Sample(size=2, by="hint"))
    assert [one.hint for one in hinted] == [first_hint(store, run) for run in runs]
    assert hinted[0].hint


def test_who_may_not_see_the_known_answer_sees_no_fate_by_rule(store: Store) -> None:
    runs = [read(store, "right")]
    where = project(store, runs, ["never_indexed"])
    store.projects.create("Blind", Settings(lead="Bo", annotators=5), runs=runs, by="Bo")
    blind = next(one for one in store.projects.listed() if one.name == "Blind")
    store.projects.join(blind.id, "Lea")
    assert store.projects.hidden_questions("Lea")
    assert "rules compared with people" not in html(labelled_projects.page(where, "Lea", "results"))
