"""Questions made here: the same question in ever longer texts, and needles put into any text. Seeded, with known evidence.

What is made is one object a line (`Made.row`), which is imported like a benchmark's file (`benchmarks/made_here.py`).
"""
