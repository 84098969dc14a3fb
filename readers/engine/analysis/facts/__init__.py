"""What became of a fact of the text: in one reading its life, its fate, how far it got, and the sentence that says so.

`follow.py` asks all of that at once. `matcher.py` decides whether a text still says the fact, `evidence.py` and `flow.py` count
fates over many readings, and `mending.py` offers changes that would have kept the fact. `attribution.py` works in the other
direction, from an answer back to the text.
"""
