"""The table: the readings on which annotators differ, decided on the bench."""
