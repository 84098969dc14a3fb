"""Whether a text still says a fact: the matcher, and the figures and names that it compares. No model is asked."""
