"""The lock file holds what requirements.txt names, at the same versions, and a hash of every file that may be installed."""

from __future__ import annotations

import re

from tests.support.paths import ROOT

PIN = re.compile(r"^([\w.-]+)==([\w.!+]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    found = PIN.findall((ROOT / name).read_text(encoding="utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_what_is_required_is_locked_at_the_same_version() -> None:
    required = pins("requirements.txt")
    assert len(required) > 10
    assert required.items() <= pins("requirements.lock").items(), "requirements.txt has changed: run `make lock`"


def test_what_clusters_need_is_pinned_and_fits_the_lock() -> None:
    needed, locked = pins("requirements-cluster.txt"), pins("requirements.lock")
    assert {"distributed", "dask"} <= needed.keys()
    lines = (ROOT / "requirements-cluster.txt").read_text(encoding="utf-8").splitlines()
    assert len(needed) == sum(not line.startswith("#") for line in lines)
    assert not {name for name in needed.keys() & locked.keys() if needed[name] != locked[name]}


def test_every_locked_package_has_its_hashes() -> None:
    packages = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8").strip())
    assert len(packages) == len(pins("requirements.lock")) > len(pins("requirements.txt"))
    assert all(re.fullmatch(r"[\w.-]+==\S+( ; [^\\]+)? \\(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+", one) for one in packages)
