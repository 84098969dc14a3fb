"""LongBench, LongBench v2, RULER, BABILong, InfiniteBench and LongMemEval are recognised, with needles and turns as evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.engine.questions.import_questions import read_questions
from tests.engine.questions.benchmarks.reading import SOURCES, fields, lines, listed, quoted, read, usable

LONGBENCH: dict[str, Any] = {
    "input": "Who lit it?", "context": "The lamp was lit by Mette.", "answers": ["Mette", "M. Falk"], "length": 6,
    "dataset": "hotpotqa", "language": "en", "all_classes": None, "_id": "ab1",
}  # fmt: skip


def test_longbench_has_the_score_of_each_dataset_and_asks_for_what_comes_next() -> None:
    code = {**LONGBENCH, "dataset": "lcc_e", "_id": "ab2", "context": "def lamp():\n", "input": "", "answers": ["    return 1"]}
    shots = {**LONGBENCH, "dataset": "trec", "_id": "ab3", "context": "Q: a\nType: b", "input": "Q: c\nType:", "answers": ["d"]}
    report = {**LONGBENCH, "dataset": "gov_report", "_id": "ab4", "input": ""}
    strange = {**LONGBENCH, "dataset": "unheard", "_id": "ab5", "input": ""}
    found = read(lines(LONGBENCH, code, shots, report, strange), "hotpotqa.jsonl")
    asked, line, example, summary = usable(found)
    texts = {one.id: one.text for one in found.set.documents}
    assert (asked.key, asked.question, asked.answers) == ("ab1", "Who lit it?", ("Mette", "M. Falk"))
    assert fields(asked) == {"benchmark": "LongBench", "scores": "f1", "length": "6", "dataset": "hotpotqa", "language": "en"}
    assert [fields(one)["scores"] for one in (line, example, summary)] == [
        "edit_similarity",
        "longbench_classification",
        "rouge_l",
    ]
    assert texts[example.document] == "Q: a\nType: b\nQ: c\nType:"
    assert summary.question == "Summarise this report."
    assert "1 of 5 questions skipped: its input is empty" in found.notes[0]


def test_longbench_v2_has_four_choices_and_the_letter_of_the_right_one() -> None:
    row = {
        "_id": "66f", "domain": "Single-Document QA", "sub_domain": "Novel", "difficulty": "hard", "length": "short",
        "question": "Who?", "choice_A": "Ann", "choice_B": "Ben", "choice_C": "Mette", "choice_D": "None", "answer": "C",
        "context": "Mette lit it.",
    }  # fmt: skip
    found = read(listed(row, {**row, "_id": "67", "answer": "E"}, indent=2), "data.json")
    (asked,) = usable(found)
    assert (asked.choices, asked.answers) == (("Ann", "Ben", "Mette", "None"), ("Mette",))
    assert (fields(asked)["difficulty"], fields(asked)["length"]) == ("hard", "short")
    assert found.notes[0] == "LongBench v2: 1 of 2 questions skipped: gold is not among the choices (row 2)."


NEEDLE = "One of the special magic numbers for grey-lamp is: 1234567."


def ruler(given: str, *outputs: str) -> dict[str, Any]:
    return {"index": 0, "input": given, "outputs": list(outputs), "length": 4096, "answer_prefix": " The numbers are"}


def test_ruler_is_parted_into_text_and_question_and_its_needles_are_evidence(tmp_path: Path) -> None:
    other = NEEDLE.replace("1234567", "7654321")
    asks = "What are all the special magic numbers for grey-lamp mentioned in the provided text?"
    path = tmp_path / "niah_multivalue" / "validation.jsonl"
    path.parent.mkdir()
    path.write_bytes(
        lines(ruler(f"Memorise.\nGrass. {NEEDLE} Sky.\n{other} Grass.\n{asks} The numbers are", "1234567", "7654321"))
    )
    found = read_questions([(path.name, path)], SOURCES)
    (asked,) = usable(found)
    assert (asked.question, asked.all_required, asked.answers) == (asks, True, ("1234567", "7654321"))
    assert quoted(found, asked) == [NEEDLE, other]
    assert found.set.documents[0].text == f"Memorise.\nGrass. {NEEDLE} Sky.\n{other} Grass."
    assert fields(asked) | {"benchmark": ""} == {
        "benchmark": "", "scores": "string_match_all", "task": "niah_multivalue", "length": "4096",
    }  # fmt: skip


def test_rulers_variables_and_its_questions_on_documents() -> None:
    chain = "Track.\n\nVAR ABCDE = 12345 x. VAR FGHIJ = VAR ABCDE y.\nQuestion: Find all variables with 12345. Answer: The"
    documents = "Read.\n\nDocument 1:\nMette lit it.\n\nQuestion: Who lit it? Answer:"
    found = read(lines(ruler(chain, "ABCDE", "FGHIJ"), {**ruler(documents, "Mette", "Falk"), "index": 1}), "vt.jsonl")
    traced, asked = usable(found)
    assert quoted(found, traced) == ["VAR ABCDE = 12345", "VAR FGHIJ = VAR ABCDE"]
    assert traced.question == "Find all variables with 12345."
    assert (asked.question, asked.all_required, fields(asked)["scores"]) == ("Who lit it?", False, "string_match_part")


def test_a_context_apart_from_the_question_and_one_in_numbers() -> None:
    row = {**ruler("What is the special magic number for grey-lamp mentioned?", "1234567"), "context": f"Grass. {NEEDLE}"}
    found = read(listed(row, {**row, "index": 1, "context": [3, 4]}), "eval_niah_single_1_8192.json")
    (asked,) = usable(found)
    assert quoted(found, asked) == [NEEDLE]
    assert "1 of 2 questions skipped: its context is given as numbers" in found.notes[0]


def test_babilong_knows_its_task_by_the_folder(tmp_path: Path) -> None:
    row = {"input": "Mary went to the office. The lamp was lit.", "question": "Where is Mary? ", "target": "office"}
    path = tmp_path / "qa1" / "4k.json"
    path.parent.mkdir()
    path.write_bytes(listed(row))
    (asked,) = usable(read_questions([(path.name, path)], SOURCES))
    assert (asked.question, asked.answers) == ("Where is Mary?", ("office",))
    assert fields(asked) == {"benchmark": "BABILong", "scores": "babilong", "task": "qa1", "length": "4k"}
    assert "1 of 1 questions have no task" in read(listed(row), "4k.json").notes[0]


def test_infinitebench_has_choices_numbers_and_tasks_without_a_question() -> None:
    row = {"id": 0, "context": "A long book.", "input": "Who?", "answer": ["Mette"], "options": ["Ann", "Mette"]}
    found = read(lines(row, {**row, "id": 1, "answer": ["Nobody"]}), "longbook_choice_eng.jsonl")
    (asked,) = usable(found)
    assert (asked.choices, asked.answers, fields(asked)["scores"]) == (("Ann", "Mette"), ("Mette",), "accuracy")
    assert "gold is not among the choices" in found.notes[0]
    number = read(lines({**row, "answer": 42, "options": []}), "math_find.jsonl")
    assert usable(number)[0].answers == ("42",)
    several = {name: lines({**row, "answer": [4, 2], "options": []}) for name in ("math_calc", "math_find")}
    assert [usable(read(rows, f"{name}.jsonl"))[0].answers for name, rows in several.items()] == [("4, 2",), ("4", "2")]
    summary = read(lines({**row, "input": "", "answer": ["All is well."], "options": []}), "longbook_sum_eng.jsonl")
    assert usable(summary)[0].question == "Summarise this book."


def test_longmemeval_marks_turns_and_knows_what_has_no_answer() -> None:
    chat = [{"role": "user", "content": "I lit the lamp."}, {"role": "assistant", "content": "Cafe\u0301!", "has_answer": False}]
    told = [{"role": "user", "content": "Mette keeps it.\r\nAlways.", "has_answer": True}]
    row = {
        "question_id": "q1", "question_type": "multi-session", "question": "Who keeps it?", "answer": "Mette",
        "question_date": "2023/05/30", "haystack_session_ids": ["s1", "s2"], "haystack_dates": ["2023/05/20", "2023/05/21"],
        "haystack_sessions": [chat, told], "answer_session_ids": ["s2"],
    }  # fmt: skip
    none = {**row, "question_id": "q2_abs", "answer": "Nothing is said of a bell."}
    found = read(listed(row, none), "longmemeval_oracle.json")
    asked, absent = usable(found)
    assert (asked.question, asked.answers) == ("Who keeps it? (Asked on 2023/05/30.)", ("Mette",))
    assert quoted(found, asked) == ["User: Mette keeps it.\nAlways."]
    assert (fields(asked)["question_type"], fields(asked)["sessions"]) == ("multi-session", "2")
    assert found.set.documents[0].text.startswith(
        "Session 1, 2023/05/20\n\nUser: I lit the lamp.\n\nAssistant: Café!\n\nSession 2"
    )
    assert (absent.answerable, absent.note) == (False, "Nothing is said of a bell.")
