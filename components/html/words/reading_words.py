"""The words about a recorded reading on more than one page: its reader, its settings, a call of it; the filters of a list of
readings and what deleting readings means. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from components.html.words import wording
from readers import get
from readers.engine.errors import NotFound
from readers.engine.prompts.options import title_of as option_title
from readers.engine.prompts.options import value_of
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Record, recorded_schema
from readers.engine.report.values import duration, small_dollars
from readers.engine.run.batches import BatchPlan, variant_names
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run
from readers.engine.store.run_list import SORTS, UNDER_WAY, RunFilter

STRATEGY = "strategy"  # the option that makes one reader several


def summary(reader: Reader) -> str:
    """A reader in one line: the first of its docstring."""
    return (type(reader).__doc__ or "").strip().partition("\n")[0]


def title_of(reader_id: str) -> str:
    """A reader's title; the id if there is no such reader."""
    try:
        return get(reader_id).title
    except NotFound:
        return reader_id


def names_of(plan: BatchPlan) -> list[str]:
    """The names of a batch's variants in its tables: only their readers, if these are different."""
    readers = [title_of(one.reader) for one in plan.variants]
    return readers if len({*readers}) == len(readers) else variant_names(plan, title_of)


def title_in_list(run: Run) -> str:
    """The reader of a reading, with its strategy if it has several: its title, then `hop by hop`. The version that made an
    unverified reading is kept with it, so that it is named wherever the reading is."""
    try:
        reader = get(run.reader)
    except NotFound:
        reader = None
    title = reader.called(run.spec.get("options", {})) if reader else run.reader
    if run.unchecked:
        return f"{title} ({run.version_in_words}, not checked)"
    options = reader.Options if reader else None
    default = next((field.default for field in fields(options) if field.name == STRATEGY), None) if options else None
    if default is None:
        return title
    found = value_of(options, STRATEGY, str(run.spec.get("options", {}).get(STRATEGY, default)))
    return f"{title}, {found[:1].lower()}{found[1:]}"


ORIGINS = {
    "live": "asked in this reading",
    "cached": "reused from an earlier reading of the same text, at no cost",
    "replayed": "copied from the reading this one was forked from",
    "inherited": "the same request as in the reading this one was forked from",
    "edited": "written by a person",
}

FINISHED = {"stop": "by itself", "length": "cut off for its length", "content_filter": "held back by its provider"}
REPLY_FORMS = {"auto": "auto", "words": "in words", "schema": "held to a schema"}
ABOUT_REPLY_FORM = (
    "How a model is asked for a reply that has a form, such as a choice. In words: the prompt describes the form. Held to a "
    "schema: its server lets it write nothing else. Auto: held where it is known that the server can do it, also from “Test this "
    "model”, and in words where it refuses. A paper’s preset asks in words."
)
ADDRESS = "api_base"
MODEL_SETTINGS = {
    ADDRESS: "Base URL", "temperature": "Temperature", "top_p": "Top p", "window": "Context window, in tokens",
    "reply_tokens": "Room for a reply, in tokens", "sample_base": "Number of its first sample",
}  # fmt: skip
LIMITS = {
    "max_calls": "Limit: calls", "max_tokens": "Limit: tokens", "max_cost": "Limit: dollars",
    "max_minutes": "Limit: minutes", "calls_per_minute": "Limit: calls a minute",
}  # fmt: skip


def facts(record: Record, prompt: Prompt) -> list[tuple[str, str]]:
    """The figures of one reply to a call, with their names."""
    unknown = "unknown"
    found = [("call", f"{record.seq + 1:,}"), ("prompt", prompt.id), ("task", record.task)]
    if record.attempt:
        found.append(("asked again, reply", str(record.attempt + 1)))
    found.append(("tokens sent", unknown if record.tokens_in is None else f"{record.tokens_in:,}"))
    found.append(("received", unknown if record.tokens_out is None else f"{record.tokens_out:,}"))
    found.append(("cost", unknown if record.cost_usd is None else small_dollars(record.cost_usd)))
    if record.finish:
        found.append(("stopped", FINISHED.get(record.finish, record.finish)))
    if prompt.schema:
        found.append(("reply form", "held to a JSON schema"))
    elif record.refused:
        found.append(("reply form", "in words; the server refused a JSON schema"))
    return [*found, ("took", duration(record.ms / 1000) if record.ms >= 1000 else f"{record.ms} ms")]


