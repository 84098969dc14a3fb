"""The page Trace."""
