"""MemAgent."""
