"""The picture of a memory that is overwritten chunk by chunk: every version, what was overwritten, and what was recalled. Pure.

Made for each reader that carries a memory along, from its `view`, so it shows what the run file has. The life of every
sentence comes from `engine/analysis/sentence_history.py`. Each text is sent once, by number; differences only for what changed.
The source of a sentence in the text is found by words alone: the *most similar* sentence of its chunk, or none.

Steps count from 0, and `here` has an entry for each: the number of the memory that stands then, -1 for none. `memories` has a row
for each version of the memory, with a place for each of its sentences: its number in `lanes`, its version there, its change (a
number in `hows`) and whether a paragraph begins; `over` has what each version overwrote.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from typing import Any

from components.player import word_diff
from readers import get
from readers.engine.analysis import sentence_history
from readers.engine.analysis.memory_snapshots import MemoryState
from readers.engine.analysis.sentence_history import CAME, HOWS, NOWHERE, Lane, SentenceHistories
from readers.engine.record.scores import in_words
from readers.engine.record.trace import Trace
from readers.engine.text import refs, split
from readers.engine.text.document import Document, Span
from readers.engine.text.words import rarity, term, words
from readers.rememr1.narrative import by_the_model

MEANINGS = {
    "verbatim": "kept word for word",
    "moved": "moved to another place",
    "reworded": "reworded",
    "merged": "made of several sentences",
    "split": "part of a longer sentence",
    "restored": "back again after it was lost",
    "uncertain": "written at this step, perhaps another sentence in new words",
    "new": "written at this step",
}
LIKE = 0.5  # the share of a sentence's rarer words that a sentence of the chunk must contain to count as its source
MOST_HITS = 60  # of one word in a chunk
Snapshot = Mapping[str, Any]


def draw(reader: str, trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """Every version of the memory by step; None before there is one. `limit` is None here, because the trace does not have it."""
    made_by = get(reader)
    snapshots: Sequence[Snapshot] = made_by.view(trace)["snapshots"]
    if not snapshots:
        return None
    state = MemoryState.of(trace)
    written, histories = [snapshot.ref for snapshot in state.snapshots], state.histories
    snapshots = [_without_placeholder(snapshot, ref) for snapshot, ref in zip(snapshots, written, strict=True)]
    lanes = _Lanes(trace.document, snapshots, histories)
    return {
        "kind": "memory",
        "called": made_by.narrative.carried,
        "caption": f"Its {made_by.narrative.carried} now",
        "hint": "select a sentence for its history",
        "limit": None,
        "hows": list(HOWS),
        "meanings": MEANINGS,
        "snapshots": [
            {**_snapshot(snapshot, trace, state), "ref": ref} for snapshot, ref in zip(snapshots, written, strict=True)
        ],
        "here": _here(trace, snapshots),
        "memories": [
            [(place.lane, place.version, HOWS.index(place.how), place.breaks) for place in row] for row in histories.memories
        ],
        "over": [[tuple(over) for over in row] for row in histories.over],
        "lanes": lanes.drawn(),
        "texts": list(lanes.texts),
    }


def draw_chain(reader: str, trace: Trace, opened: Set[str]) -> dict[str, Any] | None:
    """The picture of a chain of agents: that of a memory, with who wrote each message and for whom, and what each hop added and
    lost."""
    drawn = draw(reader, trace, opened)
    if drawn is None:
        return None
    workers = len(trace.first_cut)
    hops = range(1, len(drawn["snapshots"]) + 1)
    captions = [f"The message of worker {n}, for {f'worker {n + 1}' if n < workers else 'the manager'}" for n in hops]
    return {**drawn, "captions": captions, "hops": [_hop(MemoryState.of(trace).histories, n - 1) for n in hops]}


def _hop(histories: SentenceHistories, number: int) -> tuple[int, int]:
    """How many sentences came into message `number` (from 0), and how many of the message before it are gone for good: a sentence
    that became part of another one is neither."""
    return sum(place.how in CAME for place in histories.memories[number]), len(histories.lost(number))


def _without_placeholder(snapshot: Snapshot, ref: str) -> Snapshot:
    """What stands in a prompt before there is a memory is no memory: none of its words were written, and none can be lost."""
    return snapshot if ref else {**snapshot, "tokens": 0}


def _snapshot(snapshot: Snapshot, trace: Trace, state: MemoryState) -> dict[str, Any]:
    kept = {name: snapshot[name] for name in ("step", "tokens", "truncated")}
    callback = snapshot["callback"]
    span = (snapshot["start"], snapshot["end"])
    return {**kept, "span": span, "chunk": refs.place(*span), "callback": callback and _callback(callback, trace, state)}


def _callback(callback: Mapping[str, Any], trace: Trace, state: MemoryState) -> dict[str, Any]:
    """What was looked for, by whom, and recalled; scores in thousandths, in the order of their steps. `began`: what it found is
    the memory with which it began, of which there is nothing to see."""
    began = any(one.step == callback["recalled_step"] and not one.ref for one in state.snapshots)
    scores = [(score["step"], round(1000 * score["score"])) for score in callback["scores"]]
    recalled = {number for number, (step, _) in enumerate(scores) if step == callback["recalled_step"]}
    return {
        "query": callback["query"],
        "by_model": by_the_model(callback["query"], trace),
        "recalled": None if began else callback["recalled_step"],
        "began": began,
        "distance": callback["distance"],
        "steps": [step for step, _ in scores],
        "scores": [score for _, score in scores],
        "words": in_words([score["score"] for score in callback["scores"]], recalled),
    }


def _here(trace: Trace, snapshots: Sequence[Snapshot]) -> list[int]:
    """The number of the current memory after each step; NOWHERE before the first."""
    steps = [snapshot["step"] for snapshot in snapshots]
    return [bisect_right(steps, step.number) - 1 for step in trace.steps]


class _Lanes:
    """Every sentence with its versions: memory, text, how it was matched, what changed, and its most likely source in the
    text."""

    def __init__(self, document: Document, snapshots: Sequence[Snapshot], histories: SentenceHistories) -> None:
        self.texts: dict[str, int] = {}
        self._document, self._snapshots, self._lanes = document, snapshots, histories.lanes
        self._memories = histories.memories
        self._merged: dict[tuple[int, int], set[int]] = defaultdict(set)  # by memory and lane: which lanes went into it
        for number, lane in enumerate(histories.lanes):
            for at, into in lane.gone:
                if into != NOWHERE:
                    self._merged[at, into] |= {number, into}

    def drawn(self) -> list[dict[str, Any]]:
        return [self._lane(number, lane) for number, lane in enumerate(self._lanes)]

    def _lane(self, number: int, lane: Lane) -> dict[str, Any]:
        split_off = lane.versions[0].how == "split"
        before = _words_at(self._lanes[lane.parent], lane.came) if split_off else ""
        versions: list[tuple[Any, ...]] = []
        for version in lane.versions:
            found: tuple[Any, ...] = (version.at, self.texts.setdefault(version.text, len(self.texts)), HOWS.index(version.how))
            if version.how in ("new", "uncertain"):
                source = self._source(version.text, version.at)
                found += (0, source) if source else ()
            elif version.text != before:
                before = self._joined(number, version.at) or before
                # The rest of a split sentence is elsewhere: it was not removed.
                found += (word_diff.changes(before, version.text, taken_out=version.how != "split"),)
            if not versions and split_off:
                source = self._split_off(lane)
                found = (*found[:3], found[3] if found[3:] else 0, source) if source else found
            versions.append(found)
            before = version.text
        return {"v": versions, "gone": [tuple(gone) for gone in lane.gone], "parent": lane.parent}

    def _joined(self, number: int, at: int) -> str:
        """The sentences that were merged into this one, in their words before; empty for none."""
        parts = self._merged.get((at, number), set())
        return " ".join(_words_at(self._lanes[place.lane], at) for place in self._memories[at - 1] if place.lane in parts)

    def _source(self, text: str, at: int) -> Span | None:
        snapshot = self._snapshots[at]
        return most_like(self._document, Span(snapshot["start"], snapshot["end"]), text)

    def _split_off(self, lane: Lane) -> Span | None:
        """The source of a sentence that was first part of another: in the chunk where its words entered that one, otherwise in
        the chunk where it was split off."""
        text, came, parent = lane.versions[0].text, lane.came, lane.parent
        wanted = sentence_history.weights(text)
        at = came
        while parent != NOWHERE:
            whole = self._lanes[parent]
            had = {
                v.at: sum(w for word, w in wanted.items() if word in sentence_history.weights(v.text))
                for v in whole.versions
                if v.at < at
            }
            at = max(had, key=lambda n: (had[n], -n))
            parent = whole.parent if at == whole.came and whole.versions[0].how == "split" else NOWHERE
        return self._source(text, at) or self._source(text, came)


def _words_at(lane: Lane, at: int) -> str:
    """The words of a sentence before memory `at`."""
    return next((version.text for version in reversed(lane.versions) if version.at < at), lane.versions[0].text)


def rests(picture: Mapping[str, Any], answer: str) -> list[int]:
    """The steps (from 1) that wrote the sentences most like the answer's, among those of the last memory and of the memory that
    was recalled beside it. Compared by words alone; a sentence of the answer that is like none adds nothing."""
    rows = [picture["lanes"][lane]["v"][version] for memory in _before_the_answer(picture) for lane, version, _, _ in memory]
    held = [({term(word) for word in words(picture["texts"][text])}, at) for at, text, *_ in rows]
    steps = set()
    for start, end in split.sentences(answer):
        wanted = {term(word): rarity(word) for word in words(answer[start:end]) if rarity(word) > 0}
        size = sum(wanted.values())
        shares = ((sum(weight for word, weight in wanted.items() if word in there), at) for there, at in held)
        share, at = max(shares, default=(0.0, 0))
        if size and share >= LIKE * size:
            steps.add(picture["snapshots"][at]["step"] + 1)
    return sorted(steps)


def _before_the_answer(picture: Mapping[str, Any]) -> list[Any]:
    """The memories that stood before the model when it answered: the last one, and the one that was recalled for the answer."""
    looked_back = picture["snapshots"][-1].get("callback") or {}
    recalled = [n for n, snapshot in enumerate(picture["snapshots"]) if snapshot["step"] == looked_back.get("recalled")]
    return [picture["memories"][-1], *(picture["memories"][n] for n in recalled)]


def lost(picture: Mapping[str, Any]) -> int:
    """How many sentences were overwritten and are not in the last memory, nor part of a sentence there."""
    last = {lane for lane, *_ in picture["memories"][-1]}
    return sum(any(into == NOWHERE for _, into in lane["gone"]) and n not in last for n, lane in enumerate(picture["lanes"]))


def most_like(document: Document, chunk: Span, sentence: str) -> Span | None:
    """The sentence of a chunk that has most of the rarer words of a sentence; None if none has a share of LIKE."""
    wanted = {word: rarity(word) for word in words(sentence) if rarity(word) > 0}
    size = sum(wanted.values())
    if not size:
        return None
    text, ends = _lowered(document, chunk)
    share: dict[int, float] = defaultdict(float)
    for word, weight in wanted.items():
        for number in dict.fromkeys(bisect_right(ends, at) for at in _hits(text, _stem(_low(word)))):
            share[number] += weight / size
    best = max(share, key=lambda number: (share[number], -number), default=0)
    if share.get(best, 0.0) < LIKE:
        return None
    start = chunk.start + (ends[best - 1] if best else 0)
    end = chunk.start + ends[best]
    return Span(start, start + len(document.text[start:end].rstrip()))


@lru_cache(maxsize=4)
def _lowered(document: Document, chunk: Span) -> tuple[str, list[int]]:
    """The chunk in lower case, and where its sentences end."""
    text = document.text[chunk.start : chunk.end]
    return _low(text), [span.end for span in split.sentences(text)]


def _low(text: str) -> str:
    """Lower case of the same length: only “İ” would become two characters."""
    return text.replace("İ", "i").lower()


def _stem(word: str) -> str:
    """The letters that a word has in common with its stem, so that other endings are found too."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(word, term(word), strict=False))
    return "".join(letter for letter, _ in same) or word


def _hits(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    for _ in range(MOST_HITS):
        if at < 0:
            return
        yield at
        at = text.find(word, at + len(word))
