"""Lessons as data, and the recorded readings that they show: for Learn, a class, and a published site. No Streamlit."""
