"""Mishaps of the kind Crash: each reader, a batch and the pages, killed at 30 moments and resumed (`kills.py`)."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

from tests.hostile.case import Mishap
from tests.hostile.kills import EVERY
from tests.support.paths import ROOT

KILLS, SEED = 30, 1


def killed(*what: str, kills: int = KILLS, seed: int = SEED) -> str:
    """Kill and resume these so often, and say what came of it. Raises AssertionError with the first promise that was broken."""
    words = [sys.executable, "-m", "tests.hostile.kills", str(kills), str(seed), *what]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = "; ".join(f"{one['what']}: {one['wrong']}" for one in found if one["wrong"])
    assert not wrong, wrong
    assert [one["what"] for one in found if one["kills"] >= kills] == list(what), done.stderr
    count = {name: sum(one[name] for one in found) for name in ("kills", "finished", "requests", "again")}
    return "{kills} kills, {finished} ended as undisturbed, {requests} requests, {again} of them again".format(**count)


MISHAPS = [Mishap("Crash", f"{what}, killed {KILLS} times", KILLS, partial(killed, what)) for what in EVERY]
