"""Prompts, the options of readers, and how replies are read.

`replies/` is a reply as a text, whatever its form; `formats/` has a module for each form that a prompt can ask for.
"""
