"""`watch`: a command is a reading, however it ends; the answer is where the command line says; the example of the docs runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from readers.cli.watch.program import AnswerRule, Program, environment, named
from readers.engine.errors import BadOptions
from readers.engine.record.events import Asked
from readers.engine.run import batches
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Span
from readers.observed.calls import ObservedCall
from tests.support.command_line import run
from tests.support.paths import ROOT

QUESTION = "What animal does the harbour master keep?"
PROGRAM = """
import json, os, sys, urllib.request
text, question = open(sys.argv[1]).read(), sys.argv[2]
def ask(words):
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": words}]}).encode()
    head = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, head)
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
notes = ask("Take notes.\\n\\n" + text)
print("Answer:", ask(notes + "\\n\\n" + question), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def only_run() -> tuple[str, str, str | None, str | None, str | None]:
    with Store() as store:
        [found] = store.runs.listed()
    return found.id, found.status, found.outcome, found.answer, found.error


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["last", r"Answer: (.*)", "stdout", "answer.txt"])
def test_a_command_is_a_reading(
    text: Path, program: Path, answer: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(text.parent)
    Path("answer.txt").write_text("a grey parrot\n", encoding="utf-8")
    command = ("--", sys.executable, program, text, QUESTION)
    assert run("watch", text, "--question", QUESTION, "--answer", answer, *command) == 0
    run_id, status, outcome, found, _ = only_run()
    assert (status, outcome) == ("finished", "answered")
    said = "The harbour master keeps a grey parrot called Doris."
    assert found == {"stdout": f"Answer: {said}", "answer.txt": "a grey parrot"}.get(answer, said)
    assert f"Answer: {said}" in capfd.readouterr().out  # what the program prints is seen
    assert run("show", run_id) == 0
    assert f"{QUESTION}\nprogram.py · recorded · " in capfd.readouterr().out
    with Store() as store:
        reading = open_reading(store, run_id)
    assert reading.trace.spans_shown(0) == (Span(0, len(reading.document.text)),)
    assert len([event for event in reading.trace.events if isinstance(event, Asked)]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("after", "why"),
    [
        ("sys.exit(3)", "the program ended with exit status 3"),
        ("os.kill(os.getpid(), 9)", "the program was ended by the signal SIGKILL"),
    ],
)
def test_a_program_that_does_not_end_well_leaves_what_was_recorded(text: Path, program: Path, after: str, why: str) -> None:
    program.write_text(f"{PROGRAM}\n{after}", encoding="utf-8")
    command = ("--", sys.executable, program, text, QUESTION)
    assert run("watch", text, "--question", QUESTION, *command) == 3
    run_id, status, outcome, _, error = only_run()
    assert (status, outcome, error) == ("finished", "no_answer", why)
    with Store() as store:
        assert len(store.runs.tape(run_id).records()) == 2


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python3.11 -u program.py --key sk-secret", "program.py"),
        ("python -m their.agent sk-secret", "their.agent"),
        ("python -c print() sk-secret", "python"),
        ("/opt/agents/read program.py sk-secret", "read"),
        ("python missing.py sk-secret", "python"),
        ("python -m", "python"),
        ("", ""),
    ],
)
def test_a_program_is_called_by_its_file_and_by_nothing_that_it_is_given(
    program: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str
) -> None:
    monkeypatch.chdir(program.parent)
    assert named(command.split()) == name


