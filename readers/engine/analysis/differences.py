"""How readings differ: in their settings, and where they diverge. Pure.

Readings by the same reader are compared step by step; they diverge at the first step with another record. Readings by different
readers have no steps in common; they diverge at the first place in the text that one opened raw, after its memory was built, when
the other opened another. A difference is stated, not explained: the record does not say what made a model reply differently. Not
here: what readings cost (`record/costs.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from readers.engine.errors import BadOptions
from readers.engine.forks.describe_edit import describe
from readers.engine.prompts.options import read_options, title_of, value_of
from readers.engine.prompts.prompt import name_of
from readers.engine.questions import answers
from readers.engine.record.edits import models_called
from readers.engine.record.events import (
    Answered,
    Asked,
    Chose,
    Cut,
    CutOff,
    Ended,
    Event,
    Looked,
    Misread,
    StepBegan,
    StepEnded,
    Wrote,
)
from readers.engine.record.journal import Record
from readers.engine.record.trace import SCORE_PROMPT, Step, Trace, merge_spans
from readers.engine.run.reader import Reader
from readers.engine.store import Reading, Run
from readers.engine.text import refs
from readers.engine.text.document import Span
from readers.engine.text.phrases import call_number
from readers.engine.text.shorten import shorten

NO_SUCH = "–"  # the reader does not have this setting
SAME = 0.75  # the share of a place that the other reading must have opened too, for the two places to count as the same
UNSET = "not set"
OWN_WORDS = "the reader’s own words"
LONGEST, BEFORE = 160, 40  # characters shown of a text or reply, and how many of them come before the first difference

Kind = Literal[
    "cut", "asked", "again", "wrote", "chose", "reason", "looked", "reply", "answer", "worded", "ended", "step", "over"
]  # fmt: skip
# What differs at the step where two readings by the same reader diverge.
LEADS: dict[Kind, str] = {
    "cut": "The text was cut in other places",
    "asked": "The model was asked something else",
    "again": "One of them got a reply that could not be used, and asked again",
    "wrote": "Another text was written",
    "chose": "Another choice was made",
    "reason": "The same choice was made for another stated reason",
    "looked": "Another place was opened",
    "reply": "The model replied in other words, with the same result",
    "answer": "Another answer was given",
    "worded": "The same answer was given in other words",
    "ended": "Only one of them ended here, or each for a different reason",
    "step": "They continued with different steps",
    "over": "One of them stops here, and the other continues",
}


class Setting(NamedTuple):
    """A setting that differs between readings, with its value in each; `general` if each of their readers has it."""

    name: str
    values: tuple[str, ...]
    general: bool = True


class Difference(NamedTuple):
    """Where two readings diverge: the step of each (from 0; None for a reading without steps), and what differs there.

    `about` are refs of what differs, `words` the beginnings of the texts or replies; empty where they would say nothing.
    """

    kind: Kind
    steps: tuple[int | None, int | None]
    about: tuple[str, str] = ("", "")
    words: tuple[str, str] = ("", "")


class OpenedPlace(NamedTuple):
    """A span of the text that was opened raw at a step (from 0)."""

    step: int
    span: Span


class Divergence(NamedTuple):
    """Where two paths through a text diverge.

    `before`: how many places each had opened until then, in the same order as the other. `places`: what each opened next; None if
    nothing. `overlap`: these two places overlap without being the same, and the paths do not diverge otherwise.
    """

    before: tuple[int, int]
    places: tuple[OpenedPlace | None, OpenedPlace | None]
    overlap: bool = False


def settings(runs: Sequence[Run], readers: Mapping[str, Reader], *, texts: Mapping[str, str] | None = None) -> list[Setting]:
    """The settings that differ between the readings. `readers` are all readers by id, `texts` the titles of the documents. An
    option that was not given counts as its default."""
    values = [_settings_of(run, readers.get(run.reader), texts or {}) for run in runs]
    numbers = {run.id: number for number, run in enumerate(runs, 1)}
    for one, run in zip(values, runs, strict=True):
        one["Made from"] = _made_from(run, numbers)
    names = list(dict.fromkeys(name for one in values for name in one))
    rows = [Setting(name, tuple(one.get(name, NO_SUCH) for one in values), all(name in one for one in values)) for name in names]
    return [row for row in rows if len(set(row.values)) > 1 and not set(row.values) <= {NO_SUCH, OWN_WORDS}]


def _made_from(run: Run, numbers: Mapping[str, int]) -> str:
    """The parent of a fork, by its number among the compared readings."""
    if not run.parent:
        return "the beginning"
    parent = f"reading {numbers[run.parent]}" if run.parent in numbers else "another reading"
    return f"{parent}, from {call_number(run.fork_at)} on"


def _settings_of(run: Run, reader: Reader | None, texts: Mapping[str, str]) -> dict[str, str]:
    spec = run.spec
    rows: dict[str, Any] = {
        "Text": texts.get(run.document, run.document),
        "Question": run.question,
        "Choices": " · ".join(spec.get("choices", ())) or None,
        "Reader": reader.title if reader else run.reader,
        "Version of the reader": spec.get("version"),
        "Model": ", then ".join(models_called(spec)),
    }
    for name in ("api_base", "temperature", "top_p", "window", "reply_tokens", "sample_base"):
        rows[_named(name)] = spec.get(name) or (0.0 if name in ("temperature", "sample_base") else None)
    rows[_named("room_factor")] = max(1, spec.get("room_factor") or 1)
    rows[_named("reply_form")] = spec.get("reply_form", "words")
    options = reader.Options if reader else None
    for name, value in _options(spec.get("options", {}), reader).items():
        rows[title_of(options, name)] = value_of(options, name, value)
    for name in ("max_calls", "max_tokens", "max_cost_usd"):
        rows[f"Cap: {name.replace('_', ' ')}"] = spec.get("caps", {}).get(name)
    rows |= {f"Cap: {name.replace('_', ' ')}": value for name, value in spec.get("caps", {}).items()}
    if reader:
        rows |= {_prompt(prompt.id, reader): OWN_WORDS for prompt in reader.prompts}
    rows |= {
        _prompt(prompt_id, reader): f"in other words: {_short(words)}" for prompt_id, words in spec.get("prompts", {}).items()
    }
    rows["Replies of earlier readings"] = "used again" if spec.get("reuse", True) else "not used"
    rows["Made from"] = ""  # by number, where all are known
    rows["Changed in it"] = "; ".join(map(describe, _edits(run))) or "nothing"
    return {name: _said(value) for name, value in rows.items()}


def _prompt(prompt_id: str, reader: Reader | None) -> str:
    """The name of a prompt and its reader, in words."""
    title = reader.title if reader else prompt_id.partition(".")[0]
    return f"Prompt “{name_of(prompt_id)}” of {title}"


def _edits(run: Run) -> list[Mapping[str, Any]]:
    """All edits that led to a reading, in order; its own edit as the reading stores it, because the words of a reply are stored
    nowhere else."""
    edits = list(run.spec.get("edits") or ())
    if run.edit:
        plain = {name: value for name, value in run.edit.items() if name != "said"}
        if plain in edits:
            edits[len(edits) - 1 - edits[::-1].index(plain)] = run.edit
        else:
            edits.append(run.edit)
    return edits


def _options(given: Mapping[str, Any], reader: Reader | None) -> Mapping[str, Any]:
    """The options with defaults filled in; unchanged if the reader no longer accepts them. A record of what happened elsewhere
    has none."""
    if reader and not reader.starts:
        return {}
    try:
        return asdict(read_options(reader.Options, given)) if reader else given
    except BadOptions:
        return given


def _named(name: str) -> str:
    named = {
        "api_base": "Base URL",
        "window": "Window of the model",
        "reply_tokens": "Room for a reply, in tokens",
        "room_factor": "Room for a reply, times the prompt's own",
        "sample_base": "First sample",
    }
    return named.get(name, name.replace("_", " ").capitalize())


def _said(value: Any) -> str:
    if value is None or value == "":
        return UNSET
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _short(words: str) -> str:
    return shorten(words, LONGEST)


def first_difference(one: Reading, other: Reading) -> Difference | None:
    """Where two readings of the same text by the same reader diverge; None if every step, prompt and reply is the same."""
    calls = _calls(one.records), _calls(other.records)
    for a, b in zip(one.trace.steps, other.trace.steps, strict=False):
        found = _at_step((one.trace, a), (other.trace, b), calls)
        if found and found.kind == "answer":
            same = answers.same(one.run.answer or "", other.run.answer or "", one.run.spec.get("choices") or ())
            return found._replace(kind="worded") if same else found
        if found:
            return found
    counts = len(one.trace.steps), len(other.trace.steps)
    if counts[0] == counts[1]:
        return None
    shown = min(counts)  # the first step that only one of the two has, and the last step of the other
    return Difference("over", (_last(counts[0], shown), _last(counts[1], shown)))


def _last(count: int, step: int) -> int | None:
    return min(step, count - 1) if count else None


_Place = tuple[Trace, Step]
_Calls = Mapping[int, Sequence[Record]]


def _calls(records: Sequence[Record]) -> dict[int, list[Record]]:
    """The records of every call, by its number."""
    found: dict[int, list[Record]] = {}
    for record in records:
        found.setdefault(record.seq, []).append(record)
    return found


def _at_step(one: _Place, other: _Place, calls: tuple[_Calls, _Calls]) -> Difference | None:
    """What differs at a step that both have; a differently worded reply counts only if nothing else differs."""
    steps = one[1].number, other[1].number
    replied: Difference | None = None
    for a, b in zip_longest(_happened(*one), _happened(*other)):
        if (a is None and _stopped(*one)) or (b is None and _stopped(*other)):
            return Difference("over", steps)
        if a != b:
            return _between(a, b, steps)
        if isinstance(a, Asked):
            rows = calls[0].get(a.seq, ()), calls[1].get(a.seq, ())
            if _asked(rows[0]) != _asked(rows[1]):
                return Difference("asked", steps)
            said = _replies(rows[0]), _replies(rows[1])
            if said[0] != said[1] and replied is None:
                replied = Difference("reply", steps, words=_apart(_last_of(said[0]), _last_of(said[1])))
    if one[1].names != other[1].names and replied is None:
        return Difference("step", steps)
    return replied


def _stopped(trace: Trace, step: Step) -> bool:
    """Whether a reading was interrupted at this step."""
    return trace.end is None and step.number == len(trace.steps) - 1


def _happened(trace: Trace, step: Step) -> list[Event]:
    return [event for event in trace.of(step) if not isinstance(event, (StepBegan, StepEnded))]


def _asked(records: Sequence[Record]) -> list[tuple[str, str | None]]:
    return [(record.asked, record.messages) for record in records[:1]]


def _replies(records: Sequence[Record]) -> list[str]:
    return [record.reply for record in records if record.reply is not None]


def _last_of(replies: Sequence[str]) -> str:
    return replies[-1] if replies else ""


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two texts from a few words before their first difference, with white space collapsed."""
    a, b = " ".join(one.split()), " ".join(other.split())
    same = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = 0 if same <= BEFORE else a.find(" ", same - BEFORE, same) + 1 or same
    return _from(a, start), _from(b, start)


