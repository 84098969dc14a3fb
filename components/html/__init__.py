"""Pure strings for pages: HTML, style sheets and scripts here, what is said in `words/`.

No Streamlit. Not here: the HTML and the words of one page alone, which are in that page's folder.
"""
