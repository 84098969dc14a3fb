"""Summaries: QMSum (of a meeting, for a query), SQuALITY (of a story, for a question), SummScreen and GovReport (of all of it).

Shapes: QMSum, README at github.com/Yale-LILY/QMSum, a meeting a file in `data/ALL/val/*.json` or a line in `data/ALL/jsonl`;
`relevant_text_span` counts turns from 0, both ends inclusive. SQuALITY, README at github.com/nyu-mll/SQuALITY, JSON lines in
`data/v1-3/txt`. SummScreen, the README of its data (linked from github.com/mingdachen/SummScreen): JSON lines with `Transcript`,
`Recap`, `filename`. GovReport, a report a file in `gov-report/crs` and `gov-report/gao` (gov-report-data.github.io), the nested
sections as in github.com/tensorflow/datasets `summarization/gov_report`; also its flat copies with `report` and `summary`.

A summary that no query asks for is asked for in this program's own words.
"""

from __future__ import annotations

from typing import Any

from readers.engine.questions.benchmarks.shape import (
    Benchmark,
    Context,
    Fields,
    Place,
    Questions,
    RowQuestion,
    has,
    has_first,
    objects,
    places,
    plain,
    strings,
    tidy,
)

ROUGE = ("rouge_1", "rouge_2", "rouge_l")
OUTSIDE = "have relevant turns that their meeting does not have"
RECAP, REPORT = "Write a recap of this episode.", "Summarise this report."
_SPLITS = ("train", "val", "valid", "validation", "dev", "test", "all")


# --- QMSum ----------------------------------------------------------------------------------------------------------------


def _qmsum_questions(row: Fields, place: Place, _context: Context) -> Questions:
    text, turns = "", list[tuple[int, int]]()
    for turn in objects(row["meeting_transcripts"]):
        said = tidy(f"{turn.get('speaker')}: {turn.get('content')}")
        turns.append((len(text), len(text) + len(said)))
        text += f"{said}\n"
    title = place.title if place.file.casefold() in _SPLITS else place.file
    general, specific = objects(row.get("general_query_list")), objects(row["specific_query_list"])
    for number, (kind, asked) in enumerate([*(("general", one) for one in general), *(("specific", one) for one in specific)], 1):
        given = asked.get("relevant_text_span") or []
        spans = [_turns(one, turns) for one in given] if isinstance(given, list) else []
        fields = {
            "id": f"{title}, {number}", "text": text, "title": title, "question": asked.get("query"),
            "answer": asked.get("answer"), "evidence": places(filter(None, spans)), "type": kind,
        }  # fmt: skip
        yield RowQuestion(fields, f"query {number:,}", (OUTSIDE,) if not all(spans) else ())


def _turns(given: Any, turns: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The characters of some turns, given by the numbers of the first and the last, as numbers or words."""
    words = [str(one) for one in given if isinstance(one, str | int)] if isinstance(given, list) else []
    numbers = [int(one) for one in words if one.isascii() and one.isdecimal() and len(one) < 10]
    if len(numbers) != 2 or not 0 <= numbers[0] <= numbers[1] < len(turns):
        return None
    return turns[numbers[0]][0], turns[numbers[1]][1]


# --- SQuALITY -------------------------------------------------------------------------------------------------------------


def _squality_questions(row: Fields, place: Place, _context: Context) -> Questions:
    about = row["metadata"] if isinstance(row.get("metadata"), dict) else {}
    story = str(about.get("passage_id") or place.where)
    text = row["document"]
    title = next((line.strip() for line in text[:2_000].split("\n") if line.strip()), story)
    for number, asked in enumerate(objects(row["questions"]), start=1):
        references = [words for one in objects(asked.get("responses")) for words in strings(one.get("response_text"))]
        fields = {
            "id": f"{story}, {asked.get('question_number', number)}", "text": text, "title": title,
            "question": asked.get("question_text"), "references": references or None, "passage_id": story,
            "question_number": asked.get("question_number", number),
        }  # fmt: skip
        yield RowQuestion(fields, f"question {number:,}")


# --- whole texts ----------------------------------------------------------------------------------------------------------


def _summ_screen_questions(row: Fields, place: Place, _context: Context) -> Questions:
    name = str(row.get("filename") or place.title).removesuffix(".json")
    recap = "\n".join(strings(row["Recap"]))
    show = {"show": name.rpartition("_")[0]} if "filename" in row else {}
    fields = {
        "id": name, "title": name, "text": "\n".join(strings(row["Transcript"])), "question": RECAP, "answer": recap or None,
        **show, **plain(row, "summary", "report", "Transcript", "Recap", "filename"),
    }  # fmt: skip
    yield RowQuestion(fields)


def _is_gov_report(row: Fields) -> bool:
    crs = has(row, reports=dict, summary=list) and "subsections" in row["reports"]
    gao = has(row, report=list, highlight=list)
    return crs or gao or (row.keys() <= {"id", "report", "summary"} and has(row, report=str, summary=str))


def _gov_report_questions(row: Fields, place: Place, _context: Context) -> Questions:
    if "highlight" in row:
        agency, text = "gao", sections(row["report"])
        summary = [words for one in objects(row["highlight"]) for words in strings(one.get("paragraphs"))]
    else:
        agency = "crs" if "reports" in row else ""
        text = sections([row["reports"]]) if agency else row["report"]
        summary = strings(row["summary"])
    key = str(row.get("id") or place.title)
    fields = {
        "id": key, "title": row.get("title") or key, "text": text, "question": REPORT, "answer": "\n\n".join(summary) or None,
        **({"agency": agency} if agency else {}), **plain(row, "summary", "report", "url"),
    }  # fmt: skip
    yield RowQuestion(fields)


def sections(given: list[Any]) -> str:
    """Nested sections as one text: each title, then its paragraphs, then its subsections, with blank lines between."""
    parts: list[str] = []
    waiting: list[Any] = given[::-1]
    while waiting:  # not recursive: they may be nested as deep as JSON may be
        section = waiting.pop()
        if isinstance(section, dict):
            parts += [*strings(section.get("section_title")), *strings(section.get("paragraphs"))]
            below = section.get("subsections")
            waiting += below[::-1] if isinstance(below, list) else []
    return "\n\n".join(parts)


QMSUM = Benchmark(
    "QMSum",
    ROUGE,
    lambda row: has_first(row.get("meeting_transcripts"), speaker=str, content=str) and has(row, specific_query_list=list),
    _qmsum_questions,
)
SQUALITY = Benchmark(
    "SQuALITY",
    ROUGE,
    lambda row: has(row, document=str) and has_first(row.get("questions"), question_text=str),
    _squality_questions,
)
SUMM_SCREEN = Benchmark(
    "SummScreen", ROUGE, lambda row: has(row, Transcript=(list, str), Recap=(list, str)), _summ_screen_questions
)
GOV_REPORT = Benchmark("GovReport", ROUGE, _is_gov_report, _gov_report_questions)
