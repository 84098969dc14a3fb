"""Files of benchmarks that are cut, damaged or huge are refused by line and in bounded memory; nothing is half imported."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from readers.engine.errors import BadFile
from readers.engine.questions import import_questions
from readers.engine.questions.benchmarks import rows as file_rows
from readers.engine.questions.benchmarks.rows import Row
from readers.engine.questions.import_questions import LIMITS, Selection, complete_set, read_questions
from readers.engine.questions.question_importer import SetLimits
from tests.engine.questions.benchmarks.reading import SOURCES, lines, listed, read
from tests.engine.questions.benchmarks.test_paragraphs import HOTPOT
from tests.engine.questions.benchmarks.test_stories import ARTICLE


def rows(data: bytes) -> list[Row]:
    return list(file_rows.json_rows(io.BytesIO(data), "f.json"))


ROWS: list[dict[str, Any]] = [{"a": 'x"]}\\', "b": [1, {"c": "{"}]}, {"é": "\u2028\n"}, {}]


@pytest.mark.parametrize("piece", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize("data", [lines(*ROWS), listed(*ROWS), listed(*ROWS, indent=2), b"\xef\xbb\xbf" + lines(*ROWS) + b"\n\n"])
def test_rows_are_the_same_however_they_are_laid_out_and_read(monkeypatch: pytest.MonkeyPatch, data: bytes, piece: int) -> None:
    monkeypatch.setattr(file_rows, "_PIECE", piece)
    assert [fields for _, fields in rows(data)] == ROWS


def test_places_are_lines_or_rows() -> None:
    assert [where for where, _ in rows(lines({}, {}) + b"\n\n{}")] == ["line 1", "line 2", "line 4"]
    assert [where for where, _ in rows(b"[{},\n{}]")] == ["row 1", "row 2"]
    assert rows(b"") == rows(b" \n") == rows(b"[]") == []


HALF = len(listed(HOTPOT, HOTPOT)) - 100
DAMAGED = [
    (listed(HOTPOT, HOTPOT)[:HALF], "row 2: the file ends in the middle of it"),
    (lines(HOTPOT, HOTPOT)[:-40], "line 2: the file ends in the middle of it"),
    (listed(HOTPOT)[:-1], "row 2: the file ends in the middle of it"),
    (lines(HOTPOT) + b'\n{"_id": "caf\xe9"}', "line 2: it is not in UTF-8"),
    (lines(HOTPOT) + b"\n" + b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "line 2: it is nested too deep"),
    (lines(HOTPOT) + b"\n[1]", "line 2: it is not an object"),
    (lines(HOTPOT) + b'\n{"a" 1}', "line 2, column 6: this is not JSON"),
    (listed(HOTPOT) + b"x", "line 1: something follows the end of its list"),
    (listed(HOTPOT)[:-1] + b"{}]", "after row 1: this is not JSON (a comma is missing)"),
    (lines(HOTPOT) + b'\n{"question": "a", "question": "b"}', "line 2: it cannot be read (the field 'question' occurs twice)"),
]


@pytest.mark.parametrize(("data", "says"), DAMAGED)
def test_a_damaged_file_is_refused_with_its_line_and_nothing_is_imported(data: bytes, says: str) -> None:
    found = read(data, "hotpot.json")
    assert says in str(found.problems[-1].why)
    with pytest.raises(BadFile, match="Nothing was imported"):
        complete_set(found)


def test_utf_16_is_refused() -> None:
    data = json.dumps([HOTPOT]).encode("utf-16")
    assert "not in UTF-8" in str(read(data, "hotpot.json").problems[0])


def test_a_row_of_too_many_values_or_bytes_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_rows, "MOST_VALUES", 1_000)
    with pytest.raises(BadFile, match="line 2: it has over 1,000 values"):
        rows(lines({}) + b'\n{"a": [' + b"[]," * 2_000 + b"[]]}")
    monkeypatch.setattr(file_rows, "MOST_BYTES", 10_000)
    monkeypatch.setattr(file_rows, "_PIECE", 1_000)
    with pytest.raises(BadFile, match="line 2: it has over 0 MB"):
        rows(lines({}) + b'\n{"a": "' + b"x" * 30_000 + b'"}')


def test_a_file_over_the_limits_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_questions, "LIMITS", SetLimits(3, 2, 10_000, LIMITS.advice))
    texts = [{**HOTPOT, "_id": str(n), "context": [[f"T{n}", ["Text."]]], "supporting_facts": []} for n in range(5)]
    found = read(listed(*texts), "hotpot.json")
    assert "row 3, field 'text': a set has up to 2 texts: import only the first ones" in str(found.problems[0])
    assert len(read(listed(*texts), "hotpot.json", selection=Selection(first=2)).set.questions) == 2
    same = [{**HOTPOT, "_id": str(n)} for n in range(5)]
    assert "row 4: it is over the 3 of a set" in str(read(listed(*same), "hotpot.json").problems[0])
    long = {**HOTPOT, "context": [["T", ["x" * 10_000]]], "supporting_facts": []}
    assert "0 million characters in all" in str(read(listed(long), "hotpot.json").problems[0])


def test_a_file_with_far_too_many_questions_takes_bounded_memory_and_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "musique.jsonl"
    row = {"id": "2hop__1_2", "question": "?", "paragraphs": [{"paragraph_text": "x" * 1_000}]}
    path.write_bytes(lines(row) + b"\n" * 5 + (lines(row) + b"\n") * 400)
    monkeypatch.setattr(import_questions, "MOST_READ", 300)
    monkeypatch.setattr(file_rows, "_PIECE", 20_000)
    tracemalloc.start()
    found = read_questions([(path.name, path)], SOURCES, selection=Selection(only=(("type", "x"),)))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "line 305: it has over 300 questions" in str(found.problems[0])
    assert path.stat().st_size > most  # it is never in memory as a whole


def test_rows_of_another_shape_are_skipped_and_counted() -> None:
    found = read(lines(ARTICLE, {"article": "x"}, ARTICLE), "QuALITY.dev")
    assert found.notes[0].startswith("QuALITY: 1 of 5 questions skipped: the row does not have the shape of QuALITY (line 2)")
