"""Grade a free answer by rule: a table of kinds of known answers, each with the rules that hold for it.

A rule calls an answer right where it says the known answer, and wrong where it says another value of the same kind. What it
cannot read, it leaves open: a paraphrase is never called wrong. Pure. Not here: abstentions and choices (`by_rule.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from readers.engine.questions.grading import alternatives, dates, names, phrases, quantities, yes_no
from readers.engine.questions.grading.case import Case, Finding
from readers.engine.questions.grading.grade import Grade, Outcome
from readers.engine.questions.grading.mentions import mentions, plain, tokens
from readers.engine.questions.grading.word_lists import FUNCTION
from readers.engine.questions.normalise_answer import comparable_words

LONGEST_BY_WORDS = 20  # the most words of a known answer that is graded by words
LONGEST_ANSWER = 60  # words: in a longer answer, a known answer counts if it stands in the first or last sentence
_BEST: tuple[Outcome, ...] = ("correct", "partly", "not_judgeable", "wrong")  # of several known answers, the best finding holds


def _exact(case: Case) -> Finding | None:
    if case.words == case.known_words:
        return Finding("correct", f"It is the known answer, {case.shown}.", "certain")
    return None


def _echo(case: Case) -> Finding | None:
    """An answer of words of the question alone, if the known answer is not made of them, too."""
    asked = case.question_words | FUNCTION
    there = [token.folded for token in tokens(case.text)]
    if not there or not set(there) <= asked or set(case.value) <= asked or set(there) & set(case.value):
        return None
    return Finding("wrong", f"It says no more than the question, and not the known answer, {case.shown}.")


def _too_long(case: Case) -> Finding | None:
    if len(case.known_words) <= LONGEST_BY_WORDS:
        return None
    return Finding("not_judgeable", "The known answer is too long to be held against word for word.")


def _yes_no(case: Case) -> Finding | None:
    known = yes_no.said(case.known_words)
    return yes_no.graded(case, known) if known else None


def _alternatives(case: Case) -> Finding | None:
    found = alternatives.offered(case)
    return alternatives.graded(case, *found) if found else None


def _date(case: Case) -> Finding | None:
    known = dates.date_of(plain(case.known), case.question)
    return dates.graded(case, known) if known else None


def _period(case: Case) -> Finding | None:
    known = dates.period_of(plain(case.known))
    return dates.graded_period(case, known) if known else None


def _quantity(case: Case) -> Finding | None:
    known = comparable_words(quantities.spelled_out(plain(case.bare)))
    named = names.is_name(case.bare) and len(known) > 1 and not any(map(str.isdigit, case.known))  # "The Ninth Gate"
    if named or not quantities.is_quantity(known):
        return None
    return quantities.graded(case, known, comparable_words(quantities.spelled_out(case.text)))


def _name(case: Case) -> Finding | None:
    return names.graded(case) if names.is_name(case.bare) else None


# The first rule that applies to a known answer decides.
RULES: tuple[Callable[[Case], Finding | None], ...] = (
    _exact, _too_long, _yes_no, _alternatives, _echo, _date, _period, _quantity, _name, phrases.graded,
)  # fmt: skip


def graded_free(answer: str, question: str, right: Sequence[str], *, goes_on: bool) -> Grade:
    """The grade against the known answers, of which one is enough. `goes_on`: the answer says that there is none, and more."""
    findings = [_found(Case(answer, question, one)) for one in right]
    best = min(findings, key=lambda one: (_BEST.index(one.outcome), one.certainty != "certain"))
    score = max(f1(answer, one) for one in right)
    if goes_on and best.outcome != "correct":
        best = Finding("not_judgeable", "It says that there is no answer, and goes on.")
    exact = any(comparable_words(answer) == comparable_words(one) for one in right)
    return Grade(best.outcome, best.reason, exact, score, best.certainty)


def _found(case: Case) -> Finding:
    finding = next(found for rule in RULES if (found := rule(case)) is not None)
    lengthy = len(case.words) > max(LONGEST_ANSWER, 2 * len(case.known_words))
    if finding.outcome == "correct" and lengthy and not _stands_out(case):
        return Finding("not_judgeable", f"The known answer, {case.shown}, stands in it among much else.")
    return finding


def _stands_out(case: Case) -> bool:
    """Whether a long answer says the known answer in its first or last fifty words or so."""
    text = case.text
    ends = f"{text[:300]}\n{text[-300:]}"
    return any(True for _ in mentions(ends, case.value))


def graded_together(answer: str, question: str, required: Sequence[str], *, goes_on: bool) -> Grade:
    """The grade where several values are required: right with all of them, partly right with some."""
    grades = [graded_free(answer, question, [one], goes_on=goes_on) for one in required]
    score = f1(answer, " ".join(required))
    missing = [one for one, graded in zip(required, grades, strict=True) if graded.outcome != "correct"]
    certainty = "certain" if all(graded.certainty == "certain" for graded in grades) else "likely"
    if not missing:
        return Grade("correct", f"It holds all {len(required)} values that are required.", f1=score, certainty=certainty)  # type: ignore[arg-type]
    held = len(required) - len(missing)
    doubt = next((graded for graded in grades if graded.outcome == "not_judgeable"), None)
    if doubt and not held:
        return Grade("not_judgeable", doubt.reason, f1=score)
    first = Case(answer, question, missing[0]).shown
    reason = f"It holds {held or 'none'} of the {len(required)} values that are required; {first} is missing."
    return Grade("partly" if held else "wrong", reason, f1=score, certainty="likely")


def f1(answer: str, known: str) -> float:
    """The word overlap of two answers: the harmonic mean of precision and recall, from 0 to 1."""
    return phrases.overlap(comparable_words(answer), comparable_words(known))
