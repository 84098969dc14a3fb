"""A reply as a text, whatever its form: what is decoration, what says nothing, JSON as models write it, and what is left."""
