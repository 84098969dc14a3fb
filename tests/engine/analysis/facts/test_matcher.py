"""Whether a text still says a fact, by its words and values."""

from __future__ import annotations

import pytest

from readers.engine.analysis.facts.matcher import ComparableFact, match
from tests.facts.measure import halves, precision

STURGEON = "It was a sturgeon, the only one ever landed at Hallin, and it weighed nineteen stone."


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        (STURGEON, "carried"),
        ("The pier was repaired. The only sturgeon ever landed at Hallin weighed 19 stone. It rained.", "carried"),
        ("The only sturgeon ever landed at Hallin weighed twelve stone.", "altered"),
        ("The only sturgeon ever was landed at Hallin. It weighed twelve stone.", "altered"),
        ("The pier at Hallin was the only one ever where a sturgeon landed.\n\nThe boat weighed nineteen stone.", "unclear"),
        ("The only sturgeon ever was seen. The boat landed at Hallin weighed nineteen stone.", "unclear"),
        ("A sturgeon was landed.", "unclear"),
        ("A big fish was once landed at Hallin.", "unclear"),
        ("The keeper bought his telescope from a pawnbroker and wound the clock each night.", "lost"),
        ("", "lost"),
        ("There were 19 of them.", "unclear"),
    ],
)
def test_the_verdict_on_a_carrier(carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(STURGEON), carrier).verdict == verdict


def test_it_names_the_nearest_stretch_and_what_is_missing_there() -> None:
    carrier = "The lamp was lit. A sturgeon was landed at Hallin once. It weighed much. The keeper slept. He had a dog."
    found = match(ComparableFact.of(STURGEON), carrier)
    assert carrier[found.start : found.end].strip() == "A sturgeon was landed at Hallin once. It weighed much."
    assert found.missing == ("19",)


def test_a_name_that_stands_all_over_the_text_says_nothing_of_the_fact() -> None:
    carrier = "Hallin has a market and two inns."
    assert match(ComparableFact.of(STURGEON, f"{STURGEON} {'Hallin slept. ' * 9}"), carrier).verdict == "lost"
    assert match(ComparableFact.of(STURGEON, STURGEON + " It was quiet." * 1000), carrier).verdict == "unclear"


BOILER = "A boiler for the laundry, weighing nine tons with its carriage, was taken over the bridge in daylight."
BRIDGE = f"{BOILER} {'The bridge was closed. The river was high. A notice limits the bridge. ' * 12}"


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        ("A notice limits the bridge to twelve tons. It was closed for nine days.", "lost"),
        ("A notice limits the bridge to nine tons.", "unclear"),
        ("Repairs. Bridge closure.", "lost"),
        ("A boiler crossed the bridge.", "unclear"),
        ("The laundry sent its boiler across.", "unclear"),
    ],
)
def test_what_the_text_says_everywhere_is_not_the_fact_and_a_short_form_of_it_may_be(carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(BOILER, BRIDGE), carrier).verdict == verdict


@pytest.mark.parametrize(
    ("answers", "carrier", "verdict"),
    [
        (("Nine tons",), "A boiler crossed the bridge.", "lost"),
        (("Nine tons",), "A boiler crossed the bridge after nine days.", "lost"),
        (("Nine tons",), "A boiler of 9 tons crossed the bridge.", "unclear"),
        (("Twelve tons",), "A boiler crossed the bridge.", "unclear"),
        (("A boiler",), "A boiler crossed the bridge.", "unclear"),
    ],
)
def test_the_evidence_for_a_figure_is_lost_without_this_figure(answers: tuple[str, ...], carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(BOILER, BRIDGE, answers=answers), carrier).verdict == verdict


AUTHOR = "Kjell Hallbing was a Norwegian author of some eighty Western novels under a pen name."
DATES = "( July 14, 1908 – March 15, 1991)"
SHERMAN = f"George Sherman{DATES} was an American film director and producer of low- budget Western films."
DIED = "He died on March 3, 1972, in Beverly Hills, California."
LIFE = f"Harold Young was an American film director and editor. Young began in Portland. {DIED} Ian Barry is Australian."


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        ("Hallbing was a Norwegian author of eighty Western novels under a pen name.", "carried"),
        ("K. Hallbing was a Norwegian author of some eighty Western novels under a pen name.", "carried"),
        (AUTHOR.replace("Kjell", "Kjéll"), "carried"),
        ("Anders Hallbing was a Norwegian author of some eighty Western novels under a pen name.", "unclear"),
        ("Kjell Vik was a Norwegian author of some eighty Western novels under a pen name.", "unclear"),
        ("Louis Masterson was a Norwegian author of some eighty Western novels under a pen name.", "unclear"),
    ],
)
def test_a_statement_of_somebody_else_is_not_the_fact_also_in_a_short_text(carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(AUTHOR, f"{AUTHOR} He wrote in the evenings."), carrier).verdict == verdict


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        (f"Harold Young was a film director. {DIED}", "carried"),
        (f"Harold Young was a film director. He was an editor. {DIED}", "carried"),
        ("Harold Young died on March 3, 1972, in Beverly Hills, California.", "carried"),
        (f"Harold Young was a film director. Ian Barry is an Australian director. {DIED}", "unclear"),
        ("Ian Barry died on March 3, 1972, in Beverly Hills, California.", "unclear"),
    ],
)
def test_a_fact_about_him_is_one_about_those_who_are_named_before_it(carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(DIED, LIFE), carrier).verdict == verdict


@pytest.mark.parametrize(
    ("carrier", "verdict"),
    [
        (SHERMAN.replace(DATES, "") + " A film of his was released on November 25, 1941.", "unclear"),
        ("Abe Meyer was a director, born on April 15, 1977. " + SHERMAN.replace(DATES, ""), "unclear"),
        (SHERMAN.replace(DATES, " (1908–1991)"), "unclear"),
        (SHERMAN.replace(DATES, " (1908–1995)"), "altered"),
        (SHERMAN.replace("March 15", "March 19"), "altered"),
    ],
)
def test_another_date_alters_a_fact_only_where_the_facts_own_stood(carrier: str, verdict: str) -> None:
    assert match(ComparableFact.of(SHERMAN, SHERMAN), carrier).verdict == verdict


def test_a_fact_without_the_dates_of_a_life_is_not_lost() -> None:
    quill = "Ada Quill( 21 April 1890 – 13 June 1960) was Danish."
    fact = ComparableFact.of(quill, f"{quill} {'Ada Quill slept. ' * 4}")
    assert match(fact, "Ada Quill was a Danish film-maker.").verdict == "unclear"
    assert match(fact, "Ada Quill was there.").verdict == "lost"
    assert match(fact, "She was a painter.").verdict == "lost"


def test_a_fact_of_common_words_only_is_never_lost_unseen() -> None:
    assert match(ComparableFact.of("He did not do it then."), "He did not do it then.").verdict == "carried"
    assert match(ComparableFact.of("..."), "Anything.").verdict == "unclear"


@pytest.mark.slow
def test_on_pairs_it_was_not_tuned_on_lost_and_carried_are_what_both_labels_say() -> None:
    _, held_out = halves()
    lost, carried = precision(held_out, "lost"), precision(held_out, "carried")
    assert lost.of >= 60
    assert lost.right >= 0.95 * lost.of
    assert carried.of >= 30
    assert carried.right >= 0.9 * carried.of
