"""A replay: one HTML file in which readings can be watched without Palimpsest, a server or a network. No Streamlit."""
