"""Whether a text still says a fact, by its words and values."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.matcher import Fact, match
from tests.facts.measure import halves, precision

STURGEON = "It was a sturgeon, the only one ever landed at Hallin, and it weighed nineteen stone."


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        (STURGEON, "carried"),
        ("The pier was repaired. The only sturgeon ever landed at Hallin weighed 19 stone. It rained.", "carried"),
        ("The only sturgeon ever landed at Hallin weighed twelve stone.", "altered"),
        ("A sturgeon was landed.", "unclear"),
        ("A big fish was once landed at Hallin.", "unclear"),
        ("The keeper bought his telescope from a pawnbroker and wound the clock each night.", "lost"),
        ("", "lost"),
        ("There were 19 of them.", "unclear"),
    ],
)
def test_the_verdict_on_a_carrier(carrier: str, verdict: str) -> None:
    assert match(Fact.of(STURGEON), carrier).verdict == verdict


def test_it_names_the_nearest_stretch_and_what_is_missing_there() -> None:
    carrier = "The lamp was lit. A sturgeon was landed at Hallin once. It weighed much. The keeper slept. He had a dog."
    found = match(Fact.of(STURGEON), carrier)
    assert carrier[found.start : found.end].strip() == "A sturgeon was landed at Hallin once. It weighed much."
    assert found.missing == ("19",)


def test_a_name_that_stands_all_over_the_text_says_nothing_of_the_fact() -> None:
    carrier = "Hallin has a market and two inns."
    assert match(Fact.of(STURGEON, f"{STURGEON} Hallin slept. The end of Hallin."), carrier).verdict == "lost"
    assert match(Fact.of(STURGEON, STURGEON + " It was quiet." * 1000), carrier).verdict == "unclear"


def test_a_fact_of_common_words_only_is_never_lost_unseen() -> None:
    assert match(Fact.of("He did not do it then."), "He did not do it then.").verdict == "carried"
    assert match(Fact.of("..."), "Anything.").verdict == "unclear"


@pytest.mark.slow
def test_on_pairs_it_was_not_tuned_on_lost_and_carried_are_what_both_labels_say() -> None:
    _, held_out = halves()
    lost, carried = precision(held_out, "lost"), precision(held_out, "carried")
    assert lost.of >= 60
    assert lost.right >= 0.95 * lost.of
    assert carried.of >= 30
    assert carried.right >= 0.9 * carried.of
