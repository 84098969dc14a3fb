"""The command `follow`: the fates of facts in a reading, what would mend them, and what its answer is near to or stands on.

Not here: how any of that is found (`engine/analysis/facts`, `engine/forks`).
"""
