"""Everything that enters or leaves as a file.

`runs/` has whole readings, `labels/` what people say about them, `tables/` figures and counts.
"""
