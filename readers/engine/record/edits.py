"""What a fork does otherwise than the reading it was made from, as data, and how it takes effect while a reader reads.

An edit is at one place: a reply, the messages of one call, a text a reader wrote, the model from a call on, or a passage that no
prompt shows from a call on. Edits are JSON in a reading's spec, so that a fork can be resumed, forked again and taken in from a
file. Not here: which calls a fork takes over from its parent (`fork.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar, get_args

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError

from readers.engine.errors import BadOptions
from readers.engine.models.call import Message, ModelSettings, ServedModel
from readers.engine.prompts.prompt import Part
from readers.engine.text.document import DOCUMENT, Piece, Text

# What stands where something was left out: no word of any language, so that nothing is found in it.
LEFT_OUT = "[…]"


class _Strict:
    """An edit may come from a file: nothing is taken for something else, and nothing is in it that has no name here."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True)
class ReplyEdit(_Strict):
    """Attempt `attempt` at call `seq` got this reply. It lies in the record as one; the spec does not need it."""

    seq: int
    attempt: int
    text: str
    kind: ClassVar[str] = "reply"


@dataclass(frozen=True)
class PromptEdit(_Strict):
    """Call `seq` was sent these messages, where it would have `asked` this (whatever it is, if empty); where something else comes
    to be asked, the edit does not touch it."""

    seq: int
    messages: tuple[dict[str, str], ...]
    asked: str = ""
    kind: ClassVar[str] = "prompt"


@dataclass(frozen=True)
class WrittenEdit(_Strict):
    """The reader's `n`-th text (from 0), of this role, reads `text` where it would have read `before`; where something else comes
    to be written, the edit does not touch it."""

    n: int
    role: str
    before: str
    text: str
    kind: ClassVar[str] = "wrote"


@dataclass(frozen=True)
class ModelEdit(_Strict):
    """From call `seq` on another model answers, or the same one on other terms."""

    seq: int
    model: str
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    kind: ClassVar[str] = "model"


@dataclass(frozen=True)
class LeaveOutEdit(_Strict):
    """From call `seq` on no prompt shows characters `start` to `end` of the document."""

    seq: int
    start: int
    end: int
    kind: ClassVar[str] = "leave_out"


@dataclass(frozen=True)
class RerunEdit(_Strict):
    """From call `seq` on everything is asked anew, and nothing else is different: what a change is held against."""

    seq: int
    kind: ClassVar[str] = "again"


Edit = ReplyEdit | PromptEdit | WrittenEdit | ModelEdit | LeaveOutEdit | RerunEdit
KINDS: dict[str, type[Edit]] = {cls.kind: cls for cls in get_args(Edit)}


def to_json(edit: Edit) -> dict[str, Any]:
    data = asdict(edit)
    return {"kind": edit.kind, **data} | ({"messages": list(data["messages"])} if "messages" in data else {})


def from_json(data: Mapping[str, Any]) -> Edit:
    """The edit that `to_json` wrote, whatever was `said` of it; it may come from a file. Raises BadOptions for anything else."""
    cls = KINDS.get(str(data.get("kind")))
    if cls is None:
        raise BadOptions(f"there is no edit of the kind {str(data.get('kind'))[:40]!r}; there are {', '.join(KINDS)}")
    try:
        own = {name: value for name, value in data.items() if name not in ("kind", "said")}
        edit: Edit = TypeAdapter(cls).validate_json(orjson.dumps(own))
    except (ValidationError, TypeError) as error:
        if isinstance(error, TypeError):
            raise BadOptions(f"an edit of the kind {cls.kind!r} holds what is no JSON: {error}") from None
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadOptions(f"an edit of the kind {cls.kind!r} is not whole: {where}: {first['msg']}") from None
    if isinstance(edit, PromptEdit) and not (edit.messages and all({"role", "content"} == set(m) for m in edit.messages)):
        raise BadOptions("an edited prompt has one message or more, each with a role and its content")
    return edit


