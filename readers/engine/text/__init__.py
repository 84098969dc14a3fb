"""Texts, spans and provenance, and everything a string can be asked: cut, count, find, compare, name."""
