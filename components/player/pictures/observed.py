"""The picture of a watched program: the text from left to right, its calls from top to bottom. Pure.

{ "kind": "calls", "caption", "hint", "rows": [...], "memory": {...} | None }: `memory` is the picture of a memory (`memory.py`),
if some replies act as one. A row is { "step", "does", "note", "spans", "still", "likely", "from", "guessed", "reply", "ref",
"role", "failed" }:

- `spans` are the places that stood raw in the prompt and not in the one before, `still` has those that stood there before, too;
  `likely` has those of which the same wording stands elsewhere: each { "span", "alike": { "spans" }, "also" }, `also` in words;
- `from` are the rows whose replies came into this prompt, `guessed` those of them that are only likely;
- `role` is what the reply is: `memory`, `answer`, `reply`, or empty for none; `failed` says why there is none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from components.player.pictures import memory
from readers.engine.record.events import Answered
from readers.engine.record.trace import Trace, merge_spans
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs
from readers.engine.text.document import DOCUMENT, Span
from readers.engine.text.phrases import listed, percent
from readers.engine.text.shorten import shorten_at_word
from readers.observed.script import SourcePlace, read_script
from readers.observed.state import ObservedState, SeenCall, without

READER = "observed"
WORDS = 220  # characters of a reply
TOOL_WORDS = 60
MOST_THREADS = 40  # into a call
MOST_LIKELY = 60  # places of a call
Row = dict[str, Any]


def draw(trace: Trace, opened: Set[str], *, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """All calls so far; None before the first."""
    state = ObservedState.of(trace)
    if not state.calls:
        return None
    scripted = read_script(str(options.get("script", ""))).calls
    rows: list[Row] = []
    for call in state.calls:
        sources = scripted[call.step].sources if call.step < len(scripted) else ()
        rows.append(_row(call, state, [one for one in sources if one.elsewhere is not None]))
    return {
        "kind": "calls",
        "caption": "Its calls, on the text",
        "hint": "found by comparing texts",
        "rows": rows,
        "memory": memory.draw(READER, trace, opened),
    }


def _row(call: SeenCall, state: ObservedState, likely: Sequence[SourcePlace]) -> Row:
    chars = len(state.trace.document.text)
    places = [one for one in likely if one.origin == DOCUMENT][:MOST_LIKELY]
    guessed = {seq for one in likely if (seq := refs.replied(one.origin)) is not None}
    unsure = merge_spans(Span(one.begin, one.stop) for one in places)
    text = call.wrote.text if call.wrote else ""
    answers = any(isinstance(event, Answered) for event in state.trace.of(state.trace.steps[call.step]))
    role = "" if not call.wrote else "answer" if answers else MEMORY if call.wrote.role == MEMORY else "reply"
    return {
        "step": call.step,
        "does": call.does,
        "note": _note(call, state),
        "spans": without(call.fresh, unsure),
        "still": {"spans": without(call.still, unsure)},
        "likely": [_likely(one, chars) for one in places],
        "from": call.replies[-MOST_THREADS:],
        "guessed": sorted(guessed.intersection(call.replies)),
        "reply": shorten_at_word(" ".join(text.split()), WORDS),
        "ref": refs.wrote(call.wrote.n) if call.wrote else "",
        "role": role,
        "failed": call.failed,
    }


def _note(call: SeenCall, state: ObservedState) -> str:
    """Which tool it was that the reply before asked for; or how much of the text it read; or what it went on from."""
    if call.does == "tool" and (tool := _tool(state.calls[call.step - 1])):
        return tool
    if call.fresh:
        return f"{percent(sum(end - start for start, end in call.fresh) / len(state.trace.document.text))} of the text"
    return f"from {listed([str(row + 1) for row in call.replies], most=3)}" if call.replies else ""


def _tool(call: SeenCall) -> str:
    """The tool that a reply asks for, as `readers/cli/watch` puts it into words: the name, and what it is given in brackets."""
    last = call.wrote.text.rstrip().rpartition("\n")[2] if call.wrote else ""
    name, _, given = last.partition("(")
    if not name.isidentifier() or not given:
        return ""
    try:
        found = json.loads(given.removesuffix(")"))
    except (ValueError, RecursionError):
        found = None
    values = found.values() if isinstance(found, dict) else ()
    return shorten_at_word(" ".join([name, *(f"“{one}”" if isinstance(one, str) else str(one) for one in values)]), TOOL_WORDS)


def _likely(one: SourcePlace, chars: int) -> Row:
    alike = list(one.elsewhere or ())
    also = listed(dict.fromkeys(_elsewhere(alike, chars)), most=4)
    places = [Span(begin, stop) for origin, begin, stop in alike if origin == DOCUMENT]
    return {"span": (one.begin, one.stop), "alike": {"spans": merge_spans(places)}, "also": also}


def _elsewhere(alike: Sequence[tuple[str, int, int]], chars: int) -> Iterator[str]:
    for origin, begin, _ in alike:
        seq = refs.replied(origin)
        yield f"at {100 * begin / max(1, chars):.0f}%" if seq is None else f"in reply {seq + 1}"
