"""Local models: the life cycle of their servers with a stand-in for llama.cpp, and the real server if it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from readers.engine.errors import BadFile, BadOptions, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.local import server, weights
from readers.engine.models.local.weights import LocalWeights
from readers.engine.models.model import Retry
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Text
from readers.memwalker import MemWalker
from tests.support.models.scripted_models import parts_of
from tests.support.paths import ROOT
from tests.support.texts_and_files.gguf_files import LLAMA, gguf

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


def smollm2() -> LocalWeights:
    return weights.find(catalogue.LOCAL)


def until_gone(pid: int) -> None:
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end, "it still runs"
        time.sleep(0.05)


def put_weights(*files: str) -> None:
    weights.folder().mkdir(parents=True)
    for file in files:
        (weights.folder() / file).write_bytes(gguf())


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN, encoding="utf-8")
    put_weights(weights.SMOLLM2.file, "Qwen-1.5B.gguf")
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    monkeypatch.setattr(server, "_command", lambda path, address: [sys.executable, str(script), address.rpartition(":")[2]])
    monkeypatch.setattr(server, "_servers", {})
    yield
    server.stop_all()


def test_without_the_weights_the_error_says_how_to_install_them() -> None:
    assert catalogue.installed_local() == []
    with pytest.raises(BadOptions, match="make local-model"):
        catalogue.open_model(catalogue.LOCAL)
    with pytest.raises(BadOptions, match="'local/other' is not on this machine, which has none yet: put its GGUF file") as found:
        catalogue.open_model("local/other")
    assert "make" not in str(found.value)  # that brings another model
    with pytest.raises(BadOptions, match=r"'make local-model MODEL=qwen2\.5-coder-1\.5b' once"):
        catalogue.open_model("local/qwen2.5-coder-1.5b-instruct-q4_k_m")
    assert [catalogue.is_here(one) for one in (catalogue.OFFLINE, catalogue.LOCAL, "gpt-4o")] == [True, False, True]


def test_every_file_of_weights_is_a_model_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    put_weights("qwen-1.5b.gguf", weights.SMOLLM2.file, "notes.txt", "half.gguf.part")
    monkeypatch.setattr(weights, "has_llama", lambda: False)
    assert catalogue.installed_local() == []  # without llama.cpp they are of no use
    with pytest.raises(BadOptions, match=r"the weights of 'local/smollm2' are here, but llama.cpp is not installed"):
        catalogue.open_model(catalogue.LOCAL)
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    assert catalogue.installed_local() == [catalogue.LOCAL, "local/qwen-1.5b"]
    with pytest.raises(BadOptions, match=r"which has 'local/smollm2', 'local/qwen-1.5b': put its GGUF file into"):
        catalogue.open_model("local/../qwen-1.5b")


def test_a_known_model_goes_by_its_id_and_by_the_name_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    known = weights.KNOWN[1]
    with pytest.raises(BadOptions, match=f"'{known.id}' is not on this machine: run '{known.command}' once"):
        weights.find(known.id)
    put_weights(known.file)
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    by_file = f"local/{Path(known.file).stem}"
    assert weights.find(by_file) == weights.find(known.id)
    assert catalogue.title(by_file) == catalogue.title(known.id) == f"{known.title} (local)"


def test_every_known_model_can_be_told_from_the_others() -> None:
    for field in ("name", "file", "sha256", "title"):
        assert len({getattr(one, field) for one in weights.KNOWN}) == len(weights.KNOWN)
    assert {len(bytes.fromhex(one.sha256)) for one in weights.KNOWN} == {32}


def test_a_file_that_is_no_weights_is_not_offered_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    put_weights("good.gguf")
    (weights.folder() / "bad.gguf").write_bytes(b"an error page")
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    assert catalogue.installed_local() == ["local/good"]
    assert [one.name for one in weights.files() if weights.problem_with(one)] == ["bad"]
    with pytest.raises(BadFile, match=r"'bad.gguf' is not a complete GGUF file"):
        catalogue.open_model("local/bad")


def test_the_window_is_the_models_own_where_it_is_smaller_than_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    put_weights("large.gguf")
    for name, tokens in (("small", 2048), ("huge", 131_072)):
        (weights.folder() / f"{name}.gguf").write_bytes(gguf({**LLAMA, "llama.context_length": tokens}))
    monkeypatch.setattr(weights, "has_llama", lambda: True)
    assert [weights.find(f"local/{name}").served_window for name in ("small", "large", "huge")] == [2048, 8192, 8192]
    assert catalogue.window_for("local/small") == 1792
    small, large = weights.find("local/small"), weights.find("local/large")
    assert large.memory_needed - small.memory_needed == 2 * (8192 - 2048) * small.header.cache_bytes


def test_it_has_a_title_and_a_window() -> None:
    assert catalogue.title(catalogue.LOCAL) == "SmolLM2-135M (local)"
    assert catalogue.title("local/qwen-1.5b") == "qwen-1.5b (local)"
    assert catalogue.window_for(catalogue.LOCAL) == catalogue.window_for("local/qwen-1.5b") == 7168


@pytest.mark.usefixtures("stand_in")
@pytest.mark.slow  # loads litellm
def test_two_models_have_a_server_each() -> None:
    first = catalogue.open_model(catalogue.LOCAL).complete(call()).text
    other = catalogue.open_model("local/Qwen-1.5B").complete(call()).text
    assert first.partition(" in ")[0] == "smollm2"
    assert other.partition(" in ")[0] == "Qwen-1.5B"
    assert first.partition(" in ")[2] != other.partition(" in ")[2]


@pytest.mark.usefixtures("stand_in")
@pytest.mark.slow  # loads litellm
def test_the_server_starts_with_the_first_call_and_can_be_stopped() -> None:
    model = catalogue.open_model(catalogue.LOCAL)
    assert server.running_server(smollm2()) is None
    assert server.memory_bytes(smollm2()) is None
    reply = model.complete(call())
    assert reply.text.startswith("smollm2 in ")
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == (7, 3, 0.0)
    assert server.running_server(smollm2())
    assert (server.memory_bytes(smollm2()) or 0) > 1_000_000
    pid = int(reply.text.rpartition(" ")[2])
    assert model.complete(call()).text == reply.text
    server.stop_all()
    until_gone(pid)
    assert server.running_server(smollm2()) is None


@pytest.mark.usefixtures("stand_in")
@pytest.mark.slow  # loads litellm
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
@pytest.mark.slow  # loads litellm
def test_a_dead_server_is_restarted() -> None:
    model = Retry(catalogue.open_model(catalogue.LOCAL))  # as in every reading: a call may find the server dying
    first = model.complete(call()).text
    psutil.Process(int(first.rpartition(" ")[2])).kill()
    until_gone(int(first.rpartition(" ")[2]))
    assert model.complete(call()).text != first


@pytest.mark.usefixtures("stand_in")
@pytest.mark.slow  # loads litellm
def test_an_error_names_the_model_by_its_own_id() -> None:
    with pytest.raises(ModelFailed, match=r"'local/smollm2' gave no reply: not like this") as caught:
        catalogue.open_model(catalogue.LOCAL).complete(call("refuse"))
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.usefixtures("stand_in")
def test_if_the_server_does_not_start_the_error_names_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    dies = [sys.executable, "-c", "raise SystemExit('no such processor')"]
    monkeypatch.setattr(server, "_command", lambda path, address: dies)
    with pytest.raises(ModelFailed, match=r"did not start.*server\.log"):
        server.ensure_running(smollm2())
    assert "no such processor" in (weights.folder() / "server.log").read_text()


@pytest.mark.usefixtures("stand_in")
@pytest.mark.slow  # loads litellm
def test_a_reading_stores_the_model_id_but_no_port_or_key(store: Store, own_home: Path) -> None:
    reader = MemWalker()
    spec = RunSpec("memwalker", reader.version, "Where?", model=catalogue.LOCAL, window=7168, options={"segment_tokens": 64})
    run = create_run(store, parts_of(2), reader, spec)
    done = execute(store, run.id, reader, Execution(catalogue.open_model(catalogue.LOCAL)))
    assert (done.spec["model"], done.spec["api_base"]) == (catalogue.LOCAL, None)
    records = store.runs.tape(run.id).records()
    assert {record.model for record in records} == {catalogue.LOCAL}
    running = server.running_server(smollm2())
    assert running
    kept = b"".join(path.read_bytes() for path in own_home.rglob("*") if path.is_file())
    assert running.key.encode() not in kept
    assert running.address.encode() not in kept


@pytest.mark.slow
def test_the_server_ends_with_its_parent_however_that_ends(tmp_path: Path) -> None:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN, encoding="utf-8")
    owner = f"""
