"""A published site: a folder of static files in which readings can be watched and compared, for any web server or none.
No Streamlit."""
