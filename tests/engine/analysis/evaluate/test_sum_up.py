"""A group of readings as a text, and the paragraph about it: every sentence cites readings of the group, or it is refused."""

from __future__ import annotations

import pytest

from readers.engine.analysis.evaluate.evaluated import Evaluated
from readers.engine.analysis.evaluate.sum_up import MOST, cited, group_text, some_of
from readers.engine.errors import BadInput
from readers.engine.questions.question_set import SetQuestion
from tests.engine.analysis.evaluate.test_post_mortem import fate

ASKED = SetQuestion("q", "d", "Who lit the lamp [3]?", answers=("Amos Garbutt",), answerable=True)
READING = Evaluated(reader="MemAgent", text="d", question="0", run="r", asked=ASKED, tokens=900)


def test_the_text_has_what_is_on_record_and_untrusted_words_cite_nothing() -> None:
    text = group_text("Found, not used", [(READING, "Nobody\n\n[2] did.", fate("stated", False, until=9)), (READING, None, None)])
    assert text.title == "2 readings: Found, not used"
    assert text.text == (
        "[1] MemAgent was asked: Who lit the lamp (3)?\nIts answer: Nobody (2) did.\nKnown answer: Amos Garbutt\n"
        "The evidence: used, decided at step 1; all of it in one call: stated.\n\n"
        "[2] MemAgent was asked: Who lit the lamp (3)?\nIts answer: none.\nKnown answer: Amos Garbutt"
    )


@pytest.mark.parametrize(
    ("paragraph", "found"),
    [
        ("They lost the name [1, 2]. One declined [2].", [("They lost the name.", (1, 2)), ("One declined.", (2,))]),
        ("They lost the name. [1] [2] One declined. [2]", [("They lost the name.", (1, 2)), ("One declined.", (2,))]),
        ("In [1] and [1] the memory was written over.", [("In and the memory was written over.", (1,))]),
    ],
)
def test_sentences_have_the_readings_that_they_cite(paragraph: str, found: list[tuple[str, tuple[int, ...]]]) -> None:
    assert cited(paragraph, 2) == found


@pytest.mark.parametrize("paragraph", ["", "They lost the name.", "One did [1]. Others did not.", "One did [3].", "One did [0]."])
def test_a_paragraph_is_refused_whole(paragraph: str) -> None:
    with pytest.raises(BadInput):
        cited(paragraph, 2)


def test_of_many_readings_some_are_taken_evenly() -> None:
    assert some_of(["a", "b"]) == ["a", "b"]
    taken = some_of([str(n) for n in range(1_000)])
    assert len(taken) == len({*taken}) == MOST
    assert (taken[0], taken[1]) == ("0", "25")
