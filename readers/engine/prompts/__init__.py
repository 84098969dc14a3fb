"""What a model is shown, and the form its reply must have."""
