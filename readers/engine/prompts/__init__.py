"""Prompts, and the formats of replies."""
