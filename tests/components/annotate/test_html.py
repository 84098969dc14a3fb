"""HTML of projects: the choices of a question, which was chosen, which is right once that is shown."""

from __future__ import annotations

import pytest

from components.annotate import html
from components.annotate.bench_player import choices_offered
from components.html.words.wording import compared
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run

OFFERED = ("A <b>fox</b>", "A crow", "A cat")


def answered(answer: str | None, outcome: str = "answered") -> Run:
    return Run("r", "d", "whole", "Which animal?", {"choices": list(OFFERED)}, "finished", outcome, answer)


@pytest.mark.parametrize(
    ("answer", "chosen"), [("(B) A crow", [False, True, False]), ("A cat or a crow", [False] * 3), (None, [False] * 3)]
)
def test_the_choices_stand_there_with_the_chosen_one_marked(answer: str | None, chosen: list[bool]) -> None:
    shown = choices_offered(answered(answer, "answered" if answer else "exhausted"), None)
    assert shown == [(letter, words, picked, False) for letter, words, picked in zip("ABC", OFFERED, chosen, strict=True)]


def test_the_right_one_is_marked_only_with_the_known_answer() -> None:
    run = answered("(B) A crow")
    right = choices_offered(run, KnownAnswer("Which animal?", OFFERED, ("a cat",)))
    assert [one[-1] for one in right] == [False, False, True]
    drawn = html.choices(right)
    assert (
        drawn.index("(B)") < drawn.index("chosen</em>") < drawn.index("(C)") < drawn.index("✓ right") < drawn.index("A cat</li>")
    )
    assert "<b>fox" not in drawn
    assert "right" not in html.choices(choices_offered(run, None))


def test_the_known_answer_is_named_where_no_choice_shows_it() -> None:
    free = KnownAnswer("Which animal?", (), ("a <dog>",))
    verdict = compared(answered("(B) A crow"), free)
    assert "known answer</span> <bdi>a &lt;dog&gt;</bdi>" in html.known_answer("a <dog>", verdict)
    assert "known answer" not in html.known_answer("", verdict)
