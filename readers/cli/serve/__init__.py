"""`serve`: the readers as an OpenAI-compatible endpoint on this machine. Not here: what a reader does."""
