"""What the run file and the pages show of a reading by ReadAgent, from its events alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from readers.engine.prompts.formats.form import numbers
from readers.engine.record.events import Asked, Chose, Cut, Event, Wrote
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.provisional import Answers
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs
from readers.engine.text.document import Document, Span
from readers.engine.text.words import count
from readers.readagent.narrative import LOOK_UP_PHASE, page_name
from readers.readagent.prompts import GIST, GIST_FOR

GISTS = {GIST.id, GIST_FOR.id}
_count = lru_cache(2_000)(count)  # of a page or gist: a page that follows a reading asks for all of them again and again
WITHOUT_A_CALL = ("tail", "cut", "only", "uniform")


def view(trace: Trace) -> dict[str, Any]:
    """The pages with their gists, and each request for pages with its outcome."""
    found = _pages(trace)
    pages = found.pages
    by_gist = {page["wrote"]: page["number"] for page in found.replaced}
    by_gist |= {page["wrote"]: number for number, page in enumerate(pages)}
    shown = [{"id": number, **{key: page[key] for key in _PAGE}} for number, page in enumerate(pages)]
    return {"pages": shown, "lookups": list(_lookups(trace, by_gist))}


_PAGE = ("start", "end", "gist", "words", "gist_words", "break")


def provisional(answers: Answers) -> Iterable[Event]:
    """The gists of the pages that have none yet. Answers may be newer than the events: a page that is not cut yet gets none."""
    cut = sum(isinstance(event, Cut) for event in answers.trace.events)
    return islice(answers.written(GISTS, "gist"), max(0, cut - len(answers.trace.wrote)))


def gists_at_the_end(trace: Trace) -> set[str]:
    """The refs of the gists that were not replaced."""
    return {page["wrote"] for page in _pages(trace).pages}


@dataclass
class _Found:
    """The pages as they are at the end, and those that were merged or got another gist, with the `number` they had. `wrote` is
    the ref of a page's gist."""

    pages: list[dict[str, Any]] = field(default_factory=list)
    replaced: list[dict[str, Any]] = field(default_factory=list)


def _pages(trace: Trace) -> _Found:
    found = _Found()
    without_gist: deque[dict[str, Any]] = deque()
    ended = ""
    for event in trace.events:
        if isinstance(event, Chose) and event.action in ("pause", "fallback"):
            ended = "fallback" if event.action == "fallback" else event.picked if event.picked in WITHOUT_A_CALL else "chosen"
        elif isinstance(event, Cut):
            if not without_gist:
                found.pages = [{**page, "number": number} for number, page in enumerate(found.pages)]
            without_gist.append(_cut(found, trace, event.spans[0], ended))
        elif isinstance(event, Wrote):
            without_gist.popleft().update(gist=event.text, gist_words=_count(event.text), wrote=refs.wrote(event.n))
    return found


def _cut(found: _Found, trace: Trace, span: Span, ended: str) -> dict[str, Any]:
    """Add the page with this span, in place of those that it covers."""
    page: dict[str, Any] = {**span._asdict(), "words": _words(trace, span), "gist": "", "gist_words": 0, "wrote": ""}
    page["break"], page["number"] = ended, len(found.pages)
    if found.pages and span.start < found.pages[-1]["end"]:
        covered = [other for other in found.pages if span.start <= other["start"] < span.end]
        page["break"] = covered[0]["break"] if len(covered) == 1 else "merged"
        found.replaced += covered
        found.pages = sorted([page, *(other for other in found.pages if other not in covered)], key=lambda one: int(one["start"]))
    else:
        found.pages.append(page)
    return page


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
    """`page 3`, by the ref of the page and by that of its gist. Pages are numbered from 1, other than in prompts and in the run
    file. Pages that were merged later are called by the number they had before. A page that was asked for and that there is not
    has a name, too, and so has each place to pause that was offered."""
    found = _pages(trace)
    places = {label: f"place {n}" for event in trace.decisions("pause") for n, label in enumerate(event.among, 1)}
    asked = (event.picked for event in trace.decisions("drop") if refs.written(event.picked) is None)
    called = places | {picked: page_name(number) for picked in asked for number in numbers(picked)[:1]}
    for page in found.replaced:
        called |= _called(page, f"{page_name(page['number'])} before merging")
    for number, page in enumerate(found.pages):
        called |= _called(page, page_name(number))
    now = {(page["start"], page["end"]): page_name(number) for number, page in enumerate(found.pages)}
    same = [page for page in found.replaced if (page["start"], page["end"]) in now]
    return called | {page["wrote"]: now[page["start"], page["end"]] for page in same if page["wrote"]}


def _called(page: dict[str, Any], name: str) -> dict[str, str]:
    gist = {page["wrote"]: name} if page["wrote"] else {}
    return {refs.place(page["start"], page["end"]): name, **gist}


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
    return _count(trace.document.text[span.start : span.end])


def _allowed(records: Sequence[Record], document: Document) -> int | None:
    """The number of pages that the first request allowed; None if there was no request."""
    for record in records:
        if record.task in ("choose", "choose_many"):
            limits = [part.texts for part in decode_parts(record.parts, document) if part.name == "limit"]
            return int(limits[0][0].text) if limits else None
    return None
