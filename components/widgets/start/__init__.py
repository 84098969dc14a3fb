"""What is asked before readings start: the text, the reader's options, the questions and the batch, and the estimate.

Not here: starting them (`session/start_runs.py`).
"""
