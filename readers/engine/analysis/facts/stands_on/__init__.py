"""What an answer stands on: the sentences of the text nearest to it, by their words and by an embedding model."""
