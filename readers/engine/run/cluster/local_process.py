"""What dask loads in each worker process on this machine: Ctrl+C, which reaches them all, is for their home, which stops them."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Called by dask when the process has started, on its main thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
