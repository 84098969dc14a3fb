"""The planted-fact lab on the page Learn: a fact planted at several depths of a text, and what readers make of it."""
