"""Executing runs: the desk, calls in flight, jobs, batches, the person as model, estimates."""
