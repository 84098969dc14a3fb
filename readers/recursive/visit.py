"""The recursion: who answers about a slice and how many calls are left, and one reader's visit to a slice that it cannot see as a
whole: what it has seen, its parts, and the answers from below."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from readers.engine.errors import PromptTooLong
from readers.engine.prompts.formats.choices import Act, part_numbers
from readers.engine.run.desk import Desk, Got, PromptParts, Unread
from readers.engine.text import tokens
from readers.engine.text.document import Document, Span, Text
from readers.recursive import looking
from readers.recursive.narrative import BEGINNING, Action
from readers.recursive.prompts import ANSWER, ASK, LAST, LEAF, NOTHING, PEEK, SEARCH, SPLIT, next_prompt
from readers.recursive.slices import RecursiveOptions, Seen, SlicePart, SliceQuestion, TextSlice

VERDICT = (ANSWER.word, NOTHING.word)
FEWEST_CALLS = 60
SPLIT_AND_ASKED = 6  # calls in a slice whose parts are all asked about: two looks, a split, a question, an answer, one in reserve
STEPS_DONE = "as much was done in this slice as may be"
CALLS_DONE = "the calls of this reading are used up"
TWICE_UNREAD = "a second reply could not be read"
SEEN = "what was seen"


class SharedReading:
    """What all readers of one reading share: the text, the desk, and the calls that are left."""

    def __init__(self, document: Document, desk: Desk[Action], options: RecursiveOptions) -> None:
        self.document, self.desk, self.options = document, desk, options
        self.calls = options.max_calls or max(FEWEST_CALLS, _calls_to_read_all(document.tokens, options))
        """Calls that are left, without those that open slices keep back."""

    def answer(self, part: TextSlice, asked: SliceQuestion) -> Text | None:
        """What a fresh reader over this slice answers; None if it says that the answer is not there."""
        if self._is_shown(part):
            self.calls -= 1
            with self.desk.step(part.name):
                got = self._read(part, asked)
                if got is not None:
                    return self.verdict(got, part)
            self.calls += 1
        return SliceVisit(self, part, asked).run()

    def _read(self, part: TextSlice, asked: SliceQuestion) -> Got | Unread | None:
        """The reply of a reader who is shown the whole slice; None if the slice is too long for the model's window."""
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
        """Whether a slice is shown as a whole: always at the depth limit, where no reader can be asked about its parts."""
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


class Finished(NamedTuple):
    """The end of a visit; without an answer if the reader says that it is not there."""

    answer: Text | None


