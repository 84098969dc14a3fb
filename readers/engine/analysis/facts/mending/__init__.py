"""What would have kept a fact: the changes on offer, as edits of the reading, and what the experiments with them brought."""
