"""What stands for a place in the text, and where a reading opens for an annotator, by its facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readers.engine.analysis.facts.follow import Followed, opening, sentence_around
from readers.engine.analysis.facts.mending import result
from readers.engine.labels.project import OPENINGS
from readers.engine.questions.grading import Grade
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record.trace import BUILD, Trace
from readers.engine.store import Run
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from tests.readers.every_reader.test_fates import MEMORIES, OTHERS, PAGES, WALKS, Case, followed, read


def test_a_sentence_found_by_its_words_has_those_beside_it_only_if_the_words_reach_into_them() -> None:
    document = Document.of(f"Above.\n\n One came. Two went. Three stayed.\n\n{'word ' * 300}.", title="T")
    found = sentence_around(document, Span(document.text.index("came"), document.text.index("went")))
    assert document.text[slice(*found)] == "One came. Two went."
    inside = Span(document.text.index("word word"), document.text.index("word word") + 700)
    assert sentence_around(document, inside) == inside


def test_of_a_text_without_paragraphs_only_what_is_around_a_place_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "The keeper lit the lamp at nine.\n"
    document, looked = Document.of(line * 3_000), list[Span]()
    cut = split.sentences
    monkeypatch.setattr(split, "sentences", lambda text, within: looked.append(within) or cut(text, within))
    start = 1_500 * len(line)
    assert sentence_around(document, Span(start + 4, start + 20)) == Span(start, start + len(line) - 1)
    assert sum(span.end - span.start for span in looked) < 2_000
    assert sentence_around(Document.of("word " * 3_000), Span(7_000, 7_004)) == Span(7_000, 7_004)


# The innermost names of the steps at which a reading opens, in the order of `OPENINGS`.
OPENED = [
    (WALKS[0], ("segments", "root", "2.2", "root", "2.2")),  # used: there is no loss
    (WALKS[2], ("segments", "root", "2.2", "2.2", "2.1")),  # opened, then left
    (WALKS[4], ("segments", "root", "root", "level 1", "1.1")),  # lost in a summary; never opened
    (PAGES[1], ("page 0", "request", "request", "request", "answer")),  # used from its gist
    (MEMORIES[3], ("chunk 1", "chunk 1", "chunk 5", "chunk 8", "answer")),  # overwritten
    (OTHERS[4], ("fit", "fit", "fit", "fit", "answer")),  # cut off
]


@pytest.mark.parametrize(("case", "names"), OPENED, ids=str)
def test_a_reading_opens_where_the_project_says(case: Case, names: tuple[str, ...]) -> None:
    trace = read(case)
    lived, came, told = followed(trace, case.reader, question=case.question)
    facts = [Followed(lived, came, told)]
    steps = [trace.steps[opening(trace, opens_at, followed=facts)] for opens_at in OPENINGS]
    assert tuple(step.names[-1] for step in steps) == names
    assert steps[1].phase != BUILD


def test_without_known_facts_a_reading_opens_at_its_first_decision_and_an_empty_one_at_its_start() -> None:
    trace = read(MEMORIES[3])
    first = opening(trace, "first decision")
    assert [opening(trace, opens_at) for opens_at in ("known place", "first loss")] == [first, first]  # type: ignore[arg-type]
    nothing = Trace(Document.of("A lamp.", title="A"), ())
    assert {opening(nothing, opens_at) for opens_at in OPENINGS} == {0}


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
        "answered rightly in 1 of 2; unchanged 0 of 1; 2 answers not decided by rule"
    )
    assert result(RUN, changed[1:], unchanged, known=KNOWN) == "the answer changed in 1 of 1; unchanged 1 of 1"


def test_only_finished_samples_are_counted() -> None:
    failed = [replace(run, status="failed", outcome=None) for run in runs("A lamp.")]
    assert result(RUN, [*runs("Forty pounds."), *failed], failed, known=KNOWN) == (
        "answered rightly in 1 of 1; no unchanged sample has finished"
    )
    assert result(RUN, failed, runs("A lamp."), known=KNOWN) == "no sample with it has finished"
