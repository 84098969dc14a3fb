"""Figures over labels: how far annotators agree, what was found in the end and how often, each with its interval. Pure."""
