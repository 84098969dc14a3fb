"""Replies as they arrive: thoughts are removed, and a reply that was cut off because of its length is never silently used as an
answer.

A reply that was cut off counts as misread and is asked for again with more room, if the model's window allows: twice as much, or
8 times if the model thought before it replied. Only on the last try is it used as it was cut, and that is on record; a list with
its whole items. A summary, a memory or a list is used so at once if asking again takes much of the window: prompt and double
room over a sixteenth of it. If the model repeated itself without end, more room would not help: it is asked again with the same
room, and at last what comes before the repetition is used; of a list at once, because its items say all that it had to say. Only
the reply to an exact prompt is used as it came, cut or repeating itself. Pure: the same record gives the same result.

A server may ignore the limit that it was sent. `bounded` cuts a reply that arrives with far more than its room, and says so in
the same way. A reply on record is read as it was read when it came (`as_read_then`), so that a recording replays whatever reads
replies today. Thoughts come in a field of their own, between tags in the text, or with only the closing tag because the chat
template opened them; all end up in `Reply.thoughts`, so nothing reads them as the reply, except under a tag that the prompt's own
reply form asks for. Everything here is linear in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from readers.engine.models.call import CUT_MEMORIES, CUT_SUMMARIES, LENGTH, Call, Reply
from readers.engine.prompts.formats.form import Field, Parsed, Unreadable
from readers.engine.prompts.formats.json_text import up_to_whole_item
from readers.engine.text import tokens

CUT_ROOM = 2
CHEAP = 16  # a summary, memory or list that was cut off is asked for again within this part of the window
SUMMARIES, MEMORY = ("summarise", "shorten"), "update_memory"
MOST_CHARACTERS_A_TOKEN = 32  # on average; words of English have 5
LEAST_BOUND = 10_000  # characters
THINKING_ROOM = 8  # also what models get from the start that are known to think


class ReadReply(NamedTuple):
    """A reply as it was read. `cut`: it was cut off because of its length; `repeats_after`: if so, the number of characters
    before it only repeats itself. `room_factor`: the next try gets this many times the room."""

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
    lists = any(field.kind in ("list", "several") for field in call.prompt.reply.fields())
    if usable is None and lists:
        usable = _whole_items(call, text[:end])
    at_once = lists if end is not None else _would_cost_much(call)
    if usable is None or not (call.is_last or at_once):
        problem = why_cut(call.max_tokens, end) if text.strip() else _only_thoughts(call.max_tokens)
        factor = 1 if end is not None else THINKING_ROOM if thought or not text.strip() else CUT_ROOM
        return ReadReply(Unreadable(problem, usable), True, end, factor)
    return ReadReply(usable, True, end)


def _whole_items(call: Call, text: str) -> Parsed | None:
    """What a reply that was cut off in its list says with its whole items; None if that is nothing."""
    parsed = call.parse(up_to_whole_item(text))
    if isinstance(parsed, Unreadable):
        return None
    return Parsed({name: field._replace(end=min(field.end, len(text))) for name, field in parsed.fields.items()})


def _would_cost_much(call: Call) -> bool:
    """Whether a summary, a memory or a list that was cut off is not worth asking for again: its prompt and double room take over
    a sixteenth of the window. Models with a small window run on small machines, where that is most of the time of a reading."""
    settings, kinds = call.settings, [field.kind for field in call.prompt.reply.fields()]
    is_text = call.prompt.task in (*SUMMARIES, MEMORY) and kinds == ["words"]
    since = CUT_SUMMARIES if call.prompt.task in SUMMARIES else CUT_MEMORIES
    if settings.window is None or settings.reply_rules < since or not (is_text or kinds == ["list"]):
        return False
    room = settings.window // CHEAP - CUT_ROOM * call.max_tokens
    return tokens.count("".join(message["content"] for message in call.messages)) > room


def as_read_then(read: ReadReply, reply: str, values: Mapping[str, str | int] | None, problem: str) -> ReadReply:
    """A reply that is on record with these values (None: it could not be read, for this problem), as it was read then."""
    if values is None:
        unread = read.parsed if isinstance(read.parsed, Unreadable) and not problem else Unreadable(problem or LATER_READ)
        return read._replace(parsed=unread)
    now = read.parsed.fields if isinstance(read.parsed, Parsed) else {}
    if values == {name: field.value for name, field in now.items()}:
        return read
    same = {name: now[name] for name, value in values.items() if name in now and now[name].value == value}
    return read._replace(parsed=Parsed({name: same.get(name) or _placed(reply, value) for name, value in values.items()}))


def _placed(reply: str, value: str | int) -> Field:
    """A value where it stands in a reply, or as derived from all of it."""
    at = reply.find(str(value))
    return Field(value, at, at + len(str(value))) if at >= 0 else Field(value, 0, len(reply))


# These are recorded, so their wording must not change.


LATER_READ = "it was not read when it came"


def why_cut(room: int, repeats_after: int | None) -> str:
    """The problem of a reply that was cut off because of its length: a clause."""
    if repeats_after is not None:
        return f"it repeats itself without end after its first {repeats_after:,} characters"
    return f"it was cut off for its length; there was room for {room:,} tokens"


def _only_thoughts(room: int) -> str:
    return f"all the room for it, {room:,} tokens, was used up by thinking, and nothing was left for the reply"


def with_more_room(call: Call, times: int) -> Call:
    """The call with this many times its room, if it fits into the model's window next to the prompt."""
    room = call.max_tokens * times
    if call.settings.window is not None:
        size = tokens.count("".join(message["content"] for message in call.messages))
        room = min(room, call.settings.window - size - call.prompt.spare)
    return call.with_room(max(call.max_tokens, room))


