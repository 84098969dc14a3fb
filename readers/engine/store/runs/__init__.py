"""The runs in the database: one run, its calls and events, the list of runs, and calls that wait for a person.

Not here: deleting a run (`delete.py`), and opening one in whole (`reading.py`).
"""
