"""What happened in a run, as data: events, journal, edits, trace, costs; and how a reader describes it: narrative and hints."""
