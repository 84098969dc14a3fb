"""Serves weights by llama.cpp on a free loopback port, one child process for each model, called through litellm.

    python -m readers.engine.models.local.server FILE PORT     run the server until standard input closes

The first call that needs a model starts its server. A server ends when its parent ends, however that happens. Readings and their
records store the model id, never a port. Not here: which weights there are (`weights.py`), and fetching them (`fetch.py`).
"""

from __future__ import annotations

import atexit
import importlib
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from readers.engine import own_process
from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, Reply
from readers.engine.models.local import weights
from readers.engine.models.local.weights import LocalWeights
from readers.engine.models.model import LiteLLM

START_SECONDS = 60.0
STOP_SECONDS = 10.0
_POLL = 0.1
_ROOT = Path(__file__).parents[4]


def open_local(model_id: str, *, timeout: float | None = None, log_probs: bool = False) -> LocalModel:
    """Return a client; the server is not started yet. Raises BadOptions if the model is not installed."""
    return LocalModel(weights.find(model_id), timeout, log_probs)


@dataclass(frozen=True)
class LocalModel:
    """Starts the model's server on the first call, and again if it has died. `timeout` is in seconds, for each try; with
    `log_probs` it is asked for the tokens of each reply."""

    weights: LocalWeights
    timeout: float | None = None
    log_probs: bool = False

    def complete(self, call: Call) -> Reply:
        server = ensure_running(self.weights)
        sent_as, api_base = f"openai/{self.weights.name}", f"{server.address}/v1"
        model = LiteLLM(server.key, self.timeout, sent_as=sent_as, api_base=api_base, log_probs=self.log_probs)
        return replace(model.complete(call), cost_usd=0.0)


@dataclass
class LlamaServer:
    """llama.cpp in a child process. `key` keeps web pages and other users of this machine out."""

    path: Path
    address: str = field(default_factory=lambda: f"http://127.0.0.1:{_free_port()}")
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    process: subprocess.Popen[bytes] | None = None
    ready: bool = False
    stopped: bool = False

    def start(self) -> None:
        with _log().open("wb") as log:
            self.process = subprocess.Popen(
                _command(self.path, self.address),
                cwd=_ROOT,
                env=own_process.environment(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        assert self.process.stdin
        with suppress(OSError):  # it has died already; `wait` reports it
            self.process.stdin.write(f"{self.key}\n".encode())
            self.process.stdin.flush()

    def wait(self) -> None:
        """Wait until the model is loaded. Raises ModelFailed if the server dies or takes longer than START_SECONDS."""
        deadline = time.monotonic() + START_SECONDS
        while not self.ready:
            if self.ended or time.monotonic() > deadline:
                self.stop()
                raise ModelFailed(f"the local model did not start; see {str(_log())!r}. Try again, or choose another model")
            self.ready = self.process is not None and _healthy(self.address)
            time.sleep(0 if self.ready else _POLL)

    @property
    def ended(self) -> bool:
        return self.stopped or (self.process is not None and self.process.poll() is not None)

    def stop(self) -> None:
        self.stopped = True
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()


# Keyed by the weights and a counter. No lock is needed: the thread that inserts the next number starts that server, all others
# wait for it.
_servers: dict[tuple[Path, int], LlamaServer] = {}


def ensure_running(model: LocalWeights) -> LlamaServer:
    """The model's running server; starts one if there is none."""
    number, server = _newest(model.path)
    if server is None or server.ended:
        if server is not None:
            server.stop()  # it died: clean up
        new = LlamaServer(model.path)
        server = _servers.setdefault((model.path, number + 1), new)
        if server is new:
            server.start()
    server.wait()
    return server


def _newest(path: Path) -> tuple[int, LlamaServer | None]:
    """The number of the last server of these weights, from 1, and the server; 0 and None before the first."""
    number = max((number for known, number in list(_servers) if known == path), default=0)
    return number, _servers.get((path, number))


def running_server(model: LocalWeights) -> LlamaServer | None:
    """The model's server, if it is running and has loaded the weights."""
    _, server = _newest(model.path)
    return server if server and server.ready and not server.ended else None


def memory_bytes(model: LocalWeights) -> int | None:
    """Resident memory of the model's server in bytes; None if it is not running."""
    server = running_server(model)
    if server is None or server.process is None:
        return None
    try:
        return int(psutil.Process(server.process.pid).memory_info().rss)
    except psutil.Error:
        return None


@atexit.register
def stop_all() -> None:
    """Stop every server. A reading in progress that needs one starts it again."""
    for server in list(_servers.values()):
        if not server.stopped:
            server.stop()


def _command(path: Path, address: str) -> list[str]:
    return [sys.executable, "-m", "readers.engine.models.local.server", str(path), address.rpartition(":")[2]]


def _log() -> Path:
    folder = weights.folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "server.log"


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=2):
            return True
    except (OSError, urllib.error.URLError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(path: str, port: str) -> None:
    """Run the server in the child process until the parent closes our standard input, which also happens when the parent dies."""
    xllamacpp = importlib.import_module("xllamacpp")  # installed only by `make local-model`
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.hostnames, params.port = ["127.0.0.1"], int(port)
    params.api_keys = [sys.stdin.readline().strip()]
    served = LocalWeights("", "", Path(path)).served_window
    params.n_ctx, params.n_parallel = served * weights.SLOTS, weights.SLOTS
    params.cache_ram_mib = 0
    params.ui = False
    server = xllamacpp.Server(params)
    sys.stdin.read()
    del server
    os._exit(0)


if __name__ == "__main__":
    serve(*sys.argv[1:])
