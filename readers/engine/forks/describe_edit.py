"""What an edit changed, in words: "part 2 instead of part 1". Pure.

A fork stores this description (`said`) with its edit, because it depends on the parent run, which may be deleted later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from readers.engine.models import catalogue
from readers.engine.prompts.formats.form import FormField, Parsed, Unreadable, numbers
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.edits import LEFT_OUT, Edit, LeaveOutEdit, ReplyEdit, WrittenEdit
from readers.engine.record.events import Asked, Pieces, Wrote
from readers.engine.record.trace import Trace
from readers.engine.store import Run
from readers.engine.text import refs
from readers.engine.text.document import Text
from readers.engine.text.phrases import call_number
from readers.engine.text.shorten import shorten

MAX_LENGTH = 80
MAX_EXCERPT, CONTEXT_WORDS = 260, 8  # the length of an excerpt in characters, and the words around a difference
PICKED_BY_PERSON = "(picked by a person)"  # replaces the model's reason, which speaks of another option
BeforeAndNow = tuple[str, str]  # a text in the parent reading, and in the fork
PartPieces = Mapping[str, tuple[Pieces, ...]]


# A clause on each kind of edit. A kind of a later version has the last one.
_WORDS: Mapping[str, str] = {
    "reply": "{call} got another reply{quoted}",
    "prompt": "the prompt of {call} was edited{said}",
    "wrote": "another {role}{quoted}",
    "wrote nothing": "without the {role}{quoted}",
    "model": "from {call} on {model}",
    "leave_out": "from {call} on {passage} is left out",
    "again": "everything from {call} on was run again",
    "": "something was changed at {call}",
}


def describe(edit: Mapping[str, Any]) -> str:
    """A clause on an edit, given as a run's `edit` or an item of its spec's `edits`. The data may come from a file."""
    kind = "wrote nothing" if edit.get("kind") == "wrote" and edit.get("text") == LEFT_OUT else str(edit.get("kind"))
    said, model = edit.get("said"), str(edit.get("model"))
    said = said if isinstance(said, str) else ""
    quoted = said or f"“{excerpt(edit.get('text'))}”"
    named = f"{'the ' if model == catalogue.OFFLINE else ''}{catalogue.title(model)} answers"
    words = {
        "call": call_number(edit.get("seq")),
        "role": str(edit.get("role", "text")).replace("_", " "),
        "said": f": {said}" if said else "",
        "quoted": f": {quoted}",
        "model": "a person answers" if model == catalogue.HUMAN else named,
        "passage": said or "a passage of the text",
    }
    return _WORDS.get(kind, _WORDS[""]).format(**words)


def step_of_edit(trace: Trace, edit: Mapping[str, Any]) -> int | None:
    """The step of a fork (from 0) at which its edit takes effect; None if it changes nothing or is not in the trace."""
    if edit.get("kind") == "again":
        return None
    for step in trace.steps:
        for event in trace.of(step):
            if edit.get("kind") == "wrote":
                if isinstance(event, Wrote) and event.n == edit.get("n"):
                    return step.number
            elif isinstance(event, Asked) and event.seq == edit.get("seq"):
                return step.number
    return None


def call_of_edit(trace: Trace, edit: Mapping[str, Any]) -> int | None:
    """The call of a fork at which its edit takes effect or replaced the reply; None if there is no such call."""
    if edit.get("kind") != "wrote":
        return edit.get("seq")
    wrote = trace.wrote.get(edit.get("n", -1))
    calls = (refs.replied(piece.origin) for piece in wrote.pieces) if wrote else ()
    return next((seq for seq in calls if seq is not None), None)


def describe_reply(edit: ReplyEdit, before: str | None, prompt: Prompt, parts: PartPieces, names: Mapping[str, str]) -> str:
    """How a new reply differs from the old one, field by field. `parts` are the event's, `names` the reader's names for texts, by
    ref."""
    sizes = {name: len(texts) for name, texts in parts.items()}
    new = prompt.reply.parse(edit.text, sizes)
    if isinstance(new, Unreadable):
        return "one that cannot be read"
    old = prompt.reply.parse(before or "", sizes)
    was = old.fields if isinstance(old, Parsed) else {}
    called = option_names(prompt, parts, names)
    numbered = {field.name: field for field in prompt.reply.fields() if field.numbers}
    clauses = []
    for name, field in new.fields.items():
        if (name in was and was[name].value == field.value) or field.value == PICKED_BY_PERSON:
            continue
        if option := numbered.get(name):
            instead = f" instead of {_called(option, was[name].value, called)}" if name in was else ""
            clauses.append(f"{_called(option, field.value, called)}{instead}")
        else:
            clauses.append(f"{'' if name == prompt.reply.main == 'text' else f'{name} '}“{excerpt(field.value)}”")
    return "; ".join(clauses)


def describe_prompt(before: str, after: str) -> str:
    """Which words replaced which in a prompt."""
    old, new = before.split(), after.split()
    start, end = _common_ends(old, new)
    was, now = (excerpt(" ".join(words[start : len(words) - end])) for words in (old, new))
    if not was or not now:
        return f"“{now or was}” was {'put in' if now else 'taken out'}" if now or was else ""
    return f"“{now}” instead of “{was}”"


def diff_reply(text: str, before: str, prompt: Prompt, sizes: Mapping[str, int]) -> BeforeAndNow | None:
    """The text of a reply before and after; None if only numbers differ or one of them cannot be parsed."""
    old, new = prompt.reply.parse(before, sizes), prompt.reply.parse(text, sizes)
    if not isinstance(old, Parsed) or not isinstance(new, Parsed):
        return None
    texts = [
        (str(old.fields[name].value) if name in old.fields else "", str(field.value))
        for name, field in new.fields.items()
        if isinstance(field.value, str) and field.value != PICKED_BY_PERSON
    ]
    changed = [(was, now) for was, now in texts if was != now]
    return diff_excerpts(*(" ".join(side) for side in zip(*changed, strict=True))) if changed else None


def diff_excerpts(before: str, after: str) -> BeforeAndNow:
    """Two texts where they differ, shortened, with a few words of context; empty for an omitted text."""
    old, new = before.split(), [] if after == LEFT_OUT else after.split()
    start, end = _common_ends(old, new)
    return _excerpt(old, start, end), _excerpt(new, start, end)


def _excerpt(words: list[str], start: int, end: int) -> str:
    first, last = max(0, start - CONTEXT_WORDS), min(len(words), len(words) - end + CONTEXT_WORDS)
    shown = excerpt(" ".join(words[first:last]), MAX_EXCERPT)
    more = " …" if last < len(words) and not shown.endswith(" …") else ""
    return f"{'… ' if first else ''}{shown}{more}"


def _common_ends(old: list[str], new: list[str]) -> tuple[int, int]:
    """The number of words in the common prefix, and in the common suffix of the rest."""
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    return start, next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)


def describe_written(edit: WrittenEdit, name: str) -> str:
    """Which text was edited, and how."""
    if edit.text == LEFT_OUT:
        return f"{name}{', ' if name else ''}which began “{excerpt(edit.before)}”"
    return f"{f'{name}, ' if name else ''}“{excerpt(edit.text)}”"


def describe_passage(edit: LeaveOutEdit, text: str) -> str:
    return f"“{excerpt(text[edit.start : edit.end])}”"


def excerpt(words: object, limit: int = MAX_LENGTH) -> str:
    """The first words on one line, without the `#` signs of a reply."""
    return shorten(str(words).replace("#", " "), limit)


def describe_removal(edit: Edit, names: Mapping[str, str], text: str) -> str:
    """The description to store with an edit other than a reply or prompt; empty if the edit is self-explanatory."""
    if isinstance(edit, WrittenEdit):
        return describe_written(edit, names.get(refs.wrote(edit.n), ""))
    return describe_passage(edit, text) if isinstance(edit, LeaveOutEdit) else ""


def option_names(prompt: Prompt, parts: PartPieces, names: Mapping[str, str]) -> dict[int | str, str]:
    """The reader's names for the texts behind the numbers of a prompt's options. `parts` are the event's; `names` are by ref."""
    found = {number: names.get(Text("", pieces).ref, "") for number, pieces in enumerate(parts.get(prompt.numbered, ()))}
    return {number: name for number, name in found.items() if name}


def _called(field: FormField, value: int | str, names: Mapping[int | str, str]) -> str:
    """The options that a field of a reply names by number, in words."""
    if isinstance(value, str):
        return ", ".join(names.get(number) or f"number {number + 1}" for number in numbers(value)) or "no page"
    symbol = next((choice.label for choice in field.choices if choice.value == value and choice.label != str(value)), "")
    return names.get(value) or symbol or f"{field.name} {value}"


def tree(runs: Iterable[Run]) -> list[Run]:
    """A run and its forks in the order a tree is read: each before its forks, the fork of the last call first, those of one call
    by age. Samples of experiments are left out, with their forks."""
    ordered = sorted(runs, key=lambda run: (-(run.fork_at or 0), run.created))
    known = {run.id: run for run in ordered if not run.experiment}
    below: dict[str | None, list[Run]] = defaultdict(list)
    for run in known.values():
        below[run.parent if run.parent in known else None].append(run)
    members: list[Run] = []
    todo = below[None][::-1]
    while todo:
        members.append(todo.pop())
        todo += reversed(below[members[-1].id])
    return members
