"""The tables of teaching: what is marked at steps, and classes that watch a reading together."""
