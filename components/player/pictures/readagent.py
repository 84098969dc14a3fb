"""ReadAgent's picture: the text as a row of pages, their gists, and the pages that were opened again. Pure.

Each page has states by step: `read` (no gist yet), `gist`, `asked`, `waiting` (opened, and no call has shown it yet), `opened`,
`dropped`, `back` (put back). It is made from the reader's state, as its `view` is, so it shows what the run file has. Steps count
from 0, and `here` has an entry for each: the id of the page it is about, or None. Of the answer it says where its words occur,
which is not what it was made from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from components.player.graph_layout import since
from components.player.shared_words import asked_about, shared, telling
from components.player.word_diff import can_align
from readers.engine.questions.no_answer_given import none_given
from readers.engine.record.events import Answered, Asked, Chose, Cut, Looked, Wrote
from readers.engine.record.hint import overlap
from readers.engine.record.trace import BUILD, Trace
from readers.engine.text import refs, split
from readers.engine.text.document import DOCUMENT, Piece, Span
from readers.engine.text.phrases import counted, listed_by_number
from readers.engine.text.words import WORD, rarity, term, words
from readers.readagent.narrative import page_name
from readers.readagent.state import ReadAgentState

MEANINGS = {
    "gist": "only its gist",
    "asked": "asked for",
    "waiting": "opened for its next call",
    "opened": "opened again",
    "dropped": "asked for, dropped",
    "back": "put back for lack of room",
}
BREAKS = {
    "chosen": "the model paused here",
    "fallback": "no pause could be read: the last label was used",
    "tail": "the rest of the text",
    "cut": "a paragraph cut at a sentence end",
    "merged": "merged with its neighbour",
    "only": "the only place to pause",
    "uniform": "pages of about the same length",
}
NOWHERE, MOST_NAMED = "its words occur in neither an opened page nor a gist", 4
SUPPORTED = 0.6  # the share of a sentence's rarer words that a page must contain to support it
Page = Mapping[str, Any]
Runs = list[tuple[str, str]]


def draw(trace: Trace, opened: Set[str], *, question: str = "") -> dict[str, Any] | None:
    """The pages and their states, and each page opened again beside its gist; None before there is a page."""
    state = ReadAgentState.of(trace)
    pages: list[Page] = state.view()["pages"]
    if not pages:
        return None
    changes, here = _changes(state)
    gists = {number: ref for ref, number in state.numbers.items() if refs.written(ref) is not None}
    visits = defaultdict(list)
    for step, page_id in here.items():
        visits[page_id].append(step)
    return {
        "kind": "pages",
        "caption": "The pages and their gists",
        "hint": "width: words · hatched: the gist",
        "pages": [_page(page, changes.get(page["id"], []), visits[page["id"]], gist=gists.get(page["id"], "")) for page in pages],
        "here": [str(here[step.number]) if step.number in here else None for step in trace.steps],
        "built": max((step.number + 1 for step in trace.steps if step.phase == BUILD), default=0),
        "meanings": MEANINGS,
        "since": since(changes.values()),
        "beside": _opened(trace, {page["id"]: page for page in pages}, here, question),
        "claims": list(_claims(trace, pages)),
    }


def _page(page: Page, changes: list[tuple[int, str]], visits: list[int], *, gist: str) -> dict[str, Any]:
    kept = {name: page[name] for name in ("start", "end", "gist", "words", "gist_words")}
    ended = BREAKS.get(page["break"], page["break"])
    name = page_name(page["id"])
    about = {"id": str(page["id"]), "name": name, "number": name.removeprefix("page "), "ref": gist}
    stands_for = [gist, refs.place(page["start"], page["end"])]
    return {**kept, **about, "refs": stands_for, "ended": ended, "changes": changes, "visits": visits}


def _changes(state: ReadAgentState) -> tuple[dict[int, list[tuple[int, str]]], dict[int, int]]:
    """The states of each page by step, and the page that was open at each step."""
    trace, called = state.trace, state.numbers  # not pages that were merged later
    by_start = {page["start"]: number for number, page in enumerate(state.pages)}
    changes: dict[int, list[tuple[int, str]]] = defaultdict(list)
    here: dict[int, int] = {}
    for step, event in trace.by_step():
        match event:
            case Cut(spans=spans):
                for page_id in (by_start[span.start] for span in spans if span.start in by_start):
                    changes[page_id].append((step.number, "read"))
            case Wrote(n=n) if refs.wrote(n) in called:
                changes[called[refs.wrote(n)]].append((step.number, "gist"))
            case Looked() if event.ref in called:
                here[step.number] = called[event.ref]
                if step.phase != BUILD:
                    changes[called[event.ref]] += _opening(trace, step.number, state.pages[called[event.ref]])
            case Chose(action=action, picked=picked) if picked in called and action in _STATES:
                changes[called[picked]].append((step.number, _STATES[action]))
    return {page: sorted(states, key=lambda change: change[0]) for page, states in changes.items()}, here


def _opening(trace: Trace, step: int, page: Page) -> Iterator[tuple[int, str]]:
    """A page that is opened waits until a call shows it."""
    here = [Span(page["start"], page["end"])]
    shown = next((at for at in range(step, len(trace.steps)) if overlap(trace.raw_at[at], here)), None)
    if shown != step:
        yield step, "waiting"
    if shown is not None:
        yield shown, "opened"


def _opened(trace: Trace, pages: Mapping[int, Page], here: Mapping[int, int], question: str) -> dict[int, dict[str, Any]]:
    """By step: the page that was opened again beside its gist, and why that page, with the step whose call asked for it."""
    by_rule, asked = bool(trace.decisions("score")), 0
    found = {}
    for step in trace.steps:
        asked = step.number if any(isinstance(event, Asked) for event in trace.of(step)) else asked
        looked = [event for event in trace.of(step) if isinstance(event, Looked)]
        if step.phase == BUILD or not looked or step.number not in here:
            continue
        page, why = pages[here[step.number]], looked[0].why
        text = trace.document.text[page["start"] : page["end"]].strip()
        aligned = beside(page["gist"], text, question=question, why="" if by_rule else why)
        found[step.number] = {"id": str(page["id"]), "why": why, "by_rule": by_rule, "asked": asked, **aligned}
    return found


_STATES = {"look_up": "asked", "drop": "dropped", "put_back": "back"}


def _claims(trace: Trace, pages: Iterable[Page]) -> Iterator[dict[str, Any]]:
    """Each sentence of the answer, and where its words occur: in opened pages, otherwise in gists, otherwise in neither. Of those
    that have as many of its words, it is those that have them in a row. Words that say there is no answer occur nowhere."""
    if not isinstance(trace.end, Answered) or none_given("answered", trace.end.text):
        return
    answer = trace.end.text
    raw = {piece.begin for piece in _answering(trace) if piece.origin == DOCUMENT}
    shown: list[tuple[str, int, list[str]]] = []  # for each page, whether the answering prompt had it or its gist, and the terms
    for page in pages:
        kind = "raw" if any(page["start"] <= begin < page["end"] for begin in raw) else "gist"
        text = trace.document.text[page["start"] : page["end"]] if kind == "raw" else page["gist"]
        shown.append((kind, page["id"], _terms(text)))
    for start, end in split.sentences(answer):
        sentence = answer[start:end].strip()
        if wanted := _terms(sentence):
            shares = [
                ((len({*wanted}.intersection(terms)) / len({*wanted}), kind, _in_a_row(wanted, terms)), page_name(page_id))
                for kind, page_id, terms in shown
            ]
            best = share, kind, _ = max((one for one, _ in shares), default=(0.0, "none", False))
            there = [name for one, name in shares if one == best]
            held = share >= SUPPORTED
            yield {"text": sentence, "in": kind if held else "none", "words": _where(share, kind, there) if held else NOWHERE}


def _where(share: float, kind: str, pages: Sequence[str]) -> str:
    """Where words occur, of many pages the first; which says nothing of what an answer was made from."""
    named = f"{listed_by_number(pages[:MOST_NAMED], 'page')}" if len(pages) <= MOST_NAMED else counted(len(pages), "page")
    there = f"{named}, read again" if kind == "raw" else f"the {'gist' if len(pages) == 1 else 'gists'} of {named}"
    return f"{'its words occur' if share == 1 else 'most of its words occur'} in {there}"


def _answering(trace: Trace) -> Iterator[Piece]:
    """The pieces in the prompt of the answering call."""
    last = max(trace.asked, default=-1)
    for _, texts in trace.asked[last].parts if last >= 0 else ():
        for pieces in texts:
            yield from pieces


def _terms(text: str) -> list[str]:
    return [term(word) for word in words(text) if rarity(word) > 0]


def _in_a_row(wanted: Sequence[str], terms: Sequence[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(terms)} "


# A page beside its gist, by an alignment of their words in order, without case and endings. A rare word that both have counts as
# kept wherever it stands. A gist that says the same in other words seems to have kept less than it did.


class _PageWords(NamedTuple):
    """The words of a text: where they are, and their terms."""

    text: str
    spans: Sequence[tuple[int, int]]
    terms: Sequence[str]


def beside(gist: str, page: str, *, question: str = "", why: str = "") -> dict[str, Any]:
    """Both texts in runs of (words, kind), and figures of the rarer words.

    In the gist, `kept` words are the page's and `own` ones are not in the page. In the page, `kept` words are in the gist too,
    and `met` ones are words of the question that only the page has.
    """
    left, right = _words(gist), _words(page)
    here, there = telling(gist), telling(page)
    asked = asked_about(question, why)
    gist_kept, page_kept = _aligned(left, right, here & there)
    return {
        "gist": _runs(left, {**_kind("own", left, here - set(right.terms)), **dict.fromkeys(gist_kept, "kept")}),
        "page": _runs(right, {**_kind("met", right, asked - set(left.terms)), **dict.fromkeys(page_kept, "kept")}),
        "rare": len(there),
        "kept": len(here & there),
        "met": shared(gist, asked),
        "adds": shared(page, asked - set(left.terms)),
    }


def _words(text: str) -> _PageWords:
    found = list(WORD.finditer(text))
    return _PageWords(text, [match.span() for match in found], [term(match[0]) for match in found])


def _aligned(left: _PageWords, right: _PageWords, both: Set[str]) -> tuple[set[int], set[int]]:
    """The numbers of the words on either side that are in the other text, too: aligned runs with a rarer word in them, and the
    rarer words themselves."""
    kept = tuple({n for n, one in enumerate(side.terms) if one in both} for side in (left, right))
    if can_align(left.terms, right.terms):
        matcher = SequenceMatcher(None, left.terms, right.terms, autojunk=False)
        for block in matcher.get_matching_blocks():
            if any(left.terms[block.a + n] in both for n in range(block.size)):
                kept[0].update(range(block.a, block.a + block.size))
                kept[1].update(range(block.b, block.b + block.size))
    return kept[0], kept[1]


def _kind(kind: str, words: _PageWords, terms: Set[str]) -> dict[int, str]:
    """The words that have one of these terms, by number."""
    return {n: kind for n, one in enumerate(words.terms) if one in terms}


def _runs(words: _PageWords, kinds: dict[int, str]) -> Runs:
    """The whole text in runs of one kind; what lies between two words of one kind is theirs."""
    return list(_joined(words, kinds))


def _joined(words: _PageWords, kinds: dict[int, str]) -> Iterator[tuple[str, str]]:
    at, kind, until = 0, "", 0
    for n, (start, end) in enumerate(words.spans):
        now = kinds.get(n, "")
        if now != kind:
            edge = until if kind else start
            yield from [(words.text[at:edge], kind)] if edge > at else []
            yield from [(words.text[edge:start], "")] if kind and now and start > edge else []
            at, kind = (start if now else edge), now
        until = end
    edge = until if kind else len(words.text)
    yield from [(words.text[at:edge], kind)] if edge > at else []
    yield from [(words.text[edge:], "")] if edge < len(words.text) else []
