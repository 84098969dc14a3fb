"""HotpotQA, 2WikiMultiHopQA and MuSiQue: a question over titled paragraphs, of which those that support the answer are marked.

Shapes: HotpotQA's README at github.com/hotpotqa/hotpot ("JSON Format"); 2WikiMultiHopQA's at github.com/Alab-NII/2wikimultihop
("Dataset Contents": as HotpotQA, with `evidences`); MuSiQue's files from github.com/StonyBrookNLP/musique (`download_data.sh`):
JSON lines with `paragraphs`, `question_decomposition`, `answer_aliases`. HotpotQA's column form, in which its copies are spread
(`context` and `supporting_facts` as objects of lists), is read, too.
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
    plain,
    strings,
)

_USED = (
    "_id",
    "id",
    "question",
    "answer",
    "answers",
    "context",
    "supporting_facts",
    "evidences",
    "paragraphs",
    "title",
    "text",
    "note",
)
NO_FACTS = "name supporting facts that are not among their paragraphs"


def _is_hotpot_shaped(row: Fields) -> bool:
    context = row.get("context")
    columns = isinstance(context, dict) and has(context, title=list, sentences=list)
    pairs = isinstance(context, list) and bool(context) and all(_is_pair(one) for one in context[:3])
    return has(row, question=str) and (columns or pairs)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], list)


def _is_two_wiki(row: Fields) -> bool:
    return _is_hotpot_shaped(row) and ("evidences" in row or "entity_ids" in row)


def _is_hotpot(row: Fields) -> bool:
    return _is_hotpot_shaped(row) and not _is_two_wiki(row)


def _is_musique(row: Fields) -> bool:
    paragraphs = objects(row.get("paragraphs"))
    return has(row, question=str, id=str) and bool(paragraphs) and all(has(one, paragraph_text=str) for one in paragraphs[:3])


def paragraphs_of(row: Fields) -> list[tuple[str, list[str]]]:
    """The title and the sentences of each paragraph of a row in HotpotQA's shape."""
    context = row["context"]
    pairs = list(map(list, zip(context["title"], context["sentences"], strict=False))) if isinstance(context, dict) else context
    return [(one[0], [words if isinstance(words, str) else "" for words in one[1]]) for one in pairs if _is_pair(one)]


def joined(sentences: list[str]) -> str:
    """A paragraph. HotpotQA's sentences begin with their own space, 2WikiMultiHopQA's do not."""
    text = ""
    for sentence in filter(None, sentences):
        needs_space = text and not text[-1].isspace() and not sentence[0].isspace()
        text += f" {sentence}" if needs_space else sentence
    return text


def _supporting(row: Fields) -> list[tuple[str, int]]:
    facts = row.get("supporting_facts")
    if isinstance(facts, dict):
        titles, numbers = (found if isinstance(found := facts.get(name), list) else [] for name in ("title", "sent_id"))
        facts = list(map(list, zip(titles, numbers, strict=False)))
    pairs = facts if isinstance(facts, list) else []
    return [(one[0], one[1]) for one in pairs if isinstance(one, list) and [type(part) for part in one] == [str, int]]


def _hotpot_questions(row: Fields, _place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    facts = _supporting(row)
    found, paragraphs = 0, []
    for title, sentences in paragraphs_of(row):
        numbers = {number for named, number in facts if named == title and 0 <= number < len(sentences)}
        numbers = {number for number in numbers if sentences[number].strip()}
        found += len(numbers)
        paragraphs.append(
            {
                "title": title, "text": joined(sentences), "is_supporting": bool(numbers),
                "supporting_sentences": [sentences[number].strip() for number in sorted(numbers)],
            }
        )  # fmt: skip
    fields = {
        "id": row.get("_id") or row.get("id"), "question": row["question"], "answer": row.get("answer"), "paragraphs": paragraphs,
        **plain(row, *_USED),
    }  # fmt: skip
    yield Asked(fields, lacks=(NO_FACTS,) if found < len(set(facts)) else ())


def _musique_questions(row: Fields, _place: Place, _context: Context) -> Iterator[Asked | SkippedQuestion]:
    answerable = row.get("answerable", True) is not False
    answers = list(dict.fromkeys([*strings(row.get("answer")), *strings(row.get("answer_aliases"))]))
    paragraphs = [
        {"title": one.get("title"), "text": one["paragraph_text"], "is_supporting": one.get("is_supporting") is True}
        for one in objects(row["paragraphs"])
        if has(one, paragraph_text=str)
    ]
    hops = row["id"].partition("hop")[0]
    steps = {"hops": int(hops)} if hops.isdecimal() and len(hops) < 3 else {}
    fields = {
        "id": row["id"] if answerable else f"{row['id']} (unanswerable)",  # MuSiQue-Full has each id twice
        "question": row["question"], "paragraphs": paragraphs,
        **plain(row, *_USED, "answerable"), **steps,
    }  # fmt: skip
    if answerable:
        yield Asked({**fields, "answers": answers or None})
    else:
        yield Asked({**fields, "answerable": False})


HOTPOTQA = Benchmark("HotpotQA", ("exact_match", "f1"), _is_hotpot, _hotpot_questions)
TWO_WIKI = Benchmark("2WikiMultiHopQA", ("exact_match", "f1"), _is_two_wiki, _hotpot_questions)
MUSIQUE = Benchmark("MuSiQue", ("exact_match", "f1"), _is_musique, _musique_questions)
