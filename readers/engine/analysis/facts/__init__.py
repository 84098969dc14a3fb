"""What became of a fact of the text in a reading: where it was carried, where it was lost, and what an answer stands on."""
