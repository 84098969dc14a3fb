"""Simple readers to compare with."""
