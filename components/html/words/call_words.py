"""What is said of a recorded call, and of the settings with which a reading was made: names and figures in words. Pure."""

from __future__ import annotations

from typing import Any

from components.html.words import wording
from readers import get
from readers.engine.prompts.options import title_of, value_of
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.journal import Record
from readers.engine.report.values import duration, small_dollars
from readers.engine.store import Reading

ORIGINS = {
    "live": "asked in this reading",
    "cached": "reused from an earlier reading of the same text, at no cost",
    "replayed": "copied from the reading this one was forked from",
    "inherited": "the same request as in the reading this one was forked from",
    "edited": "written by a person",
}

FINISHED = {"stop": "by itself", "length": "cut off for its length", "content_filter": "held back by its provider"}
ADDRESS = "api_base"
MODEL_SETTINGS = {
    ADDRESS: "Base URL", "temperature": "Temperature", "top_p": "Top p", "window": "Context window, in tokens",
    "reply_tokens": "Room for a reply, in tokens", "sample_base": "Number of its first sample",
}  # fmt: skip
LIMITS = {
    "max_calls": "Limit: calls", "max_tokens": "Limit: tokens", "max_cost": "Limit: dollars",
    "calls_per_minute": "Limit: calls a minute",
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
    return [*found, ("took", duration(record.ms / 1000) if record.ms >= 1000 else f"{record.ms} ms")]


def settings(reading: Reading, *, addresses: bool = True) -> list[tuple[str, str]]:
    """All settings of a reading, in words; without `addresses` none that says where a server is."""
    spec = reading.run.spec
    rows: list[tuple[str, Any]] = [
        ("Reader", f"{get(spec['reader']).title}, {reading.run.version_in_words}"),
        ("Model", wording.models(spec)),
    ]
    options = get(spec["reader"]).Options
    rows += [(title_of(options, name), value_of(options, name, value)) for name, value in spec["options"].items()]
    rows += [(title, spec.get(name)) for name, title in MODEL_SETTINGS.items() if addresses or name != ADDRESS]
    factor = spec.get("room_factor") or 1
    rows.append(("Room for a reply", f"{factor} times each prompt's own" if factor > 1 else None))
    rows += [(LIMITS.get(name, name.replace("_", " ").capitalize()), value) for name, value in spec.get("caps", {}).items()]
    rows += [(f"Prompt {prompt_id}", "reworded") for prompt_id in spec.get("prompts", {})]
    rows.append(("Replies of earlier readings", "used again" if spec.get("reuse", True) else "not used"))
    return [(name, _said(value)) for name, value in rows if value not in (None, "")]


def _said(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else str(value)
