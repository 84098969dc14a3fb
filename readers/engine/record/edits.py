"""What a fork changes in its parent run, as data, and how the change takes effect during execution.

An edit replaces one thing: a reply, the messages of one call, a text the reader wrote, the model from some call on, or a passage
that no prompt shows from some call on. Edits are stored as JSON in the run's spec, so a fork can be resumed, forked again and
imported. Not here: which calls a fork takes over from its parent (`forks/fork.py`).
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
from readers.engine.models.call import Message, ModelSettings, ReplyForm, ServedModel, TokenPrice
from readers.engine.prompts.prompt import Part
from readers.engine.text.document import DOCUMENT, Piece, Text

# Replaces the text that was left out. It is a word of no language, so no search matches it.
LEFT_OUT = "[…]"


class _Strict:
    """Edits may come from a file: no type coercion, no unknown fields."""

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True)
class ReplyEdit(_Strict):
    """Replaces the reply to attempt `attempt` of call `seq`. It is stored as that call's reply, so the spec does not contain
    it."""

    seq: int
    attempt: int
    text: str
    kind: ClassVar[str] = "reply"


@dataclass(frozen=True)
class PromptEdit(_Strict):
    """Replaces the messages of call `seq`. Applies only while the call's key is `asked` (empty: always)."""

    seq: int
    messages: tuple[dict[str, str], ...]
    asked: str = ""
    kind: ClassVar[str] = "prompt"


@dataclass(frozen=True)
class WrittenEdit(_Strict):
    """Replaces the reader's `n`-th text (from 0) with `text`. Applies only while its role and text are `role` and `before`."""

    n: int
    role: str
    before: str
    text: str
    kind: ClassVar[str] = "wrote"


@dataclass(frozen=True)
class ModelEdit(_Strict):
    """Switches to another model, or other parameters, from call `seq` on."""

    seq: int
    model: str
    api_base: str | None = None
    temperature: float = 0.0
    top_p: float | None = None
    window: int | None = None
    reply_tokens: int | None = None
    room_factor: int = 1
    reply_form: ReplyForm = "words"
    price: TokenPrice | None = None
    kind: ClassVar[str] = "model"


@dataclass(frozen=True)
class LeaveOutEdit(_Strict):
    """Hides characters `start` to `end` of the document from every prompt, from call `seq` on."""

    seq: int
    start: int
    end: int
    kind: ClassVar[str] = "leave_out"


@dataclass(frozen=True)
class RerunEdit(_Strict):
    """Asks everything again from call `seq` on and changes nothing else: the baseline that an edit is compared with."""

    seq: int
    kind: ClassVar[str] = "again"


Edit = ReplyEdit | PromptEdit | WrittenEdit | ModelEdit | LeaveOutEdit | RerunEdit
KINDS: dict[str, type[Edit]] = {cls.kind: cls for cls in get_args(Edit)}


def to_json(edit: Edit) -> dict[str, Any]:
    """The edit as JSON data, with its kind."""
    data = asdict(edit)
    return {"kind": edit.kind, **data} | ({"messages": list(data["messages"])} if "messages" in data else {})


def from_json(data: Mapping[str, Any]) -> Edit:
    """Read what `to_json` wrote, ignoring `said`. The data may come from a file; raises BadOptions if invalid."""
    cls = KINDS.get(str(data.get("kind")))
    if cls is None:
        raise BadOptions(f"there is no edit of the kind {str(data.get('kind'))[:40]!r}; use one of {', '.join(KINDS)}")
    try:
        own = {name: value for name, value in data.items() if name not in ("kind", "said")}
        edit: Edit = TypeAdapter(cls).validate_json(orjson.dumps(own))
    except (ValidationError, TypeError) as error:
        if isinstance(error, TypeError):
            raise BadOptions(f"an edit of the kind {cls.kind!r} contains a value that is not JSON: {error}") from None
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadOptions(f"an edit of the kind {cls.kind!r} is incomplete or invalid: {where}: {first['msg']}") from None
    if isinstance(edit, PromptEdit) and not (edit.messages and all({"role", "content"} == set(m) for m in edit.messages)):
        raise BadOptions("an edited prompt needs at least one message, each with a role and its content")
    return edit


