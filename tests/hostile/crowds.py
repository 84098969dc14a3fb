"""Mishaps of the kind Many: twelve people at once, in one server or two, while texts are deleted (`many.py`)."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

from tests.hostile.case import Mishap
from tests.support.paths import ROOT

PEOPLE, ROUNDS = 12, 4


def crowd(servers: int, people: int, rounds: int) -> str:
    """Let so many people read at once, and say what came of it. Raises AssertionError with the first promise that was broken."""
    words = [sys.executable, "-m", "tests.hostile.many", *map(str, (servers, people, rounds))]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert not found["wrong"], found["wrong"]
    assert found.get("readings compared", 0) + found.get("readings deleted", 0) == servers * people * rounds * 2
    assert found.get("texts deleted", 0) > 0, "nothing was deleted meanwhile"
    return ", ".join(f"{value} {name}" for name, value in found.items() if name not in ("wrong", "seconds"))


MISHAPS = [
    Mishap("Many", f"{PEOPLE} people at once in one server", PEOPLE * ROUNDS * 2, partial(crowd, 1, PEOPLE, ROUNDS)),
    Mishap("Many", f"{PEOPLE} people at once in two servers", PEOPLE * ROUNDS * 2, partial(crowd, 2, PEOPLE // 2, ROUNDS)),
]
