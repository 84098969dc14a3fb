"""Readings to look at: by one reader with a model that plays its part, by every reader, very long ones and very many."""
