"""Grading by rule: `grade` suggests whether an answer is right, with its certainty and the reason in words."""

from readers.engine.questions.grading.by_rule import grade
from readers.engine.questions.grading.case import CANNOT_TELL, WORDS, Certainty, Grade, Outcome

__all__ = ["CANNOT_TELL", "WORDS", "Certainty", "Grade", "Outcome", "grade"]
