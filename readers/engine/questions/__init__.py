"""What is asked and what is known: question sets, known answers, grading by rule."""
