"""The data of one reading in a replay: what its player gets, what its head says, and what Full shows. Pure.

The player's frames are those of the Trace page, so the steps, their sentences and the picture are the same. Never in it: keys,
folders and files of the machine, where a server is, and why a call failed, which may name these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from components.html import prompt_stretches
from components.html.markup import SOURCE_MARKS, PromptStretch
from components.html.words import reading_words, wording
from components.html.words.reading_words import title_in_list
from components.player import browser_text, data, ending, lifeline, stops
from components.player.frames import blocks
from components.player.pictures import picture
from readers import get
from readers.engine.analysis import authorship, measures
from readers.engine.analysis.facts.follow import Followed, evidence_of, follow
from readers.engine.analysis.measures import measures_of
from readers.engine.files.runs.import_run import Incoming
from readers.engine.forks.describe_edit import describe
from readers.engine.prompts.prompt import Prompt
from readers.engine.questions.known_answer import KnownAnswer
from readers.engine.record import events
from readers.engine.record.events import Asked
from readers.engine.record.journal import Record
from readers.engine.record.trace import Trace
from readers.engine.store import Reading, Run, Store, open_reading
from readers.engine.teaching.stops import Stop

Words = int | list[int]
SHORTEST_PLACE = 60  # characters of the text that are named by their place
MOST_UNFOLDED = 400_000  # characters of a picture with all its parts unfolded; a larger one stays folded
_FOLDER = re.compile(r"(?<![\w.])(?:[A-Za-z]:[\\/]|/|~/)(?:[^\\/\s]+[\\/])+")  # of an absolute path, all but its last name


@dataclass(frozen=True)
class Replayed:
    """A reading with what a replay shows: the prompts of its calls by hash, the known answer, if those who get the file may see
    it, a person's marks at its steps, and a sentence on what to watch for, if there is one. `followed`: what became of the facts
    of the known answer, and `measured`: its measures, if these were computed already."""

    reading: Reading
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    known: KnownAnswer | None = None
    stops: Sequence[Stop] = ()
    watch: str = ""
    followed: Sequence[Followed] | None = None
    measured: Mapping[str, Any] | None = None


def replayed_from(incoming: Incoming, run_id: str) -> Replayed:
    """A reading from a verified run file, under an id."""
    run = replace(incoming.run, id=run_id)
    trace = Trace(incoming.document, tuple(map(events.from_json, incoming.events)), run.question)
    prompts = {prompt.hash: prompt for prompt in incoming.prompts}
    return Replayed(Reading(run, incoming.document, trace, list(incoming.records)), prompts, stops=incoming.stops)


def replayed(store: Store, run_id: str, *, known: KnownAnswer | None = None) -> Replayed:
    """A reading from the store, for a replay. Raises NotFound."""
    reading = open_reading(store, run_id)
    return Replayed(reading, store.runs.tape(reading.run.id).prompts(), known, store.stops.of(reading.run.id))


def of(one: Replayed) -> dict[str, Any]:
    """Everything about a reading but its text, which several readings of a replay may share."""
    reading = shareable(one.reading)
    run, document, _, _ = reading
    frames = data.of(reading)
    marked = stops.of(one.stops, len(frames["steps"]), stops.predictions(reading))
    found = one.measured or measures_of(reading, get(run.reader), known=one.known)
    return {
        "frames": frames | {"text": {**frames["text"], "whole": None, "blocks": blocks(document)}, "stops": marked},
        "unfolded": _unfolded(reading, frames["picture"]),
        "question": run.question,
        "choices": list(run.spec.get("choices") or ()),
        "name": title_in_list(run),
        "about": [title_in_list(run), wording.models(run.spec), document.title, *_day(run)],
        "changed": describe(run.edit) if run.edit else "",
        "answer": _answer(reading, frames),
        "chips": [chip._asdict() for chip in ending.chips(reading, frames, found)],
        "stage": asdict(ending.of(reading, one.known)),
        "known": _known(reading, one.known, one.followed) if one.known else None,
        "calls": calls(reading, one.prompts),
        "cost": found["cost_usd"],
        "measures": measures.rows(found, memory=get(run.reader).narrative.carried),
        "settings": reading_words.settings(reading, addresses=False),
    }


def shareable(reading: Reading) -> Reading:
    """The reading without what concerns only its machine: why it failed, and the folders in the names of models."""
    run = reading.run
    spec = {**run.spec, "model": without_folders(str(run.spec["model"])), "api_base": None}
    if "edits" in spec:
        spec["edits"] = [{**edit, "model": without_folders(edit["model"])} if "model" in edit else edit for edit in spec["edits"]]
    kept = replace(run, spec=spec, error=None if run.status == "failed" else run.error)
    records = [replace(record, model=without_folders(record.model), error=None) for record in reading.records]
    return reading._replace(run=kept, records=records)


def without_folders(model: str) -> str:
    """The name of a model without the folders of a path in it."""
    provider, slash, path = model.partition("/")
    return provider + slash + _FOLDER.sub("", path) if slash and provider else _FOLDER.sub("", model)


def _day(run: Run) -> Sequence[str]:
    return [f"read on {run.created[:10]}"] if run.created and not run.taken_in else []


def _answer(reading: Reading, frames: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with its author and source; or the sentences that say why there is none, with their tone."""
    run = reading.run
    if run.outcome == "answered" and run.answer is not None:
        return {
            "words": run.answer,
            "by": wording.answered_by(reading),
            **_source(reading, frames),
        }
    return {"none": wording.ending(run), "tone": wording.state(run).tone}


