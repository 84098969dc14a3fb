"""Question sets and batches on the command line: exit statuses, what goes where, and going on after Ctrl+C."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from readers import get
from readers.cli import question_sets, workers
from readers.engine.run import batches
from readers.engine.run.part_sizes import TextLength, suited
from readers.engine.store import Store
from readers.engine.text.document import Document
from tests.support.command_line import run
from tests.support.paths import LAMP, ROOT
from tests.support.texts_and_files import tiny_tokenizer

TEXT = "The ferry leaves at noon.\n\nThe harbour master keeps a grey parrot called Doris.\n\nNobody rows."


def said(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    out, err = capsys.readouterr()
    return out, err


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    (tmp_path / "ferry.txt").write_text(TEXT, encoding="utf-8")
    rows = [
        {
            "file": "ferry.txt",
            "title": "Ferry",
            "id": "a",
            "question": "What is the parrot called?",
            "answer": "Doris",
            "kind": "=fact",
            "evidence": ["The harbour master keeps a grey parrot called Doris."],
        },
        {"title": "Ferry", "id": "b", "question": "When does the ferry leave?", "answer": "at noon"},
        {"title": "Ferry", "id": "c", "question": "Which zeppelin bombarded Antwerp?", "answer": None, "answerable": False},
    ]
    path = tmp_path / "ferry questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_from_a_file_to_judged_answers(questions: Path, capsys: pytest.CaptureFixture[str], store: Store) -> None:
    assert run("questions") == 0
    assert "No question sets yet" in said(capsys)[0]
    assert run("questions", "import", questions) == 0
    out, err = said(capsys)
    set_id = out.split()[0]
    assert "3 questions on 1 text: Ferry" in out
    assert err == "note: Other fields are kept, to filter and count by: kind.\n"
    assert run("batch", "Ferry", "--reader", "memwalker", "--reader", "whole", "--set", "memwalker.segment_tokens=64") == 0
    out, err = said(capsys)
    assert "6 readings on 1 text:" in err
    assert "cost free" in err
    assert "MemWalker · offline model (no neural network): 2 right, 1 right: no answer given" in out
    assert "6 of 6 readings came to an end." in out
    (batch,) = store.batches.listed()
    assert run("batches") == 0
    assert "6 of 6 read, 0 open" in said(capsys)[0]
    assert run("batches", batch.id[:5]) == 0
    assert len(said(capsys)[0].splitlines()) == 6
    assert run("batches", batch.id, "--json") == 0
    rows = json.loads(said(capsys)[0])
    assert [(row["key"], row["variant"]) for row in rows] == [(key, n) for key in "abc" for n in (0, 1)]
    assert (rows[0]["verdict"], rows[0]["known"], rows[0]["fields"]) == ("correct", ["Doris"], {"kind": "=fact"})
    assert rows[0]["certainty"] == "likely"
    assert rows[1]["measures"]["calls_live"] == 1
    assert run("batches", batch.id, "--csv") == 0
    cells = list(csv.DictReader(said(capsys)[0].splitlines()))
    assert [row["question"] for row in cells] == [row["question"] for row in rows]
    assert (cells[0]["field.kind"], cells[2]["field.kind"]) == ("'=fact", "")  # no spreadsheet executes it
    assert cells[1]["tokens_in"] == str(rows[1]["measures"]["tokens_in"])
    assert store.runs.get(rows[0]["run"]).spec["options"]["segment_tokens"] == 64
    assert run("batches", batch.id, "--fates") == 0
    assert said(capsys)[0].splitlines()[0] == "MemWalker · offline model (no neural network): 1 reading with evidence"
    assert run("batches", batch.id, "--fates", "--json") == 0
    memwalker, whole = json.loads(said(capsys)[0])
    assert whole["readings"]["used"] == [rows[1]["run"]]
    assert sum(map(len, memwalker["readings"].values())) == 1
    assert run("batches", "--json") == 0
    assert json.loads(said(capsys)[0])[0]["answered"] == 4  # the fifth answer says that there is none
    assert run("questions", "--json") == 0
    assert json.loads(said(capsys)[0])[0]["id"] == set_id
    assert run("questions", "delete", set_id) == 2
    assert "a batch uses this question set" in said(capsys)[1]


def test_several_sets_are_batches_one_after_the_other_on_the_same_workers(
    questions: Path, capsys: pytest.CaptureFixture[str], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, jobs_for = [], workers.jobs_for
    monkeypatch.setattr(workers, "jobs_for", lambda *what, **how: (begun.append(what), jobs_for(*what, **how))[1])
    assert run("questions", "import", questions, "--name", "One") == 0
    questions.write_text(
        questions.read_text(encoding="utf-8").replace("What is the parrot", "What is that parrot"), encoding="utf-8"
    )
    assert run("questions", "import", questions, "--name", "Two") == 0
    assert run("batch", "One", "Three", "--reader", "whole") == 2
    assert not store.batches.listed()
    assert run("batch", "One", "Two", "--reader", "whole") == 0
    assert said(capsys)[0].count("3 of 3 readings came to an end.") == 2
    made = store.batches.listed()
    assert {batch.name.split()[0] for batch in made} == {"One", "Two"}
    assert len(begun) == 1
    assert run("batch-resume", *(batch.id for batch in made)) == 0
    assert len(begun) == 2


def test_a_batch_of_samples_is_exported_for_training(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    run("questions", "import", questions, "--name", "Mine")
    assert run("batch", "Mine", "--reader", "memagent", "--samples", 2, "--temperature", 0.7) == 0
    (batch,) = store.batches.listed()
    said(capsys)
    assert run("export", batch.id, "--format", "training") == 0
    out, err = said(capsys)
    rows = [json.loads(line) for line in out.splitlines()]
    assert {(row["group"], row["sample"]) for row in rows} == {(f"{batch.id}-{n}-0", k) for n in (0, 1) for k in (0, 1)}
    assert all(row["messages"][0]["role"] == "user" for row in rows)
    assert err == "note: 2 readings left out: 2 have no known answer in their text.\n"
    assert run("export", rows[0]["run"][:6], "--format", "trajectories", "-o", tmp_path / "one.jsonl") == 0
    (one,) = map(json.loads, (tmp_path / "one.jsonl").read_text(encoding="utf-8").splitlines())
    assert (one["run"], one["final_mask"][-1]) == (rows[0]["run"], True)
    (unknown, *_) = [found for found in store.runs.listed() if "zeppelin" in found.question]
    assert run("export", unknown.id, "--format", "training") == 2
    assert "has a reward" in said(capsys)[1]
    assert run("export", "zzz", "--format", "training") == 2
    assert "neither one batch nor one reading" in said(capsys)[1]


def test_the_price_alone_begins_nothing(questions: Path, capsys: pytest.CaptureFixture[str], store: Store) -> None:
    run("questions", "import", questions, "--name", "Mine")
    said(capsys)
    assert run("batch", "Mine", "--reader", "whole", "--price", "--limit", 2) == 0
    out, err = said(capsys)
    assert (out, store.batches.listed(), store.runs.listed()) == ("", [], [])
    assert "2 readings on 1 text: 2 " in err


def test_a_sample_of_the_questions_is_drawn_and_told_with_the_figures(
    questions: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    run("questions", "import", questions, "--name", "Mine")
    total = len(store.question_sets.questions(store.question_sets.listed()[0].id))
    assert run("batch", "Mine", "--reader", "whole", "--sample", 2, "--seed", 5) == 0
    assert f"2 of {total} questions, about 1 text: drawn at random, as many of each text, under seed 5" in said(capsys)[0]
    (batch,) = store.batches.listed()
    assert len(store.batches.cells(batch.id)) == 2
    assert run("evaluate", batch.id) == 0
    assert "under seed 5" in said(capsys)[0]
    with pytest.raises(SystemExit):
        run("batch", "Mine", "--reader", "whole", "--sample", 2, "--limit", 2)


def test_prompts_window_sampling_and_room_go_into_every_reading(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    run("questions", "import", questions, "--name", "Mine")
    template = next(prompt.template for prompt in get("whole").prompts if prompt.id == "whole.answer") + " Be brief."
    words = tmp_path / "words.json"
    words.write_text(json.dumps({"whole.answer": template}), encoding="utf-8")
    asked = ["batch", "Mine", "--reader", "whole", "--reader", "memwalker", "--prompts", f"whole={words}", "--limit", "1"]
    assert run(*asked, "--window", "4096", "--top-p", "0.9", "--reply-tokens", "64", "--timeout", "90") == 0
    (batch,) = store.batches.listed()
    specs = {found.reader: found.spec for found in store.batches.runs_of(batch.id)}
    assert {(spec["window"], spec["top_p"], spec["reply_tokens"]) for spec in specs.values()} == {(4096, 0.9, 64)}
    assert specs["whole"]["prompts"] == {"whole.answer": template}
    assert specs["memwalker"]["prompts"] == {}
    assert specs["memwalker"]["options"]["max_children"] == 8  # in effect, though nobody asked for it


def test_each_readers_preset_goes_into_its_readings_and_what_is_given_besides_wins(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    run("questions", "import", questions, "--name", "Mine")
    path = tiny_tokenizer.save(tmp_path / "tokenizer.json")
    readers = ["--reader", "memwalker", "--reader", "memagent", "--reader", "whole"]
    presets = ["--preset", "memwalker=SummScreenFD", "--preset", "memagent=as_published"]
    settings = ["--set", "memwalker.segment_tokens=64", "--set", f"memagent.tokenizer={path}"]
    assert run("batch", "Mine", *readers, *presets, *settings, "--limit", 1) == 0
    assert said(capsys)[1].count("would be sent in Palimpsest's own wording") == 1
    (batch,) = store.batches.listed()
    specs = {found.reader: found.spec for found in store.batches.runs_of(batch.id)}
    options = {reader: spec["options"] for reader, spec in specs.items()}
    assert (options["memwalker"]["max_children"], options["memwalker"]["segment_tokens"]) == (5, 64)
    assert (options["memagent"]["as_published"], options["memagent"]["chunk_tokens"]) == (True, 5000)
    sampled = {reader: (spec["temperature"], spec["top_p"]) for reader, spec in specs.items()}
    assert sampled == {"memwalker": (0, None), "memagent": (0.7, 0.95), "whole": (0, None)}
    assert run("batch", "Mine", *readers[2:4], *presets[2:], *settings[2:], "--temperature", 0.2, "--limit", 1) == 0
    newest = store.batches.runs_of(next(one.id for one in store.batches.listed() if one.id != batch.id))
    assert [(made.spec["temperature"], made.spec["top_p"]) for made in newest] == [(0.2, 0.95)]


def test_auto_suits_the_sizes_to_each_text_of_a_set_and_the_smallest_window(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    text = LAMP.read_text(encoding="utf-8")[:20_000]
    (tmp_path / "ferry.txt").write_text(text, encoding="utf-8")
    rows = [{"file": "ferry.txt", "title": "Ferry", "question": "What is the lamp?", "answer": "high"}]
    questions.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run("questions", "import", questions, "--name", "Mine")
    reader, length = get("recurrence"), TextLength.of(Document.of(text))
    for window in (None, 900):
        given = ["--window", window] if window else []
        assert run("batch", "Mine", "--reader", reader.id, "--preset", "auto", *given) == 0
        newest = max(store.batches.listed(), key=lambda one: one.created)
        (made,) = store.batches.runs_of(newest.id)
        wanted = suited(reader, length, window=window).options
        assert {name: made.spec["options"][name] for name in wanted} == wanted
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join(json.dumps({**rows[0], "file": name, "title": name}) for name in ("ferry.txt", "b.txt")))
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    run("questions", "import", other, "--name", "Two texts")
    said(capsys)
    assert run("batch", "Two texts", "--reader", reader.id, "--reader", "whole", "--preset", f"{reader.id}=auto", "--set",
               f"{reader.id}.summary_tokens=200") == 0  # fmt: skip
    err = said(capsys)[1]
    assert "auto: Recurrence, 35 tokens: about 1 chunk to 400 tokens: about 13 chunks" in err
    assert "auto: Whole" not in err
    newest = max(store.batches.listed(), key=lambda one: one.created)
    assert newest.plan["auto"] == [0]
    made = [one for one in store.batches.runs_of(newest.id) if one.reader == reader.id]
    assert len({one.document for one in made}) == 2
    for one in made:
        wanted = {**suited(reader, TextLength.of(store.documents.get(one.document))).options, "summary_tokens": 200}
        assert {name: one.spec["options"][name] for name in wanted} == wanted


def test_as_many_files_as_may_be_are_imported_and_one_more_is_refused(
    questions: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_sets, "MOST_PATHS", 1)
    assert run("questions", "import", questions) == 0
    assert run("questions", "import", questions, questions) == 2
    assert "1 files can be imported at once" in said(capsys)[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["questions", "import", "nowhere.jsonl"], "nowhere.jsonl"),
        (["questions", "delete", "nothing"], "no question set 'nothing'"),
        (["batch", "nothing"], "no question set 'nothing'"),
        (["batch", "Mine", "--reader", "skimmer"], "skimmer"),
        (["batch", "Mine", "--set", "segment_tokens"], "NAME=VALUE"),
        (["batch", "Mine", "--set", "whole.keep=left"], "not one of the readers here"),
        (["batch", "Mine", "--set", "segments=40"], "segments"),
        (["batch", "Mine", "--model", "human/you"], "a batch is read by models"),
        (["batch", "Mine", "--model", "offline/extractive", "--model", "offline/extractive"], "listed twice"),
        (["batch", "Mine", "--reader", "whole", "--reader", "memwalker", "--prompts", "mine"], "name its reader"),
        (["batch", "Mine", "--preset", "memwalker=QuALTY"], "MemWalker has no preset 'QuALTY'; it has 'QuALITY'"),
        (["batch", "Mine", "--reader", "whole", "--reader", "memwalker", "--preset", "QuALITY"], "name its reader"),
        (["batch", "Mine", "--top-p", "1.5"], "top p must be above 0"),
        (["batches", "ffff"], "no batch 'ffff'"),
        (["batch-resume", "ffff"], "no batch 'ffff'"),
    ],
)
def test_wrong_use_is_status_two_and_a_sentence(
    words: list[str], says: str, questions: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    run("questions", "import", questions, "--name", "Mine")
    said(capsys)
    assert run(*words) == 2
    out, err = said(capsys)
    assert says in err
    assert (out, store.batches.listed()) == ("", [])


def test_a_bad_file_is_reported_by_line_and_field_and_nothing_is_stored(
    questions: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    with questions.open("a", encoding="utf-8") as file:
        file.write('\n{"title": "Ferry", "question": "Who?", "evidence": ["a cow"]}\n{"question": 5}\n')
    assert run("questions", "import", questions) == 2
    err = said(capsys)[1]
    assert "'ferry questions.jsonl', line 4, field 'evidence': the text does not say “a cow”" in err
    assert "'ferry questions.jsonl', line 5, field 'text'" in err
    assert (store.question_sets.listed(), store.documents.listed()) == ([], [])


@pytest.mark.slow  # loads litellm
def test_a_failed_reading_is_reported_and_resumed(
    questions: Path, capsys: pytest.CaptureFixture[str], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readers.engine.models.model.FIRST_WAIT", 0.0)
    run("questions", "import", questions, "--name", "Mine")
    words = ["batch", "Mine", "--reader", "whole", "--model", "openai/x", "--api-base", "http://127.0.0.1:9/v1", "--limit", "1"]
    said(capsys)
    assert run(*words) == 1  # nothing listens there
    out, err = said(capsys)
    assert "0 of 1 readings came to an end." in out
    assert "1 failed" in err
    (batch,) = store.batches.listed()
    assert f"batch-resume {batch.id}" in err
    assert run("batch-resume", batch.id) == 1
    assert len(store.runs.listed()) == 1
    store.batches.note_error(batch.id, store.batches.cells(batch.id)[0], "it is of another version")
    said(capsys)
    assert run("batches", batch.id) == 0
    head, why = said(capsys)[0].splitlines()
    assert "failed" in head
    assert why.endswith(". It could not be resumed: it is of another version")
    assert run("batches", batch.id, "--json") == 0
    (row,) = json.loads(said(capsys)[0])
    assert (row["status"], row["measures"]) == ("failed", None)
    assert row["error"].endswith(". It could not be resumed: it is of another version")


@pytest.mark.slow
def test_ctrl_c_stops_a_batch_and_resume_reads_the_rest(capsys: pytest.CaptureFixture[str], store: Store, own_home: Path) -> None:
    run("questions", "import", LAMP.with_suffix(".json"), "--name", "Lamp")
    how = ["--reader", "memwalker", "--set", "segment_tokens=100", "--at-once", "2"]
    words = [sys.executable, "-m", "readers", "batch", "Lamp", *how]
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background job would pass on that it ignores it
    with subprocess.Popen(
        words, cwd=ROOT, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=listening
    ) as process:
        until = time.monotonic() + 60
        while not store.batches.listed() or not batches.progress(store, store.batches.listed()[0].id).done:
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 1, err.decode()
    assert b"resumes it" in err
    (batch,) = store.batches.listed()
    before = batches.progress(store, batch.id)
    assert 0 < before.done < 15
    assert before.going == 0
    ended = {run.id: run.ended for run in store.batches.runs_of(batch.id) if run.status == "finished"}
    assert run("batch-resume", batch.id) == 0
    assert batches.progress(store, batch.id).done == len(store.runs.listed()) == 15
    assert ended.items() <= {run.id: run.ended for run in store.runs.listed()}.items()
