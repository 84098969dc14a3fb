"""What every test starts from: its own home, no keys in the environment, no waiting, no network but loopback."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from readers.engine.models.local import other_servers
from readers.engine.models.similarity import VECTORS
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.paths import LAMP

# Every property test takes its number of examples from here; `make thorough` (and CI) runs them all with many.
settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("thorough", parent=settings.get_profile("quick"), max_examples=300)
settings.load_profile("quick")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """In CI a browser test that was skipped is a failure: nobody would look for it."""
    skipped = [report.nodeid for report in terminalreporter.stats.get("skipped", ()) if "tests/browser" in report.nodeid]
    if skipped and os.environ.get("CI"):
        pytest.exit(f"CI runs every browser test, and {len(skipped)} were skipped, {skipped[0]} for one", returncode=1)


# A test's databases lie in memory, where there is plenty: a test would wait for the disk whenever it commits.
MEMORY, PLENTY = Path("/dev/shm"), 2 << 30
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > PLENTY:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_sessionstart() -> None:
    """Nothing that collecting the tests makes is garbage; looking for it takes a fifth of that time, and some of each test's."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # the usual ones cost a twentieth of the time, most of it on pages that are in use
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first, so that no worker is left with one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("scale") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Only what is marked `slow` loads litellm, which takes each worker of `make quick` three seconds."""
    loaded = "litellm" in sys.modules
    yield
    may = loaded or any(item.get_closest_marker(name) for name in ("slow", "scale", "browser"))
    assert may or "litellm" not in sys.modules, "this test loads litellm: mark it `slow`, or replace what asks litellm"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the database, and an environment without keys."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_API_BASE")) or name.startswith("PALIMPSEST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PALIMPSEST_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def no_other_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other programs serve on the machine that runs the tests, they are not found."""
    monkeypatch.setattr(other_servers, "SERVERS", ())


@pytest.fixture(autouse=True)
def nothing_embedded() -> None:
    """A server of one test may stand at the address of another's: no vector of it is known."""
    VECTORS.forget()


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to anywhere but this machine fails the test that tries it."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its tables and nothing in them: copying it is quicker than making it anew."""
    path = tmp_path_factory.mktemp("empty") / "palimpsest.db"
    Store(path).close()
    return path


@pytest.fixture
def store(own_home: Path, empty_database: Path) -> Iterator[Store]:
    own_home.mkdir(exist_ok=True)
    if not (own_home / empty_database.name).exists():
        shutil.copyfile(empty_database, own_home / empty_database.name)
    with Store() as opened:
        yield opened


@pytest.fixture(scope="session")
def lamp() -> Document:
    """The sample story."""
    return Document.of(LAMP.read_text(encoding="utf-8"), title="The Lamp at Carrow Point")
