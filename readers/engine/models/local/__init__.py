"""Neural networks on this machine: the list (`weights.py`), fetching them (`fetch.py`), and serving them (`server.py`).

Their ids begin with `local/`. No text leaves the machine, and they cost nothing.
"""
