"""Everything drawn with Streamlit, and the pure builders of what is drawn. Reading a text and asking a model is `readers`."""
