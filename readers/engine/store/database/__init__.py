"""The database itself: its tables and how it is opened, the connection of a thread, and the processes that work in it.

Not here: what is read from the tables and written to them.
"""
