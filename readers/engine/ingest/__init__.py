"""Untrusted files in, one `Document` or one sentence out."""