def _from(words: str, start: int) -> str:
    return f"… {_short(words[start:])}" if start else _short(words)


def _between(a: Event | None, b: Event | None, steps: tuple[int, int]) -> Difference:
    """The difference between two events at the same position; None for a reading that has no more events at this step."""
    match a, b:
        case Asked(), Asked() if a.parts == b.parts and a.left_out == b.left_out and a.prompt == b.prompt:
            return Difference("again", steps)
        case (Misread() | CutOff(), _) | (_, Misread() | CutOff()):
            return Difference("again", steps)
        case Cut(), Cut():
            return Difference("cut", steps)
        case Wrote(), Wrote():
            return Difference("wrote", steps, (refs.wrote(a.n), refs.wrote(b.n)), _apart(a.text, b.text))
        case Chose(), Chose():
            same = (a.action, a.picked) == (b.action, b.picked)
            if same and a.among == b.among:
                return Difference("reason", steps, (a.picked, b.picked), _apart(a.because, b.because))
            return Difference("chose", steps, (a.picked, b.picked))
        case Looked(), Looked():
            return Difference("looked", steps, (a.ref, b.ref))
        case Answered(), Answered():
            return Difference("answer", steps, words=_apart(a.text, b.text))
        case (Answered() | Ended(), _) | (_, Answered() | Ended()):
            return Difference("ended", steps)
        case (Chose(), _) | (_, Chose()):
            picked = (one.picked if isinstance(one, Chose) else "" for one in (a, b))
            return Difference("chose", steps, (next(picked), next(picked)))
        case (Asked(), _) | (_, Asked()):
            return Difference("asked", steps)
    return Difference("step", steps)


