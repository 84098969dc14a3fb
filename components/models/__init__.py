"""The page Models."""
