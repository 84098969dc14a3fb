"""Pure strings for pages: HTML, style sheets and scripts here, the words in `words/`.

No Streamlit. Not here: the HTML and the words of only one page, which are in that page's folder.
"""
