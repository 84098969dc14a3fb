"""Words found in readings: which readings hold them, and where in each: in the question, the text that a prompt showed, the
prompts' own words, what was written, the replies and the answer.

Each passage is named by what it first stood in: a memory's sentence by the memory, not by every prompt that showed the memory
later; a reply that became a summary by the summary. A passage that comes again word for word in later steps is counted, not
repeated. Labels, notes and known answers are not searched. Not here: the words of a text that no prompt showed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from readers.engine.prompts.prompt import Prompt
from readers.engine.record.events import Answered, Asked, Wrote
from readers.engine.record.trace import holds, shown_raw
from readers.engine.store import Reading, Store, open_reading
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.search import Sought, around

PORTION = 100  # readings
MOST_PLACES = 200  # in one text
REACH = 70  # characters shown before and after what was found
TEXT, PROMPT, REPLY, THOUGHTS, QUESTION, ANSWER = "text", "prompt", "reply", "thoughts", "question", "answer"


class FoundPassage(NamedTuple):
    """Words found in a reading: whose they are (`kind`: one of the above, or the role of a written text), at which step (from 1),
    in or after which call, and the words around them. `place` is where in the text; `times` at how many steps they came."""

    kind: str
    step: int
    call: int | None
    words: str
    place: Span | None = None
    times: int = 1

    @property
    def whose(self) -> str:
        """Whose words these are, in a word or two."""
        return {TEXT: "text, in a prompt", PROMPT: "prompt"}.get(self.kind, self.kind.replace("_", " "))


def in_readings(store: Store, sought: Sought, ids: Sequence[str]) -> Iterator[list[str]]:
    """Search readings in portions of a hundred: after each, those of them that hold what is sought, in order."""
    places: dict[str, tuple[Span, ...]] = {}
    for start in range(0, len(ids), PORTION):
        holding = store.run_search.holding(sought, ids[start : start + PORTION], places=places)
        yield [run_id for run_id in ids[start : start + PORTION] if run_id in holding]


def passages_in(store: Store, run_id: str, sought: Sought) -> list[FoundPassage]:
    """Every passage of a stored reading. Raises NotFound."""
    return passages(open_reading(store, run_id), sought, store.runs.tape(run_id).prompts())


def passages(reading: Reading, sought: Sought, prompts: Mapping[str, Prompt]) -> list[FoundPassage]:
    """Every passage of a reading with what is sought, in the order of its steps; `prompts` are its calls', by hash."""
    found: dict[tuple[str, str], FoundPassage] = {}
    for passage in sorted(_passages(reading, sought, prompts), key=lambda one: one.step):
        key = (passage.kind, passage.words)
        before = found.get(key)
        found[key] = passage if before is None else before._replace(times=before.times + 1)
    return sorted(found.values(), key=lambda one: (one.kind == PROMPT, one.step))


def _passages(reading: Reading, sought: Sought, prompts: Mapping[str, Prompt]) -> Iterator[FoundPassage]:
    yield from _in(sought, reading.run.question, QUESTION, 1)
    yield from _in_text(reading, sought)
    steps = {event.seq: step.number + 1 for step, event in reading.trace.by_step() if isinstance(event, Asked)}
    copied = set()  # calls whose replies are told as what was made of them
    for step, event in reading.trace.by_step():
        if isinstance(event, (Wrote, Answered)):
            here = list(_in(sought, event.text, event.role if isinstance(event, Wrote) else ANSWER, step.number + 1))
            copied |= {refs.replied(piece.origin) for piece in event.pieces} if here else set()
            yield from here
    if reading.trace.end is None:
        yield from _in(sought, reading.run.answer or "", ANSWER, max(1, len(reading.trace.steps)))
    asking = {key: prompt for key, prompt in prompts.items() if sought.is_in(prompt.template)}
    told = set()
    for record in reading.records:
        at = steps.get(record.seq, max(1, len(reading.trace.steps)))
        if record.task == "score":
            continue
        if record.seq not in copied:
            yield from _in(sought, record.reply or "", REPLY, at, call=record.seq)
        yield from _in(sought, record.thoughts or "", THOUGHTS, at, call=record.seq)
        for message in json.loads(record.messages or "[]"):
            yield from _in(sought, str(message["content"]), PROMPT, at, call=record.seq)
        if record.prompt in asking and record.prompt not in told:
            told.add(record.prompt)
            yield from _in(sought, asking[record.prompt].template, PROMPT, at, call=record.seq)


def _in(sought: Sought, text: str, kind: str, step: int, *, call: int | None = None) -> Iterator[FoundPassage]:
    for place in _places(sought, text):
        yield FoundPassage(kind, step, call, "".join(around(text, place, reach=REACH)).strip())


def _places(sought: Sought, text: str) -> list[Span]:
    """The first places of a text; one that stands in the words around another is not another passage."""
    found: list[Span] = []
    for place in islice(sought.places(text), MOST_PLACES):
        if not found or place.start > found[-1].end + REACH:
            found.append(place)
    return found


def _in_text(reading: Reading, sought: Sought) -> Iterator[FoundPassage]:
    """The places of the text, each at the steps whose prompts showed it."""
    text = reading.document.text
    asked = [(step.number + 1, event) for step, event in reading.trace.by_step() if isinstance(event, Asked)]
    shown = [(step, event.seq, shown_raw(event)) for step, event in asked]
    for place in _places(sought, text):
        words = "".join(around(text, place, reach=REACH)).strip()
        for step, call, spans in shown:
            if holds(spans, place):
                yield FoundPassage(TEXT, step, call, words, place)
