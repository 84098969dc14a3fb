"""The page Annotate: projects, bench, codebook, agreement, results."""