import os, sys
from pathlib import Path
from readers.engine.models.local import server
from readers.engine.models.local.weights import LocalWeights
server._command = lambda path, address: [sys.executable, {str(script)!r}, address.rpartition(":")[2]]
print(server.ensure_running(LocalWeights("x", "X", Path("x.gguf"))).process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", owner], capture_output=True, text=True, cwd=ROOT, timeout=60)
    until_gone(int(done.stdout))


REAL = Path(os.environ.get("PALIMPSEST_HOME", "")) / "models"  # before a test replaces it


@pytest.mark.skipif(not (REAL / weights.SMOLLM2.file).is_file(), reason="the weights were not fetched (make local-model)")
def test_the_real_model_replies(own_home: Path) -> None:
    own_home.mkdir(parents=True)
    (own_home / "models").symlink_to(REAL)
    if catalogue.LOCAL not in catalogue.installed_local():
        pytest.skip("llama.cpp is not installed (make local-model)")
    try:
        reply = catalogue.open_model(catalogue.LOCAL).complete(call())
        assert reply.text.strip()
        assert (reply.tokens_in or 0) > 5
        many = Document.of("The keeper lit the lamp. " * 600)
        assert catalogue.open_model(catalogue.LOCAL).complete(call(many.text)).text
    finally:
        server.stop_all()
