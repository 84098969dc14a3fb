"""One plain sentence or two a step, made by rule from the events.

The same sentences are the player's caption, the table beside a graph, a screen reader's text and `show` on the command line.
Pure: they say
what the record says and guess nothing. `names` gives what the reader calls its texts, by their ref.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from readers.engine.events import Answered, Asked, Chose, Cut, Ended, Looked, Misread, Wrote
from readers.engine.text import DOCUMENT, Text
from readers.engine.trace import Step, Trace

# How an outcome without an answer is told.
ENDINGS = {
    "no_answer": "It ended without an answer",
    "exhausted": "It gave up",
    "over_budget": "It stopped, because the budget was used up",
}


def narrate(trace: Trace, names: Mapping[str, str]) -> tuple[str, ...]:
    """What happened, a text a step, in the order of `trace.steps`."""
    return tuple(" ".join(_told(trace, step, names)) for step in trace.steps)


def _told(trace: Trace, step: Step, names: Mapping[str, str]) -> list[str]:
    """The sentences of one step."""
    events = trace.events[step.start : step.end]
    told = [f"It cut the text into {_parts(len(event.spans))}." for event in events if isinstance(event, Cut)]
    told += _left_out([event for event in events if isinstance(event, Asked)])
    told += _misread([event for event in events if isinstance(event, Misread)])
    told += _written(trace, [event for event in events if isinstance(event, Wrote)])
    told += _stood_in(Counter(event.action for event in events if isinstance(event, Chose)))
    here = next((event for event in events if isinstance(event, Looked)), Looked(()))
    told += [sentence for event in events if isinstance(event, Chose) and (sentence := _chosen(event, here, names))]
    told += [f"{ENDINGS[event.outcome]}: {event.reason}." for event in events if isinstance(event, Ended)]
    if not told and any(isinstance(event, Answered) for event in events):
        told.append("It gave its answer.")
    return told or ["It went on."]


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
    if not wrote:
        return []
    some, earlier = _some(len(wrote), wrote[0].role), _plural(wrote[0].role)
    if not any(trace.parents(event.pieces) for event in wrote):
        return [f"It wrote {some}{', one for each part' if len(wrote) > 1 else ''}."]
    shortened = sum(any(piece.origin.startswith("reply:") for piece in event.pieces) for event in wrote)
    how = "" if not shortened else " and shortened it" if len(wrote) == 1 else f" and shortened {shortened} of them"
    return [f"It put neighbouring {earlier} together into {'one' if len(wrote) == 1 else some}{how}."]


def _stood_in(actions: Counter[str]) -> list[str]:
    told = []
    if count := actions["fallback"]:
        told.append(
            f"For {_parts(count)} nothing could be used of what the model wrote; the first sentences stand there instead."
        )
    if count := actions["truncate"]:
        told.append(
            f"{_some(count, 'text').capitalize()} {_were(count)} too long and {_were(count)} cut at the end of a sentence."
        )
    return told


def _chosen(event: Chose, here: Looked, names: Mapping[str, str]) -> str:
    """A decision in words; nothing for those that are told otherwise."""
    picked = names.get(event.picked, event.picked)
    below = [option for option in event.among if option in names]
    raw = any(piece.origin == DOCUMENT for piece in here.pieces)
    place = names.get(Text("", here.pieces).ref, "this part")
    match event.action:
        case "enter":
            return f"It compared {len(below)} parts and opened {picked}." if len(below) > 1 else f"It opened {picked}."
        case "revert" if raw:
            return f"Nothing in {place} answered the question, so it went back up."
        case "revert":
            return f"None of the {len(below)} parts of {place} looked right, so it went back up."
        case "commit":
            return f"It found its answer in {place}."
        case "refuse":
            return f"It chose {picked}, which was refused because {event.because}, and was asked again."
    return ""


def _parts(count: int) -> str:
    return "one part" if count == 1 else f"{count} parts"


def _some(count: int, role: str) -> str:
    article = "an" if role[0] in "aeiou" else "a"
    return f"{article} {role}" if count == 1 else f"{count} {_plural(role)}"


def _plural(role: str) -> str:
    return role[:-1] + "ies" if role.endswith("y") else role + "s"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
