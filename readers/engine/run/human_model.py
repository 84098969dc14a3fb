"""You are the model: `human/you`, whose replies a person writes on the page, one call at a time.

A call is put into the table `waiting` and polled for; the page shows it and replies. A reply that cannot be read is refused with
the reason and is no attempt, whichever way it came. A reading that was stopped or has ended asks nobody any longer. What a person
replies is recorded like any model's reply, but never shared with another reading. Scores are computed as ever and never put to a
person (`similarity.WithScores`). Not here: how a call is shown, and how a reply is put together (`components/`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from readers.engine.canonical import encodable
from readers.engine.errors import BadInput, ModelFailed
from readers.engine.models import catalogue
from readers.engine.models.call import Call, Message, Reply, ServedModel
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.prompts.reply import Unreadable
from readers.engine.record.edits import Edits, ModelEdit
from readers.engine.record.journal import decode_parts, encode_parts
from readers.engine.store import Run, Store
from readers.engine.store.waiting_calls import WaitingCall
from readers.engine.text import refs
from readers.engine.text.document import Document

POLL_SECONDS = 0.2  # seconds
MAX_REPLY_LENGTH = 100_000  # characters


@dataclass(frozen=True)
class Human:
    """The person who replies to the calls of one reading, through the database at `path` (the default one if not given).

    Asked on a thread of the reading's own; each call opens a store there. Raises ModelFailed when the reading was stopped.
    """

    run: str
    path: Path | None = None

    def complete(self, call: Call) -> Reply:
        with Store(self.path) as store:
            store.waiting.ask(WaitingCall(self.run, call.seq, call.attempt, describe_call(call)))
            while True:
                taken = store.waiting.taken(self.run, call.seq, call.attempt)
                if taken and not isinstance(call.parse(taken.text), Unreadable):
                    store.waiting.go_on(self.run)
                    return Reply(taken.text, None, None, 0.0, ms=taken.ms)
                if taken:
                    store.waiting.put_back(self.run)
                if not store.waiting.wanted(self.run):  # settled: had it failed before that, the reading would count as failed
                    store.waiting.withdraw(self.run)
                    raise ModelFailed("the reading was stopped before you replied; Resume puts the same call to you again")
                time.sleep(POLL_SECONDS)


class DisplayedCall(NamedTuple):
    """A call as the model sees it. `sources` tells of each text of each part, by the part's name, the kinds of place its words
    come from (`document`, `wrote`, `reply`, `question`, ...). `edited` stands in the place of prompt and parts."""

    prompt: Prompt
    parts: tuple[Part, ...]
    sources: Mapping[str, list[list[str]]]
    note: str
    edited: tuple[Message, ...]


def may_ask_person(spec: Mapping[str, Any], *, first: int = 0) -> bool:
    """Whether a person may reply to calls of a reading with this spec, from call `first` on."""
    called = Edits.of(spec.get("edits") or ()).models_from(first, ServedModel(spec["model"], spec.get("api_base")))
    return any(served.model == catalogue.HUMAN for served in called)


def first_human_call(run: Run) -> int:
    """The number of the first call of a reading that a person may be asked: 0, or where a fork was switched to one."""
    began = run.fork_at or 0
    switched = [
        edit.seq
        for edit in Edits.of(run.spec.get("edits") or ()).items
        if isinstance(edit, ModelEdit) and edit.model == catalogue.HUMAN
    ]
    return max(began, min(switched)) if switched and run.spec["model"] != catalogue.HUMAN else began


def count_human_replies(store: Store, run: str) -> int:
    """How many calls of a reading a person has replied to; not those that a fork took over from its parent."""
    replies = (record for record in store.tape(run).records() if record.reply is not None)
    return sum(record.model == catalogue.HUMAN and record.origin == "live" for record in replies)


def describe_call(call: Call) -> dict[str, Any]:
    """All that is needed to show a call and to read a reply to it, as JSON data."""
    sources = {
        part.name: [sorted({refs.kind(p.origin) or "" for p in text.pieces}) for text in part.texts] for part in call.parts
    }
    return {
        "identity": call.identity,
        "prompt": call.prompt.wording,
        "task": call.prompt.task,
        "parts": encode_parts(call.parts),
        "sources": sources,
        "note": call.note,
        "edited": list(call.edited),
    }


def display_call(waited: WaitingCall, document: Document) -> DisplayedCall:
    """A waiting call, put together again."""
    call = waited.call
    parts = decode_parts(call["parts"], document)
    return DisplayedCall(_prompt(waited), parts, call["sources"], call["note"], tuple(call["edited"]))


def submit_reply(store: Store, waited: WaitingCall, text: str) -> bool:
    """Reply to a waiting call. False where somebody else has, or it waits no more. Raises BadInput for what cannot be read."""
    text = encodable(text)
    if len(text) > MAX_REPLY_LENGTH:
        raise BadInput(f"the reply has {len(text):,} characters, and {MAX_REPLY_LENGTH:,} is the most; shorten it")
    sizes = {name: len(texts) for name, texts in json.loads(waited.call["parts"])}
    found = _prompt(waited).reply.parse(text, sizes)
    if isinstance(found, Unreadable):
        raise BadInput(f"the reply cannot be read: {found.problem}; set it right and send it again")
    return store.waiting.reply(waited.run, waited.seq, waited.attempt, text)


def _prompt(waited: WaitingCall) -> Prompt:
    return Prompt.of_wording(waited.call["prompt"], waited.call["task"])
