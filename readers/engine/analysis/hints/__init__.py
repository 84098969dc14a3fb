"""Hints for annotators, drawn from the record of one reading.

`hints.py` collects them; `from_answer.py` has those that rest on what is known, `dictated.py` replies that the text dictated.
"""
