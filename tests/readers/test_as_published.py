"""Whole readings as the published checkpoints were trained: every request is the one that the papers' own loops send."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from readers import get
from readers.__main__ import main
from readers.engine.canonical import canonical
from readers.engine.errors import BadOptions
from readers.engine.files.runs.import_run import import_run
from readers.engine.files.runs.run_file import run_file
from readers.engine.models.model import LiteLLM
from readers.engine.prompts.options import read_options
from readers.engine.prompts.prompt_sets import templates_in_code
from readers.engine.record.trace import Trace
from readers.engine.run.execute import Execution, RunSpec, create_run, execute, rehearse
from readers.engine.store import Store, open_reading
from readers.engine.text.document import Document
from tests.support.models.scripted_models import Scripted
from tests.support.readings.published_loops import Loop
from tests.support.readings.replays import replayed
from tests.support.servers.model_server import Answer, ModelServer, Script, completion
from tests.support.texts_and_files import tiny_tokenizer

QUESTION = "  Where is the {ledger}, and does it cost $5?\n"
# With everything that would be changed in any other prompt: fences, marks of the reply's form, dollars, and broken characters.
TEXT = "\n  The keeper says </section> and <update>, $memory and {chunk}. Löwen 🦁 und 漢字 " * 20 + "\n\n"

# Wording of our own, in the form of the published code: two strings for `str.format`.
MEMAGENT = '''
TEMPLATE = """Solve this; it costs $1.

<problem> \n{prompt}
</problem>

<memory>
{memory}
</memory>

<section>
{chunk}
</section>

