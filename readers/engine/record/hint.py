"""Hints for annotators, and the data they are drawn from: the events of one run with their steps.

Steps are counted from 1 here, as in labels. Hints for every reader are in `analysis/hints/`, a reader's own in its package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from readers.engine.record.events import Asked, Chose, Event, Looked, Wrote
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Trace
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.words import WORD, rarity, term

# Words at least this rare say something about a text's content.
_CONTENT = 0.15
E = TypeVar("E", bound=Event)


class Hint(NamedTuple):
    """Something that the record shows, in one sentence. `steps` are the steps it points to (none: the whole run). `known`: it is
    based on the known answer or evidence, and reveals it."""

    kind: str
    steps: tuple[int, ...]
    sentence: str
    known: bool = False


@dataclass(frozen=True)
class HintSource:
    """All the data for the hints of one run; `names` are its reader's names for texts, by ref, and `carried` is its word for a
    memory."""

    trace: Trace
    records: Sequence[Record] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    carried: str = "memory"

    @cached_property
    def step_events(self) -> tuple[tuple[int, Event], ...]:
        """Every event with its step."""
        return tuple((step.number + 1, event) for step, event in self.trace.by_step())

    def events_of(self, kind: type[E]) -> list[tuple[int, E]]:
        """The events of a kind, with their steps."""
        return [(step, event) for step, event in self.step_events if isinstance(event, kind)]

    def decisions(self, *actions: str) -> list[tuple[int, Chose]]:
        return [(step, event) for step, event in self.events_of(Chose) if event.action in actions]

    def wrote(self, *roles: str) -> list[tuple[int, Wrote]]:
        return [(step, event) for step, event in self.events_of(Wrote) if event.role in roles]

    def asked(self) -> list[tuple[int, Asked]]:
        """The calls that a model answered after the memory was built."""
        calls = {event.seq for event in self.trace.events[self.trace.built_until :] if isinstance(event, Asked)}
        return [(step, event) for step, event in self.events_of(Asked) if event.seq in calls and event.prompt != SCORE_PROMPT]

    def step_names(self, step: int) -> Sequence[str]:
        """What a step (from 1) is called, from the outermost name to the innermost."""
        return self.trace.steps[step - 1].names

    def name_of(self, ref: str, otherwise: str) -> str:
        return self.names.get(ref, otherwise)

    def name_of_span(self, span: Span, otherwise: str) -> str:
        return self.name_of(self.trace.document.at(span).ref, otherwise)

    def sources_of(self, ref: str) -> tuple[Span, ...]:
        """The spans of the document that an offered or opened text derives from."""
        if (number := refs.written(ref)) in self.trace.wrote:
            return self.trace.sources(self.trace.wrote[number].pieces)
        span = refs.span(ref)
        return (Span(*span),) if span else ()


def spans_opened(source: HintSource) -> dict[int, tuple[Span, ...]]:
    """The spans that were open raw at each step; the last one opened if there are several."""
    return {step: event.spans for step, event in source.events_of(Looked) if event.spans}


def steps_of(step_events: Iterable[tuple[int, object]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(step for step, _ in step_events))


def overlap(first: Iterable[Span], second: Iterable[Span]) -> bool:
    """Whether any character is in both."""
    spans = list(second)
    return any(a.start < b.end and b.start < a.end for a in first for b in spans)


def content_words(text: str) -> frozenset[str]:
    """The terms that say what a text is about: names, numbers, and all but the commonest words."""
    return frozenset(term(word) for word in WORD.findall(text) if any(map(str.isdigit, word)) or rarity(word) >= _CONTENT)
