"""Reading on other processes and machines: dask.distributed decides which worker does a reading, and the process that owns the
store, its home, keeps the record.

A worker needs no database. It opens a reading by pulling its answered calls from the home (`home_service.py`), does it with the
ordinary engine over a tape in memory, and posts each reply home before it uses it. So if a worker, the scheduler or the home is
killed, no reply that reached home is lost or asked for again; only a call that was answered but not yet posted may be asked a
second time. Readers know nothing of this. Not here: batches (`run/batches.py`), which work as on one machine, through `Jobs`.
"""
