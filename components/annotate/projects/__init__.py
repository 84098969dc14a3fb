"""Projects of readings that people label: the list, a new one, its settings."""
