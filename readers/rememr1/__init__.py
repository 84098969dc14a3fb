"""ReMemR1."""
