"""Where every character of a prompt comes from, by what was said before it: the document, an earlier reply, a tool, the question,
or the program's own words.

A stretch of a prompt that has the wording of a source is given to it. Several sources may have the same wording: the piece then
names the others, and which one it names is a guess, by what stood in the same slot of other prompts, and by where the last pieces
came from. A paraphrase has no source here. Pure, and the same in every process: nothing is iterated over in an order of chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, QUESTION, Piece
from readers.observed.calls import ObservedCall, Said
from readers.observed.finding import Finder
from readers.observed.lines import Lines
from readers.observed.located import Located
from readers.observed.normal import Normal, normal
from readers.observed.slots import Slots, numberless
from readers.observed.wordings import SameWords, Wordings

BETWEEN_DOCUMENTS = "\n\n"
MOST_OTHERS = 8  # other places that a piece names
OWN = ""  # the origin of a program's own words
TOOL = "tool"
_NAMED = 48  # characters at the beginning of a prompt that say what kind of call it is

Rating = Literal["certain", "likely", "own"]


class Sourced(NamedTuple):
    """A stretch of a message, and where its wording is from. The piece's origin is a ref (`document`, `question`, `choice:2`,
    `reply:7`: to the eighth call), `tool:3`, the result of a tool that was the fourth to be shown, or empty for the program's own
    words. `others` have the same wording."""

    piece: Piece
    rating: Rating
    others: tuple[Piece, ...] = ()


Messages = list[tuple[Sourced, ...]]  # of one call: the pieces of each message, which cover it


def joined(documents: Sequence[str]) -> str:
    """Several documents as the one text whose places the pieces name."""
    return BETWEEN_DOCUMENTS.join(documents)


def sources(
    documents: Sequence[str], question: str, calls: Sequence[ObservedCall], *, choices: Sequence[str] = ()
) -> list[Messages]:
    """The pieces of every message of every call. A call draws only on replies that were there when it was asked."""
    first = Sources(joined(documents), question, choices=choices)
    first.see(calls)
    return Sources(joined(documents), question, choices=choices, slots=first.slots).see(calls)


class Sources:
    """Finds the sources call by call, as they come. `slots`: what the slots of the program's prompts were filled from, by a first
    pass over the same reading."""

    def __init__(self, document: str, question: str, *, choices: Sequence[str] = (), slots: Slots | None = None) -> None:
        self.slots = slots or Slots()
        self._wordings = Wordings()
        self._wordings.add(DOCUMENT, DOCUMENT, document)
        for origin, text in [(QUESTION, question), *((refs.choice(n), choice) for n, choice in enumerate(choices))]:
            if text.strip():
                self._wordings.add(origin, QUESTION, text)
        learns = slots is None
        self._lines = Lines(self._wordings, self.slots, learns)
        self._finder = Finder(self._wordings, self.slots, self._lines, learns)
        self._kinds: dict[int, str] = {}  # of calls, by how their prompts begin
        self._seen: dict[tuple[int, Said], tuple[int, tuple[Sourced, ...]]] = {}  # messages by those before them
        self._last: Sequence[Said] = ()
        self._tools = 0

    def see(self, calls: Sequence[ObservedCall]) -> list[Messages]:
        """All calls of a reading, in the order of time."""
        found: list[Messages] = [[] for _ in calls]
        moments = [(call.asked, 1, n) for n, call in enumerate(calls)] + [(call.answered, 0, n) for n, call in enumerate(calls)]
        for _, asks, number in sorted(moments):
            if asks:
                found[number] = self.prompt(number, calls[number].messages)
            else:
                self.reply(number, calls[number].reply)
        return found

    def reply(self, seq: int, text: str) -> None:
        """The reply to a call came."""
        if text.strip():
            kind = self._kinds.get(seq, "")
            self._finder.newest[kind] = seq
            self._wordings.add(refs.reply(seq), kind, text, seq=seq)
            self._lines.add(len(self._wordings.known) - 1)

    def prompt(self, seq: int, messages: Sequence[Said]) -> Messages:
        """The pieces of each message of a call that is asked. What a conversation repeats is what it was before; its newest
        message is looked at anew, unless the call is asked a second time."""
        found: Messages = []
        self._kinds[seq] = kind_of(messages)
        again, self._last = self._last == messages, messages
        before = 0
        for number, message in enumerate(messages, 1):
            if (before, message) not in self._seen or (number == len(messages) and not again):
                self._seen[before, message] = len(self._seen) + 1, tuple(self._message(seq, message))
            before, pieces = self._seen[before, message]
            found.append(pieces)
        return found

    def _message(self, seq: int, message: Said) -> Iterator[Sourced]:
        text = normal(message.text)
        pieces = list(self._pieces(text, self._finder.find(seq, self._kinds[seq], text, own=message.role != TOOL)))
        if message.role != TOOL:
            yield from pieces
            return
        origin, self._tools = f"{TOOL}:{self._tools}", self._tools + 1
        for one in pieces:
            if one.rating == "own":
                start, end, *_ = one.piece
                self._wordings.add(origin, TOOL, message.text[start:end], shift=start)
                yield Sourced(Piece(start, end, origin, start, end), "certain")
            else:
                yield one

    def _pieces(self, text: Normal, found: Sequence[Located]) -> Iterator[Sourced]:
        done = 0
        for one in found:
            start, end, length = text.raw(one.start), text.raw(one.end), one.end - one.start
            if start > done:
                yield Sourced(Piece(done, start, OWN, 0, 0), "own")
            others = tuple(self._other(text, one, other) for other in one.others[:MOST_OTHERS])
            piece = Piece(start, end, *self._place(one.wording, one.begin, length))
            yield Sourced(piece, "certain" if one.certain else "likely", others)
            done = end
        if (end := text.raw(len(text.text))) > done:
            yield Sourced(Piece(done, end, OWN, 0, 0), "own")

    def _other(self, text: Normal, one: Located, other: SameWords) -> Piece:
        """Another place of a stretch, as far as it has the same wording."""
        start, end = max(one.start, other.start), min(one.end, other.end)
        place = self._place(other.wording, other.begin + start - other.start, end - start)
        return Piece(text.raw(start), text.raw(end), *place)

    def _place(self, number: int, begin: int, length: int) -> tuple[str, int, int]:
        wording = self._wordings.known[number]
        return wording.origin, wording.shift + wording.text.raw(begin), wording.shift + wording.text.raw(begin + length)


def kind_of(messages: Sequence[Said]) -> str:
    """What kind of call it is: how its first and its last message begin, whatever the numbers in them."""
    ends = dict.fromkeys(one.text[:_NAMED] for one in (*messages[:1], *messages[-1:]))
    return " / ".join(numberless(normal(text).text, _NAMED) for text in ends)
