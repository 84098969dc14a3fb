"""The recursion of one reading: who answers about a slice, and how many calls are left."""

from __future__ import annotations

from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import tokens
from readers.engine.text.document import Document, Text
from readers.recursive.narrative import Action
from readers.recursive.options import RecursiveOptions
from readers.recursive.prompts import ANSWER, LEAF, NOTHING
from readers.recursive.slices import Asked, Slice
from readers.recursive.visit import Visit

VERDICT = (ANSWER.word, NOTHING.word)


class Reading:
    """What all readers of one reading share: the text, the desk, and the calls that are left."""

    def __init__(self, document: Document, desk: Desk[Action], options: RecursiveOptions) -> None:
        self.document, self.desk, self.options = document, desk, options
        self.calls = options.max_calls
        """Calls that are left, without those that open slices keep back."""

    def answer(self, part: Slice, asked: Asked) -> Text | None:
        """What a fresh reader over this slice answers; None if it says that the answer is not there."""
        text = self.document.at(part.span)
        if not self._fits(text):
            return Visit(self, part, asked).run()
        self.calls -= 1
        with self.desk.step(part.name):
            self.desk.look(text)
            return self.verdict(self.desk.ask(LEAF, segment=text, question=asked.question, choices=asked.choices), part)

    def may_ask(self, part: Slice) -> bool:
        """Whether enough calls are left for a reader over this slice: two at least if it cannot see it as a whole."""
        return self.calls >= (1 if self._fits(self.document.at(part.span)) else 2)

    def _fits(self, text: Text) -> bool:
        return tokens.count(text.text) <= self.options.slice_tokens

    def verdict(self, got: Got | Unread, part: Slice) -> Text | None:
        """The answer in a reply that may also say that there is none."""
        if isinstance(got, Unread):
            self.desk.choose("fallback", NOTHING.word, VERDICT, got.problems[-1])
            return None
        if got.field("action").text == NOTHING.word:
            self.desk.choose("not_there", NOTHING.word, VERDICT, got.field("reasoning"))
            return None
        self.desk.choose("commit", ANSWER.word, VERDICT, got.field("reasoning"))
        return self.kept(got.field("argument"), part)

    def kept(self, answer: Text, part: Slice) -> Text:
        """The answer; one about a part is written down, because the reader above is shown it."""
        return self.desk.write("answer", answer) if part.depth else answer
