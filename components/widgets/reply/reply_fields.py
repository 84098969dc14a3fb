"""The fields of a reply, by the prompt's reply format, and the reply built from their values. Pure: no Streamlit.

`fields` lists the fields, each offered number with its words in the prompt; `rendered` builds a reply that the format reads back
as the same values; `problem` says in a sentence why a reply cannot be read. New replies and changed recorded ones are treated
alike. Not here: how the form is drawn (`reply_form.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from components.html.words import wording
from readers.engine.forks.describe_edit import PICKED_BY_PERSON
from readers.engine.prompts.formats.blocks import Block, Line
from readers.engine.prompts.formats.choices import Label, OneAction, OneOf, part_numbers
from readers.engine.prompts.formats.free_text import Free
from readers.engine.prompts.formats.json_lists import Listed, rows
from readers.engine.prompts.formats.letters import Boxed, Lettered
from readers.engine.prompts.formats.memory import Memory, MemoryBlocks
from readers.engine.prompts.formats.pages import PageOrStop, Pages, numbers
from readers.engine.prompts.prompt import Part, Prompt
from readers.engine.prompts.replies.reply import Parsed, Unreadable
from readers.engine.record.events import Pieces
from readers.engine.run.bounded_memory import NOTHING_YET
from readers.engine.text.document import Text

Value = int | str | tuple[int, ...] | tuple[Mapping[str, str], ...] | tuple[str, ...]
BETWEEN = " | "
STOP = -1
# What an action below 0 means, where the numbers above stand for texts and where there are none.
_UP = {-1: "none of them: go back up"}
_VERDICT = {-2: "it can be answered from this", -1: "it cannot be answered from this"}
# The same in plain words, for Simple.
_PLAIN_UP, _PLAIN_VERDICT = {-1: "go back up"}, {-2: "answer from here", -1: "go back up"}
_PLAIN_LABELS = {"Action": "What it does next", "Reasoning": "Stated reason"}
REASON = "reasoning"
THE_END = "the end of the stretch"  # after its last label
# Parts that list the numbers of options, and the note that those options get.
_MARKED = {"opened": "opened before", "refused": "leads nowhere that is still open"}


class Choice(NamedTuple):
    """One option: its value in the reply, its name, its words in the prompt (if any), and a plain name if `label` is a symbol.
    `sent` is what the prompt calls it where that counts from 0; `label` counts from 1."""

    value: int | str
    label: str
    words: str = ""
    plain: str = ""
    sent: str = ""


@dataclass(frozen=True)
class FormField:
    """One field. Its value is that of one choice ("one"), a tuple of choices' values, most important first ("several"), a string
    ("line", "words"), or a tuple of strings or of mappings with these `keys` ("list").

    With `when`, the field appears only if another field has that value. `begin` is an optional starting text; `long` fields are
    drawn tall.
    """

    name: str
    kind: Literal["one", "several", "line", "words", "list"]
    label: str
    choices: tuple[Choice, ...] = ()
    needed: bool = True
    help: str = ""
    keys: tuple[str, ...] = ()
    when: tuple[str, Value] | None = None
    begin: str = ""
    long: bool = False


def fields(prompt: Prompt, parts: Sequence[Part]) -> tuple[FormField, ...]:
    """The fields of a reply to this prompt."""
    found = prompt.reply
    match found:
        case Block():
            return tuple(_of_line(prompt, line, parts) for line in found.lines)
        case Label():
            return (FormField("label", "one", "Pause before", options(prompt, parts)),)
        case Pages():
            limit = "".join(_texts(parts, "limit"))
            most = (
                f"Up to {limit}, the most important one first; none if you know enough." if limit else "None if you know enough."
            )
            return FormField("pages", "several", "Pages to open", options(prompt, parts), needed=False, help=most), _WHY
        case PageOrStop():
            return FormField("action", "one", "Page to open", options(prompt, parts)), _WHY
        case OneAction():
            return tuple(_of_action(found, prompt, parts))
        case Lettered() | OneOf():
            return (FormField("answer", "one", "Answer", options(prompt, parts)),)
        case Boxed():
            offered = options(prompt, parts)
            return (FormField("answer", "one" if offered else "line", "Answer", offered),)
        case Listed():
            return (FormField(found.name, "list", found.name.capitalize(), needed=False, keys=found.keys),)
        case Memory():
            limit = f"At most {found.limit:,} tokens."
            return (FormField("text", "words", f"The new {found.called}", help=limit, begin=_so_far(parts), long=True),)
        case MemoryBlocks():
            limit = f"At most {found.limit:,} tokens."
            return (
                FormField("thinking", "words", "Thinking", needed=False, help="What the section adds. Not part of the memory."),
                FormField("update", "words", "The new memory", help=limit, begin=_so_far(parts), long=True),
                FormField(
                    "recall", "line", "What to look for in an earlier memory", needed=False, help="Empty if nothing is missing."
                ),
            )
    return (FormField("text", "words", "Reply", long=True),)


_WHY = FormField(REASON, "line", "Why", needed=False)


def options(prompt: Prompt, parts: Sequence[Part]) -> tuple[Choice, ...]:
    """The options that this prompt offers; none if the reply is only words."""
    found = prompt.reply
    match found:
        case Block():
            numbered = (line for line in found.lines if line.kind == "number")
            return tuple(choice for line in numbered for choice in _numbered(prompt, line, parts))
        case Label():
            texts = _texts(parts, found.part)
            return tuple(Choice(n, f"<{n}>", words if words.strip() else THE_END) for n, words in enumerate(texts, 1))
        case Pages():
            return tuple(_pages(prompt, parts))
        case PageOrStop():
            return (*_pages(prompt, parts), Choice(STOP, "STOP", "open no more, and answer", "stop here"))
        case Lettered():
            return tuple(_lettered(_texts(parts, found.part)))
        case Boxed():
            choices = _texts(parts, found.among)[1:]
            return tuple(_lettered(choices)) if len(choices) > 1 else ()
        case OneOf():
            return tuple(Choice(words, words) for words in found.words)
        case OneAction():
            return tuple(Choice(act.word, act.word, act.does) for act in found.acts)
    return ()


def _of_action(found: OneAction, prompt: Prompt, parts: Sequence[Part]) -> Iterator[FormField]:
    """The action, and what each action is done with."""
    yield FormField("action", "one", "Action", options(prompt, parts))
    numbered = tuple(Choice(n, f"part {n}", words) for n, words in enumerate(_texts(parts, found.part), 1))
    for act in found.acts:
        chosen = ("action", act.word)
        if act.takes == "parts":
            yield FormField("parts", "several", "Parts", numbered, when=chosen)
        if act.takes != "nothing":
            yield FormField(
                "argument", "line", "With", needed=act.takes == "words", help=f"{act.hint}.".capitalize(), when=chosen
            )
    yield _WHY


def _of_line(prompt: Prompt, line: Line, parts: Sequence[Part]) -> FormField:
    lines = prompt.reply.lines if isinstance(prompt.reply, Block) else ()
    decided = next((other.name for other in lines if other.kind == "number"), "")
    when = (decided, line.when) if line.when is not None else None
    label = line.name.capitalize()
    if line.kind == "number":
        return FormField(line.name, "one", label, _numbered(prompt, line, parts), needed=line.needed)
    choices = tuple(Choice(text, text) for text in _texts(parts, "choices")) if line.name == "answer" else ()
    kind: Literal["one", "words"] = "one" if choices else "words"
    return FormField(line.name, kind, label, choices, needed=line.needed, help=f"{line.hint.capitalize()}.", when=when)


def _numbered(prompt: Prompt, line: Line, parts: Sequence[Part]) -> tuple[Choice, ...]:
    """The numbers of a line, each with its words. Going back up is offered only if the prompt offers it."""
    texts = _texts(parts, line.below) if line.below else ()
    high = line.bound({part.name: len(part.texts) for part in parts})
    no_way_back = any(part.name == "back" and not part.texts for part in parts)
    named, plain = (_UP, _PLAIN_UP) if line.below else (_VERDICT, _PLAIN_VERDICT)
    found = []
    for number in range(line.lowest, high + 1):
        if not (number == -1 and no_way_back):
            words = named.get(number, "") if number < 0 or number >= len(texts) else texts[number]
            counted = prompt.counted_from_0 if 0 <= number < len(texts) else None
            label, sent = (counted.shown(number), counted.sent(number)) if counted else (str(number), "")
            found.append(Choice(number, label, _marked(number, words, parts), plain.get(number, ""), sent))
    return tuple(sorted(found, key=lambda choice: (int(choice.value) < 0 and bool(line.below), choice.value)))


def _pages(prompt: Prompt, parts: Sequence[Part]) -> Iterator[Choice]:
    """The texts that the prompt numbers from 0."""
    counted = prompt.counted_from_0
    if counted is None:
        return
    for number, words in enumerate(_texts(parts, counted.part)):
        yield Choice(number, counted.shown(number), _marked(number, words, parts), sent=counted.sent(number))


def _marked(number: int, words: str, parts: Sequence[Part]) -> str:
    said = [said for name, said in _MARKED.items() if str(number) in _texts(parts, name)]
    return f"({', '.join(said)}) {words}" if said else words


def _lettered(choices: Sequence[str]) -> Iterator[Choice]:
    for number, words in enumerate(choices):
        letter = f"({chr(ord('A') + number)})"
        yield Choice(
            words if words.startswith(letter) else f"{letter} {words}", words if words.startswith(letter) else f"{letter} {words}"
        )


def _texts(parts: Sequence[Part], name: str) -> tuple[str, ...]:
    return next((tuple(text.text for text in part.texts) for part in parts if part.name == name), ())


def _so_far(parts: Sequence[Part]) -> str:
    """The memory in a prompt; empty if there is none yet."""
    memory = "".join(_texts(parts, "memory"))
    return "" if memory == NOTHING_YET else memory


def in_the_prompt(choice: Choice) -> str:
    """What the prompt calls an option, where people call it otherwise."""
    return f"“{choice.sent}” in the prompt"


def plainly(asked: Sequence[FormField]) -> tuple[FormField, ...]:
    """The same fields with plain labels."""
    return tuple(replace(field, label=_PLAIN_LABELS.get(field.label, field.label)) for field in asked)


def named(prompt: Prompt, parts: Mapping[str, tuple[Pieces, ...]], names: Mapping[str, str]) -> dict[int | str, str]:
    """The reader's names for the texts behind the numbers of a prompt. `parts` come from the event; `names` are by ref."""
    reply_format, counted = prompt.reply, prompt.counted_from_0
    below = next((line.below for line in reply_format.lines if line.below), "") if isinstance(reply_format, Block) else ""
    numbered = parts.get(below or (counted.part if counted else ""), ())
    found = {number: names.get(Text("", pieces).ref, "") for number, pieces in enumerate(numbered)}
    return {number: name for number, name in found.items() if name}