def places(trace: Trace) -> list[OpenedPlace]:
    """What was opened raw after the memory was built (while reading, if none is built), in order; the same place twice in a row
    counts once. For a reader that opens nothing, what its prompts showed raw counts instead."""
    looked = list(_raw(trace, Looked))
    return looked or list(_raw(trace, Asked))


def _raw(trace: Trace, kind: type[Looked] | type[Asked]) -> Iterator[OpenedPlace]:
    last: tuple[Span, ...] = ()
    for step in trace.steps:
        for event in trace.events[max(step.start, trace.built_until) : step.end]:
            if not isinstance(event, kind):
                continue
            if isinstance(event, Asked):
                spans = trace.spans_shown(event.seq) if event.prompt != SCORE_PROMPT else ()
            else:
                spans = merge_spans(event.spans)
            if spans and spans != last:
                yield from (OpenedPlace(step.number, span) for span in spans)
            last = spans or last


def where_paths_diverge(one: Trace, other: Trace) -> Divergence | None:
    """The first place at which two readings of the same text opened different things; None if they never did.

    Readers cut the text differently, so two places count as a pair if their overlap is longer than the distance between their
    beginnings. The overlap is then done with, and the rest is compared with what comes next. If all places pair up, the result is
    the first pair of which the other reading never opened a large part.
    """
    ways = places(one), places(other)
    a, b = _OpenedPlaces(ways[0]), _OpenedPlaces(ways[1])
    together: list[tuple[int, int]] = []
    while a.here and b.here:
        start, until = max(a.here.start, b.here.start), min(a.here.end, b.here.end)
        if until - start > start - min(a.here.start, b.here.start):
            together.append((a.at, b.at))
            a.passed(until)
            b.passed(until)
        elif a.met or b.met:  # the rest of a place that both opened
            (a if a.met else b).turn()
        else:
            break
    for way in (a, b):
        if way.met:
            way.turn()
    if a.here is None and b.here is None:
        return _overlapping(ways, together)
    return Divergence((a.at, b.at), (a.opened, b.opened))


