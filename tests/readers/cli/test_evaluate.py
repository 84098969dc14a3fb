"""`python -m readers evaluate`: files are imported, read as a batch and scored; a batch is scored again without a call."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.store import Store
from tests.support.models.scripted_models import parts_of

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows = [
        {"text": parts_of(3).text, "title": "Parts", "question": f"What begins in part {n}?", "answer": f"part {n}"}
        for n in range(3)
    ]
    path = tmp_path / "parts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_files_are_imported_read_and_scored_and_the_table_is_saved(
    questions: Path, store: Store, tmp_path: Path, capsys: Printed
) -> None:
    out, tex = tmp_path / "scores.csv", tmp_path / "scores.tex"
    save = ["--save", str(out), "--save", str(tex)]
    assert main(["evaluate", str(questions), "--reader", "whole", "--reader", "retrieval", *save]) == 0
    printed = capsys.readouterr().out
    assert "6 readings, 3 questions, 1 text; percent over everything asked" in printed
    assert "Exact match\n  Whole text" in printed
    assert "no reader is ahead of another beyond chance" in printed
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    scores = [row for row in rows if row["variant"]]
    assert {(row["variant"].partition(" ·")[0], row["readings"]) for row in scores} == {("Whole text", "3"), ("Retrieval", "3")}
    assert {(row["reader"], row["model"]) for row in scores} == {(one, "offline/extractive") for one in ("whole", "retrieval")}
    assert {(row["p"], row["p_corrected"]) for row in rows if row["first"]} >= {("1", "1")}
    assert {row["samples"] for row in rows} == {"1"}
    assert tex.read_text(encoding="utf-8").startswith("% Parts: 6 readings")
    (batch,) = store.batches.listed()
    made = len(store.runs.listed())
    assert main(["evaluate", batch.id]) == 0
    assert capsys.readouterr().out in printed  # the same table
    assert len(store.runs.listed()) == made
    assert main(["evaluate", batch.id, "--figures", *save]) == 0
    printed = capsys.readouterr().out
    assert "\nShare of the text read raw on the way to the answer (%)\n  Whole text" in printed
    assert "\nCalls\n  Whole text" in printed
    rows = [row for row in csv.DictReader(out.read_text(encoding="utf-8").splitlines()) if row["score"] == "read_fraction"]
    assert {row["reader"]: row["mean"] for row in rows}["whole"] == "1"
    assert r"Cost (\$)" in tex.read_text(encoding="utf-8")


def test_a_post_mortem_is_printed_and_saved_and_says_where_there_can_be_none(
    questions: Path, store: Store, tmp_path: Path, capsys: Printed
) -> None:
    out, marked = tmp_path / "found.csv", tmp_path / "marked.jsonl"
    rows = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    told = [json.dumps(row | {"evidence": [f"Part {n} begins here."]}) for n, row in enumerate(rows)]
    marked.write_text("\n".join(told), encoding="utf-8")
    assert main(["evaluate", str(marked), "--reader", "whole", "--post-mortem", "--save", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "\nFound and right\n" in printed
    assert "  Found, not right" in printed
    saved = csv.DictReader(out.read_text(encoding="utf-8").splitlines())
    assert sum(int(row["readings"]) for row in saved if row["score"].startswith("readings_")) == len(told)
    assert main(["evaluate", str(questions), "--reader", "whole", "--post-mortem"]) == 0
    assert "No post-mortem: the evidence of none of these questions is known." in capsys.readouterr().out


def test_a_price_is_told_and_nothing_read_and_wrong_use_is_told_before_anything_is_done(
    questions: Path, store: Store, tmp_path: Path, capsys: Printed
) -> None:
    assert main(["evaluate", str(questions), "--reader", "whole", "--price"]) == 0
    assert "3 readings on 1 text" in capsys.readouterr().err
    assert (store.runs.listed(), store.batches.listed()) == ([], [])
    assert main(["evaluate", str(questions), "--reader", "whole", "--save", str(tmp_path / "scores.doc")]) == 2
    assert "--save 'scores.doc' does not end in .csv, .json, .tex, .html" in capsys.readouterr().err
    assert main(["evaluate", "nothere", "--reader", "whole"]) == 2
    assert main(["evaluate", str(questions), "--reader", "whole", "--score", "nothere"]) == 2
    assert "--score 'nothere' is not a score; there are accuracy, " in capsys.readouterr().err


def test_a_recipe_sets_readers_and_presets_and_prints_the_papers_figures(questions: Path, store: Store, capsys: Printed) -> None:
    assert main(["recipes"]) == 0
    listed = capsys.readouterr().out
    assert (
        "memwalker-quality\n  MemWalker: three question sets; on QuALITY\n    MemWalker: memwalker (QuALITY; window 4,096)"
        in listed
    )
    assert "  Not made by it: Stable Beluga 2 needs a server" in listed
    assert main(["evaluate", str(questions), "--recipe", "memwalker-quality", "--set", "whole.window_tokens=3000"]) == 0
    out, err = capsys.readouterr()
    assert "MemWalker · Stable Beluga 2 (70B): 67.4, 73.6, 67.3" in out
    assert "vllm serve stabilityai/StableBeluga2" in err
    assert "note: These questions are not of QuALITY: the paper’s figures are of other questions." in err
    made = {(run.reader, run.spec["options"].get("keep"), run.spec["window"]) for run in store.runs.listed()}
    whole = {("whole", side, 4096) for side in ("left", "right")}
    assert made == {*whole, *((reader, None, 4096) for reader in ("memwalker", "retrieval", "recurrence"))}
    options = {run.reader: run.spec["options"] for run in store.runs.listed()}
    assert (options["memwalker"]["segment_tokens"], options["whole"]["window_tokens"]) == (1000, 3000)
    assert "Whole text · offline model (no neural network) (keep right)" in out
    assert main(["evaluate", str(questions), "--recipe", "memagent-lengths"]) == 2
    assert "as_published needs the checkpoint's own tokenizer" in capsys.readouterr().err
    assert main(["evaluate", str(questions), "--recipe", "nothere"]) == 2


def test_workers_that_are_not_there_are_said_before_anything_is_done(
    questions: Path, store: Store, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = ["evaluate", str(questions), "--reader", "whole"]
    for wrong, words in (
        (["--listen", "10.0.0.5"], "--listen is for readings on workers"),
        (["--tokens-per-minute", "9"], "--tokens-per-minute is for readings on workers"),
        (["--workers", "2"], "pip install -r requirements-cluster.txt"),
        (["--cluster", "tcp://127.0.0.1:1"], "pip install -r requirements-cluster.txt"),
    ):
        monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
        assert main([*evaluate, *wrong]) == 2
        assert words in capsys.readouterr().err
    assert not store.question_sets.listed()


@pytest.mark.scale
def test_a_batch_on_two_workers_prints_the_table_of_one_machine(questions: Path, store: Store, capsys: Printed) -> None:
    pytest.importorskip("distributed")
    readers = ["--reader", "whole", "--reader", "memagent", "--no-cache"]
    printed = []
    for who in (["--workers", "2", "--at-once", "2", "--requests-per-minute", "6000"], []):
        assert main(["evaluate", str(questions), *readers, *who]) == 0
        printed.append(capsys.readouterr().out.partition("6 readings, 3 questions, 1 text")[2])
    assert printed[0] == printed[1]
    assert "Exact match" in printed[0]
    assert main(["evaluate", str(questions), *readers, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "there is no cluster at 'tcp://127.0.0.1:1'" in capsys.readouterr().err
