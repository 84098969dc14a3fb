"""The codebook of a project and its versions."""
