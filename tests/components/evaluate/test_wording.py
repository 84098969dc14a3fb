"""What the Evaluate page says of a table."""

from __future__ import annotations

from components.evaluate import wording
from readers.engine.analysis.evaluate import Row, scored_row, table
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import SCORES


def test_what_makes_published_scores_differ_is_said_once_for_all_scores() -> None:
    known = KnownAnswer("Who?", answers=("Zoë Orr",))
    rows = [scored_row(Row("r", f"text {n}", "q"), "Zo Orr", known, [SCORES["rouge_1"], SCORES["rouge_l"]]) for n in range(2)]
    assert wording.traps(table(rows)) == [
        "Letters other than a to z are dropped, and break a word in two: ROUGE-1 (2 readings), ROUGE-L (2 readings)."
    ]
