"""The layer between a browser and Streamlit, before any page is drawn."""
