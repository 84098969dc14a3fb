"""A mishap of the kind Keys: whole readings are labelled on a slow machine by keys that come without any pause."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from tests.bench.pages import launched
from tests.browser.conftest import CHROMIUM, served, watched
from tests.browser.test_annotate_no_pause import label_in_one_go
from tests.hostile.case import Mishap

READINGS = 200


def without_a_pause(readings: int) -> str:
    """Label so many readings in one go, in a browser. Raises AssertionError if a key is lost or acts on another reading."""
    assert CHROMIUM.exists(), f"there is no {CHROMIUM}"
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as address,
        launched() as browser,
        browser.new_context(base_url=address, viewport={"width": 1400, "height": 900}) as visitor,
        watched(visitor, address) as page,
    ):
        label_in_one_go(page, Path(folder), readings, in_page=True)
    return f"{readings} readings labelled, no key lost or misplaced"


MISHAPS = [Mishap("Keys", f"those of {READINGS} readings without a pause", READINGS, partial(without_a_pause, READINGS))]
