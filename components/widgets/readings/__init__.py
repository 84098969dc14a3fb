"""Readings that are there: listed, shown with their calls, compared, saved as a replay, given to be labelled.

Not here: the player that a reading is shown in (`player`), and the page Readings.
"""
