"""What readings of the same questions amount to: readers by scores, readers compared in pairs, the spread of repeats; and what is
said of it (`report.py`).

Pure: scored readings in, figures with intervals out. Not here: the scores (`questions/scores/`), figures of one reading
(`analysis/measures.py`), and pages.
"""
