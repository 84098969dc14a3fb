"""What is drawn on several pages: small pictures and the figure of rewards as HTML, and the layout that all plots share.

Not here: the pictures of the player (`player/pictures`), and the figures of one page alone.
"""