@dataclass(frozen=True)
class Edits:
    """All edits of a run, in the order they were made."""

    items: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, data: Sequence[Mapping[str, Any]]) -> Edits:
        """The edits of a spec. Raises BadOptions."""
        return cls(tuple(from_json(item) for item in data))

    def settings(self, seq: int, settings: ModelSettings) -> ModelSettings:
        """The parameters of call `seq`, after any model switch."""
        for edit in self.items:
            if isinstance(edit, ModelEdit) and seq >= edit.seq:
                changed = {name: value for name, value in asdict(edit).items() if name != "seq"}
                settings = replace(settings, **changed)
        return settings

    def edited_messages(self, seq: int, asked: str) -> tuple[Message, ...]:
        """The messages a person gave call `seq`, if it still has this key; empty if the call sends its own prompt."""
        edit = self._prompt_edits.get(seq)
        return edit.messages if edit and edit.asked in ("", asked) else ()

    @cached_property
    def _prompt_edits(self) -> dict[int, PromptEdit]:
        return {edit.seq: edit for edit in self.items if isinstance(edit, PromptEdit)}

    def models_from(self, first: int, own: ServedModel) -> tuple[ServedModel, ...]:
        """The models that may be called from call `first` on, by a run that starts with `own`."""
        switches = [(edit.seq, ServedModel(edit.model, edit.api_base)) for edit in self.items if isinstance(edit, ModelEdit)]
        current = next((served for seq, served in reversed(switches) if seq <= first), own)
        return tuple(dict.fromkeys([current, *(served for seq, served in switches if seq > first)]))

    def remove_left_out(self, seq: int, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """The parts of call `seq` without the passages that are left out."""
        for edit in self.items:
            if isinstance(edit, LeaveOutEdit) and seq >= edit.seq:
                parts = tuple(Part(name, tuple(_cut_out(text, edit) for text in texts)) for name, texts in parts)
        return parts

    def edited_text(self, n: int, role: str, text: Text) -> Text:
        """The reader's `n`-th text, as edited."""
        for edit in self.items:
            if isinstance(edit, WrittenEdit) and (edit.n, edit.role, edit.before) == (n, role, text.text):
                text = rewrite(text, edit.text)
        return text


def rewrite(text: Text, words: str) -> Text:
    """Replace the wording of `text`, keeping the provenance of its unchanged beginning and end.

    New text in between gets inexact pieces that overlap, one for each origin of the characters it replaces.
    """
    start, end = _common_ends(text.text, words)
    old_end = len(text) - end
    before = [piece for piece in text.pieces if piece.start < old_end and piece.end > start] or _adjacent_piece(text, start)
    size = len(words) - start - end
    middle = Text(words[start : start + size], tuple(_inexact_pieces(before, size)) if size else ())
    return Text.join("", [text[:start], middle, text[old_end:]])


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """The length of the common prefix, and of the common suffix of the rest."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return start, end


def _adjacent_piece(text: Text, at: int) -> list[Piece]:
    """The piece that ends at an insertion point, otherwise the piece that begins there."""
    return [piece for piece in text.pieces if piece.start <= at <= piece.end][:1]


def _inexact_pieces(pieces: Sequence[Piece], size: int) -> list[Piece]:
    """For each origin of `pieces`, one piece over all `size` characters that never counts as an exact copy."""
    inexact = []
    for origin in dict.fromkeys(piece.origin for piece in pieces):
        same_origin = [piece for piece in pieces if piece.origin == origin]
        begin, stop = min(piece.begin for piece in same_origin), max(piece.stop for piece in same_origin)
        inexact.append(Piece(0, size, origin, begin, stop - (stop - begin == size)))
    return inexact


def _cut_out(text: Text, edit: LeaveOutEdit) -> Text:
    """`text` with a mark in place of the omitted text."""
    holes = [
        (piece, max(piece.begin, edit.start), min(piece.stop, edit.end)) for piece in text.pieces if piece.origin == DOCUMENT
    ]
    for piece, begin, stop in sorted(holes, reverse=True):
        if begin < stop and piece.exact:
            at = piece.start - piece.begin
            text = Text.join("", [text[: begin + at], Text(LEFT_OUT), text[stop + at :]])
    return text


def models_called(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of the models that a run with this spec calls, in call order.

    If two switches cover a call, the later switch counts. A switch to the same model with other parameters adds nothing.
    """
    switches = [(edit["seq"], edit["model"]) for edit in spec.get("edits") or () if edit.get("kind") == ModelEdit.kind]
    own = str(spec.get("model") or "")
    starts = sorted({0, *(seq for seq, _ in switches)})
    called = (next((model for seq, model in reversed(switches) if seq <= start), own) for start in starts)
    return tuple(model for model, _ in groupby(called))
