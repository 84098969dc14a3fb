"""What people say of readings: labels, the projects they are made in, and what is decided of them. Pure.

`codes/` is the codebook; `figures/` counts labels and says how far annotators agree.
"""
