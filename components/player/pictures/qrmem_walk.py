"""QRMeM's walk, trial by trial, on the axis of the text. Pure.

A *band* is what one verdict is given on: the segments that came into view for it and what brought them (entities of the question,
a relation that was followed, names that the model asked for, or mere similarity), what stayed, what was put out for lack of room,
the verdict, what the model said was missing, and what that led to. A trial that declines brings what the next band begins with,
so both are in the picture at the same step; a band has its title from the step on that judges it. Each hop of an expansion has a
band of its own, and so has what the question named before the first.

Not here: the net (`qrmem.py`), and how a band is drawn (`assets/js/pictures/walk.js`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readers.engine.record.events import Answered, Chose
from readers.engine.record.trace import BUILD, Step
from readers.engine.text import refs
from readers.engine.text.shorten import shorten_at_word
from readers.qrmem.narrative import DECLINED
from readers.qrmem.navigate import MOST_SIMILAR
from readers.qrmem.segments_in_view import TOGETHER
from readers.qrmem.state import QRMeMState

IN_VIEW, NEW, OUT = "in", "new", "out"
NEXT = "Next"
CAPTION = "What came into view, trial by trial"
WALK_CAPTION = "Its walk over the graph, trial by trial"
HOPS_CAPTION = "Its walk over the graph, hop by hop"
LONGEST_REASON, LONGEST_RELATION = 170, 90
NAMED, ASKED_FOR, RETRIEVED = "named in the question", "asked for by the model", "retrieved with the longer question"
FALLBACKS = {MOST_SIMILAR: "similar", TOGETHER: "together"}


class WalkBands:
    """The bands of a reading; the changes of each segment, by its number (in view, or out of it again); and from which step on
    a relation or a name was followed, so that it is a walk: None if none was."""

    def __init__(self, state: QRMeMState) -> None:
        self.bands: list[dict[str, Any]] = []
        self.segments: dict[int, list[tuple[int, str]]] = {number: [] for number in state.numbers.values()}
        self.from_step: int | None = None
        self._state = state
        self._stands = {entity["id"]: entity["segments"] for entity in state.entities}
        self._scores: dict[str, float] = {}
        self._looked_for: dict[str, str] = {}
        for step in state.trace.steps:
            if step.phase != BUILD:
                self._step(step)
        for item in (item for band in self.bands if band["title"].startswith(("Start", "Hop")) for item in band["items"]):
            item["brings"] = False  # an expansion retrieves segments only after its hops
        if self.bands and self.bands[-1]["title"] == NEXT and not self.bands[-1]["items"] and len(self.bands) > 1:
            self.bands.pop()  # nothing came after the last verdict

    @property
    def caption(self) -> str:
        """What the picture is called once it walks."""
        return HOPS_CAPTION if any(band["title"].startswith("Hop") for band in self.bands) else WALK_CAPTION

    def _step(self, step: Step) -> None:
        kind, _, number = step.names[-1].partition(" ")
        self._scores = {}
        if kind in ("hop", "retrieve") or not self.bands:
            if self.bands and self.bands[-1]["title"] == NEXT:
                self.bands[-1] |= {"title": "Start", "step": self.bands[-1]["from"]}
            self._begin(step)
        if kind in ("trial", "hop"):
            self.bands[-1] |= {"title": f"{kind.capitalize()} {number}", "step": step.number}
        elif kind == "answer":
            self.bands[-1] |= {"title": "Answer", "step": step.number}
        for event in self._state.trace.of(step):
            if isinstance(event, Chose):
                self._decided(step, event)
            elif isinstance(event, Answered):
                self.bands[-1] |= {"verdict": "answers", "answer": event.text}

    def _begin(self, step: Step) -> None:
        there = {number for number, changes in self.segments.items() if changes and changes[-1][1] == IN_VIEW}
        self.bands.append(
            {
                "title": NEXT,
                "from": step.number,
                "step": None,
                "verdict": "",
                "reason": "",
                "said": "",
                "answer": "",
                "because": "",
                "still": [],
                "gone": [],
                "items": [],
                "out": [],
                "segments": {number: [(step.number, IN_VIEW)] for number in sorted(there)},
            }
        )

    def _decided(self, step: Step, event: Chose) -> None:
        band = self.bands[-1]
        match event.action:
            case "commit":
                band |= {"verdict": "answers", **_reason(event.because)}
            case "decline":
                band |= {"verdict": "declined", **_reason(event.because)}
                self._begin(step)
            case "fallback" if event.picked == DECLINED:
                band |= {"verdict": "unread", **_reason(event.because)}
                self._begin(step)
            case "start":
                self._looked_for[refs.node_id(event.picked)] = self._called(event.picked)
                self._item(step, "start", refs.node_id(event.picked), self._called(event.picked), NAMED)
            case "consider":
                self._scores[event.picked] = float(event.because)
            case "expand":
                self._followed(step, event)
            case "revise":
                self._revised(step, event)
            case "fallback" if event.picked in FALLBACKS:
                self._item(step, FALLBACKS[event.picked], "", event.picked, event.because)
            case "add":
                self._brought(step, event)
            case "filter":
                number = self._change(step, event.picked, OUT, OUT)
                band["out"].append((step.number, number, _number(event.because)))
            case "stop":
                band["because"] = event.because

    def _revised(self, step: Step, event: Chose) -> None:
        """The names that the model asks for: what is new among them, what it still looks for, and what no longer."""
        before, now = self._looked_for, {refs.node_id(ref): self._called(ref) for ref in event.among}
        for entity_id, name in now.items():
            if entity_id not in before:
                self._item(step, "revised", entity_id, name, ASKED_FOR)
        still = [name for entity_id, name in now.items() if entity_id in before]
        self.bands[-1] |= {"still": still, "gone": [name for entity_id, name in before.items() if entity_id not in now]}
        self._looked_for = now

    def _followed(self, step: Step, event: Chose) -> None:
        (far,) = event.among[:1]
        hop = step.names[-1].startswith("hop")
        items = self.bands[-1]["items"]
        if hop and (same := next((item for item in items if item["id"] == refs.node_id(far)), None)):
            same["more"] += 1  # another relation to it is similar enough, too
            return
        weighed, score = len(self._scores), self._scores.get(event.picked, 0.0)
        how = "the only one" if weighed == 1 else f"of {weighed:,} weighed"
        item = self._item(step, "followed", refs.node_id(far), self._called(far), self._words(event.picked))
        item |= {
            "note": f"{score:.2f}, {how}",
            "relation": event.picked,
            "more": 0,
        }
        if not hop:
            self._scores = {}

    def _item(self, step: Step, kind: str, entity: str, name: str, words: str) -> dict[str, Any]:
        """Something that brings segments into view, or stands for what was looked for."""
        if self.from_step is None and kind in ("followed", "revised"):
            self.from_step = step.number
        item: dict[str, Any] = {
            "step": step.number,
            "kind": kind,
            "id": entity,
            "name": name,
            "words": shorten_at_word(words, LONGEST_RELATION),
            "whole": words,
            "note": "",
            "brought": [],
            "brings": True,
            "stands": self._stands.get(entity, []),
        }
        self.bands[-1]["items"].append(item)
        return item

    def _brought(self, step: Step, event: Chose) -> None:
        """A segment came into view; by the entity that the event names, or otherwise by what the step did last."""
        number = self._change(step, event.picked, IN_VIEW, NEW)
        items = self.bands[-1]["items"]
        by_name = next((item for item in reversed(items) if item["id"] and item["name"] == event.because), None)
        score = _number(event.because)
        if by_name is None and event.because in self._looked_for.values():
            entity_id = next(entity_id for entity_id, name in self._looked_for.items() if name == event.because)
            by_name = self._item(step, "revised", entity_id, event.because, "still looked for")
        if by_name is None and (not items or items[-1]["id"]):
            by_name = self._item(step, "similar", "", MOST_SIMILAR, RETRIEVED if step.names[-1] == "retrieve" else "")
        item = by_name or items[-1]
        item["brought"].append(number)
        if score is not None and not item["id"]:
            item.setdefault("scores", {})[number] = score

    def _change(self, step: Step, ref: str, state: str, in_band: str) -> int:
        number = self._state.numbers[ref]
        self.segments[number].append((step.number, state))
        self.bands[-1]["segments"].setdefault(number, []).append((step.number, in_band))
        return number

    def _called(self, ref: str) -> str:
        return self._state.called.get(ref, ref)

    def _words(self, ref: str) -> str:
        number = refs.written(ref)
        return self._state.trace.wrote[number].text if number in self._state.trace.wrote else ""


def _reason(because: str) -> Mapping[str, str]:
    return {"reason": shorten_at_word(because.strip(), LONGEST_REASON), "said": because.strip()}


def _number(words: str) -> float | None:
    try:
        return float(words)
    except ValueError:
        return None
