"""Doing readings: the desk, calls in flight, execution, jobs, batches, the person as model, estimates."""
