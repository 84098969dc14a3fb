"""Readings in whole, as files: run files out and in, logs of Inspect, and prompts with replies for training."""
