"""The same reading with one thing changed: forks, what can be removed, experiments and their results."""
