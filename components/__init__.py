"""Everything drawn with Streamlit, and the pure builders of its data and HTML. Reading a text and asking a model is `readers`."""
