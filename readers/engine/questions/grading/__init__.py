"""Grading by rule: `grade` suggests whether an answer is right, with its certainty and the reason in words."""

from readers.engine.questions.grading.by_rule import grade
from readers.engine.questions.grading.choices import chosen_index, right_indices
from readers.engine.questions.grading.free_answer import f1
from readers.engine.questions.grading.grade import CANNOT_TELL, WORDS, Certainty, Grade, Outcome

__all__ = ["CANNOT_TELL", "WORDS", "Certainty", "Grade", "Outcome", "chosen_index", "f1", "grade", "right_indices"]
