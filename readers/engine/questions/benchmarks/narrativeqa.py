"""NarrativeQA: a table of questions with two answers each, a table of documents, one of summaries, and the stories as files.

Shape: the README at github.com/google-deepmind/narrativeqa: `qaps.csv`, `documents.csv`, `third_party/wikipedia/summaries.csv`;
`download_stories.sh` puts the stories into `tmp/ID.content`. A story is cut to what stands between the `story_start` and the
`story_end` of its document, where both are found; a page in HTML is read as one. Where a story is not given, its questions are
asked of its summary, which a note says; without either they are skipped.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from readers.engine.errors import BadFile
from readers.engine.ingest import from_bytes
from readers.engine.questions.benchmarks.shape import Asked, Benchmark, Context, Fields, Place, SkippedQuestion, has

NO_TEXT = "neither its story (ID.content) nor summaries.csv was given"
OF_THE_SUMMARY = "are asked of a summary, because their story (ID.content) was not given"
NOT_CUT = "are asked of a whole file, because the beginning or the end of its story is not found in it"
DOCUMENTS, SUMMARIES = "documents", "summaries"
_ENDINGS = ("content", "txt", "html")
_ID, _LONGEST_MARK = re.compile(r"\w[\w-]{0,99}"), 500


def _fits(row: Fields) -> bool:
    return has(row, document_id=str, question=str, answer1=str)


def companion(row: Fields) -> str | None:
    """Which companion table a row belongs to."""
    if has(row, document_id=str, wiki_title=str) and "story_start" in row:
        return DOCUMENTS
    return SUMMARIES if has(row, document_id=str, summary=str) else None


def _questions(row: Fields, place: Place, context: Context) -> Iterator[Asked | SkippedQuestion]:
    key = row["document_id"]
    about = context.tables.get(DOCUMENTS, {}).get(key, {})
    if key not in context.cache:
        context.cache.clear()  # the questions of a document follow each other
        context.cache[key] = _text(key, about, context)
    text, lack = context.cache[key]
    if not text:
        yield SkippedQuestion(NO_TEXT)
        return
    fields: dict[str, Any] = {
        "id": f"{key}, {place.where}", "text": text, "title": about.get("wiki_title") or key, "question": row["question"],
        "answers": [row[name] for name in ("answer1", "answer2") if row.get(name)], "document_id": key,
        "set": row.get("set") or "", "kind": about.get("kind") or "", "setting": "summary" if lack == OF_THE_SUMMARY else "story",
    }  # fmt: skip
    yield Asked(fields, lacks=(lack,) if lack else ())


def _text(key: str, about: Fields, context: Context) -> tuple[str, str]:
    """The story or the summary of a document, and what it lacks; empty if there is neither."""
    endings = _ENDINGS if _ID.fullmatch(key) else ()  # an id that could lead out of the folder names no file
    story = next((found for ending in endings if (found := context.beside(f"{key}.{ending}"))), None)
    if story is None:
        summary = context.tables.get(SUMMARIES, {}).get(key, {}).get("summary")
        return (summary, OF_THE_SUMMARY) if isinstance(summary, str) else ("", "")
    text = story.document.text
    if "<html" in text[:2_000].lower():
        try:
            text = from_bytes(text.encode(), f"{key}.html").document.text
        except BadFile:
            return text, NOT_CUT
    return _cut(text, about)


def _cut(text: str, about: Fields) -> tuple[str, str]:
    """The part of a text from its document's `story_start` to its `story_end`."""
    first, last = (_marks(str(about.get(name) or ""), text) for name in ("story_start", "story_end"))
    begins, ends = next(first, None), deque(last, maxlen=1)
    if begins is None or not ends or ends[0].end() <= begins.start():
        return text, NOT_CUT if about else ""
    return text[begins.start() : ends[0].end()], ""


def _marks(mark: str, text: str) -> Iterator[re.Match[str]]:
    """Where a mark occurs in a text. Its words and signs are parted by blanks, which the text need not have."""
    parts = mark[:_LONGEST_MARK].split()
    return re.finditer(r"\s*".join(map(re.escape, parts)), text) if parts else iter(())


NARRATIVE_QA = Benchmark("NarrativeQA", ("bleu_1", "bleu_4", "meteor", "rouge_l"), _fits, _questions)
