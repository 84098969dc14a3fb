"""The page Readings."""
