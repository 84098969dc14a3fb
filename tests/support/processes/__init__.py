"""What runs in a process of its own: readings and batches that are killed, workers, other programs, a guard of the network."""
