"""Labels and codebooks as files: export and import, and export to Label Studio."""
