"""Published benchmarks as their authors give them: recognised by shape, read without conversion.

One module for each family; `recognise.py` has the list of all. Not here: scores, and anything downloaded.
"""
