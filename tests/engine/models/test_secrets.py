"""A key appears nowhere: these tests search for a marker key in everything a reading leaves behind, after success and failure.

The server echoes the key wherever a server can: in a response header, in an error message, in the text of a reply.
A new place to search (a page, an export) is one more entry for `assert_nowhere`.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from traceback import TracebackException

import pytest

from readers.cli import main
from readers.engine.errors import ModelFailed
from readers.engine.files.runs.run_file import run_file
from readers.engine.models import model as models
from readers.engine.models.call import Call, ModelSettings
from readers.engine.models.model import LiteLLM, Retry
from readers.engine.models.similarity import SCORE, WithScores
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.run.execute import Execution, RunSpec, create_run, execute
from readers.engine.store import Store
from readers.engine.text.document import Document, Text
from readers.memwalker import MemWalker
from tests.support.paths import ROOT
from tests.support.servers.model_server import (
    Answer,
    ModelServer,
    Request,
    Script,
    completion,
    failure,
    memwalker_reply,
    replying,
)

pytestmark = pytest.mark.slow  # loads litellm

KEY = "sk-marker-5b1e09c7d3f846a2-and-its-end"
READER = MemWalker()
STORY = "\n\n".join(f"In part {n} the keeper climbed the stairs, lit the lamp and wrote it in her book." for n in range(4))
ANY = Prompt(id="test.any", task="answer", template="Say something about $what.")

telling = replying(lambda words: memwalker_reply(words).replace("keeper", f"keeper of {KEY}"))

SCRIPTS: dict[str, Script] = {
    "all is well": replying(memwalker_reply),
    "the replies hold it": telling,
    "401": lambda request: failure(401, f"Incorrect API key provided: {KEY}. You can find yours on the web."),
    "400": lambda request: failure(400, f"no such model for {KEY}"),
    "429": lambda request: failure(429, f"{KEY} asks too often"),
    "500": lambda request: failure(500, f"cannot read {KEY}"),
    "bad JSON": lambda request: Answer(f'{{"key": "{KEY}'.encode()),
    "a web page": lambda request: Answer(f"<html>{KEY}</html>".encode(), headers={"Content-Type": "text/html"}),
    "choices that are none": lambda request: Answer({**completion("x"), "choices": KEY}),
    "text that is none": lambda request: Answer(completion([{"type": "text", "text": KEY}])),  # type: ignore[arg-type]
    "no text": lambda request: Answer({**completion(None), "id": KEY, "model": KEY}),
    "tokens that are none": lambda request: Answer({**completion("x"), "usage": {"prompt_tokens": KEY}}),
    "the connection closes": lambda request: Answer(then="close"),
}
SUCCEED = ("all is well", "the replies hold it")


@pytest.fixture(autouse=True)
def listening(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """No waiting, and everything logged at any level is captured."""
    monkeypatch.setattr(models, "FIRST_WAIT", 0.0)
    caplog.set_level(logging.DEBUG)


# The key of the environment goes the same way from the first call on: it is tried with what succeeds, and with one refusal.
every_script_and_both_keys = pytest.mark.parametrize(
    ("name", "model"),
    [(name, "given to the model") for name in SCRIPTS] + [(name, "in the environment") for name in (*SUCCEED, "401")],
    indirect=["model"],
)


@pytest.fixture(params=["given to the model", "in the environment"])
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> LiteLLM:
    if request.param == "given to the model":
        return LiteLLM(KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return LiteLLM()


@pytest.fixture(autouse=True)
def own_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment's key is sent to the server that the environment names, and that is each test's."""
    enter = ModelServer.__enter__

    def entered(server: ModelServer) -> ModelServer:
        monkeypatch.setenv("OPENAI_API_BASE", server.base_url)
        return enter(server)

    monkeypatch.setattr(ModelServer, "__enter__", entered)


def echoing(script: Script) -> Script:
    """The same script, adding the key from the request header to every answer."""

    def echo(request: Request) -> Answer:
        assert KEY in request.headers["authorization"]
        answer = script(request)
        return Answer(
            answer.body, answer.status, {**answer.headers, "X-Your-Key": KEY, "Set-Cookie": f"key={KEY}"}, then=answer.then
        )

    return echo


def assert_nowhere(places: Mapping[str, str | bytes]) -> None:
    """Assert that neither the key nor either end of it occurs in any of these places."""
    for place, content in places.items():
        found = content if isinstance(content, str) else content.decode("utf-8", "replace")
        for part in (KEY[:14], KEY[-14:]):
            assert part not in found, f"{place}: …{found[max(0, found.index(part) - 200) :][:400]}…"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def chain(error: BaseException) -> Iterator[str]:
    """Tracebacks with all local variables, of an error and of its whole chain of causes, without the test's own frame."""
    yield repr(error)
    own = error.__traceback__
    while own and own.tb_frame.f_code.co_filename == __file__:
        own = own.tb_next
    yield "".join(TracebackException(type(error), error, own, capture_locals=True).format())
    for before in (error.__cause__, error.__context__):
        if before is not None:
            yield from chain(before)


