"""RULER and BABILong, facts among long texts, made for any length; and the length sweeps and needles of this program (`made/`).

Shapes: RULER, github.com/NVIDIA/RULER, `scripts/data/synthetic/{niah,qa,variable_tracking,...}.py`: JSON lines in
`TASK/validation.jsonl` with `index`, `input` (instruction, text and question in one), `outputs`, `length`; its scores from
`scripts/eval/synthetic/constants.py`. The files that github.com/BytedTsinghua-SIA derives from RULER have `context` apart from
`input`. BABILong, `data/qa1/4k.json` of RMT-team/babilong on Hugging Face (github.com/booydar/babilong): `input` (the text),
`question`, `target`; its facts are not marked, and its task is marked only in the folder's name.

RULER's question is what follows the last "What ... special magic" or "Question:" of `input`; everything before it, including the
instruction at the beginning, is the text. Its needles and variables are found by their fixed words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from readers.engine.questions.benchmarks.shape import (
    Benchmark,
    Context,
    Fields,
    Place,
    Questions,
    RowQuestion,
    has,
    places,
    plain,
    skipped,
    strings,
    tidy,
)

NO_QUESTION = "no question is found in its input"
NUMBERS = "its context is given as numbers into a text that is not in the file"
MOST = 50  # values that are looked for
_NEEDLE, _VALUE_LENGTH = "One of the special magic", 500
_ASKS = re.compile(r"(?:^|\n)(?=What (?:is|are)[^\n]{0,40} special magic)|(?:^|\n)[ \t]{0,9}Question: ")
_TASK, _LENGTH = re.compile(r"\bqa\d{1,2}\b"), re.compile(r"\b\d{1,4}[km]\b")


# --- RULER ----------------------------------------------------------------------------------------------------------------


def _ruler_questions(row: Fields, place: Place, _context: Context) -> Questions:
    if isinstance(row.get("context"), list):
        yield skipped(NUMBERS)
        return
    text, asked = _parted(row)
    if not asked or not text.strip():
        yield skipped(NO_QUESTION)
        return
    task = place.folder if place.file in ("validation", "test", "train") and place.folder else place.file
    text, outputs = tidy(text), strings(row["outputs"])
    is_qa = not any(one in text or one in asked for one in (_NEEDLE, "VAR ", "common words", "coded text"))
    fields = {
        "id": f"{task}, {row['index']}", "title": f"{task}, {place.where}", "text": text, "question": asked,
        "answers": outputs or None, "all_required": not is_qa and len(outputs) > 1, "task": task,
        "scores": "string_match_part" if is_qa else "string_match_all",
        "evidence": places(chain(_needles(text, outputs[:MOST]), _assignments(text, outputs[:MOST]))),
        **plain(row, "outputs", "index", "answer_prefix", "target"),
    }  # fmt: skip
    yield RowQuestion(fields)


def _parted(row: Fields) -> tuple[str, str]:
    """The text and the question of a row."""
    given = row["input"]
    if isinstance(prefix := row.get("answer_prefix"), str) and prefix:
        given = given.removesuffix(prefix)
    begins = list(_ASKS.finditer(given))
    asked = given[begins[-1].end() :] if begins else given
    asked = asked.partition("Answer:")[0].rstrip()
    if asked.startswith("What") and "special magic" in asked:
        asked = asked[: asked.find("?") + 1] or asked
    if isinstance(context := row.get("context"), str):
        return context, asked.strip()
    return (given[: begins[-1].start()], asked.strip()) if begins else ("", "")


def _needles(text: str, values: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The sentences that give these values as needles."""
    for value in values:
        for found in re.finditer(rf"is: {re.escape(value)}\b\.?", text):
            start = text.rfind(_NEEDLE, max(0, found.start() - _VALUE_LENGTH), found.start())
            if start >= 0:
                yield start, found.end()


def _assignments(text: str, variables: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The statements that give these variables a value."""
    for name in variables:
        yield from (found.span() for found in re.finditer(rf"\bVAR {re.escape(name)} = (?:VAR )?\w+", text))


# --- BABILong -------------------------------------------------------------------------------------------------------------


def _babilong_questions(row: Fields, place: Place, _context: Context) -> Questions:
    if not has(row, input=str, question=str, target=str):
        yield skipped("its input, question or target is not words")
        return
    path = f"{place.folder} {place.file}".casefold()  # `qa1` and `4k` are given only there
    task, length = (found[0] if (found := pattern.search(path)) else "" for pattern in (_TASK, _LENGTH))
    name = " ".join(filter(None, (task, length))) or place.file
    fields = {
        "id": f"{name}, {place.where}", "title": f"{name}, {place.where}", "text": row["input"], "question": row["question"],
        "answer": row["target"], "task": task, "length": length,
    }  # fmt: skip
    yield RowQuestion(fields, lacks=() if task else ("have no task: neither their file nor its folder is called qa1 to qa20",))


# --- made here -----------------------------------------------------------------------------------------------------------


def _made_questions(row: Fields, _place: Place, _context: Context) -> Questions:
    yield RowQuestion({name: value for name, value in row.items() if name != "made"})


RULER = Benchmark(
    "RULER", ("string_match_all",), lambda row: has(row, input=str, outputs=list) and "index" in row, _ruler_questions
)
BABILONG = Benchmark("BABILong", ("babilong",), lambda row: row.keys() == {"input", "question", "target"}, _babilong_questions)
SWEEP = Benchmark(
    "Length sweep", ("substring_match", "exact_match", "f1"), lambda row: row.get("made") == "sweep", _made_questions
)
NEEDLES = Benchmark("Needles", ("substring_match",), lambda row: row.get("made") == "needles", _made_questions)
