"""The commands that do single readings and print them: `read`, `resume`, `fork`, `show`, `runs` and `import`.

Not here: readings of a whole question set (`questions/`), and what a finished reading says of a fact (`follow/`).
"""
