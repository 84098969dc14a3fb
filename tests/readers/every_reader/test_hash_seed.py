"""Nothing depends on the seed of Python's hashes: not a reading, not a reply of the offline model, not a picture."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from readers.engine.models.offline import TASKS
from tests.support.paths import ROOT
from tests.support.processes.hash_seed import told


@pytest.mark.slow
def test_readings_replies_and_pictures_are_the_same_under_another_hash_seed() -> None:
    here = told()
    command, seed = [sys.executable, "-m", "tests.support.processes.hash_seed"], {**os.environ, "PYTHONHASHSEED": "77"}
    there = json.loads(subprocess.run(command, cwd=ROOT, env=seed, capture_output=True, check=True).stdout)
    assert set(here["tasks"]) >= set(TASKS), "a task of the offline model is in none of these readings"
    for name, told_here in here.items():
        assert there[name] == told_here, name
