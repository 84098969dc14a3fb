"""The desk: all that a reader may touch, eight verbs and no more.

A reader's world is a document, a question, its options and this. Whatever goes over the desk is journaled and turned into events,
with the provenance of every character; that is what makes replay, resume, forks and every view possible. The desk holds no clock,
no randomness, no storage and no page; threads and the record lie behind it, in `flight.py` and `journal.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Generic, Never

from typing_extensions import TypeVar

from readers.engine.errors import ModelFailed
from readers.engine.models.call import ModelSettings
from readers.engine.models.similarity import SCORE
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.events import SharedAction
from readers.engine.record.journal import Journal
from readers.engine.run.calls_in_flight import CallsInFlight, PendingCall
from readers.engine.text import refs
from readers.engine.text.document import Document, Piece, Span, Text

PromptParts = Mapping[str, Text | Iterable[Text]]
Action = TypeVar("Action", bound=str, contravariant=True, default=Never)


@dataclass(frozen=True)
class Got(Text):
    """A reply that could be read. As a Text it is the format's main field; `field` and `number` give the others by name."""

    fields: Mapping[str, Text | int] = field(default_factory=dict)
    attempt: int = 0
    """Which reply was read: 0 for the first, so `attempt` replies were misread before."""

    def field(self, name: str) -> Text:
        """A field in words; an empty Text where the reply does not have it."""
        value = self.fields.get(name)
        return value if isinstance(value, Text) else Text("")

    def number(self, name: str) -> int:
        value = self.fields[name]
        if not isinstance(value, int):
            raise TypeError(f"field {name!r} is words, not a number")
        return value


@dataclass(frozen=True)
class Unread:
    """All the tries of a call are used up, and no reply could be read. `problems` has one clause a reply."""

    problems: tuple[str, ...]


class Desk(Generic[Action]):
    """One reader, one question, one document. Every verb is called from the reader's own thread.

    A `Desk[Action]` takes the reader's own actions besides the shared ones; a plain `Desk` the shared ones alone.
    """

    def __init__(
        self, journal: Journal, calls: CallsInFlight, settings: ModelSettings, *, prompts: Mapping[str, Prompt] | None = None
    ) -> None:
        self._journal = journal
        self._calls = calls
        self._settings = settings
        self._edited_prompts = prompts or {}
        self._texts_written = 0

    def cut(self, document: Document, spans: Iterable[Span]) -> list[Text]:
        """The text of each span, with its offsets."""
        texts = [document.at(span) for span in spans]
        self._journal.emit(events.Cut(tuple(span for text in texts for span in text.spans)))
        return texts

    def ask(self, prompt: Prompt, /, **parts: Text | Iterable[Text]) -> Got | Unread:
        """One model call. A reply that cannot be read is asked for again, `prompt.tries` replies in all. Raises ModelFailed when
        there is none."""
        prompt = self._with_edited_template(prompt)
        return self._emit_outcome(self._calls.ask(prompt, prompt.parts(parts), self._settings))

    def ask_all(self, prompt: Prompt, rows: Iterable[PromptParts], /) -> list[Got | Unread]:
        """Many calls at once, results in the order of the rows. Rows may come from a generator that itself asks: the stages then
        overlap.

        Raises ModelFailed when a row got no reply, after its siblings are done and recorded.
        """
        prompt = self._with_edited_template(prompt)
        askings = self._calls.ask_all(((prompt, prompt.parts(row)) for row in rows), self._settings)
        for asking in askings:
            if asking.failure:
                raise asking.failure
        return [self._emit_outcome(asking) for asking in askings]

    def score(self, query: Text, texts: Sequence[Text], *, by: str = "bm25") -> list[float]:
        """How near each text is to the query, higher is nearer; `by` is a scorer of `similarity.py`. Journaled like a call, for
        embeddings are paid."""
        if not texts:
            return []
        settings = replace(self._settings, model=by, window=None)
        got = self._emit_outcome(self._calls.ask(SCORE, SCORE.parts({"query": query, "texts": texts}), settings))
        if not isinstance(got, Got):
            raise ModelFailed(f"scorer {by!r} gave no scores: {got.problems[-1]}")
        return [float(score) for score in json.loads(got.text)]

    def write(self, role: str, text: Text) -> Text:
        """A summary, gist, memory or relation comes into being. The Text that is returned is known by this writing from now
        on; in a fork it may read as a person put it."""
        if not isinstance(text, Text):
            raise TypeError(f"write({role!r}) takes a Text, which knows where it comes from, not {type(text).__name__}")
        number = self._texts_written
        self._texts_written += 1
        text = self._journal.edits.edited_text(number, role, text)
        self._journal.emit(events.Wrote(number, role, text.text, text.pieces))
        return Text.from_origin(text.text, refs.wrote(number))

    def look(self, at: Text, why: str = "") -> None:
        """A page, leaf, segment or old memory is opened."""
        self._journal.emit(events.Looked(at.pieces, why))

    def choose(
        self, action: Action | SharedAction, picked: Text | str, among: Iterable[Text | str] = (), because: Text | str = ""
    ) -> None:
        """A decision. Texts are recorded by their refs."""
        self._journal.emit(
            events.Chose(action, _ref_or_words(picked), tuple(_ref_or_words(option) for option in among), str(because))
        )

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Groups what belongs together; a step inside a step is a step of that phase."""
        self._journal.emit(events.StepBegan(name))
        yield
        self._journal.emit(events.StepEnded())

    def _with_edited_template(self, prompt: Prompt) -> Prompt:
        """The prompt in the words this reading was given for it."""
        edited = self._edited_prompts.get(prompt.id)
        return replace(prompt, template=edited.template) if edited else prompt

    def _emit_outcome(self, call: PendingCall) -> Got | Unread:
        """Turn a settled call into its events and what the reader gets."""
        if call.failure:
            raise call.failure
        parts = tuple((part.name, tuple(text.pieces for text in part.texts)) for part in call.parts)
        read = call.attempt if call.parsed else None
        self._journal.emit(events.Asked(call.seq, call.prompt.id, parts, read, call.left_out))
        for attempt, problem in enumerate(call.problems):
            self._journal.emit(events.Misread(call.seq, attempt, problem))
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
    return Got(whole.text, whole.pieces, fields, call.attempt)


def _ref_or_words(option: Text | str) -> str:
    return option.ref if isinstance(option, Text) else option
