"""Figures and counts as tables: batches, scores, flows of the evidence, planted facts, and what classes voted. Only out."""
