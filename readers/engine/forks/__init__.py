"""The same run with one thing changed: forks, removable parts, experiments and their results."""
