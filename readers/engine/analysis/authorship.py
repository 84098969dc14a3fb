"""Whose words a reading's replies and writings are: a model's, or a person's who replied in its place or changed them. Pure.

Told call by call, for a fork may have one reply of a person among many of a model. A writing is whose the replies are that it is
made of; one that was changed is a person's. Not here: which model it was (`who.py`), and how that is said (`wording.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readers.engine.models import catalogue
from readers.engine.record.edits import ReplyEdit, WrittenEdit
from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Step, Trace
from readers.engine.store import Run
from readers.engine.text import refs

MODEL, PERSON, BOTH = "the model", "a person", "the model and a person"


@dataclass(frozen=True)
class Hands:
    """Of one reading: the `calls` whose reply, as it was read, is a person's, and the texts that were `changed` by one."""

    trace: Trace
    calls: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()

    @cached_property
    def wrote(self) -> Mapping[int, str]:
        """Who wrote each text, by its number: MODEL, PERSON or BOTH. A text in no reply's words goes by the calls before it."""
        found: dict[int, str] = {}
        before: set[str] = set()
        for event in self.trace.events:
            if isinstance(event, Asked) and event.prompt != SCORE_PROMPT:
                before.add(self._of_call(event.seq))
            elif isinstance(event, Wrote):
                by = PERSON if event.n in self.changed else _joined(self._origins(event.pieces, found))
                found[event.n] = by or _joined(before) or MODEL
        return found

    def step(self, step: Step) -> str:
        """Who replied at a step; MODEL where nobody was asked."""
        happened = self.trace.events[step.start : step.end]
        return _joined(self._of_call(e.seq) for e in happened if isinstance(e, Asked) and e.prompt != SCORE_PROMPT) or MODEL

    def last(self, step: Step) -> str:
        """Who gave the last reply at a step, which its decision goes by."""
        happened = self.trace.events[step.start : step.end]
        asked = [event.seq for event in happened if isinstance(event, Asked) and event.prompt != SCORE_PROMPT]
        return self._of_call(asked[-1]) if asked else MODEL

    def text(self, pieces: Pieces) -> str:
        """Who wrote these characters; empty for what is neither a reply nor a writing."""
        return _joined(self._origins(pieces, self.wrote))

    def told(self) -> dict[str, str]:
        """The texts that are not the model's alone, by their ref: who wrote them."""
        return {refs.wrote(n): by for n, by in self.wrote.items() if by != MODEL}

    def _of_call(self, seq: int) -> str:
        return PERSON if seq in self.calls else MODEL

    def _origins(self, pieces: Pieces, wrote: Mapping[int, str]) -> Iterator[str]:
        for piece in pieces:
            if (seq := refs.replied(piece.origin)) is not None:
                yield self._of_call(seq)
            elif (number := refs.written(piece.origin)) is not None and number in wrote:
                yield wrote[number]


def of(trace: Trace, run: Run, records: Sequence[Record]) -> Hands:
    """Those of a reading with its record."""
    read = {(seq, asked.attempt) for seq, asked in trace.asked.items()}
    theirs = {r.seq for r in records if (r.seq, r.attempt) in read and (r.origin == "edited" or r.model == catalogue.HUMAN)}
    return Hands(trace, frozenset(theirs), _changed(trace, run.spec))


def so_far(trace: Trace, run: Run) -> Hands:
    """Those of a reading that goes on, as far as its spec and its last edit tell."""
    edit = run.edit or {}
    theirs = {int(edit["seq"])} if edit.get("kind") == ReplyEdit.kind else set()
    return Hands(trace, frozenset(theirs), _changed(trace, run.spec))


def _changed(trace: Trace, spec: Mapping[str, Any]) -> frozenset[int]:
    """The texts that read as a person put them: those of edits that came to bear."""
    edits = [edit for edit in spec.get("edits") or () if edit.get("kind") == WrittenEdit.kind]
    return frozenset(edit["n"] for edit in edits if edit["n"] in trace.wrote and trace.wrote[edit["n"]].text == edit["text"])


def _joined(several: Iterable[str]) -> str:
    """Who they are together; empty for nobody."""
    found = set(several)
    return next(iter(found)) if len(found) == 1 else BOTH if found else ""
