"""What a page is drawn with: its address, its visitor's session state, its messages, its database connection and its fragments.

Not here: what is drawn.
"""
