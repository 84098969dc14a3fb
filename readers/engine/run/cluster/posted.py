"""What workers post, checked as untrusted data; and the forms in which a reading travels. Pure.

Each post is strict JSON of a known form with bounds. A call must come with the prompt it names, and its parts must lie in the
text; events must be in the form that the engine writes. Whether they follow from the replies is checked at the end of the reading
(`away.py`), as with an imported run file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from readers.engine.canonical import canonical
from readers.engine.errors import BadInput
from readers.engine.models.call import Sampled
from readers.engine.prompts.prompt import Prompt
from readers.engine.record import events
from readers.engine.record.journal import Record

MOST_BYTES = 32_000_000  # of one post
MOST_CALLS, MOST_ATTEMPTS, MOST_EVENTS = 200_000, 100, 2_000_000
MOST_SAVED = 64  # calls in one post
LONGEST_WORDS = 100_000  # characters of an error
LARGEST = 2**53
LONGEST_MS = 7 * 86_400_000

Count = Annotated[int, Field(ge=0, le=LARGEST)]
Amount = Annotated[float, Field(ge=0, le=LARGEST)]
Words = Annotated[str, Field(max_length=LONGEST_WORDS)]
Name = Annotated[str, Field(max_length=300)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Post(BaseModel):
    """The form of one kind of post."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True, allow_inf_nan=False)


class PostedRecord(Post):
    """A `Record` that a worker may make: a live call, a failed one, or one whose reply was shared."""

    seq: int = Field(ge=0, lt=MOST_CALLS)
    attempt: int = Field(ge=0, lt=MOST_ATTEMPTS)
    asked: Hash
    identity: Hash
    prompt: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    task: Name
    shared: bool
    parts: str
    note: str
    sample: Count
    origin: Literal["live", "cached"]
    model: Name
    reply: str | None
    parsed: str | None
    tokens_in: Count | None
    tokens_out: Count | None
    cost_usd: Amount | None
    ms: int = Field(ge=0, le=LONGEST_MS)
    error: Words | None
    messages: None
    thoughts: str | None
    finish: Name | None
    sampled: str | None
    refused: Words | None
    tokens_cached: Count | None = None
    at_once: Amount | None = None


class PostedPrompt(Post):
    """A prompt's wording, as JSON."""

    task: Name
    wording: Annotated[str, Field(max_length=2_000_000)]


class PostedCall(Post):
    record: PostedRecord
    prompt: PostedPrompt


class SavePost(Post):
    calls: list[PostedCall] = Field(max_length=MOST_SAVED)
    start: int = Field(ge=0, lt=MOST_EVENTS)
    events: list[str]


class OpenPost(Post):
    """`turn` counts how often the reading was given to a worker."""

    turn: int = Field(ge=0)


class SharedPost(Post):
    identity: Hash


class ReservePost(Post):
    tokens: Count


class WaitPost(Post):
    """The call that a reading has been waiting for longest; none without a `seq`."""

    seq: int | None = Field(ge=0, lt=MOST_CALLS)
    seconds: Amount


class EndPost(Post):
    """How a reading ended, with what was not saved before."""

    status: Literal["finished", "failed", "cancelled"]
    seconds: Amount
    error: Words | None
    rest: SavePost | None = None


class EmptyPost(Post):
    """For what needs no data."""


P = TypeVar("P", bound=Post)
RecordedCall = tuple[Record, Prompt]


def read(data: bytes, form: type[P]) -> P:
    """A post of this form. Raises BadInput, with the place of the first mistake."""
    try:
        return form.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"])[:160] or "its beginning"
        raise BadInput(f"what a worker posted is not of the form {form.__name__}: at {where}: {first['msg'][:200]}") from None


def checked_calls(post: SavePost, *, chars: int) -> list[RecordedCall]:
    """The calls of a post with their prompts, for a reading of a text with this many characters. Raises BadInput, also for an
    event that is not in order."""
    for line in post.events:
        _check_event(line)
    calls = [(Record(**call.record.model_dump()), call.prompt) for call in post.calls]
    for record, _ in calls:
        _check_record(record, chars)
    return [(record, _prompt(prompt, record)) for record, prompt in calls]


def save_post(calls: Sequence[RecordedCall], start: int, new_events: Sequence[str]) -> dict[str, Any]:
    """What `SavePost` reads."""
    rows = [
        {
            "record": {**asdict(record), "shared": bool(record.shared)},  # the database has 0 and 1
            "prompt": {"task": prompt.task, "wording": prompt.canonical_wording},
        }
        for record, prompt in calls
    ]
    return {"calls": rows, "start": start, "events": [*new_events]}


def _check_event(line: str) -> None:
    try:
        same = events.to_json(events.from_json(line)) == line
    except (ValueError, TypeError, RecursionError, AttributeError):
        same = False
    if not same:
        raise BadInput(f"a worker posted an invalid event: {line[:120]!r}")


def _check_record(record: Record, chars: int) -> None:
    where = f"call {record.seq}, attempt {record.attempt} that a worker posted"
    if (record.reply is None) != (record.error is not None):
        raise BadInput(f"{where} has neither reply nor error, or both")
    try:
        parts = json.loads(record.parts)
        fits = canonical(parts) == record.parts and all(_is_part(part, chars) for part in parts)
        sampled = _is_sampled(record.sampled)
        parsed = record.parsed is None or canonical(json.loads(record.parsed)) == record.parsed
    except (ValueError, TypeError, RecursionError, AttributeError):
        raise BadInput(f"{where} is not in the form of the record") from None
    if not (fits and sampled and parsed):
        raise BadInput(f"{where} is not in the form of the record, or shows what is not in the text")


def _is_sampled(stored: str | None) -> bool:
    found = Sampled.of(stored)
    numbers = (*(found.token_ids or ()), *(found.logprobs or ()))
    return found.to_json() == stored and all(type(one) in (int, float) for one in numbers)


def _is_part(part: Any, chars: int) -> bool:
    name, texts = part
    return isinstance(name, str) and all(_is_text(text, chars) for text in texts)


def _is_text(text: Any, chars: int) -> bool:
    """Whether it is what `encode_parts` makes of a text: words, a stretch of the document, or one of a text that was written."""
    if isinstance(text, str):
        return True
    if isinstance(text, dict):
        number, start, end = text["wrote"]
        return len(text) == 1 and all(type(n) is int for n in (number, start, end)) and number >= 0 and 0 <= start <= end
    start, end = text
    return type(start) is int and type(end) is int and 0 <= start <= end <= chars


def _prompt(posted: PostedPrompt, record: Record) -> Prompt:
    prompt = _prompt_of(posted.wording, posted.task)
    is_named = prompt and (prompt.hash == record.prompt or record.origin == "cached")  # which names the prompt it was given to
    if not prompt or not is_named or prompt.task != record.task:
        raise BadInput(f"call {record.seq} that a worker posted does not come with the prompt it names")
    return prompt


@lru_cache(maxsize=64)  # a reading has few, and each comes with every call
def _prompt_of(wording: str, task: str) -> Prompt | None:
    """The prompt with a wording in JSON; None if it is none in canonical form."""
    try:
        prompt = Prompt.of_wording(json.loads(wording), task)  # type: ignore[arg-type]
        return prompt if prompt.hash and prompt.canonical_wording == wording else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
