"""A trial of a model with a reader: each form of reply that the reader asks for, tried once before somebody spends an hour.

The reader reads a short text with the offline model, and the first call of each form is sent to the model on trial, once. Nothing
is stored, and nothing that the model says decides what is asked next. Not here: which model, and how a table is shown.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from readers.engine.canonical import canonical
from readers.engine.errors import ModelFailed, ReadingError
from readers.engine.models.call import Call, ModelSettings, Reply
from readers.engine.models.model import Model, SchemaRefused
from readers.engine.models.offline import Offline
from readers.engine.models.received import bounded, read_reply, take_thoughts
from readers.engine.prompts.formats.form import Unreadable
from readers.engine.prompts.options import options_of
from readers.engine.prompts.prompt import Prompt
from readers.engine.record.narrative import in_plain_words
from readers.engine.report.values import NOTHING, Cell, Column, Figure, Row, Table
from readers.engine.run import part_sizes
from readers.engine.run.execute import RunSpec, rehearse
from readers.engine.run.reader import Reader
from readers.engine.text.document import Document

MOST_FORMS = 12
SLOW_SECONDS = 30.0  # a reading makes dozens of calls
READ, MISREAD, SLOW, FAILED = "read", "misread", "read, but slow", "no reply"
_TASKS: Mapping[str, str] = {
    "act": "choose an action",
    "choose_many": "choose several",
    "answer_or_decline": "answer or turn back",
}
_CHOICES = ("Old Mr Hale", "The band", "Nobody")
_MOST_CALLS = 200  # a method that asks on and on ends here
_TIMES, _MORE_TIMES = 2, 6  # a text in which everything comes again, and a long one
_NARROW = 950  # a window in tokens into which what is made of the long text does not fit
_TEXT = """The rain came early in the year of the dance.
Nobody in the village was ready for it, and the bridge was under water by noon.
The miller moved his sacks to the loft, and the children counted the planks that went by.
The dance was held in the barn all the same, and the band left at two in the morning.
Old Mr Hale paid for it, forty pounds in all, and told nobody why.
His sister Ann asked him in vain.
In spring the bridge was built anew.
The carpenter Jonas Weck found a tin under its first stone, with a letter in it that had never been opened.
It was addressed to Ann Hale, and she read it in the mill.
It said that the money for the dance had been lent by the schoolmaster, who wanted nothing back.
He had left the village before the rain came.
Old Mr Hale and his sister Ann Hale never spoke of the forty pounds."""
_QUESTION = "Who paid for the dance?"


@dataclass
class _FirstOfEach:
    """The offline model, which keeps the first call of each form that is asked for."""

    calls: dict[str, Call] = field(default_factory=dict)

    def complete(self, call: Call) -> Reply:
        if key := _form_of(call.prompt):
            self.calls.setdefault(key, call)
        return Offline().complete(call)


def _form_of(prompt: Prompt) -> str:
    """What tells the form of a prompt's reply from others; empty if there is none to try."""
    return "" if prompt.exact or prompt.task == "score" else canonical([prompt.task, prompt.reply.to_json()])


def first_calls(reader: Reader, settings: ModelSettings) -> list[Call]:
    """The first call of each form in short readings as they would be sent with these settings: with and without choices, in a
    narrow window, and with each value of the options that are one of several."""
    short, long = (Document.of((f"{_TEXT}\n" * n).replace("\n", "\n\n"), title="The dance") for n in (_TIMES, _MORE_TIMES))
    kept, wanted = _FirstOfEach(), {_form_of(prompt) for prompt in reader.prompts} - {""}
    options = dict(part_sizes.suited(reader, part_sizes.TextLength.about(3 * len(short.text))).options)
    others = [
        {option.name: value}
        for option in options_of(reader.Options).values()
        for value in ((True, False) if option.kind == "truth" else option.choices)
        if value != option.default
    ]
    in_full = [(choices, other) for other in ({}, *others) for choices in ((), _CHOICES)]
    for choices, other, text, window in [*((*one, short, None) for one in in_full), ((), {}, long, _NARROW)]:
        if wanted <= {*kept.calls}:
            break
        spec = RunSpec(
            reader.id, reader.version, _QUESTION, choices=choices, options={**options, **other}, window=window,
            caps={"max_calls": _MOST_CALLS},
        )  # fmt: skip
        with suppress(ReadingError):  # what the offline model cannot do is asked for all the same, up to there
            rehearse(text, reader, spec, kept)
    calls = list(kept.calls.values())[:MOST_FORMS]
    return [Call(0, 0, settings.form_of(call.prompt), call.parts, settings) for call in calls]


def try_forms(model: Model, calls: Sequence[Call]) -> Iterator[Row]:
    """A row for each of the calls as its reply comes: whether it was read, how long it took, and why it could not be used."""
    for call in calls:
        began = time.monotonic()
        try:
            try:
                reply = model.complete(call)
            except SchemaRefused:
                call = replace(call, prompt=call.prompt.unheld(), asked="")
                reply = model.complete(call)
        except ModelFailed as error:
            yield _row(call, FAILED, time.monotonic() - began, why=str(error))
            continue
        seconds = time.monotonic() - began
        reply = take_thoughts(call, bounded(call, reply))
        parsed = read_reply(call, reply.text, finish=reply.finish, thought=bool(reply.thoughts)).parsed
        why = in_plain_words(parsed.problem) if isinstance(parsed, Unreadable) else ""
        yield _row(call, MISREAD if why else SLOW if seconds > SLOW_SECONDS else READ, seconds, why=why)


def table(reader: Reader, rows: Sequence[Row]) -> Table:
    """The rows of a trial as a table."""
    notes = [f"A reply that takes over {SLOW_SECONDS:.0f} seconds is called slow: a reading makes dozens of calls."]
    return Table(f"{reader.title}: its forms", [Column("Reply"), Column("Seconds"), Column("Why")], rows, notes, head="Form")


def _row(call: Call, came: str, seconds: float, *, why: str) -> Row:
    task = _TASKS.get(call.prompt.task, call.prompt.task.replace("_", " "))
    return Row(
        task.capitalize(),
        [Cell(came), Cell(Figure(round(seconds, 2), unit="seconds")), Cell(why or NOTHING)],
        note=call.prompt.id,
    )
