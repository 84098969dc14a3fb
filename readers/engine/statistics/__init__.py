"""Figures over readings and labels: intervals, agreement, tests of pairs. Pure; nothing here knows where the numbers are from."""
