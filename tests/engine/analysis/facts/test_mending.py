"""What an experiment with an offer brought, in the words that are used for that alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers.engine.analysis.facts.mending import result
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.store import Run

RUN = Run("a", "d", "memagent", "What did the dealer pay?", {}, "finished", outcome="answered", answer="A lamp.")
KNOWN = KnownAnswer("What did the dealer pay?", answers=("Forty pounds",))


def runs(*answers: str) -> list[Run]:
    return [replace(RUN, id=f"s{number}", answer=answer) for number, answer in enumerate(answers)]


def test_right_answers_are_counted_where_the_answer_is_known() -> None:
    changed, unchanged = runs(*["Forty pounds."] * 5, "A lamp."), runs(*["A lamp."] * 6)
    assert result(RUN, changed, unchanged, known=KNOWN) == "answered rightly in 5 of 6; unchanged 0 of 6"


def test_changed_answers_are_counted_where_it_is_not() -> None:
    changed, unchanged = runs(*["Forty pounds."] * 5, "A lamp."), runs("A spoon.", *["A lamp."] * 5)
    assert result(RUN, changed, unchanged, known=None) == "the answer changed in 5 of 6; unchanged 1 of 6"
    long = KnownAnswer("?", answers=(" ".join(["summary"] * 60),))
    assert result(RUN, changed, unchanged, known=long) == "the answer changed in 5 of 6; unchanged 1 of 6"


def test_what_a_rule_cannot_tell_is_counted_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsure(run: Run, _: KnownAnswer | None) -> Grade:
        return Grade("not_judgeable" if run.answer == "They paid." else "correct", "")

    monkeypatch.setattr(Run, "graded", unsure)
    changed, unchanged = runs("Forty pounds.", "They paid."), runs("They paid.")
    assert result(RUN, changed, unchanged, known=KNOWN) == (
        "answered rightly in 1 of 2; unchanged 0 of 1; of 2 answers a rule cannot tell"
    )
    assert result(RUN, changed[1:], unchanged, known=KNOWN) == "the answer changed in 1 of 1; unchanged 1 of 1"


def test_only_finished_samples_are_counted() -> None:
    failed = [replace(run, status="failed", outcome=None) for run in runs("A lamp.")]
    assert result(RUN, [*runs("Forty pounds."), *failed], failed, known=KNOWN) == (
        "answered rightly in 1 of 1; no unchanged sample has finished"
    )
    assert result(RUN, failed, runs("A lamp."), known=KNOWN) == "no sample with it has finished"
