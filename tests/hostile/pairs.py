"""The mishap of the kind Words: each of a hundred payloads in every field, on every page (`words.py`)."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.hostile.case import Mishap
from tests.hostile.payloads import PAYLOADS
from tests.support.paths import ROOT


def in_every_field() -> str:
    """Draw the pages until every field has shown every payload. Raises AssertionError with the first that are more than words."""
    words = [sys.executable, "-m", "tests.hostile.words"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    found = json.loads(done.stdout)
    assert not found["wrong"], "; ".join(found["wrong"])
    assert not found["missing"], f"no page has shown some payloads of {found['missing']}"
    return "{fields} fields, {shown} payloads in them shown, {homes} homes".format(**found)


MISHAPS = [Mishap("Words", f"{len(PAYLOADS)} payloads in every field", len(PAYLOADS), in_every_field)]
