"""What became of a fact of the text: in one reading its life, its fate, how far it came, and the sentence that says so.

`follow.py` asks all of that at once. `matching/` decides whether a text still says the fact, `many/` counts fates over many
readings, and `mending/` offers what would have kept the fact. `stands_on/` goes the other way, from an answer back to the text.
"""
