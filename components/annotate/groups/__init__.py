"""An annotator groups their own notes (stage 2)."""
