"""What happens in a run: eleven kinds of event, shared by all readers.

Events contain no clock, cost or random id, so re-executing a run yields the same events. An event refers to a text by its pieces:
which characters come from where. Nuance goes into a `role` or an `action`; a new kind of event needs two readers that want it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, get_args

from readers.engine.canonical import canonical
from readers.engine.errors import Unanswered
from readers.engine.models.received import why_cut
from readers.engine.text.document import Piece, Span, Text

Pieces = tuple[Piece, ...]

# The actions that more than one reader records, or the engine does; those of a single reader are named in its own package.
SharedAction = Literal["commit", "drop", "fallback", "put_back", "score", "shorten", "shrink", "stop", "truncate", "unchanged"]


@dataclass(frozen=True)
class Cut:
    """The document was cut into these spans, in this order."""

    spans: tuple[Span, ...]
    kind: ClassVar[str] = "cut"


@dataclass(frozen=True)
class Asked:
    """Call `seq` was made. `parts` holds the pieces of every text of every part; `attempt` is the attempt that was parsed, None
    if none could be.

    `left_out` counts, for each part, the earliest texts that did not fit into the model's window.
    """

    seq: int
    prompt: str
    parts: tuple[tuple[str, tuple[Pieces, ...]], ...]
    attempt: int | None
    left_out: tuple[tuple[str, int], ...] = ()
    kind: ClassVar[str] = "asked"


@dataclass(frozen=True)
class Misread:
    """Reply `attempt` of call `seq` could not be parsed."""

    seq: int
    attempt: int
    problem: str
    kind: ClassVar[str] = "misread"


@dataclass(frozen=True)
class CutOff:
    """Reply `attempt` of call `seq` was cut off because of its length, with room for `room` tokens, and was used nonetheless.

    If the model repeated itself without end, only the first `repeats_after` characters of the reply were used.
    """

    seq: int
    attempt: int
    room: int
    repeats_after: int | None = None
    kind: ClassVar[str] = "cut_off"

    @property
    def problem(self) -> str:
        """What was wrong with the reply: a clause."""
        return why_cut(self.room, self.repeats_after)


@dataclass(frozen=True)
class Wrote:
    """The reader wrote its `n`-th text (from 0): a summary, gist, memory, relation ..."""

    n: int
    role: str
    text: str
    pieces: Pieces
    kind: ClassVar[str] = "wrote"


@dataclass(frozen=True)
class Looked:
    """The reader opened a place in the document, or a text it had written."""

    pieces: Pieces
    why: str = ""
    kind: ClassVar[str] = "looked"

    @property
    def ref(self) -> str:
        """The ref of the opened text."""
        return Text("", self.pieces).ref

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the document that were opened, in their order there."""
        return Text("", self.pieces).spans


@dataclass(frozen=True)
class Chose:
    """A decision: `picked` from `among` (refs of texts, or words), with the stated reason `because`."""

    action: str
    picked: str
    among: tuple[str, ...] = ()
    because: str = ""
    kind: ClassVar[str] = "chose"


@dataclass(frozen=True)
class StepBegan:
    name: str
    kind: ClassVar[str] = "step_began"


@dataclass(frozen=True)
class StepEnded:
    kind: ClassVar[str] = "step_ended"


@dataclass(frozen=True)
class Answered:
    """The run ended with an answer; `evidence` is what the call that gave it showed raw."""

    text: str
    pieces: Pieces
    evidence: tuple[Span, ...]
    kind: ClassVar[str] = "answered"


@dataclass(frozen=True)
class Ended:
    """The run ended without an answer."""

    outcome: Unanswered
    reason: str
    kind: ClassVar[str] = "ended"


Event = Cut | Asked | Misread | CutOff | Wrote | Looked | Chose | StepBegan | StepEnded | Answered | Ended
KINDS: dict[str, type[Event]] = {cls.kind: cls for cls in get_args(Event)}


def to_json(event: Event) -> str:
    """Canonical JSON of one event; equal events give equal strings."""
    return canonical({"kind": event.kind, **event.__dict__})


def from_json(text: str) -> Event:
    """Read what `to_json` wrote. Raises ValueError for anything else."""
    return from_dict(json.loads(text))


def from_dict(data: dict[str, Any]) -> Event:
    kind = str(data.get("kind"))
    decoders = _FIELDS.get(kind)
    if decoders is None or not data.keys() <= {"kind", *decoders}:
        raise ValueError(f"not an event of this version: {str(data)[:80]}")
    try:
        return KINDS[kind](**{name: decode(data[name]) for name, decode in decoders.items() if name in data})
    except (TypeError, KeyError, IndexError) as error:
        raise ValueError(f"incomplete {kind!r} event: {error}") from None


def _unchanged(value: Any) -> Any:
    return value


def _pieces(value: Any) -> Pieces:
    return tuple(map(Piece._make, value))


def _spans(value: Any) -> tuple[Span, ...]:
    return tuple(map(Span._make, value))


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "pieces": _pieces,
    "spans": _spans,
    "evidence": _spans,
    "among": tuple,
    "left_out": lambda value: tuple((name, count) for name, count in value),
    "parts": lambda value: tuple((name, tuple(_pieces(text) for text in texts)) for name, texts in value),
}
_FIELDS = {kind: {one.name: _DECODERS.get(one.name, _unchanged) for one in fields(cls)} for kind, cls in KINDS.items()}
