"""A public demo: its limits, what it counts, and the visits whose items it deletes. Who may see what is in `session/visitor`."""
