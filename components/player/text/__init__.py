"""Words and places in the texts that the player shows, computed for the browser: offsets, terms, shared words, differences. Pure.

Not here: what a text is (`readers/engine/text`), and where a step is in it (`player/steps/focus.py`).
"""
