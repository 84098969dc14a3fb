"""The desk: everything a reader may touch, in eight verbs.

A reader's world is a document, a question, its options and its desk. Everything that a reader does at the desk is journaled
and turned into events with the provenance of every character; this makes replay, resume, forks and all views possible. The
desk has no clock, randomness, storage or page; threads and the record are behind it, in `calls_in_flight.py` and
`record/journal.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, Never

from typing_extensions import TypeVar

from readers.engine.errors import Ended, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import ModelSettings
from readers.engine.models.similarity import SCORE
from readers.engine.models.tokenizer_files import SLICE, TokenizerSlice, TokenSlices, slices_from_json
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.events import SharedAction
from readers.engine.record.journal import Journal
from readers.engine.run.calls_in_flight import CallsInFlight, PendingCall, Row
from readers.engine.text import refs
from readers.engine.text.document import Document, Piece, Span, Text

LONGEST_BLANK = 200  # characters of white space that may be joined to a text that is full already

PromptParts = Mapping[str, Text | Iterable[Text]]
Action = TypeVar("Action", bound=str, contravariant=True, default=Never)


@dataclass(frozen=True)
class Got(Text):
    """A parsed reply. As a Text it is the format's main field; `field` and `number` return the others by name."""

    fields: Mapping[str, Text | int] = field(default_factory=dict)
    attempt: int = 0
    """The attempt that was parsed (from 0), so this many replies were misread before it."""
    repeats: bool = False
    """Whether the same prompt would be answered the same again: it was asked at temperature 0, and not of a person."""

    def field(self, name: str) -> Text:
        """A text field; an empty Text if the reply does not have it."""
        value = self.fields.get(name)
        return value if isinstance(value, Text) else Text("")

    def number(self, name: str) -> int:
        """A number field. Raises KeyError if it is missing, TypeError if it is text."""
        value = self.fields[name]
        if not isinstance(value, int):
            raise TypeError(f"field {name!r} is text, not a number")
        return value


AskedAhead = Callable[[int, "Got | Unread"], Iterable[tuple[Prompt, PromptParts]]]


@dataclass(frozen=True)
class Unread:
    """All tries of a call are used up and no reply could be parsed. `problems` has a clause for each reply."""

    problems: tuple[str, ...]

    @property
    def no_answer(self) -> Ended:
        """The end of a reading that cannot continue."""
        *before, last = self.problems
        if before:
            return Ended("no_answer", f"{len(self.problems)} replies in a row could not be read; the last one: {last}")
        return Ended("no_answer", f"the reply could not be read: {last}")


