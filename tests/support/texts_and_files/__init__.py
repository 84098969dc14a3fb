"""Texts and small files, made on the spot."""
