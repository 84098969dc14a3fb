"""Readings of watched programs, made from calls alone: one that carries a memory, one that works with a tool."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from readers.cli.watch.recording import spec_for
from readers.cli.watch.retelling import READER, Replies, retold
from readers.engine.record.trace import Trace
from readers.engine.run.execute import rehearse
from readers.engine.text.document import Document
from readers.observed.calls import ObservedCall, Said
from readers.observed.script import write_script

QUESTION = "Where was the ledger hidden?"
TASK = "Write anew, from what you have and the part that follows, what helps with the question."
PARTS = tuple(
    f"{first} The {what} is told of here at some length, and nobody at {where} said a word about it until the spring came."
    for first, what, where in (
        ("Amos Garbutt kept the light at Carrow Point.", "lamp", "the harbour"),
        ("His daughter Hester wrote up the book each night.", "book", "the chapel"),
        ("A ship was lost on the ninth of November.", "wreck", "the inquiry"),
        ("The ledger was hidden behind the boards of the lamp room.", "ledger", "the lighthouse"),
    )
)
DOCUMENT = Document.of("\n\n".join(PARTS), title="The light")
MEMORIES = (
    "Amos Garbutt is the keeper of the light there.",
    "Amos Garbutt is the keeper; Hester, his daughter, writes the book.",
    "Hester writes the book for Amos; a ship went down in November.",
    "Hester writes for Amos; the book lies in the lamp room, behind its boards.",
    "Hester writes for Amos; what was sought lies behind the lamp room's boards.",
)
ANSWER = "It lay behind the boards of the lamp room, as was found."


class Watched(NamedTuple):
    trace: Trace
    options: dict[str, Any]


def watched(calls: tuple[ObservedCall, ...], answer: str = ANSWER, *, document: Document = DOCUMENT, reason: str = "") -> Watched:
    """The reading that these calls make, as it is stored when the program has ended."""
    spec = spec_for(QUESTION)
    spec = replace(spec, options={"script": write_script(retold(document, spec, calls, answer=answer, reason=reason))})
    return Watched(rehearse(document, READER, spec, Replies(calls)), dict(spec.options))


def call(number: int, *said: Said, reply: str, error: str = "") -> ObservedCall:
    return ObservedCall(float(number), number + 0.5, said, reply, error=error)


def with_a_memory() -> Watched:
    """Four parts, then the second again, then the answer from the memory."""
    calls = []
    before = "nothing yet"
    for number, (part, memory) in enumerate(zip([*PARTS, PARTS[1]], MEMORIES, strict=True)):
        calls.append(call(number, Said("user", f"{TASK}\n\nMemory so far:\n{before}\n\nNext part:\n{part}"), reply=memory))
        before = memory
    calls.append(call(5, Said("user", f"Answer from this memory:\n{before}\n\n{QUESTION}"), reply=ANSWER))
    return watched(tuple(calls))


def with_a_tool() -> Watched:
    """A conversation that is sent again with each call; the third asks for a tool that fails it."""
    asked = (Said("system", "Use the tools that you have."), Said("user", QUESTION))
    searches = 'Let me look.\nsearch({"words": "ledger"})'
    found = (*asked, Said("assistant", searches), Said("tool", PARTS[3]))
    opens = 'I read on from there.\nopen({"paragraph": 3})'
    opened = (*found, Said("assistant", opens), Said("tool", PARTS[2]))
    calls = (
        call(0, *asked, reply=searches),
        call(1, *found, reply=opens),
        call(2, *opened, reply="", error="the server replied 429"),
        call(3, *opened, reply=ANSWER),
    )
    return watched(calls)
