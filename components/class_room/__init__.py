"""A class that watches a reading together and votes on what the model will do."""
