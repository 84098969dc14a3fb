"""What people say of readings: labels, projects, the codebook, agreement, counts. Pure."""
