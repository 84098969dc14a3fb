"""Markup, documents, pictures, palette and wording as pure strings. No Streamlit."""