class Desk(Generic[Action]):
    """The desk of one run. The reader calls every verb on its own thread.

    A `Desk[Action]` accepts the reader's own actions in addition to the shared ones; a plain `Desk` only the shared ones.
    """

    def __init__(
        self,
        journal: Journal,
        calls: CallsInFlight,
        settings: ModelSettings,
        *,
        prompts: Mapping[str, Prompt] | None = None,
        blank_end: bool = False,
    ) -> None:
        """`prompts` are edited ones by their ids; `blank_end` is that of the run's spec."""
        self._journal = journal
        self._calls = calls
        self._settings = settings
        self._edited_prompts = prompts or {}
        self._blank_end = blank_end
        self._texts_written = 0
        self._held: list[events.Event] | None = None

    def cut(self, document: Document, where: Iterable[Span] | TokenSlices, *, join_blank_end: bool = False) -> list[Text]:
        """Cut the document into texts that know their offsets: at these spans, or, without white space at its ends, into slices
        of a tokenizer's tokens. With `join_blank_end`, a short last span of only white space is joined to the one before it.

        Slices are journaled like a call, so that the tokenizer's file is needed once. A character that a cut goes through is
        broken at both slices' ends, as the tokenizer gives it, and belongs to neither's span.
        """
        slices = self._slices(document, where) if isinstance(where, TokenSlices) else [TokenizerSlice(*span) for span in where]
        if join_blank_end and not self._blank_end and len(slices) > 1:
            before, last = slices[-2:]
            if last.end - last.start <= LONGEST_BLANK and document.text[last.start : last.end].isspace():
                slices[-2:] = [before._replace(end=last.end)]
        texts = [document.at(Span(one.start, one.end)) for one in slices]
        self._emit(events.Cut(tuple(Span(one.start, one.end) for one in slices)))
        return [
            Text.join("", [Text(one.before), text, Text(one.after)]) if one.before or one.after else text
            for one, text in zip(slices, texts, strict=True)
        ]

    def ask(self, prompt: Prompt, /, **parts: Text | Iterable[Text]) -> Got | Unread:
        """Make one model call. A misread reply is requested again, up to `prompt.tries` replies in all. Raises ModelFailed if
        there is no reply."""
        prompt = self._with_edited_template(prompt)
        filled = prompt.parts(parts)
        return self._emit_outcome(self._calls.ask(prompt.sized_for(filled), filled, self._settings))

    def ask_all(self, prompt: Prompt, rows: Iterable[PromptParts], /, *, ahead: AskedAhead | None = None) -> list[Got | Unread]:
        """Make many calls concurrently; results keep the order of the rows. Rows may come from a generator that itself asks, so
        that stages overlap.

        `ahead` is given each result, by its number, once it and all before it are there. What it writes and decides is recorded
        after these calls, as if it had waited for all of them. The rows that it returns, with their prompt, are those that the
        next `ask_all` begins with; they are asked while others of these are awaited.

        Raises ModelFailed if a row got no reply, after its siblings are finished and recorded.
        """
        all_rows = (self._row(prompt, parts) for parts in rows)
        held: list[events.Event] = []
        if ahead is None:
            askings = self._calls.ask_all(all_rows, self._settings)
        else:
            self._held = held
            try:
                askings = self._calls.ask_all(all_rows, self._settings, ahead=partial(self._rows_ahead, ahead))
            finally:
                self._held = None
        for asking in askings:
            if asking.failure:
                raise asking.failure
        results = [self._emit_outcome(asking) for asking in askings]
        for event in held:
            self._journal.emit(event)
        return results

    def score(self, query: Text, texts: Sequence[Text], *, by: str = "bm25") -> list[float]:
        """The similarity of each text to the query, higher is more similar; `by` is a scorer from `similarity.py`. Journaled like
        a call, because embeddings cost money."""
        if not texts:
            return []
        settings = replace(self._settings, model=by, window=None)
        got = self._emit_outcome(self._calls.ask(SCORE, SCORE.parts({"query": query, "texts": texts}), settings))
        if not isinstance(got, Got):
            raise ModelFailed(f"scorer {by!r} gave no scores: {got.problems[-1]}")
        return [float(score) for score in json.loads(got.text)]

    def write(self, role: str, text: Text) -> Text:
        """Record a text the reader writes: a summary, gist, memory or relation. The returned Text refers to this writing; in a
        fork a person may have edited it."""
        if not isinstance(text, Text):
            raise TypeError(f"write({role!r}) takes a Text, which knows its provenance, not {type(text).__name__}")
        number = self._texts_written
        self._texts_written += 1
        text = self._journal.edits.edited_text(number, role, text)
        self._emit(events.Wrote(number, role, text.text, text.pieces))
        return Text.from_origin(text.text, refs.wrote(number))

    def look(self, at: Text, why: str = "") -> None:
        """Record that a page, leaf, segment or old memory is opened."""
        self._emit(events.Looked(at.pieces, why))

    def choose(
        self, action: Action | SharedAction, picked: Text | str, among: Iterable[Text | str] = (), because: Text | str = ""
    ) -> None:
        """Record a decision. Texts are recorded by their refs."""
        self._emit(events.Chose(action, _ref_or_words(picked), tuple(_ref_or_words(option) for option in among), str(because)))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Group what belongs together; a step inside a step belongs to that phase."""
        self._emit(events.StepBegan(name))
        yield
        self._emit(events.StepEnded())

    def _row(self, prompt: Prompt, parts: PromptParts) -> Row:
        prompt = self._with_edited_template(prompt)
        filled = prompt.parts(parts)
        return prompt.sized_for(filled), filled

    def _rows_ahead(self, ahead: AskedAhead, number: int, call: PendingCall) -> Iterator[Row]:
        return (self._row(prompt, parts) for prompt, parts in ahead(number, _result(call)))

    def _emit(self, event: events.Event) -> None:
        """Record an event: at once, or after the calls that are being made, if it comes of one of their results."""
        if self._held is None:
            self._journal.emit(event)
        else:
            self._held.append(event)

    def _slices(self, document: Document, where: TokenSlices) -> list[TokenizerSlice]:
        """The slices by their places in the document."""
        whole = document.at(Span(0, len(document.text))).strip()
        parts = SLICE.parts({"size": Text(str(where.size)), "text": whole})
        got = self._emit_outcome(self._calls.ask(SLICE, parts, replace(self._settings, model=where.cutter, window=None)))
        if not isinstance(got, Got):
            raise ModelFailed(f"the tokenizer {where.tokenizer!r} gave no slices: {got.problems[-1]}")
        first = whole.spans[0].start
        return [one.moved(first) for one in slices_from_json(got.text)]

    def _with_edited_template(self, prompt: Prompt) -> Prompt:
        """The prompt with the template this run uses for it."""
        edited = self._edited_prompts.get(prompt.id)
        return replace(prompt, template=edited.template) if edited else prompt

    def _emit_outcome(self, call: PendingCall) -> Got | Unread:
        """Emit the events of a settled call and return its result to the reader."""
        if call.failure:
            raise call.failure
        parts = tuple((part.name, tuple(text.pieces for text in part.texts)) for part in call.parts)
        read = call.attempt if call.parsed else None
        self._journal.emit(events.Asked(call.seq, call.prompt.id, parts, read, call.left_out))
        for attempt, problem in enumerate(call.problems):
            self._journal.emit(events.Misread(call.seq, attempt, problem))
        if call.cut_off:
            self._journal.emit(call.cut_off)
        return _result(call)


def _result(call: PendingCall) -> Got | Unread:
    return _as_got(call) if call.parsed else Unread(tuple(call.problems))


def _as_got(call: PendingCall) -> Got:
    assert call.parsed is not None
    origin = refs.reply(call.seq)
    fields: dict[str, Text | int] = {}
    for name, (value, start, end) in call.parsed.fields.items():
        if isinstance(value, int):
            fields[name] = value
        else:
            fields[name] = Text(value, (Piece(0, len(value), origin, start, end),) if value else ())
    main = fields.get(call.prompt.reply.main, Text(""))
    whole = main if isinstance(main, Text) else Text(str(main))
    repeats = not call.settings.temperature and call.settings.model != catalogue.HUMAN
    return Got(whole.text, whole.pieces, fields, call.attempt, repeats)


def _ref_or_words(option: Text | str) -> str:
    return option.ref if isinstance(option, Text) else option
