"""How readers are to read: options, presets and prompt sets given on the command line, and the command `prompts`.

Not here: what a reader's options and presets are, which the readers say themselves.
"""
