"""The forms that a prompt can ask its reply to have, a module each; `registry.py` knows them all by their kind."""
