"""Hostile files: what they are, and one runner that tries them all (`make hostile`)."""
