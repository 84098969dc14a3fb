"""Prompts, the options of readers, and how replies are read.

`formats/` has a module for each form that a prompt can ask for, and the modules with which all forms read a reply.
"""