def schema_sent(record: Record, prompt: Prompt, reading: Reading) -> str:
    """The schema that went beside the messages of a call, as JSON; empty if none did."""
    schema = recorded_schema(record, prompt, reading.document)
    return json.dumps(schema, ensure_ascii=False, indent=1) if schema else ""


def settings(reading: Reading, *, addresses: bool = True) -> list[tuple[str, str]]:
    """All settings of a reading, in words; without `addresses` none that says where a server is."""
    spec = reading.run.spec
    rows: list[tuple[str, Any]] = [
        ("Reader", f"{get(spec['reader']).title}, {reading.run.version_in_words}"),
        ("Model", wording.models(spec)),
    ]
    reader = get(spec["reader"])
    if reader.starts:  # those of a record of what happened elsewhere are the record
        options = reader.Options
        rows += [(option_title(options, name), value_of(options, name, value)) for name, value in spec["options"].items()]
    rows += [(title, spec.get(name)) for name, title in MODEL_SETTINGS.items() if addresses or name != ADDRESS]
    factor = spec.get("room_factor") or 1
    rows.append(("Room for a reply", f"{factor} times each prompt's own" if factor > 1 else None))
    if (form := spec.get("reply_form", "words")) != "words":
        rows.append(
            ("Reply form", f"{REPLY_FORMS['schema']}, in words if the server refuses it" if form == "auto" else REPLY_FORMS[form])
        )
    if price := spec.get("price"):
        rows.append(("Price of a million tokens", f"${price[0]:g} sent, ${price[1]:g} received"))
    rows.append(("Profile", spec.get("profile")))
    rows += [(LIMITS.get(name, name.replace("_", " ").capitalize()), value) for name, value in spec.get("caps", {}).items()]
    rows += [(f"Prompt {prompt_id}", "reworded") for prompt_id in spec.get("prompts", {})]
    rows.append(("Replies of earlier readings", "used again" if spec.get("reuse", True) else "not used"))
    return [(name, said(value)) for name, value in rows if value not in (None, "")]


def said(value: Any) -> str:
    """The value of a setting in words."""
    return "yes" if value is True else "no" if value is False else str(value)


SORTED = {
    "newest": "Newest first", "oldest": "Oldest first", "title": "By text, A to Z", "question": "By question, A to Z",
    "cost": "Most expensive first", "calls": "Most calls first", "time": "Longest first",
}  # fmt: skip
ENDED = {
    "answered": "Answered", "none_given": "No answer given", "no_answer": "No answer", "exhausted": "Gave up",
    "over_budget": "Budget used up", "failed": "Failed", "cancelled": "Cancelled",
    "interrupted": "Interrupted", UNDER_WAY: "Running",
}  # fmt: skip
HELD = "the reading itself, a sample of it, or a fork that takes replies over from it is still running. Cancel that first"
FORKS = {"yes": "Only forks", "no": "No forks"}


def wanted(asks: Mapping[str, str]) -> RunFilter:
    """The filter that an address asks for. Unknown values are ignored."""
    sort, ended = asks.get("sort", ""), asks.get("ended", "")
    return RunFilter(
        words=asks.get("words", "")[:500],
        reader=asks.get("reader", ""),
        model=asks.get("model", ""),
        document=asks.get("text", ""),
        state=ended if ended in ENDED else "",
        tag=asks.get("tag", ""),
        forks={"yes": True, "no": False}.get(asks.get("forks", "")),
        samples=asks.get("samples") == "yes",
        sort=sort if sort in SORTS else SORTS[0],
    )


def before_deleting(number: int, *, held: int = 0, samples: int = 0) -> str:
    """What will be deleted, what is deleted with it, and what is kept. `held` of the readings cannot be deleted now."""
    one = number == 1
    told = "Delete this reading? Its" if one else f"Delete these {number:,} readings? Their"
    told += " steps and replies are deleted"
    if samples:
        was = f"{samples:,} sample{'' if samples == 1 else 's'}"
        told += f", and so {'is' if samples == 1 else 'are'} {was} of experiments with {'it' if one else 'them'}"
    told += f". The text{'' if one else 's'} {'stays' if one else 'stay'}, and so do forks made of {'it' if one else 'them'}."
    if not held:
        return told
    which = "It" if one else f"{held:,} of them"
    return f"{told} {which} cannot be deleted yet: {HELD}."
