"""No request leaves this machine by itself: no telemetry, no update check, no table that is fetched. The app is guarded in the
same way in every browser journey (`tests/browser/conftest.py`)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import LAMP, ROOT
from tests.support.processes.guarded import guard
from tests.support.servers.model_server import ModelServer, memwalker_reply, replying

pytestmark = pytest.mark.slow  # starts processes and loads litellm

_OUT = "import socket; socket.socket().connect(('192.0.2.1', 80))"
_LOOK_UP = "import urllib.request; urllib.request.urlopen('http://palimpsest.example/', timeout=1)"
_IN_A_PROCESS_OF_ITS_OWN = f"""
from pathlib import Path
from readers.engine.ingest import from_path
from readers.engine.own_process import run
print(len(from_path(Path({str(LAMP)!r})).document.text))
print(run(__import__("tests.support.processes.jobs", fromlist=["x"]).connect, b"192.0.2.1"))
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


# What litellm reports to, before anything is asked; then four commands, which may not add to it.
_COMMANDS = """
import gc, json, os, sys
from readers.cli import main
from readers.engine.models.loading import load_litellm
litellm = load_litellm()
told = [*litellm.success_callback, *litellm.failure_callback, *litellm.callbacks]
switches = {"telemetry": litellm.telemetry, "told": told, "hub": os.environ["HF_HUB_DISABLE_TELEMETRY"],
            "collects": gc.isenabled()}
ended = [main(command) for command in json.loads(sys.argv[1])]
sys.stdout.flush()
print(json.dumps({**switches, "ended": ended}))
"""


@dataclass(frozen=True)
class Commands:
    """What a process that ran commands said of itself at its end, how often it asked the model, and what it tried to reach."""

    said: Mapping[str, Any]
    requests: int
    tried: list[str]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Commands:
    """Readings made on the command line, with both kinds of model, in a process of its own, so that litellm is loaded once:
    other tests leave callbacks of their own in this one."""
    folder = tmp_path_factory.mktemp("commands")
    guarded = guard(folder / "guard")
    (folder / "home").mkdir()
    shutil.copy(empty_database, folder / "home")
    environment = {**os.environ, **guarded.environment, "PALIMPSEST_HOME": str(folder / "home")}
    with ModelServer(replying(memwalker_reply)) as server:
        ask = ["read", str(LAMP), "--question", "Who lit the lamp?", "--set", "segment_tokens=2000"]
        words = [ask, [*ask, "--model", "openai/test", "--api-base", server.base_url], ["models"], ["doctor"]]
        done = subprocess.run(
            [sys.executable, "-c", _COMMANDS, json.dumps(words)],
            env=environment, cwd=ROOT, capture_output=True, timeout=480, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return Commands(json.loads(done.stdout.splitlines()[-1]), len(server.requests), guarded.tried)


def test_nothing_leaves_while_readings_are_made_on_the_command_line(commands: Commands) -> None:
    assert len(commands.said["ended"]) == 4
    assert set(commands.said["ended"]) <= {0, 3}
    assert commands.requests
    assert commands.tried == []


def test_garbage_is_collected_again_once_litellm_is_loaded(commands: Commands) -> None:
    assert commands.said["collects"] is True


def test_telemetry_is_off(commands: Commands) -> None:
    assert (commands.said["telemetry"], commands.said["told"], commands.said["hub"]) == (False, [], "1")
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["showEmailPrompt"] is False


def test_nothing_is_asked_of_elsewhere_where_the_app_is_served_to_a_network(tmp_path: Path) -> None:
    """There Streamlit asks a server for the address that the machine has outside, unless it is kept from it."""
    guarded = guard(tmp_path / "guard")
    environment = {**os.environ, **guarded.environment, "PALIMPSEST_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}
    flags = ["--server.address=0.0.0.0", "--server.headless=true", "--server.port=0"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *flags]
    with subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as app:
        assert app.stdout
        told = []
        for line in app.stdout:
            told.append(line)
            if "URL: http" in line:
                break
        app.terminate()
        told.append(app.stdout.read())
    assert "URL: http://localhost" in "".join(told)
    assert "external IP" not in "".join(told)
    assert guarded.tried == []


def test_nothing_is_asked_of_elsewhere_to_know_a_page_of_another_origin() -> None:
    asked = "from streamlit import net_util; from components.server import prepare; prepare.middleware(); "
    asked += "print(net_util.get_external_ip())"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, timeout=120, text=True)
    assert done.stdout == "None\n", done.stderr
