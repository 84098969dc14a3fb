"""Who is looking and what they may do: access to items, answers hidden from them, their name, their classes, their model.

Not here: what a public demo limits and counts (`session/demo`), and what a session remembers (`session/page/state.py`).
"""
