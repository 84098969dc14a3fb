"""Servers on loopback: of a model, of a file, and of our own endpoint."""
