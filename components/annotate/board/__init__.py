"""All open notes of a project on one board."""
