"""Readings of an evaluation chosen by right and wrong, slice, depth and length; and a project made of them."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.evaluate import choose
from components.session import process_cache, state
from readers import get
from readers.engine.analysis.evaluate.evaluated import Evaluated, Evaluation
from readers.engine.analysis.evaluate.post_mortem import examine
from readers.engine.analysis.facts.evidence import EvidenceFate
from readers.engine.analysis.facts.sufficiency import Spent, Standing, Sufficiency
from readers.engine.models.call import Reply
from readers.engine.models.offline import Offline
from readers.engine.questions.question_set import QuestionField, SetQuestion
from readers.engine.questions.scores import SCORES, Scored
from readers.engine.run.execute import RunSpec
from readers.engine.store import Store
from readers.engine.text.document import Document, Span
from tests.support.app_pages import opened, run
from tests.support.models.scripted_models import parts_of
from tests.support.readings.batches import planned, read


def reading(number: int, reader: str, value: float | None, **about: Any) -> Evaluated:
    asked = SetQuestion(f"q{number}", "d", "?", fields=(QuestionField("hops", str(number % 2)),))
    scores = {"accuracy": Scored(value, value)}
    return Evaluated(
        reader=reader, text="d", question=str(number), scores=scores, run=f"{reader}{number}", asked=asked,
        **{"tokens": 900, **about},
    )  # fmt: skip


FOUND = Evaluation(
    (
        reading(0, "A", 1), reading(0, "B", 0, depth=0.5),
        reading(1, "A", 0, depth=0.99, tokens=1500), reading(1, "B", 0),
        reading(2, "A", None), reading(2, "B", 1),
    ),
    (SCORES["accuracy"],), fields=("hops",),
)  # fmt: skip


def fate(kind: str, *, right: bool, standing: Standing, tokens: int = 10) -> EvidenceFate:
    spent = Spent(1, tokens, 0.0, 1.0)
    stood = Sufficiency(standing, spent, spent, 0, 0, spent if standing == "stated" else None)
    return EvidenceFate(kind, 0, ("in the text",), frozenset(), right, stood, ends=("alive",))


FATES = {
    "B0": fate("in view, not used", right=False, standing="stated", tokens=30),
    "A1": fate("overwritten", right=False, standing="not stated"),
    "A0": fate("used", right=True, standing="stated"),
    "B1": fate("lost in a text", right=False, standing="cannot be told"),
    "B2": fate("in view, declined", right=True, standing="not stated"),
}


EXAMINED = examine(FOUND.readings, FATES)


def test_selections_by_depth_go_from_the_beginning_of_a_text_to_its_end() -> None:
    readings = [reading(n, "A", 1, depth=depth) for n, depth in enumerate((0.3, 0.9, 0.1))]
    assert [fifth for fifth, _ in choose.by_cell(readings, "accuracy")] == [0, 1, 4]


def test_kinds_are_those_that_have_readings() -> None:
    found = choose.kinds(FOUND, "accuracy", EXAMINED)
    assert {key: one.runs for key, one in found.items()} == {
        "": ("A0", "B0", "A1", "B1", "B2"), "split": ("A0", "B0"), "none": ("A1", "B1"), "wrong": ("B0", "A1", "B1"),
        "found_right": ("A0",), "found_wrong": ("B0",), "missed_right": ("B2",), "missed_wrong": ("A1",), "open": ("B1",),
        "summarised": ("B1",), "overwritten": ("A1",), "declined": ("B2",), "dearest": ("B0",),
    }  # fmt: skip
    assert found["none"].questions == {"1"}
    assert [*choose.kinds(FOUND, "accuracy", [])] == ["", "split", "none", "wrong"]


def test_a_kind_is_narrowed_to_a_part_and_to_readers() -> None:
    kinds, parts = choose.kinds(FOUND, "accuracy", EXAMINED), choose.parts(FOUND, "accuracy")
    assert parts["slice:hops:1"].runs == ("A1", "B1")
    assert parts["slice:length:up to 2K"].runs == ("A1",)
    assert parts["depth:2:up to 1K"].name == "Evidence at 40 to 60 % of the text, up to 1K"
    assert parts["depth:4:up to 2K"].runs == ("A1",)
    some = choose.both(kinds["wrong"], parts["slice:hops:1"])
    assert (some.name, some.runs, some.questions) == ("Wrong answers; Hops: 1", ("A1", "B1"), {"1"})
    assert choose.both(kinds[""], parts["slice:hops:1"]).name == "Hops: 1"
    by_one = choose.of_readers(some, FOUND, ["B"])
    assert (by_one.name, by_one.runs) == ("Wrong answers; Hops: 1, by B", ("B1",))


@pytest.fixture
def batch(store: Store) -> str:
    """One text, read whole and cut off at its left, where the evidence is lost."""
    document = Document("Parts", parts_of(4).text)
    start = document.text.index("Part 3")
    asked = [
        SetQuestion(f"q{n}", document.id, "What begins in part 3?", (), (answer,), True, (Span(start, start + 19),))
        for n, answer in enumerate(("Part 3 begins here.", "nothing"))
    ]  # fmt: skip
    whole = RunSpec("whole", get("whole").version, "")
    cut = RunSpec("whole", get("whole").version, "", options={"window_tokens": 64, "keep": "left"})
    return read(planned(store, document, asked, whole, cut))


def labels(app: AppTest) -> list[str]:
    """The buttons that make a project of a selection, without the signs that keep their words plain."""
    return [one.label.replace("\\", "") for one in app.button if one.label.startswith("Label these ") and ":" in one.label]


def show(app: AppTest, batch: str, by: str, chosen: str) -> None:
    app.session_state[state.key("eval", by, batch)] = chosen
    app.run()
    assert not app.exception


@pytest.mark.slow
def test_a_selection_is_shown_named_by_the_address_and_becomes_a_project(batch: str, store: Store) -> None:
    with opened("6_Evaluate") as app:
        app.session_state[state.key("eval_score", batch, "f1")] = "exact_match"  # the first score that is not 0 for both readers
        run(app, batch=batch)
        assert labels(app) == ["Label these 4: All questions"]
        next(one for one in app.button if one.label == "Follow the evidence through 4 readings").click().run()
        show(app, batch, "which", "found_wrong")
        whole = [cell.run for cell in store.batches.cells(batch) if cell.variant == 0]
        assert labels(app) == ["Label these 1: Found, not right"]
        assert app.query_params["which"] == "found_wrong"
        app.session_state[state.key("eval_against", batch)] = "depth"
        show(app, batch, "which", "")
        show(app, batch, "among", choose.depth_key(3, "up to 1K"))  # as a click on the heat map does
        assert labels(app) == 2 * ["Label these 4: Evidence at 60 to 80 % of the text, up to 1K"]
        assert app.query_params["among"] == choose.depth_key(3, "up to 1K")
    with opened("6_Evaluate") as app:
        run(app, batch=batch, which="found_wrong")
        next(one for one in app.button if one.label.startswith("Label these 1")).click().run()
        assert not app.exception
        assert {*app.session_state["_ticked"]} < {*whole}
        assert any(one.label == "Your name" for one in app.text_input)  # the page Annotate


@pytest.mark.slow
def test_a_group_is_summed_up_with_links_or_the_paragraph_is_refused(batch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The offline model cannot cite; what another model says is put in the place of its reply."""
    paragraph = "Both were cut off [1, 2]. The answer was “none” [2]."
    monkeypatch.setattr(Offline, "complete", lambda self, call: Reply(paragraph, tokens_in=1, tokens_out=1, cost_usd=0.0))
    with opened("6_Evaluate") as app:
        app.session_state[state.key("eval_sum_up", batch)] = True
        run(app, batch=batch)
        assert not [one for one in app.markdown if "Both were cut off" in one.value]
        next(one for one in app.button if one.label == "Write it").click().run()
        assert process_cache.jobs().wait(30)
        app.run()
        (said,) = (one.value for one in app.markdown if "Both were cut off" in one.value)
        assert said.count("](Trace?run=") == 3
        assert any("Its sentences were not checked" in one.value for one in app.caption)
        paragraph = "Both were cut off."
        next(one for one in app.button if one.label == "Write it").click().run()
        assert process_cache.jobs().wait(30)
        app.run()
        assert "cites none of the 4 readings" in app.warning[0].value
        assert not [one for one in app.markdown if "Both were cut off" in one.value]
