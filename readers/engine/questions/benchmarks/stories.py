"""Questions on stories: QuALITY, where a row is an article with the questions of one writer, each with four options; and
NarrativeQA, tables of questions with two answers each, of documents and of summaries, and the stories as files.

Shapes: QuALITY, the README at github.com/nyu-mll/quality ("Data README"), files `QuALITY.v1.0.1.htmlstripped.{train,dev,test}`:
JSON lines. `gold_label` counts from 1; the test file has none. `difficult` marks the hard subset. The validators' remarks are not
imported.

NarrativeQA, the README at github.com/google-deepmind/narrativeqa: `qaps.csv`, `documents.csv`,
`third_party/wikipedia/summaries.csv`; `download_stories.sh` puts the stories into `tmp/ID.content`. A story is cut to the part
between the `story_start` and the `story_end` of its document, if both are found; a page in HTML is read as one. Where a story is
not given, its questions are asked of its summary, which a note says; without either they are skipped.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from readers.engine.errors import BadFile
from readers.engine.ingest import from_bytes
from readers.engine.questions.benchmarks.shape import (
    NO_GOLD,
    Benchmark,
    Context,
    Fields,
    Place,
    Questions,
    RowQuestion,
    has,
    has_first,
    objects,
    plain,
    skipped,
)

TAGS = "are asked of a text with HTML tags; the file with htmlstripped in its name has none"
NO_TEXT = "neither its story (ID.content) nor summaries.csv was given"
OF_THE_SUMMARY = "are asked of a summary, because their story (ID.content) was not given"
NOT_CUT = "are asked of a whole file, because the beginning or the end of its story is not found in it"
DOCUMENTS, SUMMARIES = "documents", "summaries"
_ENDINGS = ("content", "txt", "html")
_ID, _LONGEST_MARK = re.compile(r"\w[\w-]{0,99}"), 500


# --- QuALITY -------------------------------------------------------------------------------------------------------------


def _quality_questions(row: Fields, _place: Place, _context: Context) -> Questions:
    article: dict[str, Any] = {"text": row["article"], "title": row.get("title"), **plain(row, "article", "url", "license")}
    lacks = (TAGS,) if any(tag in row["article"][:20_000].lower() for tag in ("<html", "<p>", "</p>")) else ()
    for number, asked in enumerate(objects(row["questions"]), start=1):
        where = f"question {number:,}"
        gold, options = asked.get("gold_label"), asked.get("options")
        gold = int(gold) if isinstance(gold, str) and gold.isascii() and gold.isdecimal() and len(gold) < 4 else gold
        if gold is not None and not (isinstance(gold, int) and isinstance(options, list) and 1 <= gold <= len(options)):
            yield skipped(NO_GOLD, where)
            continue
        key = asked.get("question_unique_id") or f"{row.get('set_unique_id') or row.get('article_id')}, {number}"
        fields = {
            **article, **plain(asked, "gold_label", "question_unique_id"), "id": key, "question": asked.get("question"),
            "options": options, "gold": gold - 1 if isinstance(gold, int) else None,
        }  # fmt: skip
        yield RowQuestion(fields, where, lacks)


# --- NarrativeQA ---------------------------------------------------------------------------------------------------------


def companion(row: Fields) -> str | None:
    """Which companion table a row belongs to."""
    if has(row, document_id=str, wiki_title=str) and "story_start" in row:
        return DOCUMENTS
    return SUMMARIES if has(row, document_id=str, summary=str) else None


def _narrativeqa_questions(row: Fields, place: Place, context: Context) -> Questions:
    key = row["document_id"]
    about = context.tables.get(DOCUMENTS, {}).get(key, {})
    if key not in context.cache:
        context.cache.clear()  # the questions of a document follow each other
        context.cache[key] = _text(key, about, context)
    text, lack = context.cache[key]
    if not text:
        yield skipped(NO_TEXT)
        return
    fields: dict[str, Any] = {
        "id": f"{key}, {place.where}", "text": text, "title": about.get("wiki_title") or key, "question": row["question"],
        "answers": [row[name] for name in ("answer1", "answer2") if row.get(name)], "document_id": key,
        "set": row.get("set") or "", "kind": about.get("kind") or "", "setting": "summary" if lack == OF_THE_SUMMARY else "story",
    }  # fmt: skip
    yield RowQuestion(fields, lacks=(lack,) if lack else ())


def _text(key: str, about: Fields, context: Context) -> tuple[str, str]:
    """The story or the summary of a document, and what is missing; empty if there is neither."""
    endings = _ENDINGS if _ID.fullmatch(key) else ()  # an id that could lead outside the folder does not name a file
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


QUALITY = Benchmark(
    "QuALITY",
    ("accuracy",),
    lambda row: has(row, article=str) and has_first(row.get("questions"), question=str, options=list),
    _quality_questions,
)
NARRATIVE_QA = Benchmark(
    "NarrativeQA",
    ("bleu_1", "bleu_4", "meteor", "rouge_l"),
    lambda row: has(row, document_id=str, question=str, answer1=str),
    _narrativeqa_questions,
)
