"""What the label panel gets, as JSON data; and which readings an annotator has to label. Pure.

The data never contains what a stage hides: before stage 3 there are no codes, fields, hints, outcomes or others' labels in it, no
matter what the browser asks for. Offsets in the source text count the browser's units, all others characters. Nothing here is
markup: the panel puts every string on the page as text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.annotate.contract import JsonData, PanelData
from components.html.words.label_words import LONGEST_QUOTE
from components.player import browser_text
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.codes import in_order
from readers.engine.labels.label import (
    CODES,
    FATES,
    FIELDS,
    GROUPS,
    LONGEST_NOTE,
    NOTES,
    TITLES,
    VALUES,
    WRITES,
    Label,
    Turn,
    is_model,
    label_seed,
    reading_id,
)
from readers.engine.labels.project import Annotator, Project, Viewer, order, sees_codes, sees_others, upcoming
from readers.engine.record.hint import Hint
from readers.engine.text.shorten import shorten

STAGES = {NOTES: "notes", GROUPS: "groups", CODES: "codes"}
ABOUT_STAGES = {
    NOTES: "Stage 1: note what you see, in your own words. The codes, the known answer and others’ labels come later.",
    GROUPS: "Stage 2: sort your notes into groups of your own.",
    CODES: "Stage 3: give codes to steps, and mark where the reading went wrong.",
}
# The fields with a list of values: field, key, and a description.
CHOICES = (
    ("outcome", "o", "The answer compared with the correct one."),
    ("support", "e", "How the cited evidence supports the answer."),
    ("path", "p", "How the reader reached its end."),
    ("fate", "t", "How far the needed fact got."),
)
WRONG_OUTCOMES = ("partly", "wrong", "abstained_wrong")
_MISSING_WORDS = {"outcome": "the outcome", "support": "the support", "path": "the path", "decisive": "the decisive step"}


class Suggested(NamedTuple):
    """What the rules suggest for *Fate of the fact*: its value, the step (from 1) that decided it, whether that step would be the
    decisive one, and why, in a sentence."""

    fate: str
    step: int
    decides: bool
    why: str


class Assignments(NamedTuple):
    """An annotator's readings in their stage, in their order, and the state of those they opened."""

    runs: tuple[str, ...]
    standing: Mapping[str, str]

    @property
    def done(self) -> int:
        return sum(standing == "done" for standing in self.standing.values())

    @property
    def skipped(self) -> int:
        return sum(standing == "skipped" for standing in self.standing.values())

    @property
    def left(self) -> int:
        """How many are still to do, the open ones included."""
        return len(self.runs) - self.done - self.skipped

    def next_after(self, here: str, among: Collection[str] | None = None) -> str | None:
        """The next reading to do, of these if they are given, searched from `here` and round; None if there is no other."""
        at = self.runs.index(here) + 1 if here in self.runs else 0
        todo = (run for run in (*self.runs[at:], *self.runs[:at]) if self.standing.get(run, "open") == "open" and run != here)
        return next((run for run in todo if among is None or run in among), None)

    def previous_before(self, here: str) -> str | None:
        """The reading before `here`; the last one if `here` is not an assignment."""
        at = self.runs.index(here) if here in self.runs else len(self.runs)
        return self.runs[at - 1] if at else None


def assignments(project: Project, runs: Collection[str], annotator: Annotator, turns: Iterable[Turn]) -> Assignments:
    """The annotator's readings, done and to do. `turns` are those of the whole project."""
    everyone = list(turns)
    own = {turn.run: turn.standing for turn in everyone if (turn.annotator, turn.stage) == (annotator.name, annotator.stage)}
    coming = set(upcoming(project, runs, annotator, everyone))
    mine = (run for run in order(project.settings, annotator.name, runs) if run in own or run in coming)
    return Assignments(tuple(mine), own)


@dataclass(frozen=True)
class PanelState:
    """What the label panel shows of a reading. `labels` are those the viewer may see, with their own removed ones; `quotes` are
    the words of spans outside the source text, by label; `edited` what corrections change, in words, by label; `corrects` whether
    there is a form for corrections below the player; `suggested` what the rules suggest for the fate, if anything
    may be suggested to the viewer; `wrong` the project's readings that the viewer may know to be wrong by rule."""

    project: Project
    viewer: Viewer
    run: str
    reader: str
    text: str
    steps: int
    turn: Turn
    assignments: Assignments
    labels: Sequence[Label] = ()
    quotes: Mapping[str, str] | None = None
    book: Codebook | None = None
    hints: Sequence[Hint] | None = None
    full: bool = False
    edited: Mapping[str, str] | None = None
    corrects: bool = False
    suggested: Suggested | None = None
    wrong: Collection[str] = ()


