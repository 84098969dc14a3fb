"""The Evaluate page: what readers score on the questions of a batch, with intervals, and what that cost."""
