"""Texts, spans and provenance, and functions on strings: cut, count, find, compare, shorten, find names."""
