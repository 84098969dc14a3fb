"""Commands from start to end: `--help`, and a reading by a hosted model, against what they cannot do without."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import NamedTuple

from tests.bench.serving import server
from tests.support.paths import LAMP, ROOT
from tests.support.servers.model_server import memwalker_reply

Row = tuple[str, str, float, float]
ROUNDS = 5
READ = ("-m", "readers", "read", str(LAMP), "--question", "Who lit the lamp?", "--set", "segment_tokens=2000", "--no-cache")


class Took(NamedTuple):
    """Seconds of the clock and of the processor."""

    clock: float
    processor: float


def helped() -> Row:
    """By the processor's time: the rest is waiting for the disk."""
    bare, ours = _best([("-c", "import argparse"), ("-m", "readers", "--help")], home="")
    return "`python -m readers --help`", "importing argparse in a bare process", ours.processor / bare.processor, 3.0


def live() -> Row:
    """By the clock or by the processor, whichever is more. The first reading of the home, which makes its database, does not
    count."""
    with tempfile.TemporaryDirectory() as home, server(memwalker_reply, delay=0.0) as serving:
        ask = (*READ, "--model", "openai/test", "--api-base", serving.url)
        _timed(ask, home)
        bare, ours = _best([("-c", "import litellm"), ask], home=home)
    ratio = max(ours.clock / bare.clock, ours.processor / bare.processor)
    return "a command that reads by a hosted model, with its calls", "importing litellm in a bare process", ratio, 1.2


def _best(commands: Sequence[Sequence[str]], *, home: str) -> list[Took]:
    """The best of some rounds over all commands, so that a busy moment of the machine meets all alike."""
    rounds = [[_timed(words, home) for words in commands] for _ in range(ROUNDS)]
    return [Took(*map(min, zip(*took, strict=True))) for took in zip(*rounds, strict=True)]


def _timed(words: Sequence[str], home: str) -> Took:
    settings = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "PALIMPSEST_HOME": home}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | settings
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ended = subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.returncode in (0, 3), ended.stderr.decode()
    return Took(took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
