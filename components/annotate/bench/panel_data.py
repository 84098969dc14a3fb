"""What the label panel is told of a reading, as JSON data; and whose turn is next. Pure.

What a stage hides is not in the data at all: before stage 3 there are no codes, fields, hints, outcomes or others' labels in it,
whatever the browser asks for. Places on the source text are counted as the browser counts them, all others in characters. Nothing
here is markup: the panel puts every string on the page as text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from components.player import utf16
from readers.engine.labels.codebook import Codebook
from readers.engine.labels.correction import label_seed
from readers.engine.labels.label import (
    CODES,
    FATES,
    FIELDS,
    GROUPS,
    LONGEST_NOTE,
    NOTES,
    OUTCOMES,
    PATHS,
    SUPPORTS,
    WRITES,
    Label,
    Turn,
    reading_id,
)
from readers.engine.labels.project import Annotator, Project, Viewer, order, sees_codes, sees_others, upcoming
from readers.engine.record.hint import Hint

STAGES = {NOTES: "notes", GROUPS: "groups", CODES: "codes"}
ABOUT_STAGES = {
    NOTES: "Stage 1: write down what you see, in your own words. The codes, the known answer and what others said come later.",
    GROUPS: "Stage 2: put your notes into groups of your own.",
    CODES: "Stage 3: give codes to steps, and say where the reading went wrong.",
}
_OUTCOMES = ("Correct", "Partly correct", "Wrong", "Rightly gave none", "Wrongly gave none", "Cannot be judged")
_SUPPORTS = ("Proves it", "Goes with it", "Contradicts it", "There is none")
_PATHS = ("Direct", "Strayed, recovered", "Strayed, lost", "Tried everything", "Broken off")
_FATES = ("Never indexed", "Never offered", "Not chosen", "Not taken out", "Taken out, lost", "There, not used", "Used")
# Field, title, key, its values with their words, and what it asks.
CHOICES: tuple[tuple[str, str, str, tuple[tuple[str, str], ...], str], ...] = (
    ("outcome", "Outcome", "o", tuple(zip(OUTCOMES, _OUTCOMES, strict=True)), "The answer, against what is right."),
    ("support", "Support", "e", tuple(zip(SUPPORTS, _SUPPORTS, strict=True)), "What the cited passage does for the answer."),
    ("path", "Path", "p", tuple(zip(PATHS, _PATHS, strict=True)), "How the reader came to its end."),
    ("fate", "Fate of the fact", "t", tuple(zip(FATES, _FATES, strict=True)), "How far the fact that was needed came."),
)
SAID_WRONG = ("partly", "wrong", "abstained_wrong")
_WORDS = {"outcome": "the outcome", "support": "the support", "path": "the path", "decisive": "the decisive step"}
LONGEST_QUOTE = 160


class Work(NamedTuple):
    """The readings of one annotator in the stage they are in, in their own order, and how those they opened stand."""

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
        """Those to be done yet, the open ones among them."""
        return len(self.runs) - self.done - self.skipped

    def following(self, here: str) -> str | None:
        """The next reading that is still to be done, round from `here`; None where there is no other."""
        at = self.runs.index(here) + 1 if here in self.runs else 0
        todo = [run for run in (*self.runs[at:], *self.runs[:at]) if self.standing.get(run, "open") == "open" and run != here]
        return todo[0] if todo else None

    def before(self, here: str) -> str | None:
        """The reading before `here`, of all that are one's own or to be had; the last one, where `here` is none of them."""
        at = self.runs.index(here) if here in self.runs else len(self.runs)
        return self.runs[at - 1] if at else None


def work(project: Project, runs: Collection[str], annotator: Annotator, turns: Iterable[Turn]) -> Work:
    """What an annotator has done and has to do. `turns` are those of the whole project."""
    kept = list(turns)
    own = {turn.run: turn.standing for turn in kept if (turn.annotator, turn.stage) == (annotator.name, annotator.stage)}
    coming = set(upcoming(project, runs, annotator, kept))
    mine = (run for run in order(project.settings, annotator.name, runs) if run in own or run in coming)
    return Work(tuple(mine), own)


@dataclass(frozen=True)
class Bench:
    """What there is to tell of a reading at somebody's bench. `labels` are all that the viewer may see, removed ones of their own
    among them; `quotes` the words of marked places that are not on the source text, by label; `edited` what corrections change,
    in words, by label; `corrects` whether there is a place below the player to say what would have been right."""

    project: Project
    viewer: Viewer
    run: str
    reader: str
    text: str
    steps: int
    turn: Turn
    work: Work
    labels: Sequence[Label] = ()
    quotes: Mapping[str, str] | None = None
    book: Codebook | None = None
    hints: Sequence[Hint] | None = None
    full: bool = False
    edited: Mapping[str, str] | None = None
    corrects: bool = False


