"""A grade by rule: what a rule suggests of an answer, how sure it is, and why; and the one wording in which a grade is shown.

Values only. Not here: the rules (`by_rule.py`, `free_answer.py`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Outcome = Literal["correct", "partly", "wrong", "abstained_right", "abstained_wrong", "not_judgeable"]
Certainty = Literal["certain", "likely"]

CANNOT_TELL = "cannot be told by rule"
WORDS: dict[Outcome, str] = {
    "correct": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "abstained_right": "right: no answer given",
    "abstained_wrong": "wrong: no answer given",
    "not_judgeable": CANNOT_TELL,
}


class Grade(NamedTuple):
    """The grade of an answer by rule: a suggestion. `certainty` is *likely* where the rule reads sentences or holds unlike words
    together. `f1`, from 0 to 1, is the best over the known answers; None if words are not compared."""

    outcome: Outcome
    reason: str
    exact: bool = False
    f1: float | None = None
    certainty: Certainty = "certain"

    @property
    def suggested(self) -> Outcome | None:
        """The outcome; None where the rule cannot tell."""
        return None if self.outcome == "not_judgeable" else self.outcome

    @property
    def sure(self) -> Literal["certain", "likely", "open"]:
        """How sure the rule is; *open* where it cannot tell."""
        return self.certainty if self.suggested else "open"

    @property
    def words(self) -> str:
        """The suggestion as it is shown everywhere, such as *right* or *likely wrong*."""
        likely = self.certainty == "likely" and self.outcome != "not_judgeable"
        return f"likely {WORDS[self.outcome]}" if likely else WORDS[self.outcome]
