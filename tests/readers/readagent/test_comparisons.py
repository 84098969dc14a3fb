"""ReadAgent's comparisons (METHODS section 2): pages found by retrieval, with their gists and without."""

from __future__ import annotations

import pytest

from readers.engine.analysis.measures import measures
from readers.engine.analysis.narrate import narrate
from readers.engine.record.trace import Trace
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.text.document import Document
from tests.support.readings.readagent_readings import READER, SMALL, lookups, model, pages, paragraphs, read, share_of, shown


def lamps(lit: int) -> Document:
    """Eight pages; number `lit` says most about a lamp, the one before it a little."""
    told = {lit: "lamp " * 10, lit - 1: "lamp boat " + "sea " * 8}
    return Document.of("\n\n".join(f"Part{n} " + told.get(n // 3, "sea " * 10) for n in range(24)))


@pytest.mark.parametrize("compared", ["pages", "gists"])
def test_retrieval_opens_the_pages_most_like_the_question_without_asking(compared: str) -> None:
    scripted = model(gist=lambda call: call.part("page")[0][:60])
    options = {"mode": "retrieval", "max_lookups": 2, "pagination": "uniform", "compared": compared, "max_words": 33}
    spec = RunSpec("readagent", READER.version, "Who lit the lamp?", options={**SMALL, **options})
    trace = rehearse(lamps(5), READER, spec, scripted)
    assert [accepted for _, accepted, _ in lookups(trace)] == [[5, 4]]
    assert not any(call.prompt.task.startswith("choose") for call in scripted.calls)
    assert scripted.calls[-1].part("memory")[5] == pages_of(trace)[5]
    assert scripted.calls[-1].prompt.id == "readagent.answer"
    told = " ".join(narrate(trace, READER))
    assert "It compared 8 pages with the question by BM25. It took pages 6 and 5, the most similar." in told


def test_the_papers_baseline_answers_from_the_retrieved_pages_alone_in_the_order_of_the_text() -> None:
    scripted = model(answer="Answer: (B)")
    options = {"mode": "retrieval", "max_lookups": 2, "pagination": "uniform", "with_gists": False, "max_words": 33}
    spec = RunSpec("readagent", READER.version, "Who lit the lamp?", choices=("Ann", "Ben"), options={**SMALL, **options})
    trace = rehearse(lamps(5), READER, spec, scripted)
    assert scripted.calls[-1].prompt.id == "readagent.answer_pages_choice"
    assert [part.strip() for part in scripted.calls[-1].part("segments")] == [page.strip() for page in pages_of(trace)[4:6]]
    assert "Gist" not in shown(scripted.calls[-1])
    assert trace.outcome == "answered"


@pytest.mark.slow
@pytest.mark.parametrize("with_gists", [True, False])
def test_retrieval_keeps_at_least_one_page_at_a_small_window(with_gists: bool) -> None:
    options = {"mode": "retrieval", "max_lookups": 5, "with_gists": with_gists}
    scripted = model(gist=share_of(0.9))
    trace = read(paragraphs(*[30] * 120), scripted, window=1900, **options)
    assert trace.outcome == "answered"
    raw = [part for name in ("memory", "segments") for part in scripted.calls[-1].part(name) if "Part" in part]
    assert len(raw) == measures(READER, trace, [])["lookups"] == (1 if with_gists else 5)
    assert bool(trace.decisions("put_back")) == with_gists
    names = READER.names(trace)
    assert all(names.get(f"wrote:{n}", "").startswith("page ") for n in trace.wrote)
    assert not [told for told in narrate(trace, READER) if "wrote:" in told or told == "It went on."]


def pages_of(trace: Trace) -> list[str]:
    return [trace.document.text[page["start"] : page["end"]] for page in pages(trace)]
