"""What a hint for annotators is, and what hints are drawn from: the events of one reading with the steps they belong to.

Steps are counted from 1 here, as labels count them. Hints for every reader are in `analysis/hints.py`; a reader's own are in its
package.
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

# From here on a word is not one of the commonest, and says something of what a text is about.
_CONTENT = 0.15
# Of the better score: two options that are no further apart are a close choice.
CLOSE = 0.05
E = TypeVar("E", bound=Event)


class Hint(NamedTuple):
    """Something the record shows. `steps` are those it points at (none: the reading as a whole), `sentence` says it in plain
    words. `known`: it rests on the known answer or evidence, and gives it away."""

    kind: str
    steps: tuple[int, ...]
    sentence: str
    known: bool = False


class Happened(NamedTuple):
    """An event and the step, from 1, that it belongs to."""

    step: int
    event: Event


@dataclass(frozen=True)
class HintSource:
    """What the hints of one reading are drawn from; `names` is what its reader calls its texts, by ref."""

    trace: Trace
    records: Sequence[Record] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def happened(self) -> tuple[Happened, ...]:
        steps = self.trace.steps
        return tuple(Happened(step.number + 1, event) for step in steps for event in self.trace.events[step.start : step.end])

    def of(self, kind: type[E]) -> list[tuple[int, E]]:
        """The events of a kind, with their steps."""
        return [(step, event) for step, event in self.happened if isinstance(event, kind)]

    def chose(self, *actions: str) -> list[tuple[int, Chose]]:
        return [(step, event) for step, event in self.of(Chose) if event.action in actions]

    def wrote(self, *roles: str) -> list[tuple[int, Wrote]]:
        return [(step, event) for step, event in self.of(Wrote) if event.role in roles]

    def asked(self) -> list[tuple[int, Asked]]:
        """The calls that a model answered after the memory was built."""
        calls = {event.seq for event in self.trace.events[self.trace.built_until :] if isinstance(event, Asked)}
        return [(step, event) for step, event in self.of(Asked) if event.seq in calls and event.prompt != SCORE_PROMPT]

    def called(self, ref: str, otherwise: str) -> str:
        return self.names.get(ref, otherwise)

    def place(self, span: Span, otherwise: str) -> str:
        return self.called(self.trace.document.at(span).ref, otherwise)

    def stands_for(self, ref: str) -> tuple[Span, ...]:
        """The document that something offered or opened stands for."""
        if (number := refs.written(ref)) in self.trace.wrote:
            return self.trace.sources(self.trace.wrote[number].pieces)
        span = refs.span(ref)
        return (Span(*span),) if span else ()


def places_opened(source: HintSource) -> dict[int, tuple[Span, ...]]:
    """What was open raw at each step; of several places at a step the last."""
    return {step: event.spans for step, event in source.of(Looked) if event.spans}


def steps_of(happened: Iterable[tuple[int, object]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(step for step, _ in happened))


def meet(one: Iterable[Span], other: Iterable[Span]) -> bool:
    """Whether some character is in both."""
    spans = list(other)
    return any(a.start < b.end and b.start < a.end for a in one for b in spans)


def content(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, as they are compared: names, numbers, and all but the commonest."""
    return frozenset(term(word) for word in WORD.findall(text) if any(map(str.isdigit, word)) or rarity(word) >= _CONTENT)
