"""Results of readings of the same questions: readers by scores, readers compared in pairs, the spread of repeats; and the report
on them (`report.py`).

Pure: scored readings in, figures with intervals out. Not here: the scores (`questions/scores/`), figures of one reading
(`analysis/measures.py`), and pages.
"""
