"""Pure questions over readings: measures, narration, coverage, authorship, differences, sentence history, hints."""
