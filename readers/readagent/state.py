"""The state of a ReadAgent reading, from its events: its pages with their gists, and its requests for pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from readers.engine.prompts.formats.form import numbers
from readers.engine.record.events import Answered, Asked, Chose, Cut, Event, Looked, Wrote
from readers.engine.record.hint import Hint, HintSource, content_words, overlap, steps_of
from readers.engine.record.journal import Record, decode_parts
from readers.engine.record.provisional import Answers
from readers.engine.record.trace import Trace
from readers.engine.run.reader import ReadingState
from readers.engine.text import refs, words
from readers.engine.text.document import DOCUMENT, Span
from readers.engine.text.phrases import listed, percent, times, were
from readers.readagent.narrative import LOOK_UP_PHASE, page_name
from readers.readagent.prompts import GIST, GIST_FOR

WITHOUT_A_CALL = ("tail", "cut", "only", "uniform")
# Hints about requested pages that were not opened, by the recorded reason.
DROPPED = {
    "repeated": ("asked_again", "It asked {} for a page that was open already."),
    "over the cap": ("over_the_limit", "It asked {} for more pages than it was allowed."),
    "out of range": ("no_such_page", "It asked {} for a page that there is not."),
}
_count = lru_cache(2_000)(words.count)  # of a page or gist: the page that follows a reading asks for all of them repeatedly
Page = dict[str, Any]


class ReadAgentState(ReadingState):
    """`pages` as they are at the end, and those `replaced`: merged, or given another gist. A page's `number` is its number when
    it was cut, its `wrote` the ref of its gist."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.pages: list[Page] = []
        self.replaced: list[Page] = []
        without_gist: deque[Page] = deque()
        ended = ""
        for event in trace.events:
            if isinstance(event, Chose) and event.action in ("pause", "fallback"):
                ended = "fallback" if event.action == "fallback" else event.picked if event.picked in WITHOUT_A_CALL else "chosen"
            elif isinstance(event, Cut):
                if not without_gist:
                    self.pages = [{**page, "number": number} for number, page in enumerate(self.pages)]
                without_gist.append(self._cut(event.spans[0], ended))
            elif isinstance(event, Wrote):
                without_gist.popleft().update(gist=event.text, gist_words=_count(event.text), wrote=refs.wrote(event.n))

    def _cut(self, span: Span, ended: str) -> Page:
        """Add the page with this span, replacing the pages that it covers."""
        size = _count(self.trace.document.text[span.start : span.end])
        page: Page = {**span._asdict(), "words": size, "gist": "", "gist_words": 0, "wrote": ""}
        page["break"], page["number"] = ended, len(self.pages)
        if self.pages and span.start < self.pages[-1]["end"]:
            covered = [other for other in self.pages if span.start <= other["start"] < span.end]
            page["break"] = covered[0]["break"] if len(covered) == 1 else "merged"
            self.replaced += covered
            kept = (other for other in self.pages if other not in covered)
            self.pages = sorted([page, *kept], key=lambda one: int(one["start"]))
        else:
            self.pages.append(page)
        return page

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The final number of each page, by the ref of its place and by the refs of its gists, including replaced gists."""
        at = {(page["start"], page["end"]): number for number, page in enumerate(self.pages)}
        found = {refs.place(*place): number for place, number in at.items()}
        gists = ((page["wrote"], at.get((page["start"], page["end"]))) for page in (*self.replaced, *self.pages))
        return found | {gist: number for gist, number in gists if gist and number is not None}

    @cached_property
    def requests(self) -> list[dict[str, Any]]:
        """One row for each request, stopping included; a page that was put back later counts as dropped."""
        rows: list[dict[str, Any]] = []
        by_gist = {page["wrote"]: page["number"] for page in self.replaced} | self.numbers
        for step in self.trace.steps:
            chosen = [event for event in self.trace.of(step) if isinstance(event, Chose)]
            if step.start < self.trace.built_until:
                continue
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
                    next(row for row in rows if page in row["accepted"])["accepted"].remove(page)
        return rows

    def view(self) -> dict[str, Any]:
        """The pages with their gists, and each request for pages with its outcome."""
        shown = ("start", "end", "gist", "words", "gist_words", "break")
        pages = [{"id": number, **{name: page[name] for name in shown}} for number, page in enumerate(self.pages)]
        return {"pages": pages, "lookups": self.requests}

    def names(self) -> dict[str, str]:
        """`page 3`, by the ref of the page and by that of its gist. Pages are numbered from 1, other than in prompts and in the
        run file. Pages that were merged later are called by the number they had before. A page that was asked for but does not
        exist also has a name, and so has each place to pause that was offered."""
        trace = self.trace
        places = {label: f"place {n}" for event in trace.decisions("pause") for n, label in enumerate(event.among, 1)}
        asked = (event.picked for event in trace.decisions("drop") if refs.written(event.picked) is None)
        called = places | {picked: page_name(number) for picked in asked for number in numbers(picked)[:1]}
        for page in self.replaced:
            before = f"{page_name(page['number'])} before merging"
            called |= {ref: before for ref in (refs.place(page["start"], page["end"]), page["wrote"]) if ref}
        return called | {ref: page_name(number) for ref, number in self.numbers.items()}

    def provisional(self, answers: Answers) -> Iterable[Event]:
        """The gists of the pages that have none yet. Answers may be newer than the events: a page that is not cut gets none."""
        cut = sum(isinstance(event, Cut) for event in self.trace.events)
        return islice(answers.written({GIST.id, GIST_FOR.id}, "gist"), max(0, cut - len(self.trace.wrote)))

    def measures(self, records: Sequence[Record]) -> Mapping[str, Any]:
        """How many pages were opened of how many allowed, how many words they have, and by how much the memory is shorter than
        the text, before the look-up and after it."""
        trace = self.trace
        gists = [page for page in self.pages if page["wrote"]]
        if not gists:
            return {}
        asked = [event for event in trace.events[trace.built_until :] if isinstance(event, Asked)]
        shown = trace.spans_shown(asked[-1].seq) if asked else ()
        reread = sum(_count(trace.document.text[start:end]) for start, end in shown)
        closed = [page for page in gists if not any(start < page["end"] and page["start"] < end for start, end in shown)]
        whole = words.count(trace.document.text) or 1
        gisted, still = (sum(page["gist_words"] for page in several) for several in (gists, closed))
        return {
            "lookups": len(trace.decisions("look_up")) - len(trace.decisions("put_back")),
            "lookups_allowed": self._allowed(records),
            "words_reread": reread,
            "compression_rate": {"before": 1 - gisted / whole, "after": 1 - (still + reread) / whole},
        }

    def _allowed(self, records: Sequence[Record]) -> int | None:
        """The number of pages that the first request allowed; None if there was no request."""
        for record in records:
            if record.task in ("choose", "choose_many"):
                parts = decode_parts(record.parts, self.trace.document)
                return next((int(part.texts[0].text) for part in parts if part.name == "limit"), None)
        return None

    def hints(self, source: HintSource) -> Iterator[Hint]:
        """How far gists shorten, which requests were dropped, and which opened pages the answer does not use."""
        gists = self._kept_gists(source)
        if not gists:
            return
        yield from self._compressed(source, gists)
        for because, (kind, told) in DROPPED.items():
            if dropped := [(step, event) for step, event in source.decisions("drop") if event.because == because]:
                yield Hint(kind, steps_of(dropped), told.format(times(len(dropped))))
        yield from self._unused(source)

    def _kept_gists(self, source: HintSource) -> list[tuple[int, Wrote]]:
        """The gists with their steps, without those of pages that were merged or shortened again."""
        kept = {page["wrote"] for page in self.pages}
        return [(step, event) for step, event in source.wrote("gist") if refs.wrote(event.n) in kept]

    def _compressed(self, source: HintSource, gists: Sequence[tuple[int, Wrote]]) -> Iterator[Hint]:
        """How much of the words gists keep, and of which page the least."""
        pages: list[tuple[float, int, int, int, str]] = []
        for step, event in gists:
            sources = self.trace.sources(event.pieces)
            whole = sum(words.count(self.trace.document.text[start:end]) for start, end in sources)
            if whole:
                name = source.name_of(refs.wrote(event.n), f"the gist of {page_name(len(pages))}")
                size = words.count(event.text)
                pages.append((size / whole, size, whole, step, name if name.startswith("the gist") else f"the gist of {name}"))
        if pages:
            least, kept, whole, step, name = min(pages)
            share = sum(page[1] for page in pages) / sum(page[2] for page in pages)
            told = f"Its gists keep {percent(share)} of the words; {name} keeps the least, {percent(least)}"
            yield Hint("compressed", (step,), f"{told} ({kept} of {whole} words).")

    def _unused(self, source: HintSource) -> Iterator[Hint]:
        """Opened pages that share no words with the answer."""
        end, document = self.trace.end, self.trace.document
        if not isinstance(end, Answered) or not (answer := content_words(end.text)):
            return
        unused: list[tuple[int, str]] = []
        for step, event in source.events_of(Looked):
            page = "\n".join(document.text[piece.begin : piece.stop] for piece in event.pieces if piece.origin == DOCUMENT)
            if self.trace.steps[step - 1].phase == LOOK_UP_PHASE and page and not answer & set(words.terms(page)):
                unused.append((step, source.name_of(event.ref, "a page")))
        if unused:
            names = listed(dict.fromkeys(name for _, name in unused), most=4)
            told = "opened, and the answer has none of the less common words there."
            yield Hint("opened_unused", steps_of(unused), f"{names[0].upper()}{names[1:]} {were(len(unused))} {told}")

    def hints_from_evidence(self, source: HintSource, evidence: Sequence[Span]) -> Iterator[Hint]:
        """Pages with evidence that were not opened for the question."""
        gists, steps = self._kept_gists(source), self.trace.steps
        if not gists or not any(step.phase == LOOK_UP_PHASE for step in steps):
            return
        opened, back = ({event.picked for event in self.trace.decisions(action)} for action in ("look_up", "put_back"))
        closed = [
            source.name_of(refs.wrote(event.n), "a page")
            for _, event in gists
            if refs.wrote(event.n) not in opened - back and overlap(self.trace.sources(event.pieces), evidence)
        ]
        if closed:
            requests = tuple(step.number + 1 for step in steps if step.names[-1].startswith("request"))
            told = f"Known evidence is in parts that were not opened: {listed(dict.fromkeys(closed), most=4)}."
            yield Hint("evidence_closed", requests, told)