class SliceVisit:
    def __init__(self, reading: SharedReading, part: TextSlice, asked: SliceQuestion) -> None:
        self.reading, self.desk, self.options = reading, reading.desk, reading.options
        self.slice, self.asked = part, asked
        self.text = reading.document.at(part.span)
        self.seen: list[Seen] = []
        self.parts: list[SlicePart] = []
        self.answers: list[Text] = []
        self.done: set[tuple[str, str]] = set()
        self.refused: set[Act] = set()
        self.unread = 0

    def run(self) -> Text | None:
        """One action after another, until the reader answers; or an answer from what it has seen so far."""
        self.reading.calls -= 1  # kept back for that
        for _ in range(self.options.max_actions):
            if why := TWICE_UNREAD if self.unread > 1 else CALLS_DONE if self.reading.calls < 1 else "":
                return self._finish(why)
            with self.desk.step(self.slice.name):
                turn = self._turn()
            if isinstance(turn, Finished):
                self.reading.calls += 1
                return turn.answer
            if turn:
                self._ask_below(*turn)
        return self._finish(STEPS_DONE)

    def _finish(self, why: str) -> Text | None:
        """The reader's answer from what it has seen."""
        with self.desk.step(self.slice.name):
            self.desk.choose("stop", SEEN, (), why)
            return self.reading.verdict(self.desk.ask(LAST, **self._known()), self.slice)

    def _turn(self) -> tuple[list[SlicePart], SliceQuestion] | Finished | None:
        """One action."""
        self.reading.calls -= 1
        acts = self._offered()
        got = self.desk.ask(
            next_prompt(acts),
            about=Text(f"{tokens.count(self.text.text):,} tokens"),
            parts=[part.shown() for part in self.parts],
            **self._known(),
        )
        if isinstance(got, Unread):
            self._fall_back(got)
            return None
        act = next(act for act in acts if act.word == got.field("action").text)
        others = [other.word for other in acts if other != act]
        if act in (ANSWER, NOTHING):
            self.desk.choose("commit" if act == ANSWER else "not_there", act.word, [act.word, *others], got.field("reasoning"))
            return Finished(self.reading.kept(got.field("argument"), self.slice) if act == ANSWER else None)
        if self._was_done(act, got):
            self.refused.add(act)
            self.desk.choose("repeat", act.word, [act.word, *others], "that was done in this slice before")
            return None
        self.refused.clear()
        return _DO[act.word](self, got, others)

    def _offered(self) -> tuple[Act, ...]:
        """The actions that it may choose from: none that was refused since something new was done."""
        below = (ASK if self.parts else SPLIT,) if self.slice.depth < self.options.depth else ()
        answer = (ANSWER,) if self.seen or any(part.asked for part in self.parts) else ()
        nothing = (NOTHING,) if self.slice.depth else ()
        return tuple(act for act in (SEARCH, PEEK, *below, *answer, *nothing) if act not in self.refused)

    def _known(self) -> PromptParts:
        """The question, what was seen of the slice, and the answers from below."""
        return {
            "question": self.asked.question,
            "choices": self.asked.choices,
            "seen": [seen.shown(self.parts) for seen in self.seen],
            "answers": self.answers,
        }

    def _was_done(self, act: Act, got: Got) -> bool:
        """Whether it has done just that before; from now on it has."""
        same = (act.word, f"{got.field('parts')}: {_plainly(got.field('argument')).casefold()}")
        before = same in self.done
        self.done.add(same)
        return before

    def _fall_back(self, got: Unread) -> None:
        """What is done where no reply could be read: the first time, a search for the words of the question."""
        self.unread += 1
        if self.unread == 1:
            query = self.desk.write("query", self.asked.question)
            self.desk.choose("fallback", query, (), got.problems[-1])
            self._show_places(query)

    def _search(self, got: Got, others: Sequence[str]) -> None:
        query = self.desk.write("query", got.field("argument"))
        self.desk.choose("search", query, [query, *others], got.field("reasoning"))
        self._show_places(query)

    def _show_places(self, query: Text) -> None:
        among, found = looking.find(self.text.text, _plainly(query), self.options.max_hits, self.options.hit_tokens)
        places = [self.text[start:end] for start, end in found]
        if places:
            self.desk.look(Text.join("\n\n", places), f"{len(places)} of {among} places")
        how = Text.join("", [Text("Found for “"), query, Text("”")])
        self.seen += [Seen(how, place) for place in places or [Text("nothing")]]

    def _peek(self, got: Got, others: Sequence[str]) -> None:
        self.desk.choose("peek", PEEK.word, [PEEK.word, *others], got.field("reasoning"))
        start, end = looking.peek(self.text.text, got.field("argument").text, self.options.peek_tokens)
        at = BEGINNING if not start else "the end" if end == len(self.text) else f"{start / len(self.text):.0%}"
        self.desk.look(self.text[start:end], at)
        self.seen.append(Seen(Text(f"Seen at {at}"), self.text[start:end]))

    def _split(self, got: Got, others: Sequence[str]) -> None:
        self.desk.choose("split", SPLIT.word, [SPLIT.word, *others], got.field("reasoning"))
        first = self.slice.span.start
        spans = [Span(first + start, first + end) for start, end in self._cut(got.field("argument").text)]
        texts = self.desk.cut(self.reading.document, spans)
        self.parts = [
            SlicePart(self.slice.part(n, span), text) for n, (span, text) in enumerate(zip(spans, texts, strict=True), 1)
        ]

    def _cut(self, wanted: str) -> list[Span]:
        """As many parts as it asked for; without a number, as it takes for each to be shown as a whole."""
        if named := re.search(r"\d{1,4}", wanted):
            return looking.parts(self.text.text, min(max(2, int(named[0])), self.options.max_parts))
        return looking.fitting_parts(self.text.text, self.options.slice_tokens, self.options.max_parts)

    def _ask(self, got: Got, others: Sequence[str]) -> tuple[list[SlicePart], SliceQuestion]:
        """The question to some parts: a new one, or the one that the reader was asked."""
        named = [self.parts[number - 1] for number in part_numbers(got.field("parts").text)]
        own = got.field("argument")
        asked = SliceQuestion(self.desk.write("question", own)) if own.text else self.asked
        for part in named:
            among: list[Text | str] = [*(one.text for one in self.parts), *others]
            self.desk.choose("ask_below", part.text, among, got.field("reasoning"))
        return named, asked

    def _ask_below(self, parts: Sequence[SlicePart], asked: SliceQuestion) -> None:
        """Ask a fresh reader about each part for which there are calls left."""
        for part in parts:
            if not self.reading.may_ask(part.slice):
                return
            answer = self.reading.answer(part.slice, asked)
            part.asked[asked.question.text] = answer is not None
            if answer is not None:
                head = Text(f"From part {self.parts.index(part) + 1}, asked “")
                self.answers.append(Text.join("", [head, asked.question, Text("”: "), answer]))


_DO: dict[str, Callable[[SliceVisit, Got, Sequence[str]], tuple[list[SlicePart], SliceQuestion] | None]] = {
    SEARCH.word: SliceVisit._search,
    PEEK.word: SliceVisit._peek,
    SPLIT.word: SliceVisit._split,
    ASK.word: SliceVisit._ask,
}


def _plainly(words: Text) -> str:
    """Words without quote marks around them, on one line."""
    return " ".join(words.text.split()).strip("\"'“”‘’«» .")


def _calls_to_read_all(size: int, options: RecursiveOptions) -> int:
    """The calls needed to read each slice of a text of this many tokens once."""
    calls, slices = 0, 1
    for _ in range(options.depth):
        if size <= options.slice_tokens:
            break
        calls += slices * SPLIT_AND_ASKED
        parts = min(options.max_parts, size // options.slice_tokens + 2)  # one more than if all were full
        slices, size = slices * parts, size // parts
    return calls + slices
