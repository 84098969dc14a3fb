"""What the run file and the pages show of a reading by ReadAgent, from its events alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from readers.engine.prompts.reply_formats import numbers
from readers.engine.record.events import Asked, Chose, Cut, Wrote
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.engine.text.document import Document, Span
from readers.engine.text.words import count
from readers.readagent.narrative import LOOK_UP_PHASE

WITHOUT_A_CALL = ("tail", "cut", "only", "uniform")


def view(trace: Trace) -> dict[str, Any]:
    """The pages with their gists, and each request for pages with its outcome."""
    pages = _pages(trace)
    by_gist = {page["wrote"]: number for number, page in enumerate(pages)}
    shown = [{"id": number, **{key: page[key] for key in _PAGE}} for number, page in enumerate(pages)]
    return {"pages": shown, "lookups": list(_lookups(trace, by_gist))}


_PAGE = ("start", "end", "gist", "words", "gist_words", "break")


def _pages(trace: Trace) -> list[dict[str, Any]]:
    """Every page as it is at the end; `wrote` is the ref of its gist."""
    pages: list[dict[str, Any]] = []
    without_gist: deque[dict[str, Any]] = deque()
    ended = ""
    for event in trace.events:
        if isinstance(event, Chose) and event.action in ("pause", "fallback"):
            ended = "fallback" if event.action == "fallback" else event.picked if event.picked in WITHOUT_A_CALL else "chosen"
        elif isinstance(event, Cut):
            ((start, end),) = event.spans
            merged = bool(pages) and start < pages[-1]["end"]
            before = next((page["break"] for page in pages if (page["start"], page["end"]) == (start, end)), "merged")
            page: dict[str, Any] = {"start": start, "end": end, "words": count(trace.document.text[start:end])}
            page |= {"gist": "", "gist_words": 0, "wrote": "", "break": before if merged else ended}
            if merged:
                pages = [other for other in pages if not start <= other["start"] < end]
            pages.append(page)
            without_gist.append(page)
            if merged:
                pages.sort(key=lambda page: int(page["start"]))
        elif isinstance(event, Wrote):
            without_gist.popleft().update(gist=event.text, gist_words=count(event.text), wrote=refs.wrote(event.n))
    return pages


def _lookups(trace: Trace, by_gist: dict[str, int]) -> Iterator[dict[str, Any]]:
    """One row for each request, stopping included; a page that was put back later counts as dropped."""
    rows: list[dict[str, Any]] = []
    for step in trace.steps[_first_after_build(trace) :]:
        chosen = [event for event in trace.events[step.start : step.end] if isinstance(event, Chose)]
        if chosen and step.phase == LOOK_UP_PHASE:
            rows.append({"step": step.number, "requested": [], "accepted": [], "dropped": []})
        for event in chosen:
            page = by_gist.get(event.picked, next(iter(numbers(event.picked)), -1))
            if event.action in ("look_up", "drop"):
                rows[-1]["requested"].append(page)
            if event.action == "look_up":
                rows[-1]["accepted"].append(page)
            elif event.action in ("drop", "put_back"):
                rows[-1]["dropped"].append({"page": page, "reason": event.because})
            if event.action == "put_back":
                row = next(row for row in rows if page in row["accepted"])
                row["accepted"].remove(page)
    return iter(rows)


def _first_after_build(trace: Trace) -> int:
    return max((step.number + 1 for step in trace.steps if step.phase == BUILD), default=0)


def names(trace: Trace) -> dict[str, str]:
    """`page 3`, by the ref of the page and by that of its gist; pages are numbered from 0, as in the prompts."""
    called: dict[str, str] = {}
    for number, page in enumerate(_pages(trace)):
        called[refs.place(page["start"], page["end"])] = f"page {number}"
        if page["wrote"]:
            called[page["wrote"]] = f"page {number}"
    return called


def measures(trace: Trace, records: Sequence[Record]) -> dict[str, Any]:
    """How many pages were opened of how many allowed, how many words they have, and by how much the memory is shorter than the
    text, before the look-up and after it."""
    gists = _gists(trace)
    if not gists:
        return {}
    asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
    shown = trace.spans_shown(asked[-1].seq) if asked else ()
    reread = sum(_words(trace, span) for span in shown)
    gisted = sum(count(text) for text in gists.values())
    closed = [text for page, text in gists.items() if not any(start < page.end and page.start < end for start, end in shown)]
    still = sum(map(count, closed))
    whole = count(trace.document.text) or 1
    return {
        "lookups": len(trace.decisions("look_up")) - len(trace.decisions("put_back")),
        "lookups_allowed": _allowed(records, trace.document),
        "words_reread": reread,
        "compression_rate": {"before": 1 - gisted / whole, "after": 1 - (still + reread) / whole},
    }


def _gists(trace: Trace) -> dict[Span, str]:
    """The gists by the pages they represent, without those of pages that were merged later."""
    found: dict[Span, str] = {}
    until = 0
    for wrote in trace.wrote.values():
        if wrote.role == "gist" and (sources := trace.sources(wrote.pieces)):
            page = Span(sources[0].start, sources[-1].end)
            if page.start < until:
                found = {span: text for span, text in found.items() if not page.start <= span.start < page.end}
            found[page] = wrote.text
            until = max(until, page.end)
    return found


def _words(trace: Trace, span: Span) -> int:
    return count(trace.document.text[span.start : span.end])


def _allowed(records: Sequence[Record], document: Document) -> int | None:
    """The number of pages that the first request allowed; None if there was no request."""
    for record in records:
        if record.task in ("choose", "choose_many"):
            limits = [part.texts for part in decode_parts(record.parts, document) if part.name == "limit"]
            return int(limits[0][0].text) if limits else None
    return None