@pytest.mark.slow
def test_a_question_set_becomes_a_batch_that_is_graded(
    text: Path, program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = text.read_text(encoding="utf-8")
    known = [(QUESTION, "a grey parrot called Doris"), ("When does the ferry leave?", "noon")]
    lines = [json.dumps({"text": words, "question": question, "answers": [answer]}) for question, answer in known]
    (tmp_path / "set.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run("questions", "import", tmp_path / "set.jsonl", "--name", "ferry") == 0
    command = ("--", sys.executable, program, "{text}", "{question}")
    assert run("watch", "--questions", "ferry", *command) == 0
    batch = re.search(r"evaluate (\w+)", capfd.readouterr().out)
    assert batch
    assert run("evaluate", batch[1]) == 0
    assert "Observed program" in capfd.readouterr().out
    with Store() as store:
        grades = [one.grade and one.grade.outcome for one in batches.results(store, store.batches.get(batch[1]))]
    assert grades == ["correct", "correct"]


def test_a_batch_needs_a_place_for_the_question(text: Path) -> None:
    assert run("watch", "--questions", "ferry", "--", "true") == 2


def test_a_program_that_never_ends_is_ended(text: Path) -> None:
    command = ("--", sys.executable, "-c", "import time; time.sleep(600)")
    assert run("watch", text, "--question", QUESTION, "--minutes", "0.005", *command) == 3
    assert only_run()[4] == "the program had not ended after 0.005 minutes, and was ended"


def test_a_command_that_is_not_there_is_refused(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("watch", text, "--question", QUESTION, "--", "no_such_program") == 2
    assert "cannot be started: No such file" in capsys.readouterr().err


def test_a_second_one_on_the_same_port_is_refused(text: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run("watch", text, "--question", QUESTION, "--port", port, "--", "true") == 2
    assert f"port {port} cannot be used" in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["Answer: (", "(?:no group)"])
def test_a_pattern_that_finds_nothing_is_refused(text: Path, answer: str) -> None:
    assert run("watch", text, "--question", QUESTION, "--answer", answer, "--", "true") == 2


def test_why_no_call_was_answered_is_why_there_is_no_answer() -> None:
    failed = ObservedCall(0, 1, (), "", error="127.0.0.1 could not be reached")
    with pytest.raises(BadOptions, match=r"the model gave no reply: 127\.0\.0\.1 could not be reached"):
        AnswerRule("last").find([failed], "")


@pytest.mark.parametrize("answer", ["last", "(A .*)"])
def test_the_thoughts_in_the_last_reply_are_no_part_of_the_answer(answer: str) -> None:
    last = ObservedCall(0, 1, (), "<think>A cat?</think>A heron")
    assert AnswerRule(answer).find([last], "") == "A heron"


def test_the_environment_leads_to_the_server_and_keeps_keys() -> None:
    made = environment("http://127.0.0.1:1", {"OPENAI_API_KEY": "k", "NO_PROXY": "a"}, needs_key=True)
    assert made == {
        "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_BASE": "http://127.0.0.1:1/v1",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "NO_PROXY": "a,127.0.0.1", "no_proxy": "127.0.0.1",
    }  # fmt: skip
    assert "no key" in environment("http://127.0.0.1:1", {}, needs_key=False)["OPENAI_API_KEY"]


@pytest.mark.slow
def test_who_calls_an_open_port_is_recorded_until_ctrl_c_and_after_a_kill(text: Path, program: Path) -> None:
    """An interrupt ends the reading with its last reply, as does who asks on its page or asks the process to end; a kill leaves
    it interrupted, with all its calls."""
    ways = ((signal.SIGINT, "finished"), (signal.SIGTERM, "finished"), (None, "finished"), (signal.SIGKILL, "interrupted"))
    for number, (stop, status) in enumerate(ways, 1):
        watch = subprocess.Popen(
            [sys.executable, "-m", "readers", "watch", text, "--question", QUESTION],
            cwd=ROOT, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert watch.stderr is not None
        line = next(line for line in watch.stderr if "Base URL" in line)
        base = line.split()[2]
        env = {**os.environ, "OPENAI_BASE_URL": base, "OPENAI_API_KEY": "k"}
        subprocess.run([sys.executable, program, text, QUESTION], env=env, check=True, capture_output=True)
        with Store() as store:
            until = time.monotonic() + 60
            while len(found := store.runs.listed()) < number or len(store.runs.tape(found[0].id).records()) < 2:
                assert time.monotonic() < until
                time.sleep(0.05)
            if stop is None:
                store.runs.cancel(store.runs.listed()[0].id)
                while store.runs.listed()[0].status != "finished":
                    assert time.monotonic() < until
                    time.sleep(0.05)
            watch.send_signal(stop or signal.SIGINT)
            watch.communicate(timeout=60)
            ended = store.runs.listed()[0]
            assert ended.status == status
            assert len(store.runs.tape(ended.id).records()) == 2


def test_a_program_is_waited_for_until_its_reading_is_to_end() -> None:
    program = Program((sys.executable, "-c", "import time; time.sleep(60)"), "http://127.0.0.1:1", needs_key=False)
    with pytest.raises(KeyboardInterrupt):
        program.wait(None, ends=lambda: True)
    program.end()


@pytest.mark.slow
def test_the_example_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/watch.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(example.splitlines()) <= 15
    command = re.search(r"^    (python -m readers watch .*? python agent\.py.*)$", page, re.M)
    assert command
    monkeypatch.chdir(tmp_path)
    Path("agent.py").write_text(example, encoding="utf-8")
    Path("story.txt").write_text((ROOT / "assets/samples/the_lamp_at_carrow_point.txt").read_text(encoding="utf-8"), "utf-8")

    words = [sys.executable if word == "python" else word for word in shlex.split(command[1])[3:]]
    assert run(*words) == 0
    run_id, status, outcome, answer, _ = only_run()
    assert (status, outcome) == ("finished", "answered")
    assert answer
    assert answer in capfd.readouterr().out
    with Store() as store:
        reading = open_reading(store, run_id)
    seen = sum(end - start for start, end in {span for seq in reading.trace.asked for span in reading.trace.spans_shown(seq)})
    assert seen >= 0.99 * len(reading.document.text)
