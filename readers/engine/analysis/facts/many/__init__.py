"""The evidence in the readings of a batch: its fate in each, saved; the flow of them all; and planted facts found and lost."""
