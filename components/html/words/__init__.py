"""What several pages say, in words and numbers: about readings, readers, options, calls, estimates, questions. Plain text, no
HTML.

Not here: the terms of the field and their explanations, which are marked in HTML (`html/terms.py`).
"""
