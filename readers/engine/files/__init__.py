"""Everything that enters or leaves as a file: run files, labels, Label Studio."""
