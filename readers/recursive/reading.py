"""The recursion of one reading: who answers about a slice, and how many calls are left."""

from __future__ import annotations

from readers.engine.errors import PromptTooLong
from readers.engine.run.desk import Desk, Got, Unread
from readers.engine.text import tokens
from readers.engine.text.document import Document, Text
from readers.recursive.narrative import Action
from readers.recursive.options import RecursiveOptions
from readers.recursive.prompts import ANSWER, LEAF, NOTHING
from readers.recursive.slices import Asked, TextSlice
from readers.recursive.visit import SliceVisit

VERDICT = (ANSWER.word, NOTHING.word)
FEWEST_CALLS = 60
SPLIT_AND_ASKED = 6  # calls in a slice whose parts are all asked about: two looks, a split, a question, an answer, one kept back


class SharedReading:
    """What all readers of one reading share: the text, the desk, and the calls that are left."""

    def __init__(self, document: Document, desk: Desk[Action], options: RecursiveOptions) -> None:
        self.document, self.desk, self.options = document, desk, options
        self.calls = options.max_calls or max(FEWEST_CALLS, _calls_to_read_all(document.tokens, options))
        """Calls that are left, without those that open slices keep back."""

    def answer(self, part: TextSlice, asked: Asked) -> Text | None:
        """What a fresh reader over this slice answers; None if it says that the answer is not there."""
        if self._is_shown(part):
            self.calls -= 1
            with self.desk.step(part.name):
                got = self._read(part, asked)
                if got is not None:
                    return self.verdict(got, part)
            self.calls += 1
        return SliceVisit(self, part, asked).run()

    def _read(self, part: TextSlice, asked: Asked) -> Got | Unread | None:
        """The reply of a reader who is shown the whole slice; None if that is too long for the model's window."""
        text = self.document.at(part.span)
        self.desk.look(text)
        try:
            return self.desk.ask(LEAF, segment=text, question=asked.question, choices=asked.choices)
        except PromptTooLong:
            if part.depth < self.options.depth or self.calls < 1:
                raise
            self.desk.choose("put_back", text)
            return None

    def may_ask(self, part: TextSlice) -> bool:
        """Whether enough calls are left for a reader over this slice: two at least if it cannot see it as a whole."""
        return self.calls >= (1 if self._is_shown(part) else 2)

    def _is_shown(self, part: TextSlice) -> bool:
        """Whether a slice is shown as a whole: at the limit of depth always, where nobody can be asked about its parts."""
        return part.depth >= self.options.depth or tokens.count(self.document.at(part.span).text) <= self.options.slice_tokens

    def verdict(self, got: Got | Unread, part: TextSlice) -> Text | None:
        """The answer in a reply that may also say that there is none."""
        if isinstance(got, Unread):
            self.desk.choose("fallback", NOTHING.word, VERDICT, got.problems[-1])
            return None
        if got.field("action").text == NOTHING.word:
            self.desk.choose("not_there", NOTHING.word, VERDICT, got.field("reasoning"))
            return None
        self.desk.choose("commit", ANSWER.word, VERDICT, got.field("reasoning"))
        return self.kept(got.field("argument"), part)

    def kept(self, answer: Text, part: TextSlice) -> Text:
        """The answer; one about a part is written down, because the reader above is shown it."""
        return self.desk.write("answer", answer) if part.depth else answer


def _calls_to_read_all(size: int, options: RecursiveOptions) -> int:
    """The calls that it takes to read each slice of a text of so many tokens once."""
    calls, slices = 0, 1
    for _ in range(options.depth):
        if size <= options.slice_tokens:
            break
        calls += slices * SPLIT_AND_ASKED
        parts = min(options.max_parts, size // options.slice_tokens + 2)  # one more than if all were full
        slices, size = slices * parts, size // parts
    return calls + slices
