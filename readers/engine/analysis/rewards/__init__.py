"""The rewards that the papers train with, computed over recorded readings: outcome, state, and advantages in a group. Pure."""
