"""The lock files hold what is required, at the same versions, and a hash of every file that may be installed."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT

PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([\w.!+]+)", re.MULTILINE)


LOCKS = {
    "requirements.lock": "requirements.txt",
    "requirements-cluster.lock": "requirements-cluster.txt",
    "tests/requirements.lock": "tests/requirements.txt",
    "tests/inspect.lock": "tests/inspect.txt",
    "tests/label_studio.lock": "tests/label_studio.txt",
}
WITH_THE_APP = ("requirements-cluster.lock", "tests/requirements.lock")  # installed together with requirements.lock
every_lock = pytest.mark.parametrize("lock", LOCKS)


def pins(name: str) -> dict[str, str]:
    found = PIN.findall((ROOT / name).read_text(encoding="utf-8"))
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


@every_lock
def test_what_is_required_is_locked_at_the_same_version(lock: str) -> None:
    required, locked = pins(LOCKS[lock]), pins(lock)
    assert len(required) > 10
    if lock in WITH_THE_APP:
        assert not locked.keys() & pins("requirements.lock").keys()
        locked |= pins("requirements.lock")
    assert required.items() <= locked.items(), f"{LOCKS[lock]} has changed: run `make lock`"


def test_what_is_installed_together_is_locked_at_one_version() -> None:
    ours, clusters = (pins(lock) for lock in WITH_THE_APP)
    assert {name for name in ours.keys() & clusters.keys() if ours[name] != clusters[name]} == set()


def test_what_clusters_need_is_pinned_and_fits_the_lock() -> None:
    needed, locked = pins("requirements-cluster.txt"), pins("requirements.lock")
    assert {"distributed", "dask"} <= needed.keys()
    lines = (ROOT / "requirements-cluster.txt").read_text(encoding="utf-8").splitlines()
    assert len(needed) == sum(not line.startswith("#") for line in lines)
    assert not {name for name in needed.keys() & locked.keys() if needed[name] != locked[name]}


@every_lock
def test_every_locked_package_has_its_hashes_and_no_line_names_a_host(lock: str) -> None:
    packages = re.split(r"\n(?=\S)", (ROOT / lock).read_text(encoding="utf-8").strip())
    assert len(packages) == len(pins(lock)) >= 10
    assert all(re.fullmatch(r"[\w.-]+==\S+( ; [^\\]+)? \\(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+", one) for one in packages)
