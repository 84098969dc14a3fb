"""What people say about readings, in the database: projects, turns, labels, boards and codebooks.

Not here: what is allowed, and who may see what (`engine/labels`).
"""
