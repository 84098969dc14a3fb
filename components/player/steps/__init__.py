"""What the player says of a single step: where in the text it is, what was decided, whether a person pauses or predicts. Pure.

Not here: the frames that hold every step (`player/frames.py`).
"""