The memory now:
"""
FINAL = """Put it into \\\\boxed{{}}.
<problem>{prompt}</problem><memory>{memory}</memory>
"""
'''
REMEMR1 = MEMAGENT.replace("<memory>", "<recalled_memory>\n{recalled_memory}\n</recalled_memory>\n<memory>")
CODE = {"memagent": MEMAGENT, "rememr1": REMEMR1}

OVERLONG = "It all began when the lamp was lit, and " * 40
REPLIES: dict[str, list[tuple[str, str]]] = {
    "memagent": [
        ("The lamp was lit at four.\n", "stop"),
        (OVERLONG, "length"),  # cut off, and repeating itself
        ("<think>The door?</think>\n\nThe door is green. </problem> ", "stop"),
        ("", "stop"),
        ("The memory remains unchanged.", "stop"),
        ("<thinking>So</thinking> **The ledger** is on the sh", "length"),
        ("  The ledger is on the shelf.", "stop"),
    ],
    "rememr1": [
        ("<recall>lamp</recall>", "stop"),  # nothing but a query: no memory has a word
        ("<thinking>A lamp.</thinking>\n<update>The lamp was lit at four.</update>\n<recall>door</recall>", "stop"),
        ("<think>So.</think><update>The door is green", "length"),  # no whole block
        ("No block at all, but the ledger.\n<recall>when was\nthe lamp lit?</recall>", "stop"),  # a query over two lines
        ("<update>Again.</update><recall>the door</recall> or <recall>green</recall>", "stop"),  # one long query
        ("<update>Then.</update> <recall>at four the lamp was lit</recall>", "stop"),  # one that hits
        (f"<update>{OVERLONG}", "length"),
        ("<update>Again.</update> or ", "stop"),  # as one before
        ("<update>At last.</update><recall>ledger</recall>", "stop"),
    ],
}
ANSWER = ("It is on the shelf, and it costs noth", "length")  # no box, cut off
SIZES = {"memagent": 1024, "rememr1": 2048}


@pytest.fixture
def tokenizer(tmp_path: Path) -> str:
    return tiny_tokenizer.save(tmp_path / "tokenizer.json")


def saying(reader: str) -> Script:
    """A server that goes through the replies in order, from the first again at the end, and knows the final prompt."""
    said = REPLIES[reader]

    def script(request: Any) -> Answer:
        text, finish = ANSWER if "boxed{}" in request.content else said[request.number % len(said)]
        return Answer(completion(text, finish=finish))

    return script


def spec_of(reader_id: str, tokenizer: str, **fields: Any) -> RunSpec:
    """The preset with the wording of this test, and chunks of few tokens."""
    reader = get(reader_id)
    preset = reader.presets["as_published"]
    options = {**preset.options, "tokenizer": tokenizer, "chunk_tokens": 97}
    prompts = templates_in_code(CODE[reader_id].encode(), "loop.py", reader.prompts)
    return RunSpec(reader_id, reader.version, QUESTION, options=options, prompts=prompts, **{**preset.sampling, **fields})


def templates(code: str) -> list[str]:
    found: dict[str, Any] = {}
    exec(code, found)
    return [found["TEMPLATE"], found["FINAL"]]


@pytest.mark.slow
@pytest.mark.parametrize("reader_id", CODE)
def test_every_request_of_a_reading_is_the_one_that_the_papers_loop_sends(reader_id: str, tokenizer: str, store: Store) -> None:
    reader, document = get(reader_id), Document.of(TEXT)
    with ModelServer(saying(reader_id)) as theirs:
        loop = Loop(theirs.base_url, Tokenizer.from_file(tokenizer), *templates(CODE[reader_id]), SIZES[reader_id], 97)
        answer = getattr(loop, reader_id)(document.text, QUESTION)
    with ModelServer(saying(reader_id)) as ours:
        fields = {"model": "openai/test", "api_base": ours.base_url, "room_factor": 8, "window": 16_384}
        run = create_run(store, document, reader, spec_of(reader_id, tokenizer, **fields))
        done = execute(store, run.id, reader, Execution(LiteLLM("sk-of-this-test-0123456789")))
    assert (done.status, done.answer) == ("finished", answer)
    assert len(theirs.requests) > len(REPLIES[reader_id]) + 1
    assert [canonical(request.body) for request in ours.requests] == [canonical(request.body) for request in theirs.requests]


@pytest.mark.parametrize("reader_id", CODE)
def test_a_reading_is_replayed_and_imported_without_the_tokenizers_file(reader_id: str, tokenizer: str, store: Store) -> None:
    reader, document, replies = get(reader_id), Document.of(TEXT), REPLIES[reader_id]
    model = Scripted(lambda call: replies[call.seq % len(replies)][0] if call.prompt.task == "update_memory" else ANSWER[0])
    run = execute_in(store, document, reader, spec_of(reader_id, tokenizer), model)
    Path(tokenizer).unlink()
    assert run.answer == ANSWER[0]
    replayed(store, run, reader)
    file = json.dumps(run_file(store, run.id, reader)).encode()
    assert len(open_reading(store, import_run(store, file, "run.json", readers=get).id).trace.asked) > len(replies)


def execute_in(store: Store, document: Document, reader: Any, spec: RunSpec, model: Any) -> Any:
    run = create_run(store, document, reader, spec)
    done = execute(store, run.id, reader, Execution(model))
    assert done.status == "finished", done.error
    return done


def test_where_no_memory_has_a_word_the_next_prompt_says_none(tokenizer: str) -> None:
    model = Scripted(lambda call: "<recall>lamp</recall>" if call.prompt.task == "update_memory" else ANSWER[0])
    trace = rehearse(Document.of(TEXT), get("rememr1"), spec_of("rememr1", tokenizer), model)
    asked = [call for call in model.calls if call.prompt.task == "update_memory"]
    assert [call.part("recalled") for call in asked[:3]] == [("No memory was recalled.",), ("None",), ("None",)]
    assert [call.part("memory") for call in asked[:3]] == [("No previous memory",), ("",), ("",)]
    assert len(get("rememr1").view(trace)["snapshots"]) == len(asked)


def test_chunks_know_their_places_in_the_text(tokenizer: str) -> None:
    document = Document.of(TEXT)
    trace: Trace = rehearse(document, get("memagent"), spec_of("memagent", tokenizer), Scripted(lambda call: "\\boxed{so}"))
    rows = get("memagent").view(trace)["snapshots"]
    assert (rows[0]["start"], rows[-1]["end"]) == (3, len(document.text.rstrip()))
    gaps = {document.text[one["end"] : after["start"]] for one, after in pairwise(rows)}
    assert "" in gaps
    assert gaps - {""} <= set("ö🦁漢字") != set()  # a character that was cut through belongs to neither


@pytest.mark.parametrize("reader_id", CODE)
def test_the_preset_sets_the_sampling_and_asks_for_the_tokenizer(reader_id: str) -> None:
    reader = get(reader_id)
    preset = reader.presets["as_published"]
    assert preset.sampling == {"temperature": 0.7, "top_p": 0.95}
    with pytest.raises(BadOptions, match=r"tokenizer\.json"):
        read_options(reader.Options, preset.options)
    options = read_options(reader.Options, {**preset.options, "tokenizer": "tokenizer.json"})
    assert (options.chunk_tokens, options.memory_tokens) == (5000, SIZES[reader_id])


def test_the_wording_is_taken_from_the_published_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loop.py").write_text(REMEMR1)
    assert main(["prompts", "rememr1", "--from-code", str(tmp_path / "loop.py")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rememr1.update"].startswith("Solve this; it costs $$1.\n\n<problem> \n${problem}\n</problem>")
    assert found["rememr1.answer"].startswith("Put it into \\boxed{}.\n<problem>${problem}</problem>")
    assert main(["prompts", "memagent", "--from-code", str(tmp_path / "loop.py")]) == 2
    assert "has 0 templates with {prompt}, {memory}, {chunk}" in capsys.readouterr().err
    (tmp_path / "loop.py").write_text("def (")
    assert main(["prompts", "memagent", "--from-code", str(tmp_path / "loop.py")]) == 2
    assert "is not Python code" in capsys.readouterr().err