def _overlapping(ways: tuple[list[OpenedPlace], list[OpenedPlace]], together: Sequence[tuple[int, int]]) -> Divergence | None:
    """The first pair of places of which the other reading did not open enough of one."""
    opened = [merge_spans(place.span for place in way) for way in ways]
    for at, beside in together:
        one, other = ways[0][at], ways[1][beside]
        if min(_share(one.span, opened[1]), _share(other.span, opened[0])) < SAME:
            return Divergence((at, beside), (one, other), overlap=True)
    return None


def _share(span: Span, opened: Sequence[Span]) -> float:
    """The share of a place that these cover."""
    inside = sum(max(0, min(span.end, end) - max(span.start, start)) for start, end in opened)
    return inside / max(1, span.end - span.start)


class _OpenedPlaces:
    """A walk along the places that one reading opened. `here` is the rest of the current place, `met` whether the other reading
    opened some of it too."""

    def __init__(self, ways: Sequence[OpenedPlace]) -> None:
        self._ways = ways
        self.at = 0
        self.met = False
        self.here = self._span()

    @property
    def opened(self) -> OpenedPlace | None:
        return self._ways[self.at] if self.at < len(self._ways) else None

    def passed(self, until: int) -> None:
        """Both readings opened the current place up to here."""
        assert self.here
        self.here, self.met = Span(until, self.here.end), True
        if until >= self.here.end:
            self.turn()

    def turn(self) -> None:
        """Go to the next place."""
        self.at += 1
        self.met = False
        self.here = self._span()

    def _span(self) -> Span | None:
        return self.opened.span if self.opened else None
