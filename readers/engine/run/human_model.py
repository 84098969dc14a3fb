"""You are the model: `human/you`, whose replies a person writes on the page, one call at a time.

A call goes into the table `waiting` and is polled for; the page displays it and submits the reply. An unreadable reply is refused
with the reason and does not count as an attempt, however it arrives. A run that was stopped or has ended does not ask. A person's
reply is recorded like any model's, but never shared with another run. Scores are computed as usual and never put to a person
(`similarity.WithScores`). Not here: how a call is displayed and how a reply is composed (`components/`).
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
from readers.engine.prompts.formats.form import Unreadable
from readers.engine.prompts.prompt import Part, Prompt
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
    """The person who replies to the calls of one run, through the database at `path` (None: the default).

    Called on one of the run's own threads; every call opens a store there. Raises ModelFailed if the run was stopped.
    """

    run: str
    path: Path | None = None

    def complete(self, call: Call) -> Reply:
        with Store(self.path) as store:
            store.waiting.ask(WaitingCall(self.run, call.seq, call.attempt, describe_call(call)))
            while True:
                submitted = store.waiting.find_reply(self.run, call.seq, call.attempt)
                if submitted and not isinstance(call.parse(submitted[0]), Unreadable):
                    store.waiting.end_wait(self.run)
                    return Reply(submitted[0], None, None, 0.0, ms=submitted[1])
                if submitted:
                    store.waiting.discard_reply(self.run)
                if not store.waiting.is_working(self.run):  # the run is settled: failing earlier would make it count as failed
                    store.waiting.withdraw(self.run)
                    raise ModelFailed("the reading was stopped before you replied; Resume shows you the same call again")
                time.sleep(POLL_SECONDS)


class DisplayedCall(NamedTuple):
    """A call as the model sees it. `sources` lists, for each text of each part, the kinds of origin its words have (`document`,
    `wrote`, `reply`, `question`, ...). `edited` replaces prompt and parts."""

    prompt: Prompt
    parts: tuple[Part, ...]
    sources: Mapping[str, list[list[str]]]
    note: str
    edited: tuple[Message, ...]


def may_ask_person(spec: Mapping[str, Any], *, first: int = 0) -> bool:
    """Whether a run with this spec may ask a person, from call `first` on."""
    called = Edits.of(spec.get("edits") or ()).models_from(first, ServedModel(spec["model"], spec.get("api_base")))
    return any(served.model == catalogue.HUMAN for served in called)


def first_human_call(run: Run) -> int:
    """The first call that a run may put to a person: 0, or the call at which a fork was switched to one."""
    start = run.fork_at or 0
    switches = [
        edit.seq
        for edit in Edits.of(run.spec.get("edits") or ()).items
        if isinstance(edit, ModelEdit) and edit.model == catalogue.HUMAN
    ]
    return max(start, min(switches)) if switches and run.spec["model"] != catalogue.HUMAN else start


def count_human_replies(store: Store, run: str) -> int:
    """How many calls of a run a person has replied to, without those a fork took over from its parent."""
    replies = (record for record in store.runs.tape(run).records() if record.reply is not None)
    return sum(record.model == catalogue.HUMAN and record.origin == "live" for record in replies)


def describe_call(call: Call) -> dict[str, Any]:
    """Everything needed to display a call and parse a reply to it, as JSON data."""
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
    """Rebuild a waiting call."""
    call = waited.call
    parts = decode_parts(call["parts"], document)
    return DisplayedCall(_prompt(waited), parts, call["sources"], call["note"], tuple(call["edited"]))


def submit_reply(store: Store, waited: WaitingCall, text: str) -> bool:
    """Reply to a waiting call. Returns False if somebody else has, or it waits no longer. Raises BadInput for an unreadable
    reply."""
    text = encodable(text)
    if len(text) > MAX_REPLY_LENGTH:
        raise BadInput(f"the reply has {len(text):,} characters, the limit is {MAX_REPLY_LENGTH:,}; shorten it")
    sizes = {name: len(texts) for name, texts in json.loads(waited.call["parts"])}
    parsed = _prompt(waited).reply.parse(text, sizes)
    if isinstance(parsed, Unreadable):
        raise BadInput(f"the reply cannot be read: {parsed.problem}; correct it and send it again")
    return store.waiting.reply(waited.run, waited.seq, waited.attempt, text)


def _prompt(waited: WaitingCall) -> Prompt:
    return Prompt.of_wording(waited.call["prompt"], waited.call["task"])