@dataclass(frozen=True)
class Edits:
    """The edits of a reading in the order they were made, as they take effect. Nothing happens where there are none."""

    items: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, data: Sequence[Mapping[str, Any]]) -> Edits:
        """Those of a spec. Raises BadOptions."""
        return cls(tuple(from_json(item) for item in data))

    def settings(self, seq: int, settings: ModelSettings) -> ModelSettings:
        """What goes to the model with call `seq`."""
        for edit in self.items:
            if isinstance(edit, ModelEdit) and seq >= edit.seq:
                changed = {name: value for name, value in asdict(edit).items() if name != "seq"}
                settings = replace(settings, **changed)
        return settings

    def edited_messages(self, seq: int, asked: str) -> tuple[Message, ...]:
        """The messages that a person gave call `seq` where it asks this; none where they are the prompt's own."""
        edit = self._prompt_edits.get(seq)
        return edit.messages if edit and edit.asked in ("", asked) else ()

    @cached_property
    def _prompt_edits(self) -> dict[int, PromptEdit]:
        return {edit.seq: edit for edit in self.items if isinstance(edit, PromptEdit)}

    def models_from(self, first: int, own: ServedModel) -> tuple[ServedModel, ...]:
        """The models that may be asked from call `first` on, by a reading whose `own` is this one."""
        switches = [(edit.seq, ServedModel(edit.model, edit.api_base)) for edit in self.items if isinstance(edit, ModelEdit)]
        current = next((served for seq, served in reversed(switches) if seq <= first), own)
        return tuple(dict.fromkeys([current, *(served for seq, served in switches if seq > first)]))

    def remove_left_out(self, seq: int, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """The parts of call `seq` without what is left out."""
        for edit in self.items:
            if isinstance(edit, LeaveOutEdit) and seq >= edit.seq:
                parts = tuple(Part(name, tuple(_cut_out(text, edit) for text in texts)) for name, texts in parts)
        return parts

    def edited_text(self, n: int, role: str, text: Text) -> Text:
        """What the reader's `n`-th text reads."""
        for edit in self.items:
            if isinstance(edit, WrittenEdit) and (edit.n, edit.role, edit.before) == (n, role, text.text):
                text = rewrite(text, edit.text)
        return text


def rewrite(text: Text, words: str) -> Text:
    """`text` in other words: its unchanged beginning and end keep where they come from, and what is new between them rests,
    inexactly, on all that stood there before: its pieces lie over each other, one for each origin."""
    start, end = _common_ends(text.text, words)
    old_end = len(text) - end
    before = [piece for piece in text.pieces if piece.start < old_end and piece.end > start] or _adjacent_piece(text, start)
    size = len(words) - start - end
    middle = Text(words[start : start + size], tuple(_inexact_pieces(before, size)) if size else ())
    return Text.join("", [text[:start], middle, text[old_end:]])


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters the two begin with alike, and how many of the rest they end with alike."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return start, end


def _adjacent_piece(text: Text, at: int) -> list[Piece]:
    """The piece that ends where something was put in, or else the one that begins there."""
    return [piece for piece in text.pieces if piece.start <= at <= piece.end][:1]


def _inexact_pieces(pieces: Sequence[Piece], size: int) -> list[Piece]:
    """For each origin of `pieces` one that lies over all of `size` characters, and is never taken for a copy."""
    found = []
    for origin in dict.fromkeys(piece.origin for piece in pieces):
        of_it = [piece for piece in pieces if piece.origin == origin]
        begin, stop = min(piece.begin for piece in of_it), max(piece.stop for piece in of_it)
        found.append(Piece(0, size, origin, begin, stop - (stop - begin == size)))
    return found


def _cut_out(text: Text, edit: LeaveOutEdit) -> Text:
    """`text` with a mark in the place of what is left out."""
    holes = [
        (piece, max(piece.begin, edit.start), min(piece.stop, edit.end)) for piece in text.pieces if piece.origin == DOCUMENT
    ]
    for piece, begin, stop in sorted(holes, reverse=True):
        if begin < stop and piece.exact:
            at = piece.start - piece.begin
            text = Text.join("", [text[: begin + at], Text(LEFT_OUT), text[stop + at :]])
    return text


def models_called(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the models that a reading with this spec asks, in the order of its calls. Of two switches to other models the
    one that was made later counts, from its call on; a switch to the same model on other terms is none."""
    switches = [(edit["seq"], edit["model"]) for edit in spec.get("edits") or () if edit.get("kind") == ModelEdit.kind]
    own = str(spec.get("model") or "")
    starts = sorted({0, *(seq for seq, _ in switches)})
    asked = (next((model for seq, model in reversed(switches) if seq <= start), own) for start in starts)
    return tuple(model for model, _ in groupby(asked))
