"""One plain sentence or two a step, made by rule from the events.

The same sentences are the player's caption, the table beside a graph, a screen reader's text and `show` on the command line.
Pure: they say what the record says and guess nothing. `names` gives what the reader calls its texts, by their ref.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readers.engine.analysis import narrate_baselines, narrate_graph
from readers.engine.analysis.narrate_decisions import FIRST_SENTENCES, decisions, memory
from readers.engine.record.events import Answered, Asked, Chose, Cut, Ended, Event, Looked, Misread, Wrote
from readers.engine.record.trace import Step, Trace
from readers.engine.run.bounded_memory import MEMORY
from readers.engine.text import refs

# How an outcome without an answer is told.
ENDINGS = {
    "no_answer": "It ended without an answer",
    "exhausted": "It gave up",
    "over_budget": "It stopped, because the budget was used up",
}

# Decisions whose own sentence says what was cut.
_TELL_A_CUT = ("pause", "merge", "fallback", "fit", "leave_out")
# Writings that the decisions about them tell.
_TOLD_OTHERWISE = ("entity", "relation", "query")
# What a writing stands for, where that is not a part of the text.
_OF = {"gist": "page"}


def narrate(trace: Trace, names: Mapping[str, str]) -> tuple[str, ...]:
    """What happened, a text a step, in the order of `trace.steps`."""
    return tuple(" ".join(_told(trace, step, names)) for step in trace.steps)


def _told(trace: Trace, step: Step, names: Mapping[str, str]) -> list[str]:
    """The sentences of one step."""
    events = trace.events[step.start : step.end]
    chosen = [event for event in events if isinstance(event, Chose)]
    told = [] if any(event.action in _TELL_A_CUT for event in chosen) else _cut(events)
    told += _left_out([event for event in events if isinstance(event, Asked)])
    told += _misread([event for event in events if isinstance(event, Misread)])
    here = next((event for event in events if isinstance(event, Looked)), Looked(()))
    remembered = [event for event in events if isinstance(event, Wrote) and event.role == MEMORY]
    for wrote in remembered:
        told += memory(_memory_before(trace, wrote), wrote.text, chosen, place=names.get(here.ref, ""))
    if not remembered:
        told += _written(trace, [event for event in events if isinstance(event, Wrote) and event.role not in _TOLD_OTHERWISE])
        told += _stood_in(chosen)
    told += (
        narrate_graph.decisions(step.names, events, names) if narrate_graph.tells(step.names) else decisions(chosen, here, names)
    )
    told += narrate_baselines.decisions(step.names, events, names, len(trace.document.text))
    told += [f"{ENDINGS[event.outcome]}: {event.reason}." for event in events if isinstance(event, Ended)]
    if not told and any(isinstance(event, Answered) for event in events):
        told.append("It gave its answer.")
    if not told and (place := names.get(here.ref)):
        told.append(f"It opened {place} and read it in full.")
    return told or ["It went on."]


def _cut(events: Sequence[Event]) -> list[str]:
    return [f"It cut the text into {_parts(len(event.spans))}." for event in events if isinstance(event, Cut)]


def _left_out(asked: Sequence[Asked]) -> list[str]:
    lost = sum(count for event in asked for _, count in event.left_out)
    return (
        [f"{lost} of the texts it carried along did not fit into the model's window and {_were(lost)} left out."] if lost else []
    )


def _misread(misreads: Sequence[Misread]) -> list[str]:
    if not misreads:
        return []
    count = len(misreads)
    what = "A reply" if count == 1 else f"{count} replies"
    return [f"{what} of the model could not be used ({misreads[-1].problem}), so it was asked again."]


def _written(trace: Trace, wrote: Sequence[Wrote]) -> list[str]:
    """How many texts came into being, and out of what: of the document, or of earlier ones put together."""
    fresh = [event for event in wrote if not trace.parent_texts(event.pieces)]
    made_of_others = [event for event in wrote if trace.parent_texts(event.pieces)]
    told = []
    if fresh:
        each = f", one for each {_OF.get(fresh[0].role, 'part')}" if len(fresh) > 1 else ""
        told.append(f"It wrote {_some(len(fresh), fresh[0].role)}{each}.")
    if made_of_others:
        count, role = len(made_of_others), made_of_others[0].role
        shortened = sum(any(refs.kind(piece.origin) == "reply" for piece in event.pieces) for event in made_of_others)
        how = "" if not shortened else " and shortened it" if count == 1 else f" and shortened {shortened} of them"
        told.append(f"It put neighbouring {_plural(role)} together into {'one' if count == 1 else _some(count, role)}{how}.")
    return told


def _memory_before(trace: Trace, wrote: Wrote) -> str | None:
    """The memory that this one was written over; None for the first."""
    earlier = (trace.wrote[n] for n in range(wrote.n - 1, -1, -1))
    return next((event.text for event in earlier if event.role == MEMORY), None)


def _stood_in(chosen: Sequence[Chose]) -> list[str]:
    told = []
    if count := sum(event.action == "fallback" and event.picked == FIRST_SENTENCES for event in chosen):
        told.append(
            f"For {_parts(count)} nothing could be used of what the model wrote; the first sentences stand there instead."
        )
    if count := sum(event.action == "truncate" for event in chosen):
        told.append(
            f"{_some(count, 'text').capitalize()} {_were(count)} too long and {_were(count)} cut at the end of a sentence."
        )
    return told


def _parts(count: int) -> str:
    return "one part" if count == 1 else f"{count} parts"


def _some(count: int, role: str) -> str:
    article = "an" if role[0] in "aeiou" else "a"
    return f"{article} {role}" if count == 1 else f"{count} {_plural(role)}"


def _plural(role: str) -> str:
    return role[:-1] + "ies" if role.endswith("y") else role + "s"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
