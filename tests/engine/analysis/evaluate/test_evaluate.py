"""Tables, pairs and repeats: figures worked by hand, and what has no interval."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from readers.engine.analysis.evaluate import report
from readers.engine.analysis.evaluate.scores import Comparison, ScoredReading, compare_all, repeats, scored_row, scores_of
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.questions.scores import SCORES, Scored
from readers.engine.questions.scores.score import EMPTY_DROPPED, PART_OF_KNOWN

KNOWN = KnownAnswer("Who?", answers=("Ada Orr",))


def rows(reader: str, *texts: Sequence[float], sample: int = 0) -> list[ScoredReading]:
    """A reader's scores: of each text the values of its questions."""
    return [
        ScoredReading(reader, f"text {t}", f"question {q}", {"accuracy": Scored(value, value)}, sample)
        for t, values in enumerate(texts)
        for q, value in enumerate(values)
    ]


def compared(*rows: ScoredReading) -> Comparison:
    (found,) = compare_all(rows, "accuracy")
    return found


def test_a_table_has_each_score_as_published_and_over_everything_asked() -> None:
    answers = ["the answer is Ada Orr", "the answer is Ada", "", "the answer is Imre Dolan"]
    asked = [
        scored_row(ScoredReading("ReadAgent", f"text {n}", "q"), answer, KNOWN, [SCORES["sub_em"], SCORES["accuracy"]])
        for n, answer in enumerate(answers)
    ]
    found = scores_of([*asked, ScoredReading("ReadAgent", "text 9", "q")])
    assert (found.readers, found.scores) == (("ReadAgent",), ("sub_em",))
    cell = found.cell("ReadAgent", "sub_em")
    assert cell is not None
    assert cell.asked.value == 1 / 4  # the empty reply counts 0, and “Ada” is not the answer
    assert cell.published.value == 2 / 3  # the empty reply is dropped, and “Ada” is right
    assert (cell.asked.of, cell.published.of, cell.dropped, cell.unscored) == (4, 3, 1, 1)
    assert cell.traps == {PART_OF_KNOWN: 1, EMPTY_DROPPED: 1}
    assert found.cell("ReadAgent", "accuracy") is None


def test_questions_about_two_texts_have_a_mean_and_no_interval() -> None:
    found = scores_of(rows("r", (0, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0)))
    cell = found.cell("r", "accuracy")
    assert cell is not None
    assert (cell.asked.value, cell.asked.of, cell.asked.texts, cell.asked.low, cell.asked.high) == (0.25, 12, 2, None, None)
    assert report.no_intervals(found) == ["No interval: there are fewer than 5 texts."]


def test_questions_of_one_text_make_the_interval_wider_than_as_many_of_their_own() -> None:
    together = [(1, 1, 1, 1), (0, 0, 0, 0)] * 10
    apart = [(value,) for values in together for value in values]
    wide, narrow = (scores_of(rows("r", *texts)).cell("r", "accuracy") for texts in (together, apart))
    assert wide is not None
    assert narrow is not None
    assert wide.asked.value == narrow.asked.value == 0.5
    # By the normal approximation: 1.96 * 0.5 / sqrt(20), and of 80. Wilson's are a little narrower in the middle.
    assert wide.asked.high == pytest.approx(0.5 + 0.219, abs=0.02)
    assert narrow.asked.high == pytest.approx(0.5 + 0.110, abs=0.02)


def test_readers_are_compared_on_the_questions_of_both() -> None:
    one, other = [(1, 1), (1, 1), (1, 0), (1, 1)] * 6, [(0, 0), (1, 0), (1, 0), (0, 1)] * 6
    extra = ScoredReading("one", "another text", "q", {"accuracy": Scored(0, 0)})
    found = compared(*rows("one", *one), extra, *rows("other", *other))
    assert found.difference.value == pytest.approx(0.5)  # 4 of the 8 questions of each group
    assert (found.difference.of, found.only_first, found.only_second) == (48, 24, 0)
    assert found.p == pytest.approx(2 / 2**24)
    assert found.ahead == "first"
    turned = compared(*rows("other", *other), *rows("one", *one))
    assert (turned.ahead, turned.difference.low) == ("second", pytest.approx(-(found.difference.high or 0)))


def test_nothing_is_ahead_where_the_interval_or_the_test_leaves_it_open() -> None:
    same = compared(*rows("a", *[(1,), (0,)] * 15), *rows("b", *[(0,), (1,)] * 15))
    assert (same.ahead, same.difference.value, same.p) == ("open", 0, 1)
    few = compared(*rows("a", (1,), (1,), (1,)), *rows("b", (0,), (0,), (0,)))
    assert (few.difference.low, few.p, few.ahead) == (None, 0.25, "open")
    none = compared(*rows("a", (1,)), ScoredReading("b", "another text", "q", {"accuracy": Scored(1, 1)}))
    assert (none.difference.value, none.p, none.ahead) == (None, None, "open")
    assert none.why == "no question was asked of both"
    shares = compared(*rows("a", *[(0.9,)] * 24), *rows("b", *[(0.5,), (0.6,)] * 12))
    assert (shares.p, shares.ahead) == (None, "first")
    assert "right and wrong" in shares.why


def test_probabilities_are_corrected_for_the_number_of_pairs() -> None:
    a, b, c = [(1,)] * 20, [(1,)] * 14 + [(0,)] * 6, [(1,)] * 12 + [(0,)] * 8
    found = compare_all([*rows("a", *a), *rows("b", *b), *rows("c", *c)], "accuracy")
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [one.p for one in found] == pytest.approx([2 / 2**6, 2 / 2**8, 1 / 2])
    assert [one.corrected for one in found] == pytest.approx([2 * 2 / 2**6, 3 * 2 / 2**8, 1 / 2])  # Holm: 3, 2 and 1 times
    assert [one.ahead for one in found] == ["open", "first", "open"]


def test_a_repeat_shows_its_own_spread() -> None:
    batches = [
        rows("r", (1, 1), (0, 1), sample=0),
        rows("r", (1, 0), (0, 1), sample=1),
        rows("r", (1, 1), (0, 0), (1,), sample=2),
    ]
    every = [row for batch in batches for row in batch]
    assert repeats(every, "r", "accuracy") == ([0.75, 0.5, 0.5], 4, 2)
    assert repeats(batches[0], "r", "accuracy") == ([], 0, 0)
    (told,) = report.spread(every, ["r", "nobody"], "accuracy")
    # 14.4: around 7/12 the squares of 1/6, 1/12, 1/12, over 2
    assert told == (
        "r: 50.0 to 75.0 over 3 repeats of 4 questions (standard deviation 14.4); 2 questions did not come out the same each "
        "time."
    )
    repeated = compared(*every, *rows("s", (1, 1), (0, 1)))
    assert repeated.difference.value == pytest.approx((0 - 1 / 3 + 0 - 1 / 3) / 4)
