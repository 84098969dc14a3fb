"""Observed: a reading by somebody else's program, as its calls of a model were recorded (`python -m readers watch`).

The program is not here, only what it asked and was told: its script. So this reader asks the same calls in the same order, each
pieced together from where its characters came from, and a record that has the replies makes the same reading again. Nobody can
start one. A fork asks one call again, changed; what the program would have asked after another reply only the program knows, so
the fork ends there, and says so.

Where the characters come from was found afterwards by comparing texts (`sources.py`), and is not known as it is for readers here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from readers.engine.errors import Ended, ModelFailed
from readers.engine.prompts.formats.published import WholeReply
from readers.engine.prompts.options import option
from readers.engine.prompts.prompt import Prompt
from readers.engine.run.bounded_memory import MEMORY, REPLY
from readers.engine.run.desk import Desk, Unread
from readers.engine.run.reader import Reader
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, QUESTION, Document, Piece, Question, Text
from readers.engine.text.shorten import shorten
from readers.observed.narrative import Action, ObservedNarrative
from readers.observed.script import End, ScriptedCall, SourcePlace, digest_of, read_script
from readers.observed.state import EXCHANGE, ObservedState

CALL = "observed.call"
LONGEST_NAME = 40  # characters of a program's name in a title
STOPS_HERE = "the record of the program ends here; only the program can read on: watch it again"
OTHER_REPLY = "the reply is another than the program got; what it would have asked next only the program knows: watch it again"


@dataclass(frozen=True)
class ObservedOptions:
    script: str = option("", "The calls of the program, and where their characters come from, as JSON.")
    program: str = option("", "What the program is called: its file's name, without what it was given.")


class Retelling:
    """Asks the calls of a script one after the other, and knows the texts that they may be pieced together from."""

    def __init__(self, document: Document, question: Question, desk: Desk[Action]) -> None:
        self._desk = desk
        offered = {refs.choice(number): choice for number, choice in enumerate(question.offered)}
        whole = Text.from_origin(document.text, DOCUMENT)
        self._texts: dict[str, Text] = {DOCUMENT: whole, QUESTION: question.asked, **offered}
        self._calls = 0
        self.last = Text("")

    def call(self, scripted: ScriptedCall) -> None:
        """Ask a call. Raises Ended if its reply is another than the program got."""
        number = self._calls
        self._calls += 1
        prompt = Prompt(CALL, "act", scripted.template, WholeReply(), roles=scripted.roles)
        prompt = prompt.exactly(prompt.reply, max_tokens=scripted.room)
        parts = {name: self._text(source) for name, source in zip(scripted.names, scripted.sources, strict=True)}
        with self._desk.step(f"{EXCHANGE} {number + 1} {scripted.does}".rstrip()):
            for note in scripted.before:
                self._desk.choose("did_besides", note)
            try:
                got = self._desk.ask(prompt, **parts)
            except ModelFailed as error:
                if scripted.digest:
                    raise
                self._desk.choose("call_failed", f"{EXCHANGE} {number + 1}", because=str(error))
                return
            if isinstance(got, Unread):  # no reply is, in this form
                raise got.no_answer
            if got.text:
                self.last = self._texts[refs.reply(number)] = self._desk.write(MEMORY if scripted.memory else REPLY, got)
            if scripted.digest != digest_of(self.last.text if got.text else ""):
                raise Ended("no_answer", OTHER_REPLY)

    def end(self, end: End | None) -> Text:
        """The answer. Raises Ended if there is none, and ModelFailed if the record stops before the end."""
        if end is None:
            raise ModelFailed(STOPS_HERE)
        if end.reason:
            raise Ended("no_answer", end.reason)
        return Text.join("", [self._text(one) for one in end.answer])

    def _text(self, source: SourcePlace) -> Text:
        if not source.origin:
            return Text(source.text or "")
        whole = self._texts[source.origin]
        if source.text is None:
            return whole[source.begin : source.stop]
        origins = whole[source.begin : source.stop].pieces
        if not origins:
            return Text(source.text)
        first, last = origins[0], origins[-1]
        return Text(source.text, (Piece(0, len(source.text), first.origin, first.begin, max(first.begin, last.stop)),))


class Observed(Reader):
    """A program of somebody else, as its calls of a model were recorded."""

    id, title, version = "observed", "Observed program", 1
    prompts = ()
    Options = ObservedOptions
    narrative = ObservedNarrative()
    State = ObservedState
    starts: ClassVar[bool] = False

    def called(self, options: Mapping[str, Any]) -> str:
        name = shorten("".join(filter(str.isprintable, str(options.get("program", "")))), LONGEST_NAME)  # a file may say it
        return f"{name} · recorded" if name else self.title

    def read(self, document: Document, question: Question, desk: Desk[Any], options: ObservedOptions) -> Text:
        script = read_script(options.script)
        retelling = Retelling(document, question, cast("Desk[Action]", desk))
        for call in script.calls:
            retelling.call(call)
        return retelling.end(script.end)
