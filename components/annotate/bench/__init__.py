"""The bench, where one reading is labelled."""
