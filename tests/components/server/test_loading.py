"""What a server loads beside its first requests: its first page at once, and litellm when nobody asks anything."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from components.server import prepare
from readers.engine.models import loading
from tests.support.paths import ROOT

_HOME = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("home.py", default_timeout=60)
app.run()
assert not app.exception
print(*sys.modules)
"""


@pytest.mark.parametrize("demo", [False, True])
def test_litellm_is_loaded_after_the_first_page_and_once_the_process_is_idle(
    monkeypatch: pytest.MonkeyPatch, *, demo: bool
) -> None:
    done, begun = threading.Event(), threading.Event()
    times = iter([0.0, 0.7, 1.4, 1.41, 9.0])  # busy, busy, then idle
    order: list[str] = []
    usual = sys.getswitchinterval()
    app: Any = None

    def loaded() -> None:
        order.append("litellm")
        done.set()

    def first_page() -> None:
        order.append("first page")
        assert not gc.isenabled()
        assert sys.getswitchinterval() < usual
        begun.set()

    monkeypatch.setenv("PALIMPSEST_DEMO", "1" if demo else "")
    monkeypatch.setattr(loading, "load_for_calls", loaded)
    monkeypatch.setattr(prepare.time, "process_time", lambda: next(times))
    monkeypatch.setattr(prepare.time, "sleep", lambda seconds: order.append(f"{seconds:g} s"))

    async def serve() -> None:
        async with prepare.loading(first_page)(app):
            assert begun.wait(10)
            assert done.wait(0.5 if demo else 10) is not demo

    asyncio.run(serve())
    for thread in [thread for thread in threading.enumerate() if thread.name == "loading"]:
        thread.join(10)
    assert done.is_set() is not demo
    assert (gc.isenabled(), sys.getswitchinterval()) == (True, usual)
    assert order == (["first page"] if demo else ["first page", "1 s", "1 s", "1 s", "litellm"])


@pytest.mark.slow
def test_the_first_page_in_a_new_home_is_drawn_without_pandas_or_litellm(tmp_path: Path) -> None:
    environment = {**os.environ, "PALIMPSEST_HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", _HOME], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines()[-1].split())
    assert loaded & {"pandas", "litellm", "lxml", "pypdf", "readers.cli"} == set()
    assert {"streamlit", "components.home.page"} <= loaded
