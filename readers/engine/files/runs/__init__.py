"""Whole readings as files: export and import of run files, logs of Inspect, and prompts with replies for training."""
