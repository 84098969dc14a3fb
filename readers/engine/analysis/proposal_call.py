"""The call in which a model proposes codes for a reading: what it is shown of each step, and where the words are that it copies.

Nothing is stored here. Not here: the prompt (`prompts/proposing.py`), and what becomes of the items (`proposals.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from readers.engine.analysis.narrate import narrate
from readers.engine.errors import ModelFailed
from readers.engine.models.call import Call, correction
from readers.engine.models.model import Model
from readers.engine.models.received import bounded, read_reply, take_thoughts
from readers.engine.prompts.formats.form import Unreadable
from readers.engine.prompts.formats.json_lists import rows
from readers.engine.prompts.proposing import KEYS
from readers.engine.record.events import Asked, Wrote
from readers.engine.run.reader import Reader
from readers.engine.store import Reading
from readers.engine.text.document import Text
from readers.engine.text.shorten import shorten

LONGEST_STEP, SHORTEST_STEP = 1_500, 120  # characters of a step that the model is shown
CHARACTERS = 3  # a token has about as many, or more
ROOM = 24_000  # tokens for the steps of a reading, where the window is larger or not known


def asked(model: Model, call: Call) -> Iterator[dict[str, str]]:
    """The items of the model's reply, asked for once more if it cannot be read. Raises ModelFailed."""
    problem = ""
    for attempt in range(call.prompt.tries):
        call = replace(call, attempt=attempt, asked="")
        reply = take_thoughts(call, bounded(call, model.complete(call)))
        parsed = read_reply(call, reply.text, finish=reply.finish, thought=bool(reply.thoughts)).parsed
        if not isinstance(parsed, Unreadable):
            listed = Text(str(parsed.fields[call.prompt.reply.main].value))
            return ({key: text.text for key, text in row.items()} for row in rows(listed, KEYS))
        problem = parsed.problem
        call = replace(call, note=correction(call.prompt, problem))
    raise ModelFailed(f"the reply of {call.settings.model!r} could not be read: {problem}")


def steps_shown(reading: Reading, reader: Reader, window: int | None) -> list[str]:
    """What happened at each step, and what was written there, as far as the model has room."""
    told = narrate(reading.trace, reader)
    room = min(ROOM, (window or ROOM) // 2) * CHARACTERS // max(1, len(told))
    longest = max(SHORTEST_STEP, min(LONGEST_STEP, room))
    return [shorten("\n".join([told[n], *(words for _, words in _written(reading, n))]), longest) for n in range(len(told))]


def _written(reading: Reading, step: int) -> Iterator[tuple[dict[str, Any], str]]:
    """The texts that were written at a step (from 0), or else the replies that came, each with what a span on it targets."""
    events = reading.trace.of(reading.trace.steps[step])
    wrote = [({"on": "wrote", "number": event.n}, event.text) for event in events if isinstance(event, Wrote)]
    asked = {event.seq for event in events if isinstance(event, Asked)}
    replies = {record.seq: record.reply for record in reading.records if record.seq in asked and record.reply}
    yield from wrote or [({"on": "reply", "number": seq}, words) for seq, words in replies.items()]


def place_of(reading: Reading, step: int, words: str) -> dict[str, Any] | None:
    """Where these words stand: in what was written at the step, or else in the text; None if nowhere."""
    places = [*_written(reading, step - 1), ({"on": "text"}, reading.document.text)]
    for target, text in places:
        at = text.find(words) if words else -1
        if at >= 0:
            return {**target, "start": at, "end": at + len(words)}
    return None
