"""Teaching with a reading: marks at its steps, and a class that watches it together and votes. Pure."""