def panel(bench: Bench) -> dict[str, Any]:
    """All that the panel gets, but for the answers to what it sent."""
    stage, viewer = bench.viewer.stage, bench.viewer
    own = [label for label in bench.labels if label.annotator == viewer.name]
    coding = sees_codes(viewer)
    book, hints = (bench.book, bench.hints) if coding else (None, None)
    return {
        "project": bench.project.id,
        "run": bench.run,
        "annotator": viewer.name,
        "ids": {name: reading_id(bench.project.id, bench.run, viewer.name, name) for name in FIELDS} if coding else {},
        "seed": label_seed(bench.project.id, bench.run, viewer.name),
        "stage": stage,
        "about": ABOUT_STAGES[stage],
        "standing": bench.turn.standing,
        "skipped": bench.turn.reason if bench.turn.standing == "skipped" else "",
        "steps": bench.steps,
        "full": bench.full,
        "corrects": bench.corrects and coding,
        "longest": LONGEST_NOTE,
        "writes": list(WRITES[stage]),
        "progress": progress(bench.work, bench.run),
        "fields": [_field(*choice) for choice in CHOICES] if coding else [],
        "book": book.version if book else 0,
        "codes": codes(book, bench.reader) if book else [],
        "labels": [told(label, bench, book) for label in own if coding or label.kind not in ("reading", "step")],
        "others": [told(label, bench, book) for label in others(bench)],
        "hints": [{"sentence": s.sentence, "steps": list(s.steps), "known": s.known} for s in hints or ()],
        "hinted": hints is not None,
        "missing": missing(stage, own),
    }


def progress(work: Work, here: str) -> dict[str, Any]:
    at = work.runs.index(here) + 1 if here in work.runs else 0
    return {
        "at": at, "of": len(work.runs), "done": work.done, "skipped": work.skipped,
        "next": work.following(here), "previous": work.before(here),
    }  # fmt: skip


def _field(name: str, title: str, key: str, values: Sequence[tuple[str, str]], about: str) -> dict[str, Any]:
    return {"name": name, "title": title, "key": key, "values": [list(value) for value in values], "about": about}


def codes(book: Codebook, reader: str) -> list[dict[str, Any]]:
    """The codes, with the hint for this reader alone; those out of use have a name, and cannot be chosen."""
    return [
        {
            "id": code.id, "name": code.name, "group": code.group, "definition": code.definition, "example": code.example,
            "near": code.near_miss, "hint": code.hints.get(reader, ""), "retired": bool(code.retired),
        }
        for code in book.codes
    ]  # fmt: skip


def others(bench: Bench) -> list[Label]:
    """What others said of this reading, where the viewer may see it: asked once more here, whatever was handed in."""
    if not sees_others(bench.viewer, bench.run):
        return []
    return [label for label in bench.labels if label.annotator != bench.viewer.name and not label.removed]


def told(label: Label, bench: Bench, book: Codebook | None) -> dict[str, Any]:
    """A label as the panel takes it. `again` says why it should be looked at again; `quote` are the words that were marked. Of an
    edit it gets the words alone: it edits none."""
    target = dict(label.target)
    value = {name: given for name, given in label.value.items() if name != "edit"}
    quote = (bench.quotes or {}).get(label.id, "")
    if label.kind == "span" and target.get("on") == "text":
        quote = _short(bench.text[target["start"] : target["end"]])
        unit = utf16.counter(bench.text)
        target |= {"start": unit(target["start"]), "end": unit(target["end"])}
    again = book.review_reason(label.code, label.codebook) if book and label.code and not label.removed else ""
    by = "" if label.annotator == bench.viewer.name else label.annotator
    return {
        "id": label.id, "kind": label.kind, "target": target, "value": value, "revision": label.revision,
        "removed": label.removed, "by": by, "again": again, "quote": quote, "edited": (bench.edited or {}).get(label.id, ""),
    }  # fmt: skip


def quote(words: str, start: int, end: int) -> str:
    """The words of a marked place, cut where they are long."""
    return _short(words[start:end])


def _short(words: str) -> str:
    tidy = " ".join(words.split())
    return tidy if len(tidy) <= LONGEST_QUOTE else f"{tidy[: LONGEST_QUOTE - 1].rstrip()}…"


def in_characters(text: str, target: Mapping[str, Any]) -> dict[str, Any]:
    """The target of a label as it is kept: a place on the source text comes from the browser in its own units."""
    given = dict(target)
    if given.get("on") == "text":
        back = _back(text)
        given |= {name: back(given[name]) for name in ("start", "end") if isinstance(given.get(name), int)}
    return given


def _back(text: str) -> Any:
    count = utf16.counter(text)
    length, size = len(text), count(len(text))
    if length == size:
        return lambda place: place
    beyond = [count(at) for at, character in enumerate(text) if ord(character) > 0xFFFF]
    return lambda place: place - bisect_left(beyond, place)


def missing(stage: int, own: Sequence[Label]) -> list[str]:
    """What an annotator has not said of a reading, in words; none of it has to be said."""
    there = [label for label in own if not label.removed]
    if stage == NOTES:
        return [] if any(label.kind == "note" for label in there) else ["any note"]
    if stage != CODES:
        return []
    said = {label.target["field"]: label.value["value"] for label in there if label.kind == "reading"}
    wanted = ["outcome", "support", "path"]
    if said.get("outcome") in SAID_WRONG:
        wanted.append("decisive")
    return [_WORDS[name] for name in wanted if name not in said]
