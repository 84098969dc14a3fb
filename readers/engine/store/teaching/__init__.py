"""Classes that watch a reading together: their tables."""