def _source(reading: Reading, frames: Mapping[str, Any]) -> dict[str, Any]:
    source = ending.source_of(reading, frames)
    return {"where": source.words, "mark": SOURCE_MARKS[source.kind], "supported": source.kind == "found"}


def _known(reading: Reading, known: KnownAnswer, followed: Sequence[Followed] | None) -> dict[str, Any]:
    """The known answer in words, how the reading compares with it, and for the player its places and their fates."""
    if followed is None:
        facts = evidence_of(known, reading.document)[: lifeline.MOST_FACTS]
        followed = follow(reading, get(reading.run.reader), facts, known=known)
    return {
        "words": known.answer or wording.NOT_IN_TEXT,
        "verdict": wording.compared(reading.run, known).words,
        **lifeline.known_places(reading.document.text, known),
        "lives": lifeline.lines(reading, followed[: lifeline.MOST_FACTS]),
    }


def _unfolded(reading: Reading, drawn: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A tree with all its parts unfolded, if any is folded and it is not too large: no Python is available later. (A net with
    every entity unfolded is a tangle, so it is unchanged.)"""
    if not drawn or not drawn.get("parents"):
        return None
    run = reading.run
    whole = picture(
        run.reader, reading.trace, opened=frozenset(drawn["names"]), options=run.spec.get("options"), question=run.question
    )
    whole_drawn = browser_text.picture(reading.document.text, whole)
    if whole_drawn is None or len(whole_drawn["nodes"]) == len(drawn["nodes"]):
        return None
    return whole_drawn if len(json.dumps(whole_drawn)) <= MOST_UNFOLDED else None


@dataclass
class _WordTable:
    """Words stored once, and the places of those that are from the text."""

    text: str
    numbers: dict[str, int] = field(default_factory=dict)
    last: int = 0

    def number(self, words: str) -> int:
        return self.numbers.setdefault(words, len(self.numbers))

    def shown(self, stretch: PromptStretch) -> Words:
        return self.quoted(stretch.words) if stretch.source == "document" else self.number(stretch.words)

    def quoted(self, words: str) -> Words:
        """Words of the text: their place if they occur there, searched for first after the last words found."""
        if len(words) < SHORTEST_PLACE:
            return self.number(words)
        at = self.text.find(words, self.last)
        at = self.text.find(words) if at < 0 else at
        if at < 0:
            return self.number(words)
        self.last = at
        unit = browser_text.counter(self.text)
        return [unit(at), unit(at + len(words))]


def calls(reading: Reading, prompts: Mapping[str, Prompt]) -> dict[str, Any]:
    """The calls of a reading with a step, for Full: what each was sent, by where the words come from, and every reply.

    The same words come up again and again: a prompt's own words at every call, a memory in the reply that wrote it and in the
    next prompt. So they are stored once in `words` and referred to by number; quotations from the text are referred to by their
    place, [start, end].

    { "words": [...], "calls": [{ "step", "facts", "origin", "says", "prompt": [[source, words, title], ...], "counting", "reply",
    "head", "by", "thoughts" }, ...] }: steps from 0; `reply` is a number of words, or None where none came. The reason why none
    came may name a server or a folder and is left out. `prompts` are the prompts of its record by hash; a call whose prompt is
    missing there is left out."""
    table = _WordTable(reading.document.text)
    authors = authorship.of(reading.trace, reading.run, reading.records)
    steps = {event.seq: step.number for step, event in reading.trace.by_step() if isinstance(event, Asked)}
    calls = [
        {"step": steps[record.seq], **_call(record, prompts[record.prompt], reading, authors=authors, table=table)}
        for record in reading.records
        if record.seq in steps and record.prompt in prompts
    ]
    return {"words": list(table.numbers), "calls": calls}


def _call(
    record: Record, prompt: Prompt, reading: Reading, *, authors: authorship.Authorship, table: _WordTable
) -> dict[str, Any]:
    shown = prompt_stretches.of_record(record, prompt, reading, authors=authors)
    return {
        "facts": reading_words.facts(record, prompt),
        "origin": record.origin,
        "says": reading_words.ORIGINS[record.origin],
        "prompt": [[one.source, table.shown(one), table.number(one.title)] for one in shown],
        "counting": wording.counting(prompt),
        "reply": None if record.reply is None else table.number(record.reply),
        "by": wording.author_of(record),
        "head": wording.reply_by(record),
        "thoughts": table.number(record.thoughts) if record.thoughts else None,
    }
