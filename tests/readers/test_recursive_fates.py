"""The recursive reader, with models that take given actions: a fact dies in each way it can; its fate and step are right."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from readers.engine.text.document import Document
from tests.readers.every_reader.test_fates import CHANGED, FACT, LESS, PLACES, followed
from tests.support.readings.recursive_readings import Turn, read

# The fact is at the end of its part: of each part that is split off, the model is shown the beginning.
DOCUMENT = Document.of(
    "\n\n".join(
        f"Part {n} is about the {place}. "
        + f"In the {place} they worked, as {place} people do. " * 3
        + (FACT if n == 5 else f"Nothing was sold at the {place}.")
        for n, place in enumerate(PLACES, 1)
    ),
    title="Nine parts",
)
SPLIT, LAMP = ("split", "9"), "A lamp."
SMALL = {"slice_tokens": 96, "max_parts": 9, "depth": 1}
ASK = ("ask", "5: What did the dealer pay?")
CASES: Sequence[tuple[Sequence[Turn], str, str]] = (
    ((("search", "orchard"), ("answer", LAMP)), "never read", "the whole text"),
    ((("search", "harbour bell"), ("answer", "Forty pounds.")), "used", "the whole text"),
    ((("search", "harbour bell"), ("answer", LAMP)), "in view, not used", "the whole text"),
    ((SPLIT, ASK, ("answer", FACT), ("answer", "Forty pounds.")), "used", "the whole text"),
    ((SPLIT, ASK, ("answer", FACT), ("answer", LAMP)), "in view, not used", "the whole text"),
    ((SPLIT, ASK, ("answer", LESS), ("answer", LAMP)), "opened, then left", "part 5"),
    ((SPLIT, ASK, ("answer", CHANGED), ("answer", "Fifty pounds.")), "altered", "part 5"),
    ((SPLIT, ASK, ("nothing", ""), ("search", "orchard"), ("answer", LAMP)), "opened, then left", "part 5"),
    (
        (SPLIT, ("ask", "2: What did the dealer pay?"), ("nothing", ""), ("search", "orchard"), ("answer", LAMP)),
        "passed over",
        "the whole text",
    ),
)


@pytest.mark.parametrize(("turns", "kind", "step"), CASES)
def test_the_fate_and_the_step(turns: Sequence[Turn], kind: str, step: str) -> None:
    trace = read(turns, document=DOCUMENT, **SMALL)
    lived, came, said = followed(trace, "recursive")
    assert (came.kind, trace.steps[came.step].names[-1]) == (kind, step), (said, lived.moments)


def test_a_part_of_which_the_prompt_held_nothing_does_not_say_the_fact() -> None:
    turns: Sequence[Turn] = (
        SPLIT,
        ("ask", "2: What did the dealer pay?"),
        ("nothing", ""),
        ("search", "orchard"),
        ("answer", LAMP),
    )
    _, _, said = followed(read(turns, document=DOCUMENT, **SMALL), "recursive")
    assert said == "Part 5 has it, but was not opened at step 2: no prompt held any of it there."


def test_an_answer_from_below_is_named_once() -> None:
    _, _, said = followed(
        read((SPLIT, ASK, ("answer", CHANGED), ("answer", "Fifty pounds.")), document=DOCUMENT, **SMALL), "recursive"
    )
    assert said == "The answer about part 5, written at step 3, says it with another value."
