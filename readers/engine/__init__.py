"""The engine: everything a reading needs that is not a reader's own. It knows nothing of Streamlit.

Its packages, from bottom to top, are listed in `tests/test_architecture.py`; each imports only packages below it.
"""

APP_VERSION = "0.1.0"
