"""The codebook of a project: its codes, their two levels, and those that a new one begins with. Pure."""
