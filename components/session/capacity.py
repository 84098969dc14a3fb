"""How many pages can be connected at once. Each takes file descriptors, which are limited for each process: 1,024 on most
machines, 256 on macOS, unless it asks for more."""

from __future__ import annotations

from contextlib import suppress

DESCRIPTORS_A_PAGE = 4  # measured: its connection, and the event loop that Streamlit makes for its session
RESERVED = 100  # for the database while pages are drawn, readings under way and libraries
WANTED = (65_536, 10_240)  # macOS refuses the first


def raise_limit() -> None:
    """Ask for as many descriptors as are useful. Where none can be had, as on Windows, nothing changes."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in WANTED:
        within = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft == resource.RLIM_INFINITY or soft >= within:
            return
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (within, hard))
            return


def most_pages() -> int:
    """How many pages can be connected at once, at least one."""
    try:
        import resource
    except ImportError:
        return WANTED[-1] // DESCRIPTORS_A_PAGE
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    usable = WANTED[0] if soft == resource.RLIM_INFINITY else soft
    return max(1, (usable - RESERVED) // DESCRIPTORS_A_PAGE)
