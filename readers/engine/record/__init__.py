"""What happened in a run, as data: events, journal, edits, trace, costs."""
