"""The commands about question sets: import and make them, let readers read them as batches, and evaluate what came of it."""
