"""The player in the browser: the data it gets for a reading, and mounting it. How it draws is in `assets/js`.

`steps/` is what is said of a single step, `text/` compares and counts words as the browser does, `pictures/` is by reader.
"""
