"""What people say of readings: labels, the projects they are made in, how far annotators agree, and what is decided. Pure."""
