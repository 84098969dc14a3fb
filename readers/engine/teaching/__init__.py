"""Teaching with a reading: what is marked at its steps, and a class that watches it together and votes. Pure."""
