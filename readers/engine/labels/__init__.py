"""What people say about readings: labels, the projects they are made in, how far annotators agree, and the decisions. Pure."""