def reason_for(asked: Sequence[FormField], recorded: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """The reason for these values, if a recorded reply gave one: its own for the recorded decision; for another decision, that a
    person picked it. A reason that a person wrote stays."""
    own, at = recorded.get(REASON), values.get(REASON)
    if not own or at not in (own, PICKED_BY_PERSON):
        return str(at or "")
    decided = [field.name for field in asked if field.kind in ("one", "several") and field.name in recorded]
    return own if all(values.get(name) == recorded[name] for name in decided) else PICKED_BY_PERSON


def lacking(asked: Sequence[FormField], values: Mapping[str, Any]) -> str:
    """The first missing field, in a sentence; empty if none is missing."""
    for field in asked:
        if field.needed and applies(field, values) and values.get(field.name) in (None, "", ()):
            return f"“{field.label}” has not been {'chosen' if field.kind == 'one' else 'written'} yet."
    return ""


def applies(field: FormField, values: Mapping[str, Any]) -> bool:
    """Whether a field applies, given the other fields' values."""
    return field.when is None or values.get(field.when[0]) == field.when[1]


def rendered(prompt: Prompt, values: Mapping[str, Any]) -> str:
    """The reply with these values. Every required field must be present (see `lacking`); empty ones are omitted."""
    given = {name: value for name, value in values.items() if value not in (None, "")}
    found = prompt.reply
    match found:
        case Listed():
            return found.render({found.name: _json(given.get(found.name, ()))})
        case Pages():
            return found.render({**given, "pages": ", ".join(map(str, given.get("pages", ())))})
        case OneAction():
            return found.render({**given, "parts": ", ".join(map(str, given.get("parts", ())))})
        case Lettered():
            reply = found.render({"answer": " ".join(str(given["answer"]).split())})
            # The words of a choice may themselves read as an answer; then use its letter alone.
            return (
                reply
                if _letter(_read(prompt, reply, "answer")) == _letter(given["answer"])
                else found.render({"answer": given["answer"][:3]})
            )
        case Boxed():
            words = _unthought(str(given["answer"]))
            return found.render({"answer": f"{words} " if words.endswith("\\") else words})
        case Memory() | MemoryBlocks():
            return found.render({name: _unthought(str(value)) for name, value in given.items()})
    return found.render(given)


def _json(items: Sequence[Any]) -> str:
    """A list in JSON. Curly quotes are escaped: a parser looks for the list's own name between curly quotes."""
    plain = [dict(item) if isinstance(item, Mapping) else item for item in items]
    return json.dumps(plain, ensure_ascii=False).replace("“", "\\u201c").replace("”", "\\u201d")


def _unthought(words: str) -> str:
    """Words without the mark that ends a model's thoughts; everything up to it would be dropped."""
    return words.replace("</think>", "< /think>")


def _letter(words: Any) -> str:
    return str(words).strip("( ")[:1].upper()


def _read(prompt: Prompt, reply: str, name: str) -> str:
    parsed = prompt.reply.parse(reply, {getattr(prompt.reply, "part", ""): 26})
    return str(parsed.fields[name].value) if isinstance(parsed, Parsed) else ""


def problem(prompt: Prompt, parts: Sequence[Part], reply: str) -> str:
    """Why a reply cannot be read, in a sentence; empty if it can."""
    parsed = prompt.reply.parse(reply, {part.name: len(part.texts) for part in parts})
    return wording.sentence(f"This cannot be read as a reply: {parsed.problem}") if isinstance(parsed, Unreadable) else ""


def recorded_values(prompt: Prompt, parts: Sequence[Part], reply: str) -> dict[str, Any] | None:
    """The field values that make this reply; None if the fields cannot express it."""
    parsed = prompt.reply.parse(reply, {part.name: len(part.texts) for part in parts})
    if isinstance(parsed, Unreadable):
        return None
    values: dict[str, Any] = {name: field.value for name, field in parsed.fields.items()}
    for field in fields(prompt, parts):
        if field.name in values:
            value = _as_filled(field, values[field.name])
            if value is None:
                return None
            values[field.name] = value
    return values


def _as_filled(field: FormField, said: int | str) -> Value | None:
    """A value parsed from a reply in the form its field holds; None if it cannot be held."""
    if field.kind == "several":
        named = tuple(part_numbers(str(said)) if field.name == "parts" else numbers(str(said)))
        return named if {*named} <= {choice.value for choice in field.choices} else None
    if field.kind == "list":
        found = [{key: text.text for key, text in row.items()} for row in rows(Text(str(said)), field.keys)]
        listed: tuple[Any, ...] = tuple(found) if field.keys else tuple(row[""] for row in found)
        return listed if items(field, lines(field, listed)) == listed else None
    if field.kind == "one":
        same = [choice.value for choice in field.choices if choice.value == said]
        lettered = [
            c.value
            for c in field.choices
            if isinstance(c.value, str) and c.value[:1] == "(" and _letter(c.value) == _letter(said)
        ]
        return next(iter([*same, *lettered]), None)
    return said


def lines(field: FormField, listed: Sequence[Any]) -> str:
    """A list as typed: one item per line, with a bar between the values of an item."""
    return "\n".join(BETWEEN.join(item[key] for key in field.keys) if isinstance(item, Mapping) else str(item) for item in listed)


def items(field: FormField, typed: str) -> tuple[Any, ...]:
    """A typed list, parsed. Missing values at the end of a line are empty; surplus ones stay in the last value."""
    found = [line.strip() for line in typed.split("\n") if line.strip()]
    if not field.keys:
        return tuple(found)
    split = [[piece.strip() for piece in line.split(BETWEEN.strip(), len(field.keys) - 1)] for line in found]
    return tuple({key: (row[n] if n < len(row) else "") for n, key in enumerate(field.keys)} for row in split)


def is_words(prompt: Prompt) -> bool:
    """Whether the reply is plain text without a format around it."""
    return isinstance(prompt.reply, Free | Memory)