def panel_data(
    panel: PanelState, *, n: int = 0, answers: Sequence[JsonData] = (), note: str = "", made: JsonData | None = None
) -> PanelData:
    """The data for the panel, with the answers to its last message, `n`; `note` is what to say of it, `made` a change of a label
    that was made elsewhere on the page."""
    stage, viewer = panel.viewer.stage, panel.viewer
    own = [label for label in panel.labels if label.annotator == viewer.name]
    coding = sees_codes(viewer)
    book, hints = (panel.book, panel.hints) if coding else (None, None)
    return {
        "project": panel.project.id,
        "run": panel.run,
        "annotator": viewer.name,
        "ids": {name: reading_id(panel.project.id, panel.run, viewer.name, name) for name in FIELDS} if coding else {},
        "seed": label_seed(panel.project.id, panel.run, viewer.name),
        "stage": stage,
        "about": ABOUT_STAGES[stage],
        "standing": panel.turn.standing,
        "skipped": panel.turn.reason if panel.turn.standing == "skipped" else "",
        "steps": panel.steps,
        "full": panel.full,
        "corrects": panel.corrects and coding,
        "longest": LONGEST_NOTE,
        "writes": list(WRITES[stage]),
        "progress": progress(panel.assignments, panel.run, wrong=panel.wrong if coding else ()),
        "fields": [
            {"name": name, "title": TITLES[name], "key": key, "values": list(map(list, VALUES[name].items())), "about": about}
            for name, key, about in CHOICES
        ]
        if coding
        else [],
        "book": book.version if book else 0,
        "codes": codes(book, panel.reader) if book else [],
        "labels": [label_data(label, panel, book) for label in own if coding or label.kind not in ("reading", "step")],
        "others": [label_data(label, panel, book) for label in others_labels(panel) if not is_model(label.annotator)],
        "proposed": [label_data(label, panel, book) for label in _proposed(panel)],
        "hints": [{"sentence": s.sentence, "steps": list(s.steps), "known": s.known} for s in hints or ()],
        "hinted": hints is not None,
        "suggested": _suggested(panel.suggested) if coding and panel.suggested else None,
        "missing": missing(stage, own),
        "n": n,
        "answers": list(answers),
        "note": note,
        "made": made,
    }


def _suggested(one: Suggested) -> dict[str, Any]:
    return {**one._asdict(), "title": FATES[one.fate]}


def progress(assignments: Assignments, here: str, *, wrong: Collection[str] = ()) -> dict[str, Any]:
    at = assignments.runs.index(here) + 1 if here in assignments.runs else 0
    return {
        "at": at, "of": len(assignments.runs), "done": assignments.done, "skipped": assignments.skipped,
        "next": assignments.next_after(here), "previous": assignments.previous_before(here),
        "wrong": assignments.next_after(here, wrong),
    }  # fmt: skip


def codes(book: Codebook, reader: str) -> list[dict[str, Any]]:
    """The codes, each followed by those under it, with only this reader's hint. Retired codes are named but cannot be chosen."""
    called = {code.id: code.called for code in book.codes}
    return [
        {
            "id": code.id, "name": code.name, "group": code.group, "definition": code.definition, "example": code.example,
            "near": code.near_miss, "hint": code.hints.get(reader, ""), "retired": bool(code.retired),
            "under": called.get(code.parent, ""),
        }
        for code in in_order(book.codes)
    ]  # fmt: skip


def others_labels(panel: PanelState) -> list[Label]:
    """Others' labels of this reading, if the viewer may see them. Checked again here, regardless of what was passed in."""
    if not sees_others(panel.viewer, panel.run):
        return []
    return [label for label in panel.labels if label.annotator != panel.viewer.name and not label.removed]


def _proposed(panel: PanelState) -> list[Label]:
    """What models propose, in the order of steps; marked words last."""
    proposed = (label for label in others_labels(panel) if is_model(label.annotator))
    return sorted(proposed, key=lambda label: (label.step is None, label.step or 0))


def label_data(label: Label, panel: PanelState, book: Codebook | None) -> dict[str, Any]:
    """A label as the panel takes it. `again` is the reason to review it, `quote` the marked words. It gets only the description
    of an edit: the panel does not change edits."""
    target = dict(label.target)
    value = {name: given for name, given in label.value.items() if name != "edit"}
    quote = (panel.quotes or {}).get(label.id, "")
    if label.kind == "span" and target.get("on") == "text":
        quote = shorten(panel.text[target["start"] : target["end"]], LONGEST_QUOTE)
        unit = browser_text.counter(panel.text)
        target |= {"start": unit(target["start"]), "end": unit(target["end"])}
    again = book.review_reason(label.code, label.codebook) if book and label.code and not label.removed else ""
    by = "" if label.annotator == panel.viewer.name else label.annotator
    return {
        "id": label.id, "kind": label.kind, "target": target, "value": value, "revision": label.revision,
        "removed": label.removed, "by": by, "again": again, "quote": quote, "edited": (panel.edited or {}).get(label.id, ""),
    }  # fmt: skip


def in_characters(text: str, target: Mapping[str, Any]) -> dict[str, Any]:
    """The target of a label as stored: the browser gives offsets in the source text in its own units."""
    given = dict(target)
    if given.get("on") == "text":
        back = _to_characters(text)
        given |= {name: back(given[name]) for name in ("start", "end") if isinstance(given.get(name), int)}
    return given


def _to_characters(text: str) -> Any:
    count = browser_text.counter(text)
    length, size = len(text), count(len(text))
    if length == size:
        return lambda place: place
    beyond = [count(at) for at, character in enumerate(text) if ord(character) > 0xFFFF]
    return lambda place: place - bisect_left(beyond, place)


def missing(stage: int, own: Sequence[Label]) -> list[str]:
    """What an annotator has not labelled yet, in words. None of it is required."""
    there = [label for label in own if not label.removed]
    if stage == NOTES:
        return [] if any(label.kind == "note" for label in there) else ["any note"]
    if stage != CODES:
        return []
    given = {label.target["field"]: label.value["value"] for label in there if label.kind == "reading"}
    wanted = ["outcome", "support", "path"]
    if given.get("outcome") in WRONG_OUTCOMES:
        wanted.append("decisive")
    return [_MISSING_WORDS[name] for name in wanted if name not in given]