@every_script_and_both_keys
def test_after_a_reading_the_key_is_in_no_file_log_output_error_or_export(
    name: str, model: LiteLLM, store: Store, own_home: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(echoing(SCRIPTS[name])) as server:
        spec = RunSpec(
            READER.id,
            READER.version,
            "Who lit the lamp?",
            model="openai/test",
            api_base=server.base_url,
            options={"segment_tokens": 32},
        )
        run = create_run(store, Document.of(STORY), READER, spec)
        how = Execution(model, api_key=model.api_key, concurrency=2)
        done = execute(store, run.id, READER, how)
        assert server.requests
    assert done.status == ("finished" if name in SUCCEED else "failed")
    captured = capfd.readouterr()
    assert_nowhere(
        {
            **files(own_home),
            "log": caplog.text,
            "standard output": captured.out,
            "standard error": captured.err,
            "reading": repr(done),
            "records": repr(store.runs.tape(run.id).records()),
            "run file": json.dumps(run_file(store, run.id, READER)),
            "model": repr(model) + str(how),
        }
    )


def test_a_key_in_a_reply_is_redacted_before_the_reply_is_parsed(model: LiteLLM, store: Store) -> None:
    with ModelServer(echoing(telling)) as server:
        spec = RunSpec(
            READER.id, READER.version, "Who?", model="openai/test", api_base=server.base_url, options={"segment_tokens": 32}
        )
        run = create_run(store, Document.of(STORY), READER, spec)
        done = execute(store, run.id, READER, Execution(model))
    assert "keeper of [key]" in str(done.answer)
    assert all(
        "keeper of [key]" in str(record.reply) for record in store.runs.tape(run.id).records() if record.task == "summarise"
    )


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in SUCCEED])
def test_no_traceback_contains_the_key_even_with_all_local_variables(name: str, model: LiteLLM) -> None:
    with ModelServer(echoing(SCRIPTS[name])) as server:
        asked = Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings("openai/test", server.base_url))
        with pytest.raises(ModelFailed) as caught:
            Retry(model).complete(asked)
        assert_nowhere(dict(enumerate_places(chain(caught.value))))
        parts = (Part("query", (Text("lamps"),)), Part("texts", (Text("oil"), Text("wick"))))
        scored = Call(0, 0, SCORE, parts, ModelSettings("embedding/openai/test", server.base_url))
        with pytest.raises(ModelFailed) as caught:
            Retry(WithScores(model, model.api_key)).complete(scored)
        assert_nowhere(dict(enumerate_places(chain(caught.value))))


def enumerate_places(texts: Iterator[str]) -> Iterator[tuple[str, str]]:
    return ((f"error {number}", text) for number, text in enumerate(texts))


@pytest.mark.parametrize("before", range(380, 620, 12))
def test_a_long_error_is_not_cut_in_the_middle_of_the_key(before: int) -> None:
    with ModelServer(lambda request: failure(400, "x" * before + KEY)) as server:
        asked = Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings("openai/test", server.base_url))
        with pytest.raises(ModelFailed) as caught:
            LiteLLM(KEY).complete(asked)
    assert_nowhere({"error": str(caught.value)})


@pytest.mark.parametrize("pasted", [f"{KEY}\n", f"{KEY}\r\n", f" {KEY} ", f"{KEY}…", f"{KEY}\0", f"{KEY}\nX-Other: 1"])
def test_a_badly_pasted_key_is_in_no_error(pasted: str, caplog: pytest.LogCaptureFixture) -> None:
    with ModelServer(lambda request: failure(401, f"not good: {request.headers['authorization']}")) as server:
        asked = Call(0, 0, ANY, (Part("what", (Text("lamps"),)),), ModelSettings("openai/test", server.base_url))
        with pytest.raises(ModelFailed) as caught:
            Retry(LiteLLM(pasted)).complete(asked)
    assert_nowhere({**dict(enumerate_places(chain(caught.value))), "log": caplog.text})


def test_the_output_of_the_command_line_contains_no_key(
    tmp_path: Path,
    own_home: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    with ModelServer(echoing(telling)) as server:
        where = [
            "--model",
            "openai/test",
            "--api-base",
            server.base_url,
            "--set",
            "segment_tokens=32",
            "--json",
            str(tmp_path / "out.json"),
        ]
        assert main(["read", str(tmp_path / "story.txt"), "--question", "Who lit the lamp?", *where]) == 0
        assert server.requests
    with Store() as store:
        run_id = store.runs.listed()[0].id
    for command in (["show", run_id], ["export", run_id], ["runs", "--json"], ["models"], ["doctor"]):
        assert main(command) == 0
    captured = capfd.readouterr()
    assert_nowhere(
        {**files(tmp_path), **files(own_home), "log": caplog.text, "output": captured.out, "error output": captured.err}
    )


@pytest.mark.slow
def test_a_process_that_logs_everything_logs_no_key(tmp_path: Path, own_home: Path, store: Store) -> None:
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    with ModelServer(echoing(SCRIPTS["401"])) as server:
        where = ["--model", "openai/test", "--api-base", server.base_url, "--set", "segment_tokens=32"]
        done = subprocess.run(
            [sys.executable, "-m", "readers", "read", str(tmp_path / "story.txt"), "--question", "Who lit the lamp?", *where],
            env={**os.environ, "OPENAI_API_KEY": KEY, "LITELLM_LOG": "DEBUG", "OPENAI_LOG": "debug", "HTTPX_LOG_LEVEL": "debug"},
            cwd=ROOT,
            capture_output=True,
            timeout=120,
        )
        assert server.requests
    assert done.returncode == 1
    assert b"OPENAI_API_KEY" in done.stderr
    assert_nowhere({**files(own_home), "output": done.stdout, "error output": done.stderr})


def test_the_search_finds_a_key_where_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "db").write_bytes(b"\0\xff" + KEY.encode())
    for places in (files(tmp_path), {"log": f"Bearer {KEY[:20]}"}, {"log": KEY[10:]}):
        with pytest.raises(AssertionError):
            assert_nowhere(places)
