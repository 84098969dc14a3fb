"""Where data lives on this machine: PALIMPSEST_HOME, or the platform's user data directory."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """The folder for the database and the local model. It may not exist yet."""
    return Path(os.environ.get("PALIMPSEST_HOME") or platformdirs.user_data_dir("palimpsest", appauthor=False))
