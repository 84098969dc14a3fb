"""The figures of an estimate, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.html.words.wording import FREE, numbers
from components.html.words.work_words import money, price_rows, seconds
from components.widgets.start.estimate import _how, figures
from readers import get
from readers.engine.analysis import measures
from readers.engine.report.values import small_dollars
from readers.engine.run.estimate import estimate
from readers.engine.run.execute import RunSpec
from readers.engine.text.document import Document
from readers.engine.work import Price, Range
from tests.support.specs import current_spec


def test_numbers_are_exact_where_they_are_known_and_rough_where_they_are_not() -> None:
    assert numbers(Range(13_997, 13_997)) == "13,997"
    assert numbers(Range(32, 39)) == "32 to 39"
    assert numbers(Range(27_617.07, 59_983.75), rough=True) == "28,000 to 60,000"
    assert numbers(Range(7, 7.2), rough=True) == "7"


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (None, "unknown"),
        (Range(0.0001, 0.004), "under 1 cent"),
        (Range(0.002, 0.031), "up to $0.03"),
        (Range(0.82, 2.45), "$0.82 to $2.45"),
        (Range(1.001, 1.002), "$1.00"),
    ],
)
def test_money(cost: Range | None, words: str) -> None:
    assert money(cost) == words


@pytest.mark.parametrize(
    ("took", "words"),
    [
        (Range(0.3, 0.6), "about a second"),
        (Range(0.4, 3), "about 3 seconds"),
        (Range(20, 40), "20 to 40 seconds"),
        (Range(83, 170), "1 to 3 minutes"),
        (Range(7_000, 20_000), "2 to 6 hours"),
    ],
)
def test_time(took: Range, words: str) -> None:
    assert seconds(took) == words


def test_a_price_of_nothing_has_one_word_on_every_page() -> None:
    none = Range(0, 0)
    together = {name: value for name, value, _ in price_rows(Price(none, none))}["Cost"]
    assert [money(none), together, measures.in_words("cost_usd", 0.0), small_dollars(0)] == [FREE] * 4


def test_every_figure_has_a_name(lamp: Document) -> None:
    spec = current_spec("memwalker", "Why?", options={"segment_tokens": 400})
    names = [name for name, _, _ in figures(estimate(lamp, get("memwalker"), spec), spec)]
    assert names == ["Calls to the model", "Tokens sent", "Tokens written", "Cost", "Time"]
    rows = {name: value for name, value, _ in figures(estimate(lamp, get("memwalker"), spec), spec)}
    assert rows["Cost"] == "free"


def test_what_a_model_thinks_is_said_to_be_in_the_figures(lamp: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readers.engine.run.estimate.token_cost", lambda model, sent, received, **_: None)
    spec = RunSpec("whole", get("whole").version, "Why?", model="openai/some-model", window=60_000)
    for factor, said in ((1, False), (8, True)):
        thinking = replace(spec, room_factor=factor)
        assert (
            any(
                "Its thoughts count as tokens received" in line for line in _how(estimate(lamp, get("whole"), thinking), thinking)
            )
            is said
        )
