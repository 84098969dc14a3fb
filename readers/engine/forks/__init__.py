"""The same run with one thing changed: forks, what can be left out, experiments and their results."""
