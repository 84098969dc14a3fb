"""Figures over readings and labels: intervals, agreement, tests of pairs. Pure; nothing here depends on where the numbers are
from."""
