"""LongMemEval: a question about a history of chats, of which the sessions and the turns with the answer are marked.

Shape: "Dataset Format" in the README at github.com/xiaowu0162/LongMemEval: `longmemeval_s.json`, `_m.json` and `_oracle.json`, a
list of objects. The text has the sessions in the file's order, each with its date. The question says when it is asked, because
many are about time. A question whose id ends in `_abs` has no answer in the history; what the file says of it is its note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from readers.engine.questions.benchmarks.shape import (
    Asked,
    Benchmark,
    Context,
    Fields,
    Place,
    SkippedQuestion,
    has,
    objects,
    places,
    plain,
    tidy,
)

NO_TURNS = "have no turn that is marked as having the answer"
_USED = ("question", "answer", "question_id", "id", "text", "title", "note")


def _fits(row: Fields) -> bool:
    return has(row, question_id=str, question=str, haystack_sessions=list)


def _questions(row: Fields, _place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    key, asked = row["question_id"], row["question"]
    text, evidence = _history(row)
    date = row.get("question_date")
    if isinstance(date, str) and date:
        asked = f"{asked} (Asked on {date}.)"
    fields: dict[str, Any] = {
        "id": key, "title": f"Chats for {key}", "text": text, "question": asked, "evidence": evidence, **plain(row, *_USED),
        "sessions": len(row["haystack_sessions"]),
    }  # fmt: skip
    if key.endswith("_abs"):
        yield Asked({**fields, "answerable": False, "note": str(row.get("answer") or "")[:4_000]})
    else:
        yield Asked({**fields, "answer": row.get("answer")}, lacks=() if evidence else (NO_TURNS,))


def _history(row: Fields) -> tuple[str, list[dict[str, int]]]:
    """The sessions as a text, and where the turns with the answer are."""
    dates = row["haystack_dates"] if isinstance(row.get("haystack_dates"), list) else []
    parts: list[str] = []
    marked: list[tuple[int, int]] = []
    at = 0
    for number, session in enumerate(row["haystack_sessions"]):
        date = f", {dates[number]}" if number < len(dates) else ""
        said = [(f"Session {number + 1}{date}", False)]
        said += [(f"{_speaker(turn)}: {turn.get('content')}", turn.get("has_answer") is True) for turn in objects(session)]
        for words, has_answer in said:
            part = tidy(words)
            if has_answer:
                marked.append((at, at + len(part)))
            parts.append(part)
            at += len(part) + 2
    return "\n\n".join(parts), places(marked)


def _speaker(turn: Fields) -> str:
    role = turn.get("role")
    return role.capitalize() if isinstance(role, str) else "Somebody"


LONGMEMEVAL = Benchmark("LongMemEval", ("judge",), _fits, _questions)
