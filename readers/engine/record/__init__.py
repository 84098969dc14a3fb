"""What happened in a reading, as data: events, journal, edits, trace, costs."""
