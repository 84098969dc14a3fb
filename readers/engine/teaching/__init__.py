"""A class that watches a reading together and votes on its decisions: its rules, its counts and its codes. Pure."""
