"""How far annotators agree, and the disagreements to decide."""
