"""No request leaves this machine by itself: no telemetry, no update check, no table that is fetched. The app is guarded in the
same way in every browser journey (`tests/browser/conftest.py`)."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.guarded import guard
from tests.support.model_server import ModelServer, memwalker_reply, replying
from tests.support.paths import LAMP, ROOT

pytestmark = pytest.mark.slow  # starts processes and loads litellm

_OUT = "import socket; socket.socket().connect(('192.0.2.1', 80))"
_LOOK_UP = "import urllib.request; urllib.request.urlopen('http://palimpsest.example/', timeout=1)"
_IN_A_PROCESS_OF_ITS_OWN = f"""
from pathlib import Path
from readers.engine.ingest import from_path
from readers.engine.own_process import run
print(len(from_path(Path({str(LAMP)!r})).document.text))
print(run(__import__("tests.support.jobs", fromlist=["x"]).connect, b"192.0.2.1"))
"""


@pytest.mark.parametrize(("words", "event"), [(_OUT, "socket.connect 192.0.2.1"), (_LOOK_UP, "socket.getaddrinfo")])
def test_the_guard_hears_what_leaves(words: str, event: str, tmp_path: Path) -> None:
    guarded = guard(tmp_path / "guard")
    done = subprocess.run(
        [sys.executable, "-c", words], env={**os.environ, **guarded.environment}, capture_output=True, timeout=60
    )
    assert done.returncode == 1
    assert event in guarded.tried[0]


def test_the_guard_goes_along_into_the_processes_that_read_files(tmp_path: Path) -> None:
    guarded = guard(tmp_path / "guard")
    subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS_OF_ITS_OWN],
        env={**os.environ, **guarded.environment}, cwd=ROOT, capture_output=True, timeout=120,
    )  # fmt: skip
    assert len(guarded.tried) == 1
    assert "own_process" in guarded.tried[0]


def test_nothing_leaves_while_readings_are_made_on_the_command_line(own_home: Path, tmp_path: Path) -> None:
    guarded = guard(tmp_path / "guard")
    with ModelServer(replying(memwalker_reply)) as server:
        ask = ["read", str(LAMP), "--question", "Who lit the lamp?", "--set", "segment_tokens=2000"]
        for command in (ask, [*ask, "--model", "openai/test", "--api-base", server.base_url], ["models"], ["doctor"]):
            done = subprocess.run(
                [sys.executable, "-m", "readers", *command],
                env={**os.environ, **guarded.environment}, cwd=ROOT, capture_output=True, timeout=120,
            )  # fmt: skip
            assert done.returncode in (0, 3), done.stderr
        assert server.requests
    assert guarded.tried == []


_SWITCHES = """
import os
from readers.engine.models.model import load_litellm
litellm = load_litellm()
told = [*litellm.success_callback, *litellm.failure_callback, *litellm.callbacks]
print(litellm.telemetry, told, os.environ["HF_HUB_DISABLE_TELEMETRY"])
"""


def test_telemetry_is_off() -> None:
    """In a process of its own: other tests here leave callbacks of their own in litellm."""
    done = subprocess.run([sys.executable, "-c", _SWITCHES], cwd=ROOT, capture_output=True, timeout=60, text=True)
    assert done.stdout.split() == ["False", "[]", "1"], done.stderr
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["showEmailPrompt"] is False
