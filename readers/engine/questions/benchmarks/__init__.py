"""Published benchmarks as their authors give them: recognised by shape, read without conversion.

One module a family; `recognise.py` has the list of all. Not here: scores, and anything downloaded.
"""
