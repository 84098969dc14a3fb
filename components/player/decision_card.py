"""What was decided at a step, as the decision card shows it: what was offered, what was chosen, the stated reason. Pure.

A reason is what the model said, never what made it choose. Not here: how it is drawn (`assets/js/player/decision.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from components.player import ranking_card
from readers.engine.record.events import Asked, Chose, Event, Looked, Misread
from readers.engine.record.trace import Step, Trace
from readers.engine.text import refs
from readers.engine.text.document import Text

# Decisions that a rule made about a reply, and that are told as notes beside what was then decided.
BY_RULE = {
    "fallback": "Stood in", "truncate": "Cut", "refuse": "Refused", "drop": "Dropped", "put_back": "Put back", "stop": "Stopped",
    "shrink": "Made smaller", "shorten": "Cut for the prompt", "format_error": "Malformed",
}  # fmt: skip
# What is done rather than decided, many times at a step: the picture's own list shows it.
DONE = (
    "recognise", "find", "relate", "keep", "drop_question", "same", "place", "link", "start", "consider", "add", "filter",
    "expand", "revise", "fit", "leave_out", "score", "take",
)  # fmt: skip
# Options that are words of a reader and no text.
WORDS = {
    "back up": ("↩", "go back up"),
    "answer": ("◆", "answer from what stands here"),
    "STOP": ("■", "open no more, and answer"),
    "no page": ("–", "no page: answer from the gists"),
    "decline": ("↩", "look further"),
}
LONGEST_OPTION, LONGEST_STRETCH = 700, 120
LABELLED = "offered"  # the part of a prompt that holds the paragraphs behind labels


def decision(trace: Trace, step: Step, names: Mapping[str, str], before: Mapping[str, str]) -> dict[str, Any] | None:
    """The card of one step; None where nothing was decided, misread or refused. `before` names what was opened at earlier
    steps."""
    happened = trace.events[step.start : step.end]
    notes = [_note(event, names) for event in happened if isinstance(event, Misread) or _by_rule(event)]
    made = [event for event in happened if isinstance(event, Chose) and event.action not in DONE and not _by_rule(event)]
    weighed = ranking_card.card(happened, names)
    if not made and not notes and not weighed:
        return None
    card: dict[str, Any] = {"notes": notes, "options": [], "reason": "", "by_model": False}
    if made:
        last = made[-1]
        picked = {event.picked for event in made if event.among == last.among}  # several at once, where a reader may
        asked = any(isinstance(event, Asked) for event in happened)
        card |= {
            "at": place(trace, step, names),
            "action": last.action,
            "options": _with_places(_options(last.among, picked, names, before), happened),
            "reason": last.because,
            "by_model": asked,
        }
    return card | weighed


def place(trace: Trace, step: Step, names: Mapping[str, str]) -> str:
    """What was open at a step, by the reader's name for it; empty where nothing was."""
    looked = next((event for event in trace.events[step.start : step.end] if isinstance(event, Looked)), None)
    return names.get(looked.ref, "") if looked else ""


def _by_rule(event: object) -> bool:
    """Whether it is a rule's; to stop is a decision where a model was offered that."""
    return isinstance(event, Chose) and event.action in BY_RULE and not (event.action == "stop" and event.picked in WORDS)


def _note(event: object, names: Mapping[str, str]) -> dict[str, str]:
    if isinstance(event, Misread):
        return {"head": "Misread", "text": f"Reply {event.attempt + 1} could not be used: {event.problem}."}
    assert isinstance(event, Chose)
    return {"head": BY_RULE[event.action], "text": f"{names.get(event.picked, event.picked)}: {event.because}."}


def _options(among: Iterable[str], picked: Set[str], names: Mapping[str, str], before: Mapping[str, str]) -> list[dict[str, Any]]:
    options = []
    number = 0
    for ref in dict.fromkeys([*among, *picked]):
        chosen = ref in picked
        if ref in WORDS:
            mark, name = WORDS[ref]
            options.append({"mark": mark, "name": name, "picked": chosen, "note": "chosen" if chosen else "offered"})
            continue
        name = names.get(ref, ref)
        note = "chosen" if chosen else before.get(name, "not opened")
        option = {"mark": str(number), "name": name, "picked": chosen, "note": note, "struck": not chosen and name in before}
        options.append(option | ({"ref": ref} if refs.written(ref) is not None else {}))
        number += 1
    return options


def _with_places(options: list[dict[str, Any]], happened: Sequence[Event]) -> list[dict[str, Any]]:
    """Labels that were offered between paragraphs, each with what stands behind it in the text."""
    offered = next(
        (texts for event in happened if isinstance(event, Asked) for part, texts in event.parts if part == LABELLED), ()
    )
    if len(offered) != len(options):
        return options
    stretches = [Text("", pieces).ref for pieces in offered]
    return [{**option, **({"ref": ref} if ref else {})} for option, ref in zip(options, stretches, strict=True)]


def texts(trace: Trace, cards: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The words of every option that has some, by its ref, as many as a card holds. Options come again at many steps."""
    shown = {option["ref"]: None for card in cards for option in card["options"] if "ref" in option}
    return {ref: words for ref in shown if (words := _words(trace, ref))}


def _words(trace: Trace, ref: str) -> str:
    """What a ref stands for: something written, or the beginning of a stretch of the document."""
    if (number := refs.written(ref)) in trace.wrote:
        return _shortened(trace.wrote[number].text, LONGEST_OPTION)
    start, end = refs.span(ref) or (0, 0)
    return _shortened(trace.document.text[start:end], LONGEST_STRETCH)


def _shortened(words: str, most: int) -> str:
    return words if len(words) <= most else words[:most].rstrip() + " …"
