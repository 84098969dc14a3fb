"""MemWalker."""
