"""Everything that enters or leaves as a file.

`runs/` has readings in whole, `labels/` what people say of them, `tables/` figures and counts.
"""
