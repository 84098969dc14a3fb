"""A benchmark's folder on the command line: recognised, imported in part, and refused as a whole where a file is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from readers.cli import main
from readers.engine.store import Store
from tests.engine.questions.benchmarks.reading import listed
from tests.engine.questions.benchmarks.test_paragraphs import HOTPOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{**HOTPOT, "_id": f"q{n}", "type": "comparison" if n % 2 else "bridge"} for n in range(6)]
    (tmp_path / "hotpot" / "data").mkdir(parents=True)
    (tmp_path / "hotpot" / "data" / "dev.json").write_bytes(listed(*rows))
    (tmp_path / "hotpot" / "config.json").write_text('{"lr": 1}')
    (tmp_path / "hotpot" / "notes.txt").write_text("Notes.")
    return tmp_path / "hotpot"


def test_a_folder_is_searched_and_part_of_it_imported(folder: Path, capsys: pytest.CaptureFixture[str], store: Store) -> None:
    assert main(["questions", "import", str(folder), "--only", "type=comparison", "--first", "2", "--name", "Pier"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("recognised: HotpotQA, 2 questions on 1 text; published with exact_match, f1\n")
    (made,) = store.question_sets.listed()
    assert out == f"{made.id}  2 questions on 1 text: Pier\n"
    assert [one.key for one in store.question_sets.questions(made.id)] == ["q1", "q3"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--only", "difficult"], "--only 'difficult' is not NAME=VALUE"),
        (["--only", "type=none"], "none has the wanted values"),
    ],
)
def test_wrong_use_imports_nothing(
    words: list[str], says: str, folder: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    assert main(["questions", "import", str(folder), *words]) == 2
    assert says in capsys.readouterr().err
    assert store.question_sets.listed() == []


def test_a_folder_without_questions_and_a_cut_file_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], store: Store
) -> None:
    path = folder / "data" / "dev.json"
    path.write_bytes(path.read_bytes()[:-30])
    assert main(["questions", "import", str(folder)]) == 2
    assert "row 6: the file ends in the middle of it" in capsys.readouterr().err
    path.unlink()
    (folder / "config.json").unlink()
    assert main(["questions", "import", str(folder)]) == 2
    assert "no file in the folder" in capsys.readouterr().err
    assert store.question_sets.listed() == []
