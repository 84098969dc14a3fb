"""Labels and codebooks as files: out and in, and out for Label Studio."""
