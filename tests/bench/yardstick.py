"""How often the offline model walks to the right place: `python -m tests.bench.yardstick DATA.jsonl [--limit N]`.

Reads questions whose evidence is known, and walks with the real MemWalker (8 children, free answers). A walk hits when the
segment it answers from overlaps an evidence span. Beside it stand BM25's best segment of the same cut and a segment drawn at
random. The stories are halved by a hash of their id: what is tuned on one half is to be checked on the other. Hits come with
their ratio to BM25's, and the interval that holds 95 % of the ratios when the questions are drawn again. Where the text is cut
moves the ratio as much, so tune with several sizes of segments (`--segment`).

Reads JSON lines (`text`, `question`, `evidence`; `article_id` where there is one) or a sample's questions (`.json` beside its
text).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.models.call import Call, Reply
from readers.engine.models.offline import Offline
from readers.engine.models.similarity import bm25
from readers.engine.record.events import Answered, Cut
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text import split
from readers.engine.text.document import Document, Span
from readers.engine.text.words import rarity, term, words
from readers.memwalker import MemWalker

OPTIONS = {"segment_tokens": 600, "max_children": 8, "summary_limit_tokens": 1000}
RARE = 0.5
DRAWS = 2000


class Case(NamedTuple):
    """A question, where its answer stands (nowhere, if it has none), and the half its story belongs to."""

    document: Document
    question: str
    evidence: tuple[Span, ...]
    half: int


class Walked(NamedTuple):
    half: int
    committed: bool
    hit: bool
    bm25: bool
    chance: float
    reverts: int
    steps: int
    kept: int
    asked: int


@dataclass
class Remembering:
    """The offline model, timed; it summarises each text once, as a cache across readings would let it."""

    model: Offline = field(default_factory=Offline)
    known: dict[str, Reply] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def complete(self, call: Call) -> Reply:
        if call.asked in self.known:
            return self.known[call.asked]
        began = time.perf_counter()
        reply = self.model.complete(call)
        self.seconds.append(time.perf_counter() - began)
        if call.prompt.shared:
            self.known[call.asked] = reply
        return reply


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, help="the first N questions only")
    parser.add_argument("--half", type=int, choices=(0, 1), help="the stories of one half only: 0 to tune, 1 to report")
    parser.add_argument("--segment", type=int, default=OPTIONS["segment_tokens"], help="the size of a segment in tokens")
    given = parser.parse_args()
    model = Remembering()
    cases = [case for case in read(given.data) if given.half in (None, case.half)][: given.limit]
    walked = [walk(case, model, given.segment) for case in cases if case.evidence]
    lost = [walk(case, model, given.segment) for case in cases if not case.evidence]
    for name, part in (("first half", 0), ("second half", 1)):
        report(name, [one for one in walked if one.half == part])
    report("all", walked)
    if lost:
        declined = sum(not one.committed for one in lost)
        print(f"without an answer in the text: {len(lost)} questions, {declined} of them left unanswered")
    mean, longest = 1000 * statistics.mean(model.seconds), 1000 * max(model.seconds)
    print(f"{len(model.seconds)} calls, {mean:.1f} ms each, the longest {longest:.0f} ms")
    return 0


def read(path: Path) -> Iterator[Case]:
    """The questions of a file, in its order."""
    if path.suffix == ".json":
        sample = json.loads(path.read_text(encoding="utf-8"))
        document = Document.of(path.with_name(sample["text"]).read_text(encoding="utf-8"))
        yield from (_case(document, row, sample["text"]) for row in sample["questions"])
        return
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield _case(Document.of(row["text"]), row, str(row.get("article_id", row["text"])))


def _case(document: Document, row: Mapping[str, Any], story: str) -> Case:
    evidence = tuple(Span(found["start"], found["end"]) for found in row.get("evidence") or ())
    return Case(document, row["question"], evidence, sha256(story.encode()).digest()[0] % 2)


def walk(case: Case, model: Remembering, segment: int) -> Walked:
    reader = MemWalker()
    options = {**OPTIONS, "segment_tokens": segment}
    trace = rehearse(case.document, reader, RunSpec(reader.id, reader.version, case.question, options=options), model)
    segments = next(event.spans for event in trace.events if isinstance(event, Cut))
    assert list(segments) == split.segments(case.document.text, segment)
    scores = bm25(case.question, [case.document.text[start:end] for start, end in segments])
    end = trace.end
    kept, asked = survived(case, segments, [wrote.text for wrote in trace.wrote.values() if wrote.role == "summary"])
    return Walked(
        half=case.half,
        committed=isinstance(end, Answered),
        hit=isinstance(end, Answered) and any(_holds(span, case) for span in end.evidence),
        bm25=_holds(segments[scores.index(max(scores))], case),
        chance=sum(_holds(span, case) for span in segments) / len(segments),
        reverts=len(trace.decisions("revert")),
        steps=sum(step.phase == "walk" for step in trace.steps),
        kept=kept,
        asked=asked,
    )


def survived(case: Case, segments: Sequence[Span], summaries: Sequence[str]) -> tuple[int, int]:
    """How many of the evidence's different rare terms the summaries of their own segments still have, and how many there are."""
    kept = asked = 0
    for span, summary in zip(segments, summaries, strict=False):
        here = {term(word) for word in words(summary)}
        for start, end in case.evidence:
            if span.start <= start and end <= span.end:
                rare = {term(word) for word in words(case.document.text[start:end]) if rarity(word) > RARE}
                kept, asked = kept + len(rare & here), asked + len(rare)
    return kept, asked


def _holds(span: Span, case: Case) -> bool:
    return any(span.start < end and start < span.end for start, end in case.evidence)


def ratio(walked: Sequence[Walked]) -> float:
    """The hits of the walks over those of BM25's best segments."""
    return sum(one.hit for one in walked) / max(1, sum(one.bm25 for one in walked))


def interval(walked: Sequence[Walked]) -> tuple[float, float]:
    """The bounds of 95 % of the ratios when as many questions are drawn again (bootstrap; the same ones at every run)."""
    draw = random.Random(0)
    again = sorted(ratio(draw.choices(walked, k=len(walked))) for _ in range(DRAWS))
    return again[DRAWS // 40], again[-DRAWS // 40]


def report(name: str, walked: Sequence[Walked]) -> None:
    """One line of figures."""
    if not walked:
        return
    n = len(walked)
    share = {key: sum(getattr(one, key) for one in walked) / n for key in ("hit", "bm25", "chance", "committed", "steps")}
    reverts = [one.reverts for one in walked]
    kept = sum(one.kept for one in walked) / max(1, sum(one.asked for one in walked))
    low, high = interval(walked)
    print(
        f"{name:<12}{n:>4} questions: hits {share['hit']:.3f} (BM25 {share['bm25']:.3f}, chance {share['chance']:.3f}; "
        f"{ratio(walked):.2f} times BM25, {low:.2f} to {high:.2f}), "
        f"answers {share['committed']:.3f}, {share['steps']:.1f} steps, reverts {statistics.median(reverts):g} in the median "
        f"and {statistics.mean(reverts):.1f} on average; {kept:.3f} of the evidence's rare words are in the summaries",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
