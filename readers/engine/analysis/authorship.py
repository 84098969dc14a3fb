"""Who wrote a reading's replies and texts: the model, or a person who replied in its place or edited them. Pure.

Authorship is kept call by call, because a fork may have one reply by a person among many by a model. A text belongs to whoever
wrote the replies it was built from; an edited text belongs to the editor. Not here: which model it was (`record/answered_by.py`).
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

MODEL, PERSON, BOTH, RULE = "the model", "a person", "the model and a person", "a rule"


@dataclass(frozen=True)
class Authorship:
    """Who wrote what in one reading. A person gave the replies to `calls` that were used, and edited the texts `changed`."""

    trace: Trace
    calls: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()

    @cached_property
    def wrote(self) -> Mapping[int, str]:
        """Who wrote each text, by its number: MODEL, PERSON or BOTH. Text not built from replies is attributed by the calls
        before it."""
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
        """Who replied at a step; MODEL if there was no call."""
        return _joined(self._of_step(step)) or MODEL

    def last(self, step: Step) -> str:
        """Who gave the last reply at a step, the reply that its decision is based on."""
        return (self._of_step(step) or [MODEL])[-1]

    def _of_step(self, step: Step) -> list[str]:
        asked = (event for event in self.trace.of(step) if isinstance(event, Asked))
        return [self._of_call(event.seq) for event in asked if event.prompt != SCORE_PROMPT]

    def text(self, pieces: Pieces) -> str:
        """Who wrote these characters; empty if they come from no reply and no text of the reader."""
        return _joined(self._origins(pieces, self.wrote))

    def not_the_model_alone(self) -> dict[str, str]:
        """The author of each text that was not written only by the model, by its ref; RULE for one that no call replied with, and
        that a rule took from the document or joined from several earlier texts."""
        authors = {n: RULE if self._is_by_rule(n) else by for n, by in self.wrote.items()}
        return {refs.wrote(n): by for n, by in authors.items() if by != MODEL}

    def _is_by_rule(self, number: int) -> bool:
        pieces = self.trace.wrote[number].pieces
        replied = any(refs.replied(piece.origin) is not None for piece in pieces)
        return number not in self.changed and not replied and len(self.trace.parent_texts(pieces)) != 1

    def _of_call(self, seq: int) -> str:
        return PERSON if seq in self.calls else MODEL

    def _origins(self, pieces: Pieces, wrote: Mapping[int, str]) -> Iterator[str]:
        for piece in pieces:
            if (seq := refs.replied(piece.origin)) is not None:
                yield self._of_call(seq)
            elif (number := refs.written(piece.origin)) is not None and number in wrote:
                yield wrote[number]


def of(trace: Trace, run: Run, records: Sequence[Record]) -> Authorship:
    """The authorship of a reading with all its records."""
    read = {(seq, asked.attempt) for seq, asked in trace.asked.items()}
    theirs = {r.seq for r in records if (r.seq, r.attempt) in read and (r.origin == "edited" or r.model == catalogue.HUMAN)}
    return Authorship(trace, frozenset(theirs), _changed(trace, run.spec))


def so_far(trace: Trace, run: Run) -> Authorship:
    """The authorship of a reading in progress, as far as its spec and its last edit show it."""
    edit = run.edit or {}
    theirs = {int(edit["seq"])} if edit.get("kind") == ReplyEdit.kind else set()
    return Authorship(trace, frozenset(theirs), _changed(trace, run.spec))


def _changed(trace: Trace, spec: Mapping[str, Any]) -> frozenset[int]:
    """The texts that a person edited, if the edit took effect."""
    edits = [edit for edit in spec.get("edits") or () if edit.get("kind") == WrittenEdit.kind]
    return frozenset(edit["n"] for edit in edits if edit["n"] in trace.wrote and trace.wrote[edit["n"]].text == edit["text"])


def _joined(several: Iterable[str]) -> str:
    """One author for several; empty for none."""
    found = set(several)
    return next(iter(found)) if len(found) == 1 else BOTH if found else ""
