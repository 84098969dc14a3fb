"""Controls that more than one page mounts."""
