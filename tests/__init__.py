"""The tests. The readers of whoever runs them stay out: they are found once, when the readers are imported."""

import os

os.environ["PALIMPSEST_READERS"] = "none"
