"""Controls that more than one page mounts, by what they are for.

Not here: what only one page draws, which is in that page's folder, and HTML, which is made in `html`.
"""
