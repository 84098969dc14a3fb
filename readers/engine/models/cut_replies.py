"""Replies that were cut off for their length: never silently an answer, a summary or a memory.

Such a reply counts as misread and is asked for again with more room, as far as the model's window allows: twice as much, or 8
times if the model thought before it replied. Only on the last try is it used as it was cut, and that is on record. If the model
repeated itself without end, more room would not help: it is asked again with the same room, and at last what comes before the
repetition is used. Only the reply to an exact prompt is used as it came, cut or repeating itself. Pure: the same record gives
the same result.

A server may ignore the limit that it was sent. `bounded` cuts a reply that arrives with far more than its room, and says so in
the same way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from readers.engine.models.call import LENGTH, Call, Reply
from readers.engine.prompts.formats.form import Parsed, Unreadable
from readers.engine.text import tokens
from readers.engine.text.repetition import repeats_after

CUT_ROOM = 2
MOST_CHARACTERS_A_TOKEN = 32  # on average; words of English have 5
LEAST_BOUND = 10_000  # characters
THINKING_ROOM = 8  # also what models get from the start that are known to think


class ReadReply(NamedTuple):
    """A reply as it was read. `cut`: it was cut off for its length; `repeats_after`: then it has so many characters before it
    only repeats itself. `room_factor`: the next try gets so many times the room."""

    parsed: Parsed | Unreadable
    cut: bool = False
    repeats_after: int | None = None
    room_factor: int = 1


def bounded(call: Call, reply: Reply) -> Reply:
    """A reply as it arrived, or its beginning, as one that was cut off for its length, if it cannot be within its room. What a
    scorer computes has no room, and stays whole."""
    most = max(LEAST_BOUND, MOST_CHARACTERS_A_TOKEN * call.max_tokens)
    if call.max_tokens <= 0 or max(len(reply.text), len(reply.thoughts)) <= most:
        return reply
    return replace(reply, text=reply.text[:most], thoughts=reply.thoughts[:most], finish=LENGTH)


def read_reply(call: Call, text: str, *, finish: str, thought: bool) -> ReadReply:
    """Parse a reply by the prompt's reply format; on the last attempt, accept a malformed or cut one if it is usable.

    `finish` is why the model stopped, `thought` whether it came with thoughts.
    """
    if finish != LENGTH:
        return ReadReply(call.parse_leniently(text))
    end = None if call.prompt.exact else repeats_after(text)
    parsed = call.parse(text[:end])
    usable = parsed.usable if isinstance(parsed, Unreadable) else parsed
    if usable is None or not call.is_last:
        problem = why_cut(call.max_tokens, end) if text.strip() else _only_thoughts(call.max_tokens)
        factor = 1 if end is not None else THINKING_ROOM if thought or not text.strip() else CUT_ROOM
        return ReadReply(Unreadable(problem, usable), True, end, factor)
    return ReadReply(usable, True, end)


# Both are recorded, so their wording must not change.


def why_cut(room: int, repeats_after: int | None) -> str:
    """What is wrong with a reply that was cut off for its length: a clause."""
    if repeats_after is not None:
        return f"it repeats itself without end after its first {repeats_after:,} characters"
    return f"it was cut off for its length; there was room for {room:,} tokens"


def _only_thoughts(room: int) -> str:
    return f"all the room for it, {room:,} tokens, was used up by thinking, and nothing was left for the reply"


def with_more_room(call: Call, times: int) -> Call:
    """The call with this many times its room, as far as it fits into the model's window beside the prompt."""
    room = call.max_tokens * times
    if call.settings.window is not None:
        size = tokens.count("".join(message["content"] for message in call.messages))
        room = min(room, call.settings.window - size - call.prompt.spare)
    return call.with_room(max(call.max_tokens, room))
