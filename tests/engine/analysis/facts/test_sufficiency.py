"""Sufficiency computed again by other code, from the events as run files have them: of all shipped readings and of short ones by
every reader, each with evidence at several places.

Shared with the product is only what a text says of a fact (`match`), which has a test of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from readers import get
from readers.engine.analysis.facts.follow import trimmed
from readers.engine.analysis.facts.life import life
from readers.engine.analysis.facts.matcher import ComparableFact, match
from readers.engine.analysis.facts.sufficiency import Sufficiency, sufficiency
from readers.engine.record import events
from readers.engine.record.trace import Trace
from readers.engine.text import split
from readers.engine.text.document import Span
from tests.support.readings.every_reading import WAYS, Way, every_way, reading
from tests.support.readings.shipped_readings import every_shipped, shipped_reading

DRAWS = 5  # sets of evidence for each reading
ORDER = ["carried", "altered", "unclear", "lost"]


class Recomputed:
    """The life of one fact by sets of characters: what each call had of it (`calls`), and what each text says (`texts`)."""

    def __init__(self, text: str, fact: Span, told: Sequence[dict[str, Any]]) -> None:
        self.fact = set(range(fact.start, fact.end))
        self.words = ComparableFact.of(text[fact.start : fact.end], text)
        self.texts: dict[str, str] = {}
        self.words_of: dict[str, str] = {}
        self.calls: dict[int, str] = {}
        self.touched: dict[str, str] = {}
        self.parents: dict[str, set[str]] = {}
        for one in told:
            if one["kind"] == "asked" and one["prompt"] != "score":
                self._asked(one)
            elif one["kind"] == "wrote":
                self._wrote(one)

    def _asked(self, call: dict[str, Any]) -> None:
        pieces = [piece for _, texts in call["parts"] for pieces in texts for piece in pieces]
        shown = self._of_document(pieces)
        written = {piece[2] for piece in pieces if piece[2].startswith("wrote:")}
        self.parents[f"reply:{call['seq']}"] = written
        said = min((self.texts[one] for one in written if one in self.texts), key=ORDER.index, default="")
        if self._half(shown) or said:
            self.calls[call["seq"]] = "carried" if self._half(shown) else said
            self.touched[f"reply:{call['seq']}"] = "carried" if shown & self.fact else said

    def _wrote(self, one: dict[str, Any]) -> None:
        name = f"wrote:{one['n']}"
        self.words_of[name] = one["text"]
        said = {self._origin(piece) for piece in one["pieces"]} - {None}
        if not said:
            return
        verdict = str(match(self.words, one["text"]).verdict)
        behind = {parent for piece in one["pieces"] for parent in self.parents.get(piece[2], {piece[2]})}
        copied = [parent for parent in behind if parent in self.words_of and self.words_of[parent] == one["text"]]
        empty = any(parent != name and self.texts.get(parent, "lost") == "lost" for parent in copied)
        self.texts[name] = "lost" if verdict == "unclear" and (said == {"lost"} or empty) else verdict

    def _origin(self, piece: list[Any]) -> str | None:
        if piece[2] == "document":
            return "carried" if self._half(self._of_document([piece])) else None
        return self.touched.get(piece[2]) or self.texts.get(piece[2])

    def _of_document(self, pieces: Sequence[list[Any]]) -> set[int]:
        return {place for *_, origin, begin, stop in pieces if origin == "document" for place in range(begin, stop)}

    def _half(self, shown: set[int]) -> bool:
        return 2 * len(shown & self.fact) >= len(self.fact)


def recomputed(trace: Trace, facts: Sequence[Span]) -> tuple[str, int | None, int | None]:
    """How the evidence stood, in which call (None if in none), and the number of the first text that carries it all."""
    told = [json.loads(events.to_json(one)) for one in trace.events]
    lives = [Recomputed(trace.document.text, fact, told) for fact in facts]
    opened: list[str] = []
    found = ("not stated", None)
    for one in told:
        if one["kind"] == "step_began":
            opened.append(one["name"])
        elif one["kind"] == "step_ended":
            opened.pop()
        elif one["kind"] == "asked" and opened[:1] != ["build"]:
            said = {each.calls.get(one["seq"], "lost") for each in lives}
            if said == {"carried"} and found[0] != "stated":
                found = ("stated", one["seq"])
            elif said <= {"carried", "unclear"} and found[0] == "not stated":
                found = ("cannot be told", one["seq"])
    carrying = [int(name[6:]) for name in lives[0].texts if all(each.texts.get(name) == "carried" for each in lives)]
    return (*found, min(carrying, default=None))


def drawn(trace: Trace, seed: str) -> list[list[Span]]:
    """Sets of one to three sentences of a text, drawn at random."""
    text, by = trace.document.text, Random(seed)
    sentences = [one for one in (trimmed(text, span) for span in split.sentences(text)) if one.end - one.start >= 20]
    return [sorted(by.sample(sentences, min(len(sentences), 1 + number % 3))) for number in range(DRAWS)]


def same(trace: Trace, reader: str, facts: Sequence[Span]) -> Sufficiency:
    lives = [life(trace, fact, get(reader).narrative) for fact in facts]
    found = sufficiency(trace, lives, [])
    assert found
    noticed = min(
        (n for n in trace.wrote if all(n in one.texts and one.texts[n].verdict == "carried" for one in lives)), default=None
    )
    assert (found.standing, found.call, noticed) == recomputed(trace, facts), facts
    assert found.noticed == (None if noticed is None else trace.written_at(noticed))
    return found


@every_way
def test_short_readings(way: Way) -> None:
    trace = reading(way.name)
    for facts in drawn(trace, way.name):
        same(trace, way.reader, facts)


@every_shipped
def test_shipped_readings(name: str) -> None:
    shipped = shipped_reading(name)
    for facts in drawn(shipped.trace, name):
        same(shipped.trace, shipped.run.reader, facts)


def test_the_drawn_evidence_stands_in_all_three_ways() -> None:
    found = [same(reading(way.name), way.reader, facts).standing for way in WAYS for facts in drawn(reading(way.name), way.name)]
    assert {*found} == {"stated", "not stated", "cannot be told"}, found