# Tags as current models write them; `_tag` adds those of Magistral, Kimi and gpt-oss.
NAMES = ("think", "thinking", "thought", "thoughts", "seed:think", "budget:thinking")


def take_thoughts(call: Call, reply: Reply) -> Reply:
    """The reply with all thoughts in its text moved to `thoughts`; the reply to an exact prompt stays as it came."""
    if call.prompt.exact:
        return reply
    shape = call.prompt.reply.describe().lower()
    inside, text = split_thoughts(reply.text, tuple(name for name in NAMES if f"<{name}>" not in shape))
    if text == reply.text:
        return reply
    return replace(reply, text=text, thoughts="\n\n".join(words for words in (reply.thoughts, inside) if words))


def split_thoughts(text: str, names: tuple[str, ...] = NAMES) -> tuple[str, str]:
    """The thoughts in a text, and the text without them.

    Thoughts are the text between an opening and a closing tag, before a closing tag that nothing opened, and after an opening tag
    at the beginning of a line that nothing closes. A text without thoughts is returned unchanged, any other without white space
    at its beginning.
    """
    thoughts: list[str] = []
    kept: list[str] = []
    opened: re.Match[str] | None = None
    at = 0
    for tag in _tag(names).finditer(text):
        if tag.lastgroup == "opens":
            opened = opened or tag
        elif opened:
            kept.append(text[at : opened.start()])
            thoughts.append(text[opened.end() : tag.start()])
            opened, at = None, tag.end()
        else:
            thoughts += [*kept, text[at : tag.start()]]
            kept, at = [], tag.end()
    if opened and not text[text.rfind("\n", 0, opened.start()) + 1 : opened.start()].strip():
        kept.append(text[at : opened.start()])
        thoughts.append(text[opened.end() :])
        at = len(text)
    if not at:
        return "", text
    words = "\n\n".join(stripped for part in thoughts if (stripped := part.strip()))
    return words, "".join([*kept, text[at:]]).lstrip()


@cache
def _tag(names: tuple[str, ...]) -> re.Pattern[str]:
    """An opening or closing tag with one of these names, or of another notation."""
    name = "|".join(map(re.escape, names))
    opens = rf"<(?i:{name})>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|channel\|>(?:analysis|commentary)<\|message\|>"
    final = r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>"
    closes = rf"</(?i:{name})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|{final}"
    return re.compile(rf"(?P<opens>{opens})|(?P<closes>{closes})")


LEAST_TIMES = 4  # the stretch itself included
LEAST_LENGTH = 200  # characters of all its repetitions together
_PUNCTUATION = ".,;:!?…\"'”’)]}»。，！？、"
_LONGEST_REST = 4  # of punctuation that belongs to the first occurrence
_TAIL = 40  # characters of the end that must have occurred before


def repeats_after(text: str) -> int | None:
    """How many characters a text has up to and with the first occurrence of what it then repeats to its end; None if it does not
    repeat itself.

    White space at the end does not count. The last repetition may be cut off anywhere.
    """
    text = text.rstrip()
    tail = text[-_TAIL:]
    earlier = text.rfind(tail, 0, len(text) - 1)
    if len(tail) < _TAIL or earlier < 0:
        return None
    period = len(text) - _TAIL - earlier
    start = _start_of(text, period)
    if len(text) - start < max(LEAST_LENGTH, LEAST_TIMES * period):
        return None
    end = start + period
    rest = text[end : end + min(period, _LONGEST_REST)]
    return end + len(rest) - len(rest.lstrip(_PUNCTUATION))


def _start_of(text: str, period: int) -> int:
    """The first position from which on every character equals the one `period` later."""
    start = len(text) - period
    while start >= period and text[start - period : start] == text[start : start + period]:
        start -= period
    while start and text[start - 1] == text[start - 1 + period]:
        start -= 1
    return start
